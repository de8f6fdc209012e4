"""No program that ran under Gym fails after `fix`: programs put together from parts, run on both libraries.

The suite draws a few dozen. Thousands, by their numbers: `python tests/whole_programs/test_generated_programs.py 2000
[first]` (with `PYTHONPATH=tests`) prints what fails, the shortest first, and how often each part is in it.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from drawing import examples
from fixing import fix
from generated_flows.choose import Choose
from generated_programs.program import GeneratedProgram, alone, program
from hypothesis import given
from hypothesis import strategies as st
from running import on_gymnasium, on_shim

#: The parts that fail by themselves today, and why; no other program has them.
FAILING: dict[str, str] = {}
#: The parts that fail only together with others, so that they are not drawn.
IN_COMPANY = {
    "caller: star in a call": "behind several wrappers, a result that is spread over arguments is not followed",
    "caller: record": "a record that the environment of another file fills is not followed",
    "caller: collected in a loop": "the loop over results is seen only after the fixes of its family",
    "world: registered class": "the class, and what is made by its id, are two families",
}


def complaint(generated: GeneratedProgram) -> str:
    """What is wrong with what `fix` does to a program; empty where it is right."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path, text in generated.files.items():
            (folder / path).write_text(text, encoding="utf-8")
        before = on_shim().run(folder)
        assert not before.failure, f"{before.failure}\n{generated}"
        result = fix(folder)
        left = [one for one in result.findings if one.incompatibility]
        if not result.changed:
            silent = [one for one in left if not one.unfixed and not (one.fix and one.fix.safety == "display")]
            return "" if left and not silent else f"nothing changes, and no reason is given: {silent[:1]}"
        # What is blocked stays on Gym: both libraries are there.
        after = (on_shim() if left else on_gymnasium()).run(folder)
    if after.failure:
        return f"it fails: {after.failure.strip().splitlines()[-1]}" + (f"; left: {left[0].message}" if left else "")
    return "" if after.printed == before.printed else f"it prints {after.printed!r} and not {before.printed!r}"


def drawn(number: int) -> GeneratedProgram:
    """The program of a number."""
    return program(Choose(random.Random(number).randrange), FAILING | IN_COMPANY)


def _case(name: str, generated: GeneratedProgram) -> object:
    marks = [pytest.mark.xfail(strict=True, reason=FAILING[name])] if name in FAILING else []
    return pytest.param(generated, marks=marks, id=name)


@pytest.mark.parametrize("generated", [_case(*pair) for pair in alone().items()])
def test_a_part_by_itself_changes_with_its_program(generated: GeneratedProgram) -> None:
    assert not complaint(generated), f"{complaint(generated)}\n{generated}"


@st.composite
def programs(draw: st.DrawFn) -> GeneratedProgram:
    """Any program of parts that do not fail by themselves."""
    return program(Choose(lambda count: draw(st.integers(0, count - 1))), FAILING | IN_COMPANY)


@examples()
@given(programs())
def test_a_program_that_ran_under_gym_does_not_fail_after_its_fix(generated: GeneratedProgram) -> None:
    assert not complaint(generated), f"{complaint(generated)}\n{generated}"


def main(count: int, first: int = 0) -> int:
    """Judge many programs; print what fails, the shortest first."""
    made = [drawn(number) for number in range(first, first + count)]
    found = [(text, one) for one in made if (text := complaint(one))]
    for text, one in sorted(found, key=lambda pair: len(str(pair[1].parts))):
        print(f"{one.parts}\n    {text}")
    tried = Counter(name for one in made for name in one.parts.names())
    failed = Counter(name for _, one in found for name in one.parts.names())
    for name, times in sorted(failed.items(), key=lambda pair: -pair[1] / tried[pair[0]]):
        print(f"{times:5} of {tried[name]:5}  {name}")
    print(f"{count} programs, {len(found)} judged wrongly")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
