"""Flags flow through parameters and returns."""

from __future__ import annotations

import pytest
from model_programs import after_rows


@pytest.mark.parametrize(
    "rows",
    [
        "def f(x):\n    print(x)  # here\nf(done)",
        "def f(a, x):\n    print(x)  # here\nf(1, done)",
        "def f(a, x=None):\n    print(x)  # here\nf(1, x=done)",
        "def f(a, *, x):\n    print(x)  # here\nf(1, x=done)",
        "def f(a, x):\n    print(x)  # here\nf(*(1, done))",
        "def f(a, x):\n    print(x)  # here\nf(**{'a': 1, 'x': done})",
        "def f(*rows):\n    for x in rows:\n        print(x)  # here\nf(1, done)",
        "def f(*rows):\n    a, x = rows\n    print(x)  # here\nf(1, done)",
        "def f(**named):\n    x = named['end']\n    print(x)  # here\nf(end=done)",
        "def g(x):\n    print(x)  # here\ndef f(*args, **kwargs):\n    return g(*args, **kwargs)\nf(done)",
        "def g(x):\n    print(x)  # here\ndef f(*args, name='', **named):\n    return g(*args, name, **named)\nf(done)",
        "def g(a, *rows):\n    x = rows[1]\n    print(x)  # here\ndef f(*args):\n    g(*args)\nf(1, 2, done)",
        "def f(*rows):\n    if obs:\n        f(1, *rows)\n    for x in rows:\n        print(x)  # here\nf(done)",
        "f = lambda x: print(x)  # here\nf(done)",
        "class A:\n    def f(self, x):\n        print(x)  # here\nA().f(done)",
        "class A:\n    @staticmethod\n    def f(x):\n        print(x)  # here\nA.f(done)",
        "class A:\n    @classmethod\n    def f(cls, x):\n        print(x)  # here\nA.f(done)",
        "class A:\n    def __call__(self, x):\n        print(x)  # here\nA()(done)",
        "class A:\n    def __init__(self, x):\n        print(x)  # here\nA(done)",
        "class A:\n    def f(self, x):\n        print(x)  # here\nclass B(A):\n    pass\nB().f(done)",
        "class A:\n    def f(self, x):\n        print(x)  # here\nclass B(A):\n    def f(self, y):\n"
        "        super().f(y)\nB().f(done)",
        "class A:\n    def f(self, x):\n        self.g(x)\n    def g(self, x):\n        print(x)  # here\nA().f(done)",
        "def f(g):\n    g(done)\ndef h(x):\n    print(x)  # here\nf(h)",
        "import functools\ndef f(a, x):\n    print(x)  # here\nfunctools.partial(f, 1)(done)",
        "import functools\ndef f(a, *, x):\n    print(x)  # here\nfunctools.partial(f, x=done)(1)",
        "def f():\n    def g():\n        print(x)  # here\n    x = done\n    g()\nf()",
    ],
)
def test_an_argument_reaches_its_parameter(rows: str) -> None:
    assert after_rows(rows, "x") == {"done"}


def test_an_argument_by_position_goes_past_a_parameter_that_can_only_be_named() -> None:
    assert after_rows("def f(*rows, x=None):\n    print(x)  # here\nf(done)", "x") == set()


@pytest.mark.parametrize(
    "rows",
    [
        "def f():\n    return done\nx = f()",
        "def f():\n    return 1, done\na, x = f()",
        "def f():\n    return 1, done\nx = f()[1]",
        "def f():\n    return {'end': done}\nx = f()['end']",
        "def f():\n    if obs:\n        return done\n    return done\nx = f()",
        "def f():\n    yield done\nfor x in f():\n    pass",
        "def f(a):\n    return a\nx = f(done)",
        "def f(a, b):\n    return b, a\ny, x = f(done, 0)",
        "f = lambda: done\nx = f()",
        "class A:\n    @property\n    def over(self):\n        return done\nx = A().over",
        "async def f():\n    return done\nasync def g():\n    x = await f()\n    print(x)",
    ],
)
def test_a_returned_flag_reaches_the_caller(rows: str) -> None:
    assert after_rows(f"{rows}\nprint(x)" if "print(x)" not in rows else rows, "x") == {"done"}


def test_a_helper_that_returns_the_whole_step_gives_flags_where_it_is_unpacked() -> None:
    rows = "def act(a):\n    return env.step(a)\no, r, t, u, i = act(0)\nprint(t, u)"
    assert after_rows(rows, "t") == {"terminated"}
    assert after_rows(rows, "u") == {"truncated"}


def test_a_helper_that_unites_the_flags_returns_done() -> None:
    rows = (
        "def act(a):\n    o, r, t, u, i = env.step(a)\n    return o, r, t or u, i\no, r, over, i = act(0)\nprint(over)"
    )
    assert after_rows(rows, "over") == {"done"}


def test_a_function_keeps_the_flags_of_its_callers_as_alternatives() -> None:
    rows = "def f(x):\n    print(x)  # here\nf(done)\nf(terminated)"
    assert after_rows(rows, "x") == {"done", "terminated"}


def test_another_parameter_stays_without_a_flag() -> None:
    assert after_rows("def f(x, y):\n    print(y)  # here\nf(done, 0)", "y") == set()


@pytest.mark.parametrize(
    "function",
    [
        "to = lambda x: torch.as_tensor(x).float()",
        "def to(x, kind=None):\n    t = x.clone() if kind else torch.tensor(x)\n    return t.to(device)",
        "def to(x):\n    if not isinstance(x, torch.Tensor):\n        x = torch.from_numpy(x)\n    return x.to(device)",
        "def to(x):\n    if kind:\n        return torch.tensor(x)\n    return x",
    ],
)
def test_a_conversion_gives_what_its_own_call_was_given(function: str) -> None:
    assert after_rows(f"{function}\nprint(to(done))\nx = to(terminated)\nprint(x)", "x") == {"terminated"}


@pytest.mark.parametrize(
    "function",
    [
        "def to(x):\n    if kind:\n        return torch.tensor(kept)\n    return torch.tensor(x)",
        "def to(x):\n    for x in x:\n        kept.append(x)\n    return torch.tensor(x)",
        "def to(x):\n    x = [one for one in kept]\n    return torch.tensor(x[0])",
    ],
)
def test_what_returns_something_else_too_is_no_conversion(function: str) -> None:
    rows = f"kept = [truncated]\n{function}\nprint(to(done))\nx = to(terminated)\nprint(x)"
    assert after_rows(rows, "x") != {"terminated"}
