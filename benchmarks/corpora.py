"""The trees that `run.py` measures on: Python files of public packages, and folders of projects."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path

#: Large packages, of whose wheels the mixed corpus is made, beside the standard library.
WHEELS = ("django", "numpy", "pandas", "scikit-learn", "scipy", "sympy", "networkx", "sqlalchemy")
_LEFT_OUT = frozenset({"site-packages", "dist-packages", "__pycache__", "lib2to3"})


def mixed(folder: Path, most: int) -> Path:
    """A folder with at most so many Python files of the standard library and of large packages."""
    found = folder / "mixed"
    if not found.exists():
        _copy(Path(sysconfig.get_paths()["stdlib"]).resolve(), found / "stdlib")
        downloads = folder / "wheels"
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "-q",
            "--no-deps",
            "--only-binary",
            ":all:",
            "-d",
            downloads,
        ]
        subprocess.run([*command, *WHEELS], check=True, stderr=subprocess.DEVNULL)
        for wheel in sorted(downloads.glob("*.whl")):
            _unpack(wheel, found / wheel.name.partition("-")[0])
        for path in _without(python_files([found]), most):
            path.unlink()
    return found


def _copy(tree: Path, to: Path) -> None:
    for path in python_files([tree]):
        target = to / path.relative_to(tree)
        if _LEFT_OUT.isdisjoint(target.parts):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


def _unpack(wheel: Path, to: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.endswith(".py"):
                archive.extract(name, to)


def _without(paths: Sequence[Path], most: int) -> list[Path]:
    """The paths that have to go where only so many are to be left, evenly spread."""
    left = set(spread(paths, most))
    return [path for path in paths if path not in left]


def spread(paths: Sequence[Path], most: int) -> list[Path]:
    """At most so many of some paths, evenly spread over them."""
    if len(paths) <= most:
        return list(paths)
    return [paths[number * len(paths) // most] for number in range(most)]


def part(tree: Path, most: int, to: Path) -> Path:
    """A copy of a part of a tree."""
    for path in spread(python_files([tree]), most):
        target = to / path.relative_to(tree)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    return to


def python_files(folders: Iterable[Path]) -> list[Path]:
    """All Python files below some folders, sorted."""
    return sorted(path for folder in folders for path in folder.rglob("*.py") if path.is_file())


def rows(paths: Iterable[Path]) -> int:
    """How many rows some files have together."""
    return sum(path.read_bytes().count(b"\n") for path in paths)
