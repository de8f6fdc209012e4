"""Names that a notebook mentions in text that is not Python."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import PLAIN, done_lint
from notebooks import FIXED_STEP, STEP, of_sources, sources

from done_lint.core.findings import Edit
from done_lint.source.source import Source


def program(*texts: str) -> str:
    return Source.from_bytes("a.ipynb", of_sources(texts)).text


#: Cells that mention `done` in text that Python does not read.
MENTIONS = [
    "!echo {done}",
    "!echo $done",
    "if True:\n    !echo \\\n      {done}",
    "listing = !ls {done}",
    "%store done",
    "done?",
    "?done",
    '%%bash -s "$done"\necho $1',
    "%%bash\necho $done",
    "%timeit f(done)",
    "%timeit f(done",
    "%%timeit -n 10 x = done\nx",
    "%%time\nprint(done)",
    "%%time\nprint done",
    "%%javascript\nshow(done)",
    "%%writefile later.py\nprint(done)",
    "print done",
    "x = 1 +\ny = done",
]


@pytest.mark.parametrize("mention", MENTIONS)
def test_a_flag_that_skipped_text_mentions_stays_bound_with_its_old_meaning(tmp_path: Path, mention: str) -> None:
    head = 'import gymnasium as gym\nenv = gym.make("CartPole-v1")\nenv.reset()'
    (tmp_path / "a.ipynb").write_bytes(of_sources([head, STEP, mention]))
    done_lint(tmp_path, "fix", *PLAIN)
    assert sources((tmp_path / "a.ipynb").read_bytes()) == [head, FIXED_STEP, mention]


@pytest.mark.parametrize(
    "other", ["!echo finished {x}", "%matplotlib inline", "%%html\n<b>Nothing</b>", "print info.done"]
)
def test_a_flag_that_is_not_mentioned_gets_no_old_name(tmp_path: Path, other: str) -> None:
    head = 'import gymnasium as gym\nenv = gym.make("CartPole-v1")\nenv.reset()'
    (tmp_path / "a.ipynb").write_bytes(of_sources([head, STEP, other]))
    done_lint(tmp_path, "fix", *PLAIN)
    assert sources((tmp_path / "a.ipynb").read_bytes()) == [head, "obs, reward, _, _, info = env.step(0)", other]


@pytest.mark.parametrize("mention", ["%store done", "print done"])
def test_a_stored_flag_that_skipped_text_mentions_keeps_its_name(tmp_path: Path, mention: str) -> None:
    """GYM203 names `terminated` where it is stored, and leaves `done` to its other readers."""
    head = (
        'import gymnasium as gym\nfrom collections import deque\nenv = gym.make("CartPole-v1")\nobs, _ = env.reset()\n'
        "memory = deque()"
    )
    store = f"{STEP}\nmemory.append((obs, reward, done))"
    learn = "for obs, reward, done_ in memory:\n    target = reward + 0.99 * q(obs) * (1 - done_)"
    (tmp_path / "a.ipynb").write_bytes(of_sources([head, store, learn, mention]))
    done_lint(tmp_path, "fix", *PLAIN)
    expected = f"{FIXED_STEP}\nmemory.append((obs, reward, terminated))"
    assert sources((tmp_path / "a.ipynb").read_bytes()) == [head, expected, learn, mention]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("%store -r done", "if [done]: done = ...  # %store -r done"),
        ("%%capture done\nx = 1", "if [done]: done = ...\nx = 1"),
        ("%%bash --out done\nls", "if [done]: done = ...\n# ls"),
        ("o, r, done, i = env.step(0); print done", "if [done]: done = ..."),
        ("for done in done_s: print 1", "if [done]: done = ..."),
        ("done = !echo {done}", "done = ...; done"),
    ],
)
def test_a_name_that_skipped_text_binds_has_another_value_below(cell: str, expected: str) -> None:
    assert program("done = 1", cell) == f"done = 1\n\n{expected}\n\n"


def test_a_row_that_stands_for_skipped_text_takes_no_edit() -> None:
    data = of_sources(["done = 1", "print done"])
    source = Source.from_bytes("a.ipynb", data)
    assert source.text == "done = 1\n\ndone\n\n"
    start = source.text.index("done\n")
    for edit in (Edit(start, start, "x = 1\n"), Edit(start, start + 5, ""), Edit(start, start + 4, "x")):
        assert not source.accepts([edit])
