"""A survey is plain data that lists the operations, imports and names of one file."""

from __future__ import annotations

import cProfile
import os
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, fields, is_dataclass

import pytest
from model_programs import STEP

from done_lint.engine.workers import on_deep_stack
from done_lint.facts.build import link
from done_lint.flowgraph import operations
from done_lint.flowgraph.build import survey
from done_lint.flowgraph.operations import Combination, Operation


def test_a_survey_comes_back_from_a_pickle_as_it_was() -> None:
    made = survey("main.py", STEP)
    again = pickle.loads(pickle.dumps(made))
    assert again == made
    assert link([again]).facts("main.py") == link([made]).facts("main.py")


def test_surveying_twice_gives_the_same() -> None:
    assert survey("main.py", STEP) == survey("main.py", STEP)


def test_linking_leaves_the_survey_as_it_was() -> None:
    made = survey("main.py", STEP + "y = reward + 0.99 * (1 - done) * value(next_obs)\n")
    before = pickle.loads(pickle.dumps(made))
    link([made])
    assert made == before


def test_reactions_stand_at_what_they_wait_for() -> None:
    made = survey("main.py", STEP + "y = reward + 0.99 * (1 - done) * value(next_obs)\n")
    waiting = [*made.waiting.items(), *made.naming.items()]
    assert waiting
    for node, reactions in waiting:
        for reaction in reactions:
            waits_for = getattr(reaction, fields(reaction)[0].name)
            assert isinstance(reaction, Combination) or waits_for == node


KINDS = [kind for kind in vars(operations).values() if is_dataclass(kind) and isinstance(kind, type)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_operation_is_frozen_and_comes_back_from_a_pickle(kind: type[Operation]) -> None:
    assert issubclass(kind, Operation)
    one = kind(*(field.name for field in fields(kind)))
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(FrozenInstanceError):
        setattr(one, fields(kind)[0].name, 0)


def test_imports_are_listed_with_their_dots() -> None:
    made = survey("main.py", "import gymnasium as gym\nfrom .a import b\nfrom .. import c\nimport x.y\n")
    assert "gymnasium" in made.imports
    assert "x.y" in made.imports
    assert any(name.startswith(".") for name in made.imports)


def test_names_of_the_module_are_exported() -> None:
    made = survey("main.py", "a = 1\ndef f(): pass\nclass C: pass\nfor i in (): pass\nimport json as j\n")
    assert {"a", "f", "C", "i", "j"} <= set(made.exports)


def test_an_empty_file_has_an_empty_survey() -> None:
    for text in ("", "\n", "# nothing\n", '"""Nothing."""\n'):
        made = survey("main.py", text)
        assert not made.functions
        assert not made.products
        assert not link([made]).facts("main.py")


def test_no_file_at_all_links_to_an_empty_model() -> None:
    assert not link([]).facts("main.py")


def test_a_survey_does_not_depend_on_hashes() -> None:
    text = "from a import b, c, d\nclass E:\n    def f(self):\n        self.g = self.h = b\nx = y = E().f()\n"
    program = (
        "from done_lint.engine.survey_columns import written\nfrom done_lint.flowgraph.build import survey\n"
        f"print(written(survey('main.py', {text!r})))"
    )
    command = [sys.executable, "-c", program]
    found = {
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in "123"
    }
    assert len(found) == 1


def test_the_pieces_of_a_long_sum_are_looked_at_once() -> None:
    """A sum of twice as many names takes twice the calls, and not four times."""

    def calls(terms: int) -> int:
        profile = cProfile.Profile()
        text = f"x = {' + '.join(['a'] * terms)}\n"
        on_deep_stack(lambda: profile.runcall(survey, "main.py", text))
        return sum(entry.callcount for entry in profile.getstats())

    calls(10)
    assert calls(1200) < 2.5 * calls(600)


@pytest.mark.parametrize("text", ["def f(:\n", "x = = 1\n", "print 'old'\n", "  x = 1\n", "x = 1\0"])
def test_what_is_not_python_is_refused_as_ast_refuses_it(text: str) -> None:
    with pytest.raises((SyntaxError, ValueError)):
        survey("main.py", text)
