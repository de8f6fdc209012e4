"""Compares what a check finds in public repositories with what people judged by reading the code there.

    python benchmarks/judged.py FOLDER

FOLDER holds a checkout of each repository, in a folder `owner+name`; a repository that is not there is left out. Each
needs its `.git`, even an empty one: without, a folder inside that describes itself counts as a program of its own. The
lists have one JSON object a line, and no code:

- `judged/findings.jsonl`: every finding of whole repositories. `verdict` is `true`, `false` or `arguable`;
  `fix` says whether the fix that was offered as safe is `good`, `ugly` or `harmful`.
- `judged/vector.jsonl`: the places where a rule about vector environments ought to report something (`expected`), and
  those where it would be tempting and wrong. They were listed before the tool was run.

Judgements are of one commit: the line of a place is that of the commit in its row.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

JUDGED = Path(__file__).parent / "judged"
#: A row may be built in one statement and kept by another one: a report so many lines away is of the same place.
NEAR = 12


class Place(NamedTuple):
    """A row of a list, or a finding."""

    path: str
    line: int
    code: str


@dataclass(frozen=True)
class Found:
    """A finding of today."""

    place: Place
    safe_fix: bool


def findings_in(folder: Path) -> list[Found]:
    """What a check of a repository finds, documents included.

    Raises:
        SystemExit: the check could not run.
    """
    options = ["--no-cache", "--include-docs", "--output-format", "json", "--exit-zero"]
    command = [sys.executable, "-m", "done_lint", "check", *options, "."]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode not in (0, 1):
        raise SystemExit(f"{folder.name}: exit {result.returncode}: {result.stderr}")
    found = []
    for one in json.loads(result.stdout):
        place = Place(one["filename"], one["location"]["row"], one["code"])
        found.append(Found(place, bool(one["fix"]) and one["fix"]["applicability"] == "safe"))
    return found


def score_findings(judged: Sequence[Mapping[str, object]], found: Sequence[Found]) -> Counter[str]:
    """How many findings are still there, by their verdicts, how many true ones are lost, and how many are new."""
    today = {one.place: one.safe_fix for one in found}
    score: Counter[str] = Counter()
    for row in judged:
        place = _place(row)
        if place in today:
            score[str(row["verdict"])] += 1
            score["harmful"] += row.get("fix") == "harmful" and today[place]
        else:
            score["lost"] += row["verdict"] == "true"
    score["new"] = len(today.keys() - {_place(row) for row in judged})
    return score


def score_places(judged: Sequence[Mapping[str, object]], found: Sequence[Found]) -> Counter[str]:
    """How many expected places are found or missed, and how many others are false, by `CODE kind`."""
    score: Counter[str] = Counter()
    for row in judged:
        place = _place(row)
        near = any(_is_near(one.place, place) for one in found)
        if row["expected"]:
            score[f"{place.code} {'hit' if near else 'missed'}"] += 1
        elif near and not any(other["expected"] and _is_near(_place(other), place) for other in judged):
            score[f"{place.code} false"] += 1
    return score


def _place(row: Mapping[str, object]) -> Place:
    return Place(str(row["path"]), int(str(row["line"])), str(row["code"]))


def _is_near(one: Place, other: Place) -> bool:
    return (one.path, one.code) == (other.path, other.code) and abs(one.line - other.line) <= NEAR


def read(name: str) -> dict[str, list[dict[str, object]]]:
    """The rows of a list, by repository."""
    rows: dict[str, list[dict[str, object]]] = {}
    for line in (JUDGED / name).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        rows.setdefault(row["repo"], []).append(row)
    return rows


def _print(name: str, score: Mapping[str, int], kinds: Iterable[str]) -> None:
    print(f"{name:45s} " + ", ".join(f"{score[kind]} {kind}" for kind in kinds))


def main() -> None:
    """Print the score of every repository, and of all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the checkouts are")
    folder: Path = parser.parse_args().folder
    findings, places = read("findings.jsonl"), read("vector.jsonl")
    whole: Counter[str] = Counter()
    of_vectors: Counter[str] = Counter()
    kinds = ("true", "false", "arguable", "lost", "new", "harmful")
    for repository in sorted(findings.keys() | places.keys()):
        checkout = folder / repository.replace("/", "+")
        if not checkout.is_dir():
            continue
        found = findings_in(checkout)
        if repository in findings:
            score = score_findings(findings[repository], found)
            whole += score
            _print(repository, score, kinds)
        if repository in places:
            score = score_places(places[repository], found)
            of_vectors += score
            _print(repository, score, sorted(score))
    _print("all findings", whole, kinds)
    if decided := whole["true"] + whole["false"]:
        print(f"precision {whole['true'] / decided:.3f}")
    for code in sorted({kind.split()[0] for kind in of_vectors}):
        _print(code, of_vectors, [f"{code} {kind}" for kind in ("hit", "missed", "false")])


if __name__ == "__main__":
    main()
