"""What the model costs beside parsing: CPU time of survey, link and solving, as a ratio to `ast.parse`.

    python benchmarks/model_cost.py
    python benchmarks/model_cost.py --limit 4 path/to/a/tree

Without a tree, trees of 100 to 2,000 files are written: numbered copies of `fixtures/projects`, and other files in the
share that such trees have. Half of those contain "env", and so are surveyed; none has a step or a value target, and so
none is solved. All is done in one process, in which the collector of cycles is off, for the model and for parsing
alike. What is parsed are the files that were surveyed; their trees are thrown away. Each file is parsed right before it
is surveyed, so that both run under the same load. Finding, reading and decoding the files is no part of the model and
has a column of its own. Ratios are printed, never times: times belong to a machine. The last column compares the ratio
with that of the first tree: 1.00 all the way down is linear.
"""

from __future__ import annotations

import argparse
import ast
import gc
import shutil
import sys
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from done_lint.engine import analyze
from done_lint.facts.build import link
from done_lint.flowgraph.build import survey
from done_lint.project.discovery import projects
from done_lint.project.modules import Modules
from done_lint.project.settings import Settings

PROJECTS = Path(__file__).resolve().parent.parent / "fixtures" / "projects"
SIZES = (100, 500, 1000, 2000)
#: Of five files of a tree of RL code about two have nothing to do with environments.
SHARE = 0.4
#: What such a file holds: rows to be parsed, an import of a neighbour; every other one reads `os.environ`.
PLAIN = '''\
"""Table number {number} of the report."""

import json
import os
from collections import OrderedDict

from plain_{before} import columns as former


class Table:
    """Rows with names."""

    def __init__(self, path, title="table"):
        self.path = path
        self.title = title
        self.rows = OrderedDict()

    def add(self, name, *values):
        self.rows[name] = [float(value) * {number} for value in values]
        return self

    def widths(self):
        return [max(len(str(row[i])) for row in self.rows.values()) for i in range(len(columns()))]

    def save(self):
        os.makedirs(os.{where}, exist_ok=True)
        with open(self.path, "w") as file:
            json.dump({{"title": self.title, "rows": self.rows, "columns": columns()}}, file, indent=2)


def columns(names=("mean", "deviation", "count")):
    if not names:
        return former()
    return [name.title() for name in names]
'''


@dataclass(frozen=True)
class Cost:
    """What one tree took, in seconds of CPU, and how much of it was looked at."""

    read: int
    surveyed: int
    solved: int
    reading: float
    survey: float
    link: float
    parse: float

    @property
    def ratio(self) -> float:
        """Survey, link, solving and facts over parsing."""
        return (self.survey + self.link) / self.parse


def write_tree(folder: Path, size: int) -> None:
    """Write a project of `size` files."""
    (folder / "pyproject.toml").touch()
    plain = int(size * SHARE)
    for number in range(plain):
        where = 'environ["REPORTS"]' if number % 2 else "path.dirname(self.path)"
        text = PLAIN.format(number=number, before=number - number % 2, where=where)
        (folder / f"plain_{number}.py").write_text(text, encoding="utf-8")
    sources = sorted(PROJECTS.glob("*/*.py"))
    for number in range(size - plain):
        turn, index = divmod(number, len(sources))
        source = sources[index]
        target = folder / f"copy_{turn}_{source.parent.name}" / source.name
        target.parent.mkdir(exist_ok=True)
        shutil.copyfile(source, target)


def measure(tree: Path) -> Cost:
    """Read, parse, survey and link one tree."""
    found = projects([str(tree)], lambda root: Settings(root=root))
    read = surveyed = solved = 0
    reading = surveying = linking = parsing = 0.0
    now = time.process_time
    for project in found:
        start = now()
        sources = {path: source for path, (source, _) in analyze.surveyed(project).items()}
        reading += now() - start
        inside = Modules(project.files(), project.root).names
        surveys = []
        for path, source in sources.items():
            start = now()
            ast.parse(source.text)
            parsed = now()
            surveys.append(survey(path, source.text, inside))
            parsing += parsed - start
            surveying += now() - parsed
        start = now()
        model = link(surveys, project.root)
        linking += now() - start
        read += len(project.files())
        surveyed += len(sources)
        solved += len(model.solved)
    return Cost(read, surveyed, solved, reading - surveying, surveying, linking, parsing)


def peak() -> str:
    """The most memory that this process has had, where the system reports it."""
    try:
        import resource
    except ImportError:  # Windows
        return "-"
    unit = 1 if sys.platform == "darwin" else 1024
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20:.0f} MiB"


def main() -> int:
    """Print a row a tree; exit 1 when the last ratio is over the limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="*", type=Path, help="folders to measure, in place of trees that are written")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="how many files the written trees have")
    parser.add_argument("--limit", type=float, default=0.0, help="highest ratio of the last tree; 0: none")
    arguments = parser.parse_args()

    warnings.simplefilter("ignore")
    gc.disable()
    sys.setrecursionlimit(10_000)
    titles = (f"{'read':>6} {'surveyed':>9} {'solved':>7} {'reading':>8}", f"{'survey':>7} {'link':>6} {'model':>6}")
    print(*titles, f"{'peak':>9} {'growth':>7}")
    with TemporaryDirectory() as folder:
        trees: list[Path] = arguments.trees
        for size in () if trees else arguments.sizes:
            (tree := Path(folder) / str(size)).mkdir()
            write_tree(tree, size)
            trees = [*trees, tree]
        (warm := Path(folder) / "warm").mkdir()
        write_tree(warm, 50)
        measure(warm)  # imports and caches are in no measurement
        first = ratio = 0.0
        for tree in trees:
            cost = measure(tree)
            ratio = cost.ratio
            first = first or ratio
            print(
                f"{cost.read:6} {cost.surveyed:9} {cost.solved:7} {cost.reading / cost.parse:8.2f}"
                f" {cost.survey / cost.parse:7.2f}"
                f" {cost.link / cost.parse:6.2f} {ratio:6.2f} {peak():>9} {ratio / first:7.2f}",
                flush=True,
            )
    return int(bool(arguments.limit) and ratio > arguments.limit)


if __name__ == "__main__":
    raise SystemExit(main())
