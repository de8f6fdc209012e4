"""Which rows of a file are there for old Gym alone."""

from __future__ import annotations

import pytest

from done_lint.flowgraph.build import survey
from done_lint.flowgraph.schema import Survey


def kept(program: str, *, beside: bool = False) -> set[int]:
    """The rows that a survey keeps (`beside`: also those of programs that know the new library)."""
    found = survey("a.py", program)
    spans = (*found.kept, *(found.kept_beside if beside else ()))
    return {row for span in spans for row in range(span.row, span.end_row + 1)}


TESTS = {
    "a comparison": 'gym.__version__ < "0.26"',
    "of parsed versions": 'version.parse(gym.__version__) <= version.parse("0.25.2")',
    "of a part": 'int(gym.__version__.split(".")[1]) < 26',
    "of tuples": 'tuple(map(int, gym.__version__.split(".")[:2])) < (0, 26)',
    "the other way round": 'Version("0.26") > Version(gym.__version__)',
    "of installed releases": 'importlib.metadata.version("gym") < "0.26"',
    "the beginning": 'gym.__version__.startswith("0.21")',
    "no Gymnasium": 'importlib.util.find_spec("gymnasium") is None',
    "not imported": '"gymnasium" not in sys.modules',
    "the name of a module": 'backend().__name__ == "gym"',
    "the module": "backend() is not gymnasium",
    "a name": "legacy_gym",
    "an attribute": "self.use_old_gym",
    "the opposite of a name": "not is_gymnasium",
    "a function": "not is_gymnasium()",
    "and more": 'legacy_gym and name == "x"',
    "either": 'gym.__version__ < "0.21" or legacy_gym',
}


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
def test_a_side_of_a_test_is_there_for_old_gym(test: str) -> None:
    assert kept(f"import gymnasium\nif {test}:\n    old()\nelse:\n    new()\n") == {3}
    assert kept(f"import gymnasium\nif not ({test}):\n    new()\nelse:\n    old()\n") == {5}
    assert kept(f"import gymnasium\nold() if ({test}) else new()\n") == {2}


BOTH = "import gym\nimport gymnasium as new\nmake('gym')\n"
ASKED = f"{BOTH}def act(space):\n    if isinstance(space, gym.spaces.Discrete):\n        a()\n    else:\n        b()\n"


def test_a_test_of_a_space_tells_nothing_where_no_space_is_of_the_new_library() -> None:
    assert kept(ASKED, beside=True) == set()
    assert kept(f"{BOTH}assert isinstance(env.action_space, gym.spaces.Discrete)\na()\n", beside=True) == set()
    assert kept(ASKED.replace("gym.spaces.Discrete", "gym.Env")) == {6}


@pytest.mark.parametrize(
    "spaces", ["made = new.spaces.Discrete(3)", "from gymnasium.spaces import Discrete", "from gymnasium import spaces"]
)
def test_a_test_of_a_space_tells_the_libraries_apart_where_spaces_are_of_both(spaces: str) -> None:
    assert kept(f"{ASKED}{spaces}\n") == {6}


@pytest.mark.parametrize(
    "test",
    [
        "version < 3",
        'args.env == "gym"',
        'gymnasium.__version__ >= "1.0"',
        "torch.__version__ < '0.4'",
        'find_spec("gym") is not None or find_spec("gymnasium") is not None',
        "isinstance(env, gym.Env)",
    ],
)
def test_other_tests_are_none_of_the_library(test: str) -> None:
    assert kept(f"import gym\nif {test}:\n    a()\nelse:\n    b()\n", beside=True) <= {5}


FLAGS = {
    "bound to a comparison": 'import gym\nLEGACY = gym.__version__ < "0.26"\n',
    "by a try import": "try:\n    import gymnasium\n    LEGACY = False\nexcept ImportError:\n    LEGACY = True\n",
    "by a search": 'from importlib.util import find_spec\nLEGACY = find_spec("gymnasium") is None\n',
    "by a function": 'import gym\ndef old():\n    return gym.__version__ < "0.26"\nLEGACY = old()\n',
}


@pytest.mark.parametrize("flag", FLAGS.values(), ids=FLAGS)
def test_a_flag_is_known_by_how_it_is_bound(flag: str) -> None:
    rows = flag.count("\n")
    assert {rows + 2, rows + 4} & kept(f"{flag}if LEGACY:\n    old()\nelse:\n    new()\n") == {rows + 2}


def test_how_a_flag_is_bound_counts_more_than_its_name() -> None:
    either = 'has_gym = find_spec("gym") is not None or find_spec("gymnasium") is not None\n'
    assert not kept(f"{either}if has_gym:\n    run()\n", beside=True)


