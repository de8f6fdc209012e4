"""Runs a training script and records every row that its vector environments and its replay buffer see.

    python record_rows.py RECORD.json SCRIPT.py [name=value ...]

The values are put into the dataclass that the script hands to `tyro.cli`, as far as it has such fields. Neither tyro
nor TensorBoard need be installed: the first is replaced by that, the second by a list of the scalars.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import json
import runpy
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np

if not hasattr(np, "bool8"):
    np.bool8 = np.bool_  # Gymnasium 0.29 asks for it, and numpy 2 does not have it

ROWS: list[list[str]] = []
EPISODES: list[list[Any]] = []


def _exact(value: Any) -> str:
    """A digest of all bits of an array."""
    array = np.asarray(value, dtype=np.float64)
    return hashlib.sha256(repr(array.shape).encode() + array.tobytes()).hexdigest()[:16]


class _Writer:
    """In the place of TensorBoard's `SummaryWriter`: keeps what is said about episodes."""

    def __init__(self, *_: Any, **__: Any) -> None: ...

    def add_scalar(self, name: str, value: Any, step: Any, *_: Any) -> None:
        if "episodic" in name:
            EPISODES.append([name, float(np.asarray(value).reshape(-1)[0]), int(step)])

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: None


def _stand_in(name: str, **contents: Any) -> None:
    module = ModuleType(name)
    vars(module).update(contents)
    sys.modules[name] = module


class _Normalized(gymnasium.ObservationWrapper[Any, Any, Any]):
    """`NormalizeObservation` with the arithmetic of Gymnasium 0.29: later releases round to the observation's type."""

    def __init__(self, env: Any, epsilon: float = 1e-8) -> None:
        super().__init__(env)
        self._mean, self._variance, self._count, self._epsilon = 0.0, 1.0, 1e-4, epsilon

    def observation(self, observation: Any) -> Any:
        delta, total = np.asarray(observation, dtype=np.float64) - self._mean, self._count + 1
        squares = self._variance * self._count + delta**2 * self._count / total
        self._mean, self._variance, self._count = self._mean + delta / total, squares / total, total
        return (observation - self._mean) / np.sqrt(self._variance + self._epsilon)


def _options(values: dict[str, Any]) -> Any:
    def cli(options: Any) -> Any:
        made = options()
        for name, value in values.items():
            if hasattr(made, name):
                setattr(made, name, value)
        return made

    return cli


def _record(owner: Any, name: str, values: Any) -> None:
    """Write down what a method is called with, or returns."""
    original = getattr(owner, name)

    def recorded(self: Any, *args: Any, **kwargs: Any) -> Any:
        given = [np.array(one) for one in args if isinstance(one, (np.ndarray, list))]
        result = original(self, *args, **kwargs)
        ROWS.append([name, *map(_exact, values(given, result))])
        return result

    setattr(owner, name, recorded)


def _building(build: Any) -> Any:
    """Every class `ReplayBuffer` that is made from now on writes down what is added to it."""

    def built(*args: Any, **kwargs: Any) -> Any:
        made = build(*args, **kwargs)
        if made.__name__ == "ReplayBuffer" and "add" in vars(made):
            _record(made, "add", lambda given, result: given)
        return made

    return built


def main() -> None:
    """Run the script as `python SCRIPT.py` would, then write the record."""
    record, script, *settings = sys.argv[1:]
    pairs = (one.split("=", 1) for one in settings)
    values = {name: ast.literal_eval(text) for name, text in pairs}
    _stand_in("tyro", cli=_options(values))
    _stand_in("torch.utils.tensorboard", SummaryWriter=_Writer)
    gymnasium.wrappers.NormalizeObservation = _Normalized
    for kind in (gymnasium.vector.SyncVectorEnv, gymnasium.vector.AsyncVectorEnv):
        _record(kind, "step", lambda given, result: [*given, *result[:4]])
        _record(kind, "reset", lambda given, result: [result[0]])
    sys.path.insert(0, str(Path(script).parent.parent))
    sys.path.insert(0, str(Path(script).parent))
    builtins.__build_class__ = _building(builtins.__build_class__)
    sys.argv = [script]
    try:
        runpy.run_path(script, run_name="__main__")
    finally:
        found = {"gymnasium": gymnasium.__version__, "rows": ROWS, "episodes": EPISODES}
        Path(record).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
