"""Assignments, branches and loops: which version of a flag a name holds."""

from __future__ import annotations

from model_programs import STEP, flag, meanings


def test_an_assignment_makes_a_new_version() -> None:
    program = STEP + "flag = done\nprint(flag)  # here\nflag = terminated\nprint(flag)"
    assert meanings(program, "flag") == {"done"}
    assert meanings(program.replace("  # here", ""), "flag") == {"terminated"}


def test_branches_join_as_alternatives() -> None:
    program = STEP + "if obs:\n    flag = done\nelse:\n    flag = terminated\nprint(flag)"
    assert meanings(program, "flag") == {"done", "terminated"}


def test_a_loop_joins_what_it_brings_back() -> None:
    program = STEP + "flag = terminated\nfor _ in range(9):\n    print(flag)  # here\n    flag = done\n"
    assert meanings(program, "flag") == {"terminated", "done"}


def test_the_worst_alternative_decides_the_properties_of_a_flag() -> None:
    program = STEP + "if obs:\n    flag = done\nelse:\n    flag = terminated\nprint(flag)"
    found = flag(program, "flag")
    assert found is not None
    assert found.truncation
    assert not found.terminated_only


def test_terminated_knows_that_it_is_nothing_else() -> None:
    found = flag(STEP + "print(terminated)", "terminated")
    assert found is not None
    assert found.terminated_only
    assert not found.truncation


def test_the_path_of_a_flag_begins_where_the_environment_stepped() -> None:
    found = flag(STEP + "mask = 1 - done\nprint(mask)", "mask")
    assert found is not None
    assert found.path[0].span.row == 7
    assert found.path[0].path == "main.py"


def test_del_and_rebinding_by_a_loop_variable_forget_the_flag() -> None:
    assert meanings(STEP + "for done in range(3):\n    print(done)", "done") == set()


def test_a_walrus_binds_the_flag() -> None:
    assert meanings(STEP + "if over := done:\n    print(over)", "over") == {"done"}


def test_a_chain_of_assignments_binds_every_name() -> None:
    assert meanings(STEP + "a = b = done\nprint(a, b)", "a") == {"done"}
    assert meanings(STEP + "a = b = done\nprint(a, b)", "b") == {"done"}


def test_names_swapped_in_one_assignment_are_swapped() -> None:
    program = STEP + "terminated, truncated = truncated, terminated\nprint(terminated, truncated)"
    assert meanings(program, "terminated") == {"truncated"}
    assert meanings(program, "truncated") == {"terminated"}


def test_try_and_except_join() -> None:
    program = STEP + "try:\n    flag = done\nexcept ValueError:\n    flag = terminated\nprint(flag)"
    assert meanings(program, "flag") == {"done", "terminated"}
