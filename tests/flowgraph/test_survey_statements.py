"""Every kind of statement is surveyed, in programs of any depth and width."""

from __future__ import annotations

import ast
import pickle
import random
import sysconfig
import tokenize
from pathlib import Path

import pytest
from model_programs import STEP, meanings

from done_lint.facts.build import link
from done_lint.flowgraph.build import survey


@pytest.mark.parametrize(
    "rows",
    [
        "match obs:\n    case [a, *b]:\n        x = done\n    case {'k': v, **rest}:\n        x = done\n"
        "    case int(n) | str(n) if n:\n        x = done\n    case Point(x=0) as p:\n        x = done\n"
        "    case _:\n        x = done",
        "try:\n    x = done\nexcept* ValueError as group:\n    x = done\n",
        "try:\n    pass\nexcept (A, B) as e:\n    raise X from e\nelse:\n    x = done\nfinally:\n    pass",
        "async def f():\n    async with a as b, c:\n        pass\n    async for i in j:\n        pass\n    await k\n"
        "    return [x async for x in y]\nx = done",
        "if (n := len(obs)) > 3 and (m := n):\n    pass\nx = done",
        "def f():\n    global g\n    g = done\nx = done",
        "def f():\n    n = 0\n    def h():\n        nonlocal n\n        n += 1\n    h()\nx = done",
        "@a.b(1)\n@c\nclass D(E, metaclass=F, **k):\n    '''doc'''\n    x: int\n    __slots__ = ()\nx = done",
        "@decorate\ndef f(a, /, b: int = 1, *c, d, e=2, **g) -> None: ...\nx = done",
        "while obs:\n    if reward:\n        break\n    continue\nelse:\n    pass\nx = done",
        "for i, (a, *b) in enumerate(obs):\n    pass\nelse:\n    pass\nx = done",
        "with open(a) as f, open(b) as (g, h):\n    x = done",
        "assert obs, 'no'\ndel obs\nx = done",
        "a.b[c].d, *e = f, g\n(x) = done",
        "a: int\nb: 'gym.Env' = env\nx: bool = done",
        "x = done; a @= b; a **= 2; a //= 3; a <<= 1; a ^= b; a %= 2",
        "f'{obs!r:>{width}} {reward=} {f\"{a}\"}'\nx = done",
        "lambda *a, b=1, **c: (yield)\nx = done",
        "[a for a in b if a for c in a], {a: b for a, b in c}, {a for a in b}, (a for a in b)\nx = done",
        "print(*a, **b)\nx = done",
        "x = done\nobs[1:2, ..., None, ::3]",
        "a < b <= c != d is not e not in f\nx = done",
        "x = done if True else done",
        "from . import a\nfrom .b import *\nimport c.d as e, f\nx = done",
        "x = y = done\n-x, +x, ~x, not x",
        "def f():\n    x = yield\n    y = yield from g()\n    return (yield y)\nx = done",
        "class A:\n    class B:\n        def f(self):\n            class C:\n                pass\nx = done",
        "if 1:\n    pass\nelif 2:\n    pass\nelse:\n    pass\nx = done",
        "x = (done)\npass\n...\n'text'\nb'bytes'\n1j",
    ],
)
def test_every_kind_of_statement_is_read(rows: str) -> None:
    program = f"{STEP}{rows}\nprint(x)\n"
    try:
        ast.parse(program)
    except SyntaxError:
        pytest.skip("newer syntax than this Python's")
    assert meanings(program, "x") == {"done"}


@pytest.mark.parametrize(
    "rows",
    [
        "match obs:\n    case 0:\n        x = terminated\n    case _:\n        x = done",
        "for i in obs:\n    x = terminated\nelse:\n    x = done\nif i:\n    x = terminated",
        "x = terminated\nwhile obs:\n    if reward:\n        x = done\n        break",
        "x = terminated\nfor i in obs:\n    if reward:\n        x = done\n        continue\n    x = terminated",
        "x = terminated\nwith obs:\n    if reward:\n        x = done",
        "x = terminated\ntry:\n    x = done\n    f()\nexcept ValueError:\n    pass\nif obs:\n    x = terminated",
    ],
)
def test_what_may_have_happened_is_joined(rows: str) -> None:
    assert meanings(f"{STEP}{rows}\nprint(x)\n", "x") == {"terminated", "done"}


