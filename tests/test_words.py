"""Words that this project has replaced by standard terms do not come back."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
#: Folders and files without these words: the next one that is free of them goes here.
PLAIN = (
    *("CHANGELOG.md", "CONTRIBUTING.md", "README.md", "docs", "pyproject.toml", "benchmarks", "fixtures"),
    *("done_lint/analysis", "done_lint/core", "done_lint/engine", "done_lint/flowgraph", "done_lint/cli"),
    *("done_lint/facts", "done_lint/rewrites", "done_lint/rules", "done_lint/flake8_plugin.py"),
    *("done_lint/knowledge", "done_lint/project", "done_lint/reporters", "done_lint/source", "done_lint/syntax"),
    *("tests/analysis", "tests/core", "tests/engine", "tests/fixed_code", "tests/flowgraph", "tests/generated_flows"),
    *("tests/knowledge", "tests/project", "tests/reporters", "tests/rewrites", "tests/rules", "tests/source"),
    *("tests/cli", "tests/facts", "tests/generated_programs", "tests/shim", "tests/syntax", "tests/whole_programs"),
)
#: What no text may contain, and what to write instead.
WORDS = {
    **dict.fromkeys(["mend", "mends", "mended", "mending", "unmended"], "fix"),
    **dict.fromkeys(["born", "birth", "births"], "comes from this step"),
    **dict.fromkeys(["blob", "blobs"], "widened to unknown"),
    **dict.fromkeys(["affair", "affairs"], "is reported there"),
}
PHRASES = {"rule of the house": "design rule", "out of sight": "outside this method"}
#: What no name in Python code may contain, though a sentence may.
NAMES = {
    "told": "documented",
    "staying": "blocking names",
    "deliberate": "compatibility code",
    **dict.fromkeys(["era", "eras", "vote", "votes"], "API usage"),
    "loose": "escaping, or possibly unbound",
}
SUFFIXES = {".ipynb", ".md", ".mdx", ".py", ".rst", ".toml"}


def _files(place: str) -> list[Path]:
    whole = ROOT / place
    files = [whole] if whole.is_file() else sorted(path for path in whole.rglob("*") if path.suffix in SUFFIXES)
    return [path for path in files if path != Path(__file__)]


def _text(path: Path) -> str:
    """The text of a file; of the changelog only the newest version."""
    text = re.sub(r"https?://[^\s\"']+", "", path.read_text(encoding="utf-8"))
    return "".join(re.split(r"(?m)^(?=## )", text)[:2]) if path.name == "CHANGELOG.md" else text


def _parts(text: str) -> set[str]:
    """The words of a text and of the names in it, in lower case: `_oldRow` has two."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", text)}


def _names(text: str) -> Iterator[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return (token.string for token in tokens if token.type == tokenize.NAME)


def replaced(path: Path) -> dict[str, str]:
    """The words of a file that have a replacement, and the replacement."""
    text = _text(path)
    words = {word: WORDS[word] for word in _parts(text) & WORDS.keys()}
    words |= {phrase: better for phrase, better in PHRASES.items() if phrase in " ".join(text.lower().split())}
    if path.suffix != ".py" or ROOT / "fixtures" in path.parents:
        return words
    return words | {word: NAMES[word] for word in _parts(" ".join(_names(text))) & NAMES.keys()}


@pytest.mark.parametrize("place", PLAIN)
def test_a_place_uses_standard_terms(place: str) -> None:
    files = _files(place)
    assert files, f"{place} has no text"
    assert not {str(path.relative_to(ROOT)): words for path in files if (words := replaced(path))}


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.md", "It is MENDED.", {"mended"}),
        ("a.py", "# it tells, and is told\nunmended_rows = 1\n", {"unmended"}),
        ("a.md", "The rule of\nthe house.", {"rule of the house"}),
        ("a.py", "def f(told_names): pass\n", {"told"}),
        ("a.py", "class Blob: recommend = commands = amended = None\n", {"blob"}),
        ("CHANGELOG.md", "# Changes\n## 2\nFixed.\n## 1\nMended.\n", set()),
    ],
)
def test_a_replaced_word_is_found_in_text_and_in_names(tmp_path: Path, name: str, text: str, words: set[str]) -> None:
    (tmp_path / name).write_text(text)
    assert replaced(tmp_path / name).keys() == words
