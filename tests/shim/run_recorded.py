"""Runs a program and records what every environment in it does.

    python run_recorded.py RECORD.json PROGRAM.py [ARGUMENT ...]

The recorder sits on `gymnasium.make`, below the shim, so old and new programs are recorded at the same place.
It raises when an environment is stepped before its first reset or after an episode's end.
"""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

EVENTS: list[list[Any]] = []
_make = gymnasium.make


class Recorder(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Writes down observations, actions, rewards and episode ends, bit for bit."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        self._running = False

    def reset(self, **kwargs: Any) -> tuple[Any, dict[str, Any]]:
        obs, info = super().reset(**kwargs)
        self._running = True
        EVENTS.append(["reset", _exact(obs)])
        return obs, info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        if not self._running:
            raise AssertionError("the environment was stepped after its episode's end")
        obs, reward, terminated, truncated, info = super().step(action)
        ended = bool(terminated or truncated)
        self._running = not ended
        EVENTS.append(["step", _exact(action), _exact(obs), float(reward).hex(), ended])
        return obs, reward, terminated, truncated, info


def _exact(value: Any) -> list[Any]:
    """Shape and bits of a number or array (its type may differ: the programs' arithmetic decides it)."""
    array = np.asarray(value, dtype=np.float64)
    return [array.shape, array.tobytes().hex()]


def _recorded_make(*args: Any, **kwargs: Any) -> Recorder:
    return Recorder(_make(*args, **kwargs))


def main() -> None:
    """Run the program as `python PROGRAM.py` would, then write the record (also when it fails)."""
    record, program, *arguments = sys.argv[1:]
    gymnasium.make = _recorded_make
    sys.argv = [program, *arguments]
    sys.path[0] = str(Path(program).parent)
    try:
        runpy.run_path(program, run_name="__main__")
    finally:
        Path(record).write_text(json.dumps(EVENTS), encoding="utf-8")


if __name__ == "__main__":
    main()