def test_whether_gym_is_installed_says_nothing_in_a_program_of_gym_alone() -> None:
    program = "try:\n    import gym\n    HAS = True\nexcept ImportError:\n    HAS = False\nif HAS:\n    run()\n"
    assert not kept(program)
    assert kept(program, beside=True) == {2, 7}


REST = {
    "an early return": "def f():\n    if is_gymnasium:\n        return new()\n    old()\n    old()\n",
    "an assertion": "def f():\n    new()\n    assert legacy_gym\n    old()\n    old()\n",
    "a mock": 'import sys\nimport x\nsys.modules["gym"] = x\nold()\nold()\n',
    "a skip": "def f():\n    if not legacy_gym:\n        pytest.skip()\n    old()\n    old()\n",
}


@pytest.mark.parametrize("program", REST.values(), ids=REST)
def test_what_follows_an_early_exit(program: str) -> None:
    assert kept(f"{program}") == {4, 5}


DEFINITIONS = {
    "a range of releases": '@implement_for("gym", None, "0.21.0")',
    "releases of the other before one": '@implement_for("gymnasium", None, "1.0.0")',
    "the other library": '@pytest.mark.skipif(is_gymnasium, reason="x")',
    "both libraries": '@pytest.mark.parametrize("name", ["gym", "gymnasium"])',
    "a mock": '@mock.patch.dict("sys.modules", {"gym": fake})',
}


@pytest.mark.parametrize("decorator", DEFINITIONS.values(), ids=DEFINITIONS)
def test_a_decorated_function(decorator: str) -> None:
    assert kept(f"{decorator}\ndef f():\n    old()\n") == {2, 3}


def test_a_family_of_environments_that_is_called_gym() -> None:
    made = '@register("gym")\ndef make():\n    return gym.make("x")\n'
    assert kept(f"import gymnasium as gym\n{made}") == set()
    assert kept(f"import gym\n{made}") == {3, 4}


HELPERS = """@implement_for("gym", None, "0.24")
def step(outputs):
    return _first(outputs)


def _first(outputs):
    return _of(outputs[0])


def _of(one):
    return one
"""


def test_a_private_function_that_only_such_code_calls() -> None:
    assert kept(HELPERS) == {2, 3, 6, 7, 10, 11}


@pytest.mark.parametrize("use", ["new = _first", "_first(x)", "names = ['_first']"])
def test_a_function_that_other_code_may_call_keeps_nothing(use: str) -> None:
    assert kept(f"{HELPERS}{use}\n") == {2, 3}


def test_a_public_function_keeps_nothing() -> None:
    assert kept(HELPERS.replace("_first", "first")) == {2, 3}


def test_a_decorator_for_gymnasium_keeps_nothing() -> None:
    assert not kept('@implement_for("gymnasium", "1.0")\ndef f():\n    new()\n')


def test_a_block_that_chooses_the_library() -> None:
    assert kept('with set_gym_backend("gym"):\n    old()\nwith set_gym_backend("gymnasium"):\n    new()\n') == {2}


def test_a_test_that_expects_no_info() -> None:
    program = "import gym\ndef test():\n    r = env.reset()\n    assert not isinstance(r, tuple)\n    new()\n"
    assert kept(program) == {3, 4}


def apart(program: str) -> Survey:
    return survey("a.py", program)


def test_a_file_treats_the_libraries_as_two() -> None:
    assert apart('A = find_spec("gym")\nB = find_spec("gymnasium")\n').tells_apart
    assert apart('if x.__name__ == "gym":\n    a()\nelif x.__name__ == "gymnasium":\n    b()\n').tells_apart
    assert not apart("try:\n    import gymnasium as gym\nexcept ImportError:\n    import gym\n").tells_apart


def test_a_file_that_imports_both_keeps_both_where_it_runs_both() -> None:
    assert apart("import gym\nimport gymnasium\ngym.make(a)\ngymnasium.make(a)\n").imports_both
    assert not apart("import gym\nimport gymnasium\ngym.spaces.Box\ngymnasium.make(a)\n").imports_both
    assert not apart("import gym\nimport gymnasium as gym\ngym.make(a)\n").imports_both


def test_names_that_are_bound_by_each_other_end() -> None:
    loop = "".join(f"v{n} = parse(v{(n + 1) % 9}, v{(n + 2) % 9})\n" for n in range(9)) * 9
    assert not kept(f'{loop}import gym\nif v1 < "0.26":\n    a()\n')
