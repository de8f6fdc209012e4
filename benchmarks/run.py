"""Measures done-lint beside other tools, and writes docs/performance.md.

    python benchmarks/run.py --rl PROJECT PROJECT... --legacy PROJECT

Two corpora: the standard library with large packages, which pip downloads, and projects of reinforcement learning,
which are given; done-lint checks each of these by itself. ruff, ast-grep, semgrep, flake8 with TorchFix, and fixit are
installed into an environment each. All tools take turns, so that a busy machine slows them alike. The slowest are
measured on a part of the files, as is done-lint beside them. Ratios and what they rest on are written, no paths.

With `--work FOLDER` environments and packages stay there for the next time.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import corpora
import stages
from project_cost import parsing

ROOT = Path(__file__).parents[1]
PEERS = Path(__file__).parent / "peers"
#: What is installed for each tool.
PACKAGES = {
    "ruff": ["ruff"],
    "ast-grep": ["ast-grep-cli"],
    "semgrep": ["semgrep"],
    "flake8": ["flake8", "torchfix"],
    "fixit": ["fixit"],
}
_FIXIT_RULE = "fixit.rules.no_redundant_fstring:NoRedundantFString"
#: A project that takes longer, in seconds, is checked once, not once a round.
LONG = 30
#: How many files the mixed corpus has in the measurements of growth.
GROWTH = (500, 2000, 8000)


@dataclass(frozen=True)
class Cost:
    """What one run costs: seconds, CPU seconds of all its processes, and MiB of the largest of them."""

    wall: float
    cpu: float
    peak: float


@dataclass
class Table:
    """What was measured, by what was run."""

    costs: defaultdict[str, list[Cost]] = field(default_factory=lambda: defaultdict(list))

    def cpu(self, what: str) -> float:
        """The median of CPU seconds."""
        return statistics.median(one.cpu for one in self.costs[what])

    def wall(self, what: str) -> float:
        """The median of seconds."""
        return statistics.median(one.wall for one in self.costs[what])

    def peak(self, what: str) -> float:
        """The largest process, in MiB."""
        return max(one.peak for one in self.costs[what])

    def ratio(self, what: str, other: str) -> str:
        """The ratio of two, in CPU seconds and in seconds."""
        return f"{self.cpu(what) / self.cpu(other):.2f} | {self.wall(what) / self.wall(other):.2f}"


def run(command: Sequence[str | Path]) -> Cost:
    """Run a command; an exit above 2 is an error."""
    start = time.perf_counter()
    process = subprocess.Popen(
        list(map(str, command)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        env=_environment(command),
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1, 2):
        raise SystemExit(f"exit {process.returncode}: {' '.join(map(str, command))}")
    return Cost(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def _environment(command: Sequence[str | Path]) -> dict[str, str]:
    """The environment of a run: semgrep looks for its parts in PATH."""
    folder = os.path.dirname(str(command[0]))
    return {**os.environ, "PATH": folder + os.pathsep + os.environ.get("PATH", ""), "PYTHONDONTWRITEBYTECODE": "1"}


def together(commands: Iterable[Sequence[str | Path]]) -> Cost:
    """Run several commands one after the other as one."""
    return added([run(command) for command in commands])


def added(costs: Sequence[Cost]) -> Cost:
    """The cost of several runs together."""
    return Cost(sum(one.wall for one in costs), sum(one.cpu for one in costs), max(one.peak for one in costs))


def check(folder: Path, *options: str | Path, command: str = "check") -> list[str | Path]:
    """A run of done-lint."""
    return [sys.executable, "-m", "done_lint", command, "-q", "--exit-zero", *options, folder]


class Peers:
    """The other tools, each in an environment of its own."""

    def __init__(self, folder: Path) -> None:
        """Install what is not installed yet."""
        self._folder = folder
        for name, packages in PACKAGES.items():
            if not (folder / name / "installed").exists():
                subprocess.run([sys.executable, "-m", "venv", folder / name], check=True)
                pip = [self._tool(name, "python"), "-m", "pip", "install", "-q", *packages]
                subprocess.run(pip, check=True, stderr=subprocess.DEVNULL)
                (folder / name / "installed").touch()

    def _tool(self, name: str, command: str) -> Path:
        return self._folder / name / ("Scripts" if os.name == "nt" else "bin") / command

    def ruff(self, *folders: Path, cache: Path | None = None) -> list[str | Path]:
        """The rules about names."""
        kept = ["--cache-dir", cache] if cache else ["--no-cache"]
        return [
            self._tool("ruff", "ruff"),
            "check",
            "-q",
            "--isolated",
            "--select",
            "F",
            "--exit-zero",
            *kept,
            *folders,
        ]

    def ast_grep(self, *folders: Path) -> list[str | Path]:
        """Three rules."""
        return [self._tool("ast-grep", "ast-grep"), "scan", "-r", PEERS / "ast-grep.yml", "--json=compact", *folders]

    def semgrep(self, *folders: Path) -> list[str | Path]:
        """The same three rules."""
        options = ["--metrics", "off", "--disable-version-check", "--quiet", "--no-git-ignore", "-j", "2"]
        return [self._tool("semgrep", "semgrep"), "scan", "--config", PEERS / "semgrep.yml", *options, *folders]

    def flake8(self, *folders: Path) -> list[str | Path]:
        """The rules of TorchFix."""
        return [self._tool("flake8", "flake8"), "--isolated", "--select", "TOR", "-j", "2", *folders]

    def fixit(self, *folders: Path) -> list[str | Path]:
        """One rule."""
        return [self._tool("fixit", "fixit"), "--rules", _FIXIT_RULE, "lint", *folders]


class Measurement:
    """Everything that is measured once a round."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        """Get tools and trees ready."""
        self.options, self.folder = options, folder
        self.peers = Peers(folder / "peers")
        self.projects: list[Path] = options.rl
        self.mixed = corpora.mixed(folder, options.mixed)
        scratch = folder / "scratch"
        shutil.rmtree(scratch, ignore_errors=True)
        self.sample = corpora.part(self.projects[0], options.sample, scratch / "sample") if self.projects else None
        self.edited = shutil.copytree(self.projects[0], scratch / "edited") if self.projects else None
        self.growth = {
            number: corpora.part(self.mixed, number, scratch / f"mixed-{number}")
            for number in GROWTH
            if number <= options.mixed
        }
        self.scratch = scratch
        self.table = Table()

    def round(self, number: int) -> None:
        """Run everything once."""
        cache = self.scratch / "cache"
        self._take("ruff, mixed", lambda: run(self.peers.ruff(self.mixed)))
        self._take("mixed", lambda: run(check(self.mixed, "--no-cache")))
        self._warm("mixed", [self.mixed], cache)
        for files, folder in self.growth.items():
            self._take(f"growth {files}", lambda folder=folder: run(check(folder, "--no-cache")))
        self._take("version", lambda: run([sys.executable, "-m", "done_lint", "--version"]))
        self._take("pass", lambda: run([sys.executable, "-c", "pass"]))
        if self.projects:
            self._projects(cache)
            self._edits(cache, number)
        if self.sample is not None and number == 0:
            sample = self.sample
            self._take("flake8, part", lambda: run(self.peers.flake8(sample)))
            self._take("part", lambda: run(check(sample, "--no-cache")))
            self._take("fixit, part", lambda: run(self.peers.fixit(sample)))
        if self.options.legacy is not None and number == 0:
            legacy = self.options.legacy
            self._take("fix", lambda: run(check(legacy, "--diff", command="fix")))
            self._take("fixit, legacy", lambda: run(self.peers.fixit(legacy)))

    def _projects(self, cache: Path) -> None:
        self._take("ast-grep", lambda: run(self.peers.ast_grep(*self.projects)))
        if len(self.table.costs["semgrep"]) == 0:
            self._take("semgrep", lambda: run(self.peers.semgrep(*self.projects)))
        for number, project in enumerate(self.projects):
            known = self.table.costs[f"project {number}"]
            if not known or known[-1].wall < LONG:
                self._take(f"project {number}", lambda project=project: run(check(project, "--no-cache")))
                parsed = parsing(project)
                self.table.costs[f"ast {number}"].append(Cost(parsed, parsed, 0))
        newest = [self.table.costs[f"project {number}"][-1] for number in range(len(self.projects))]
        self.table.costs["rl"].append(added(newest))
        self._warm("rl", self.projects, cache)

    def _edits(self, cache: Path, number: int) -> None:
        """A check of a project, and of one file in it, after a change in that file that was never there before."""
        assert self.edited is not None
        path = max(corpora.python_files([self.edited]), key=lambda path: path.stat().st_size)
        before = path.read_bytes()
        asked = {"edited": (self.edited, cache / "edited"), "one file": (path, cache / "one")}
        for what, text in (("a comment", f"\n# changed {number}\n"), ("a statement", f"\nchanged = {number}\n")):
            for name, (place, kept) in asked.items():
                path.write_bytes(before)
                run(check(place, "--cache-dir", kept))
                path.write_bytes(before + text.encode())
                self._take(f"{name}, {what}", lambda place=place, kept=kept: run(check(place, "--cache-dir", kept)))
        path.write_bytes(before)

    def _warm(self, what: str, folders: Sequence[Path], cache: Path) -> None:
        """ruff and done-lint, each for the second time."""
        for name, command in (
            ("ruff", lambda one: self.peers.ruff(one, cache=cache / "ruff")),
            ("done-lint", lambda one: check(one, "--cache-dir", cache / "done-lint")),
        ):
            if not self.table.costs[f"{name}, warm, {what}"]:
                together(map(command, folders))
            self._take(f"{name}, warm, {what}", lambda command=command: together(map(command, folders)))

    def _take(self, what: str, measure: Callable[[], Cost]) -> None:
        print(f"{what} ...", end=" ", flush=True, file=sys.stderr)
        self.table.costs[what].append(measure())
        cost = self.table.costs[what][-1]
        print(f"{cost.wall:.2f} s, {cost.cpu:.2f} CPU s, {cost.peak:.0f} MiB", file=sys.stderr)


def report(measured: Measurement) -> str:
    """The page."""
    table = measured.table
    text = (PEERS / "performance.md").read_text(encoding="utf-8")
    files = corpora.python_files([measured.mixed])
    rl = corpora.python_files(measured.projects)
    values = {
        "MIXED": f"{len(files):,} files, {corpora.rows(files):,} lines",
        "RL": f"{len(measured.projects)} projects, {len(rl):,} files, {corpora.rows(rl):,} lines",
        "ROUNDS": str(measured.options.rounds),
        "COMPARED": "\n".join(_compared(measured)),
        "PROJECTS": "\n".join(_of_projects(measured)),
        "GROWTH": "\n".join(
            f"| {number:,} | {table.cpu(f'growth {number}'):.1f} | {table.wall(f'growth {number}'):.1f} "
            f"| {1000 * table.cpu(f'growth {number}') / number:.2f} | {table.peak(f'growth {number}'):.0f} |"
            for number in measured.growth
        ),
        "STAGES": "\n".join(_stages(measured)),
    }
    for name, value in values.items():
        text = text.replace(f"<!-- {name} -->", value)
    return text


def _compared(measured: Measurement) -> Iterable[str]:
    """Rows of the table of ratios: what, CPU seconds of both, the ratios of CPU seconds and of wall time, peak."""
    for shown, ours, theirs in (
        ("cold, mixed / `ruff check --select F --no-cache`", "mixed", "ruff, mixed"),
        ("cold, RL / ast-grep, three rules", "rl", "ast-grep"),
        ("cold, RL / semgrep, the same rules", "rl", "semgrep"),
        ("cold, part of one project / flake8 with TorchFix", "part", "flake8, part"),
        ("cold, part of one project / fixit, one rule", "part", "fixit, part"),
        ("warm, mixed / ruff warm", "done-lint, warm, mixed", "ruff, warm, mixed"),
        ("warm, RL / ruff warm", "done-lint, warm, rl", "ruff, warm, rl"),
        ("after a comment in one file / cold", "edited, a comment", "project 0"),
        ("after a statement in one file / cold", "edited, a statement", "project 0"),
        ("`check FILE` after a comment / cold", "one file, a comment", "project 0"),
        ("`fix --diff` on old code / fixit, one rule", "fix", "fixit, legacy"),
        ("`--version` / `python -c pass`", "version", "pass"),
    ):
        table = measured.table
        if table.costs.get(ours) and table.costs.get(theirs):
            seconds = f"{table.cpu(ours):.2f} / {table.cpu(theirs):.2f}"
            yield f"| {shown} | {seconds} | {table.ratio(ours, theirs)} | {table.peak(ours):.0f} |"


def _of_projects(measured: Measurement) -> Iterable[str]:
    for number, project in enumerate(measured.projects):
        files = corpora.python_files([project])
        cost = measured.table.cpu(f"project {number}")
        ratio = cost / measured.table.cpu(f"ast {number}")
        peak = measured.table.peak(f"project {number}")
        lines = corpora.rows(files)
        yield f"| {len(files):,} | {lines:,} | {cost:.1f} | {ratio:.0f} | {10**5 * cost / lines:.1f} | {peak:.0f} |"


def _stages(measured: Measurement) -> Iterable[str]:
    """Rows: a stage, and its share in each of the first three projects."""
    found = [stages.of(project) for project in measured.projects[:3]]
    yield f"| stage | {' | '.join(f'{len(corpora.python_files([one]))} files' for one in measured.projects[:3])} |"
    yield f"|---|{'---|' * len(found)}"
    for name in stages.NAMES:
        yield f"| {name} | {' | '.join(f'{one[name]:.0%}' for one in found)} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--mixed", type=int, default=8000, help="files of the mixed corpus")
    parser.add_argument("--sample", type=int, default=60, help="files for flake8 and fixit")
    parser.add_argument(
        "--rl", nargs="*", type=Path, default=[], metavar="PROJECT", help="the first one is edited, too"
    )
    parser.add_argument("--legacy", type=Path, help="a project for old Gym")
    parser.add_argument("--work", type=Path, help="where environments and packages stay")
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "performance.md")
    options = parser.parse_args()
    options.rl = [path.resolve() for path in options.rl]
    options.legacy = options.legacy and options.legacy.resolve()
    with TemporaryDirectory() as temporary:
        folder = (options.work or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        measured = Measurement(options, folder)
        for number in range(options.rounds):
            measured.round(number)
        options.output.write_text(report(measured), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
