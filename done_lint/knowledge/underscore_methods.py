"""Methods that environments defined before Gym 0.9.6, where the public ones of the library called them (data)."""

from __future__ import annotations

#: What runs an episode: a class that has one of these in the old form is of that time. The others only go with them,
#: for alone they may be helpers.
RUNNING = ("_step", "_reset")
OTHERS = ("_seed", "_render", "_close")
#: What a wrapper of one kind has to define: without the public method it cannot step. `_reverse_action` is none of
#: them: no Gymnasium has a `reverse_action` (`core.py` of 0.26 to 1.4).
TRANSFORMING = {"_action": "ActionWrapper", "_observation": "ObservationWrapper", "_reward": "RewardWrapper"}
NAMES = frozenset({*RUNNING, *OTHERS, *TRANSFORMING})

#: Classes of the library that have no method of an environment. Gym 0.7 to 0.26 and Gymnasium 1.4 `utils/ezpickle.py`,
#: `utils/record_constructor.py`.
WITHOUT_METHODS = frozenset(
    {
        *("utils.EzPickle", "utils.ezpickle.EzPickle"),
        *("utils.RecordConstructorArgs", "utils.record_constructor.RecordConstructorArgs"),
    }
)
