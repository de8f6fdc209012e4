"""Keys of the info of a step: those that have another name today, and those that are gone (data)."""

from __future__ import annotations

from collections.abc import Mapping

#: The key of old Gym, and that of today. Gym 0.17 `AtariEnv.step` with atari-py; ale-py 0.12 `AtariEnv._get_info`.
INFO_KEYS: Mapping[str, str] = {"ale.lives": "lives"}
#: Keys that nothing has taken the place of, and the package whose environments set them. In ale-py 0.7
#: `AtariEnv._get_info` has the frame there, where the mode is `rgb_array`; in 0.12 `render()` alone gives it.
LOST_KEYS: Mapping[str, str] = {"rgb": "ale_py"}
