from __future__ import annotations

import pytest

from done_lint.project.setup_script import declared


def texts(script: str) -> list[str]:
    return [one.text for one in declared(script)]


@pytest.mark.parametrize(
    "value",
    [
        "['gymnasium<1.0']",
        "('gymnasium<1.0',)",
        "list({'gymnasium<1.0'})",
        "'gymnasium<1.0'",
        "'gymnasium<1.0'.split()",
        "REQUIRED",
        "REQUIRED + unknown()",
        "[*REQUIRED, other]",
        "BASE",
        "EXTRAS['all']",
        "[f'gymnasium<{BOUND}']",
        "['gymnasium<%s' % BOUND]",
        "['gymnasium%s%s' % ('<', BOUND)]",
        "['gymnasium<{}'.format(BOUND)]",
        "['gymnasium' + '<' + BOUND]",
        "[f'gymnasium<{1.0}']",
        "sum(EXTRAS.values(), [])",
        "dict(a=REQUIRED)['a']",
        "listed()",
    ],
)
def test_what_is_known_without_running(value: str) -> None:
    script = f"""
from setuptools import setup

BOUND = "1.0"
REQUIRED: list[str] = ["gymnasium<" + BOUND]
BASE = []
BASE += REQUIRED
EXTRAS = {{}}
EXTRAS["all"] = REQUIRED

def listed() -> list[str]:
    'The packages.'
    found = BASE
    return found
setup(install_requires={value})
"""
    assert texts(script) == ["gymnasium<1.0"]


@pytest.mark.parametrize(
    "value",
    [
        "open('x').read().splitlines()",
        "[f'gymnasium<{BOUND:>9}']",
        "['gymnasium%9d' % 1]",
        "SELF",
        "TWICE",
        "MISSING",
        "twice()",
    ],
)
def test_what_is_not_known_is_left_out(value: str) -> None:
    script = (
        "from setuptools import setup\nBOUND = '1'\nSELF = SELF + []\nTWICE = ['a']\nTWICE = ['b']\n"
        "def twice():\n    return twice() + twice()\n"
    )
    assert texts(f"{script}setup(install_requires={value})") == []


def test_extras_are_named_and_rows_are_those_of_the_text() -> None:
    script = """
from setuptools import setup
NAMES = [
    "gymnasium<1.0",
]
setup(
    install_requires=NAMES,
    extras_require={"test": ["pytest"]},
    **{"tests_require": ["mock"]},
)
"""
    assert sorted(declared(script)) == [("gymnasium<1.0", 4, ""), ("mock", 9, "tests_require"), ("pytest", 8, "test")]


@pytest.mark.parametrize(
    "script",
    [
        "setup(install_requires=A)\nA = ['x', 'x']\n".replace("A =", "A0 =")
        + "".join(f"A{number + 1} = A{number} + A{number}\n" for number in range(60))
        + "A = A60\n",
        "setup(install_requires=['a' " + "+ 'a'" * 3000 + "])",
        "setup(install_requires=[f'{" + "9" * 5000 + "}'])",
        "setup(install_requires=" + "[" * 90 + "]" * 90 + ")",
        "not python (",
    ],
)
def test_no_script_takes_long(script: str) -> None:
    assert texts(script) == []
