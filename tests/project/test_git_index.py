"""What git tracks is never ignored: the names in its index."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from done_lint.project.git_index import Tracked
from done_lint.project.gitignore import is_ignored

#: Long enough that the field for the length of a name in the index is full.
_LONG = "/".join(["folder_of_environments"] * 4) + "/a.py"


def repository(root: Path, *names: str, version: int = 2, patterns: str = "env/\n") -> Tracked:
    """A repository that tracks files, whatever it ignores."""
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    (root / ".gitignore").write_text(patterns)
    git(root, "init", "-q")
    git(root, "add", "-f", ".")
    git(root, "update-index", "--index-version", str(version))
    return Tracked(str(root))


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True)


@pytest.mark.parametrize("version", [2, 3, 4])
@pytest.mark.parametrize("later", [(), ("env/added.py",)])
def test_the_names_of_an_index_are_those_that_git_lists(tmp_path: Path, version: int, later: tuple[str, ...]) -> None:
    names = ("a.py", "env/__init__.py", "env/cart/pole.py", "env/cart/é ü.py", _LONG, *(f"e{i}.py" for i in range(200)))
    tracked = repository(tmp_path, *names, version=version)
    for name in later:
        (tmp_path / name).touch()
        git(tmp_path, "add", "-f", "--intent-to-add", name)  # has more flags than others
    assert all(tracked.has(str(tmp_path / name)) for name in (*names, *later, "env", "env/cart"))
    assert not any(tracked.has(str(tmp_path / name)) for name in ("b.py", "env/cart/p", "folder", "env/other"))


def test_what_git_tracks_in_an_ignored_folder_is_not_ignored_and_the_rest_is(tmp_path: Path) -> None:
    repository(tmp_path, "env/a.py", "env/cart/b.py")
    (tmp_path / "env" / "local.py").touch()
    (tmp_path / "env" / "lib").mkdir()
    assert not is_ignored(str(tmp_path / "env" / "a.py"), str(tmp_path))
    assert not is_ignored(str(tmp_path / "env" / "cart" / "b.py"), str(tmp_path))
    assert is_ignored(str(tmp_path / "env" / "local.py"), str(tmp_path))
    assert is_ignored(str(tmp_path / "env" / "lib"), str(tmp_path))


@pytest.mark.parametrize("cut", [0, 3, 11, 40, 75, -30])
def test_an_index_that_cannot_be_read_names_nothing_or_less(tmp_path: Path, cut: int) -> None:
    repository(tmp_path, "env/a.py", "z.py")
    index = tmp_path / ".git" / "index"
    index.write_bytes(index.read_bytes()[:cut])
    assert not Tracked(str(tmp_path)).has(str(tmp_path / "b.py"))
    if cut < 75:
        assert is_ignored(str(tmp_path / "env" / "a.py"), str(tmp_path))


@pytest.mark.parametrize(
    "content",
    [b"DIRC", b"DIRC\0\0\0\7\0\0\0\1" + bytes(80), b"DIRC\0\0\0\2\xff\xff\xff\xff" + bytes(300), bytes(400)],
    ids=["short", "of an unknown version", "with too many entries", "zeros"],
)
def test_a_hostile_index_is_as_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "index").write_bytes(content)
    assert not Tracked(str(tmp_path)).has(str(tmp_path / "a.py"))
