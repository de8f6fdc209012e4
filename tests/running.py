"""Runs programs on the shim of old Gym or on Gymnasium itself: small ones in one process, others as forks of one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from forks import forked

SHIM = Path(__file__).parent / "shim"


@dataclass(frozen=True)
class Life:
    """What a program printed, and its traceback if it failed."""

    printed: str
    failure: str


class Runner:
    """A process that runs programs one after the other."""

    def __init__(self, *, shim: bool) -> None:
        """Start the process.

        Args:
            shim: whether `import gym` finds the shim; without it there is no `gym`.
        """
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        if shim:
            environment["PYTHONPATH"] = str(SHIM)
        command = [sys.executable, "-B", str(SHIM / "run_many.py")]
        self._process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, *folders: Path, script: str = "main.py") -> Life:
        """Run the script of the first folder; imports come from the others, too."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([list(map(str, folders)), script]), file=self._process.stdin, flush=True)
        return Life(**json.loads(self._process.stdout.readline()))


def with_gymnasium(folder: Path, *arguments: str, shim: bool = False) -> subprocess.CompletedProcess[str]:
    """Run `python ARGUMENT ...` in a folder as a process of its own, which has Gymnasium imported already."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if shim:
        environment["PYTHONPATH"] = str(SHIM)
    return forked(folder, *arguments, modules=("gymnasium", "numpy"), environment=environment)


@cache
def on_shim() -> Runner:
    """Runs old programs."""
    return Runner(shim=True)


@cache
def on_gymnasium() -> Runner:
    """Runs fixed programs."""
    return Runner(shim=False)
