"""How long a cold `done-lint check` takes, as a ratio to `ruff check --select F --no-cache` on the same trees.

    pip install -e '.[bench]'
    python benchmarks/cold_check.py --pairs 5 --limit 2

The trees' Python files are copied first, so that both commands read the same files, whatever they exclude by default.
Each pair runs both commands one after the other, in alternating order, so that a busy machine slows both.
Ratios are printed, never times: times belong to a machine.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import sysconfig
import time
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

PACKAGES = ("numpy", "scipy", "sympy", "django")


def trees() -> dict[str, Path]:
    """The standard library and the installed packages; what is missing is named on stderr."""
    found = {"stdlib": Path(sysconfig.get_paths()["stdlib"]).resolve()}
    for package in PACKAGES:
        spec = find_spec(package)
        if spec is None or spec.origin is None:
            print(f"{package} is not installed: left out", file=sys.stderr)
        else:
            found[package] = Path(spec.origin).resolve().parent
    return found


def copied(tree: Path, to: Path) -> Path:
    """A copy of the tree's Python files, without packages that are installed inside of it."""

    def other(folder: str, names: list[str]) -> set[str]:
        files = {n for n in names if not n.endswith(".py") and not (Path(folder) / n).is_dir()}
        return files | ({"site-packages", "dist-packages", "__pycache__"} & set(names))

    shutil.copytree(tree, to, ignore=other)
    return to


def seconds(command: list[str]) -> float:
    """Wall time of one run, its output thrown away; exit 2 or a signal is an error."""
    start = time.perf_counter()
    result = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    elapsed = time.perf_counter() - start
    if result.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)}\nexited with {result.returncode}: {result.stderr}")
    return elapsed


def ratios(paths: list[Path], pairs: int) -> list[float]:
    """Ratio done-lint : ruff of each pair of runs over these paths."""
    ruff = shutil.which("ruff", path=str(Path(sys.executable).parent)) or shutil.which("ruff")
    if ruff is None:
        raise SystemExit("ruff is not installed: pip install -e '.[bench]'")
    arguments = [str(p) for p in paths]
    peer = [ruff, "check", "--isolated", "--select", "F", "--no-cache", "--statistics", *arguments]
    ours = [sys.executable, "-m", "done_lint", "check", "--isolated", "--no-cache", *arguments]
    results = []
    for pair in range(pairs):
        if pair % 2:
            own, other = seconds(ours), seconds(peer)
        else:
            other, own = seconds(peer), seconds(ours)
        results.append(own / other)
    return results


def main() -> int:
    """Print the ratio of each tree and of all together; exit 1 when the latter's median is over the limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=5, help="pairs of runs for each line")
    parser.add_argument("--limit", type=float, default=2.0, help="highest median ratio over all trees")
    arguments = parser.parse_args()

    median = 0.0
    with TemporaryDirectory() as folder:
        found = {name: copied(tree, Path(folder) / name) for name, tree in trees().items()}
        print(f"{'tree':10} {'files':>6} {'median':>7} {'lowest':>7} {'highest':>7}")
        for name, paths in [*((name, [path]) for name, path in found.items()), ("all", list(found.values()))]:
            files = sum(1 for path in paths for _ in path.rglob("*.py"))
            measured = ratios(paths, arguments.pairs)
            median = statistics.median(measured)
            print(f"{name:10} {files:6} {median:7.2f} {min(measured):7.2f} {max(measured):7.2f}", flush=True)
    return int(median > arguments.limit)


if __name__ == "__main__":
    raise SystemExit(main())
