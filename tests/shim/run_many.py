"""Runs many programs in one process: a folder and a script a line come in, what the program printed goes out.

    python run_many.py

Each program begins as a process of its own would: its modules, registered ids and paths are gone after it.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import random
import runpy
import signal
import sys
import traceback
import warnings
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, NoReturn

import gymnasium
import numpy as np
from gymnasium.utils import seeding

_np_random = seeding.np_random
#: Seconds after which a program is stopped: one whose episode never ends must not stop the tests.
LIMIT = 10


def run(folders: list[str], script: str) -> dict[str, str]:
    """What a program prints, and its traceback if it fails.

    Args:
        folders: that of the program, then others that its imports come from.
        script: the name of the file to start.
    """
    path, registered = list(sys.path), dict(gymnasium.registry)
    here = os.getcwd()
    printed, failure = io.StringIO(), ""
    random.seed(0)
    np.random.seed(0)
    sys.path[:0] = folders
    os.chdir(folders[0])
    try:
        with redirect_stdout(printed), redirect_stderr(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            runpy.run_path(os.path.join(folders[0], script), run_name="__main__")
    except BaseException:  # also an exit
        failure = traceback.format_exc()
    finally:
        _forget(folders, registered)
        sys.path[:] = path
        os.chdir(here)
    return {"printed": printed.getvalue(), "failure": failure}


def _forget(folders: list[str], registered: dict[str, Any]) -> None:
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(tuple(folders)):
            del sys.modules[name]
    gymnasium.registry.clear()
    gymnasium.registry.update(registered)
    if "gym" in sys.modules:
        sys.modules["gym"].envs.registration.registry.clear()
    importlib.invalidate_caches()


def _repeatable(seed: int | None = None) -> Any:
    """Random numbers that are the same in each run, where a program asks for any."""
    return _np_random(0 if seed is None else seed)


def _stop(signum: int, frame: Any) -> NoReturn:
    raise TimeoutError(f"the program ran for more than {LIMIT} seconds")


def main() -> None:
    """Answer line by line until the input ends."""
    sys.dont_write_bytecode = True
    del sys.path[0]  # the folder of this file, which has the shim: only `PYTHONPATH` shall lead to it
    seeding.np_random = _repeatable
    signal.signal(signal.SIGALRM, _stop)
    answers = sys.stdout
    for line in sys.stdin:
        signal.alarm(LIMIT)
        answer = run(*json.loads(line))
        signal.alarm(0)
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
