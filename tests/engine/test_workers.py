"""Jobs on a deep stack: shared by a batch, in order, in this process or in several."""

from __future__ import annotations

import gc
import sys
import threading

import pytest

from done_lint.engine.workers import Work, on_deep_stack, silent


def squared(number: int) -> int:
    return number * number


def stack(_: int) -> tuple[int, bool, int]:
    return threading.get_ident(), gc.isenabled(), sys.getrecursionlimit()


@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 200])
@pytest.mark.parametrize(("processes", "size"), [(1, 10), (2, 10), (2, 10_000_000)])
def test_small_jobs_come_back_in_order(count: int, processes: int, size: int) -> None:
    with Work(silent, processes) as work:
        assert work.map_small(squared, range(count), "Squaring", size) == [n * n for n in range(count)]


def test_a_batch_shares_one_stack_without_the_collector() -> None:
    with Work(silent, 1) as work:
        stacks = work.map_small(stack, range(160), "Looking", 10)
    assert [len(set(stacks[start : start + 16])) for start in range(0, 160, 16)] == [1] * 10
    assert threading.get_ident() not in {thread for thread, _, _ in stacks}
    assert {collecting for _, collecting, _ in stacks} == {False}
    assert all(limit >= 20_000 for _, _, limit in stacks)
    assert gc.isenabled()


def test_a_job_on_the_deep_stack_starts_no_other() -> None:
    outer, inner = on_deep_stack(lambda: (threading.get_ident(), on_deep_stack(threading.get_ident)))
    assert outer == inner != threading.get_ident()
    # and the next one is deep again
    assert on_deep_stack(threading.get_ident) != threading.get_ident()


def test_an_error_of_a_job_is_the_callers() -> None:
    with pytest.raises(ZeroDivisionError), Work(silent, 1) as work:
        work.map_small(lambda number: 1 // number, [1, 0], "Dividing", 10)
