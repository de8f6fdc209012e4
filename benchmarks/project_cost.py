"""What a check of a project costs in CPU time, as a ratio to parsing its Python files with `ast`.

    python benchmarks/project_cost.py FOLDER...

Three runs of each folder: cold, with an empty cache, and warm; the two parsers are measured in a process each, too.
Ratios are printed, never times: times belong to a machine.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

_PARSE = """\
import ast, pathlib, sys, time, warnings
warnings.simplefilter("ignore")
texts = [path.read_bytes() for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.py"))]
start = time.process_time()
for text in texts:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        pass
print(time.process_time() - start)
"""


def parsing(folder: Path) -> float:
    """CPU seconds of parsing all Python files below a folder, without reading them."""
    command = [sys.executable, "-c", _PARSE, str(folder)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def checking(folder: Path, *options: str) -> float:
    """CPU seconds of one run, all of its processes together; exit 2 is an error."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "done_lint", "check", "-q", "--exit-zero", *options, str(folder)]
    result = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if result.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)}\nexited with {result.returncode}: {result.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ratios(folder: Path, runs: int) -> dict[str, float]:
    """The median of several runs, by their kind; all kinds take turns, so that a busy machine slows them alike."""
    found: dict[str, list[float]] = {"cold": [], "cold, keeping the answer": [], "warm": []}
    parsed: list[float] = []
    for _ in range(runs):
        with TemporaryDirectory() as cache:
            parsed.append(parsing(folder))
            found["cold"].append(checking(folder, "--no-cache"))
            found["cold, keeping the answer"].append(checking(folder, "--cache-dir", cache))
            found["warm"].append(checking(folder, "--cache-dir", cache))
    return {kind: statistics.median(times) / statistics.median(parsed) for kind, times in found.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    for folder in options.folders:
        shown = ", ".join(f"{kind} {ratio:.1f}" for kind, ratio in ratios(folder, options.runs).items())
        print(f"{folder}: {shown}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
