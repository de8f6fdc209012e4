"""In which stage of a check the CPU time goes: what `run.py` asks.

python benchmarks/stages.py FOLDER
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

_OTHER = "all else: finding and reading files, comments, output"
#: The functions of a stage, by module, class and name. What a stage calls of another one counts for that.
_STAGES = {
    "starting: imports": (),
    "surveys": ("flowgraph.build survey",),
    "linking and solving": ("facts.build link", "analysis.linker joined", "analysis.linker solve"),
    "reading the facts": ("facts.extract Reading.part",),
    "which rules want which file": ("engine.lint wanting",),
    "LibCST and the rules": ("engine.lint _run",),
    "trying the fixes, without the stages above": ("engine.one_project foreseen",),
}
NAMES = (*_STAGES, _OTHER)


class Clock:
    """CPU time by stage; the time of a stage inside of another one counts once."""

    def __init__(self) -> None:
        """Nothing was measured."""
        self.found = dict.fromkeys(NAMES, 0.0)
        self._inner: list[float] = []

    def measure(self, stage: str, owner: object, name: str) -> None:
        """Measure a function from now on."""
        function = getattr(owner, name)

        def measured(*args: object, **named: object) -> object:
            start = time.process_time()
            self._inner.append(0.0)
            try:
                return function(*args, **named)
            finally:
                spent = time.process_time() - start
                self.found[stage] += spent - self._inner.pop()
                if self._inner:
                    self._inner[-1] += spent

        setattr(owner, name, measured)


def of(folder: Path) -> dict[str, float]:
    """The share of each stage in a cold check, in one process."""
    result = subprocess.run([sys.executable, __file__, folder], capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(result.stdout)
    return found


def main() -> int:
    start = time.process_time()
    from importlib import import_module

    from done_lint import cli
    from done_lint.engine import workers

    clock = Clock()
    for stage, functions in _STAGES.items():
        for module, dotted in (one.split() for one in functions):
            owner: object = import_module(f"done_lint.{module}")
            *around, name = dotted.split(".")
            for one in around:
                owner = getattr(owner, one)
            clock.measure(stage, owner, name)
    clock.found["starting: imports"] = time.process_time() - start
    workers.processors = lambda: 1
    with contextlib.suppress(SystemExit):
        cli.main(["check", "-q", "--no-cache", "--exit-zero", "--output-file", os.devnull, sys.argv[1]])
    whole = time.process_time()
    clock.found[_OTHER] = whole - sum(clock.found.values())
    print(json.dumps({name: spent / whole for name, spent in clock.found.items()}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