def test_what_follows_a_return_or_a_raise_is_not_joined() -> None:
    rows = "def f(x):\n    if x:\n        x = done\n        return\n    x = terminated\n    print(x)\n"
    assert meanings(STEP + rows, "x") == {"terminated"}
    assert meanings(STEP + rows.replace("return", "raise ValueError"), "x") == {"terminated"}


def test_global_and_nonlocal_names_reach_their_scope() -> None:
    assert meanings(STEP + "g = 0\ndef f():\n    global g\n    g = done\ndef h():\n    print(g)\n", "g") == {"done"}
    rows = "def f():\n    n = 0\n    def h():\n        nonlocal n\n        n = done\n    def k():\n        print(n)\n"
    assert meanings(STEP + rows, "n") == {"done"}


def test_a_comprehension_has_names_of_its_own() -> None:
    assert meanings(STEP + "[done for done in range(3)]\nprint(done)\n", "done") == {"done"}


def test_a_class_body_is_no_scope_of_its_methods() -> None:
    rows = "over = terminated\nclass A:\n    over = done\n    def f(self):\n        print(over)\n"
    assert meanings(STEP + rows, "over") == {"terminated"}


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 90 + "1" + ")" * 90,
        "x = " + "[" * 90 + "]" * 90,
        "x = " + "-" * 300 + "1",
        "x = " + "not " * 300 + "y",
        "x = " + " + ".join(["y"] * 900),
        "x = " + " * ".join(["y"] * 300),
        "x = y" + ".a" * 300,
        "x = y" + "[0]" * 300,
        "x = f" + "(1)" * 300,
        "x = " + " if a else ".join(["y"] * 200),
        "\n".join("    " * i + "if x:" for i in range(60)) + "\n" + "    " * 60 + "pass",
        "\n".join("    " * i + "for x in y:" for i in range(18)) + "\n" + "    " * 18 + "x = y",
        "\n".join("    " * i + f"def f{i}():" for i in range(60)) + "\n" + "    " * 60 + "pass",
        "x = {" + ", ".join(f"'{i}': [{i}]" for i in range(3000)) + "}",
        "\n".join(f"x{i} = x{i - 1}" for i in range(1, 3000)),
        "if a:\n    pass\n" + "".join(f"elif b == {i}:\n    x = {i}\n" for i in range(200)),
    ],
)
def test_deep_and_wide_programs_are_read_or_refused(text: str) -> None:
    try:
        made = survey("main.py", text + "\n")
    except RecursionError:
        return
    assert not link([made]).facts("main.py").sinks


def test_a_long_loop_of_assignments_is_solved() -> None:
    rows = "".join(f"    a{i + 1} = a{i}\n" for i in reversed(range(100)))
    program = f"{STEP}a0 = done\nwhile obs:\n{rows}print(a100)\n"
    assert meanings(program, "a100") == {"done"}


def standard_library() -> list[Path]:
    """A fixed sample of the standard library's files."""
    root = Path(sysconfig.get_paths()["stdlib"])
    files = [p for p in sorted(root.rglob("*.py")) if "site-packages" not in p.parts and p.stat().st_size < 100_000]
    return random.Random(0).sample(files, 80)


def test_the_files_of_the_standard_library_are_read_and_hold_no_sink() -> None:
    surveys = []
    for path in standard_library():
        try:
            with tokenize.open(path) as file:
                text = file.read()
            ast.parse(text)
        except (SyntaxError, ValueError, UnicodeError):
            continue  # files that test the parser
        surveys.append(survey(str(path), text))
    assert len(surveys) > 50
    for made in surveys:
        assert pickle.loads(pickle.dumps(made)) == made
        found = link([made]).facts(made.path)
        assert not found.sinks, made.path
        assert not [env for env in found.envs.values() if env.certainty == "proven"], made.path
