"""Keys of the info of a step that have another name today (data)."""

from __future__ import annotations

from collections.abc import Mapping

#: The key of old Gym, and that of today. Gym 0.17 `AtariEnv.step` with atari-py; ale-py 0.12 `AtariEnv._get_info`.
INFO_KEYS: Mapping[str, str] = {"ale.lives": "lives"}
