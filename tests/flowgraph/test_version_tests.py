"""Which tests of Gym's version give Gymnasium's number no good answer."""

from __future__ import annotations

import pytest

from done_lint.flowgraph.build import survey

#: Tests, and what is wrong with them; empty: nothing.
CASES = {
    'if gym.__version__ >= "0.26":\n    five()': "",
    'if gym.__version__ < "0.26":\n    four()': "",
    'if gym.__version__ == "0.26.2":\n    five()': "other",
    'if gym.__version__ in ("0.21.0", "0.22.0"):\n    four()': "",
    'if "0.26" in gym.__version__:\n    five()': "other",
    'if Version(gym.__version__) < Version("0.26"):\n    four()': "",
    'if LooseVersion(gym.__version__) >= "0.26":\n    five()': "",
    "if parse_version(gym.__version__).minor < 26:\n    four()": "other",
    "if version.parse(gym.__version__).release >= (0, 26):\n    five()": "",
    'major, minor, _ = gym.__version__.split(".")\nnew = int(minor) >= 26': "other",
    'major, minor = map(int, gym.__version__.split(".")[:2])\nnew = major > 0 or minor >= 26': "",
    'v = [int(x) for x in gym.__version__.split(".") if x.isdigit()]\nif v[1] > 21:\n    five()': "other",
    "if float(gym.__version__[:4]) >= 0.26:\n    five()": "unknown",
    'if not gym.__version__.startswith("0.2"):\n    four()': "other",
    'def old():\n    return int(gym.__version__.split(".")[1]) < 26\nif old():\n    four()': "other",
    'NUMBERS = tuple(int(x) for x in gym.__version__.split("."))\nobs = four() if NUMBERS < (0, 26) else five()': "",
    'while gym.__version__ != "0.21.0" and retry():\n    install()': "",
    "if new_enough(gym.__version__):\n    five()": "unknown",
    'choose = {"0.21.0": four, "0.26.2": five}[gym.__version__]': "unknown",
    'assert gym.__version__ == "0.21.0"': "stops",
    'assert gym.__version__ >= "0.21"': "",
    'if gym.__version__ > "0.21.0":\n    sys.exit("too new")': "stops",
    'if int(gym.__version__.split(".")[1]) >= 19:\n    exit("too new")': "stops",
    'if gym.__version__ < "0.21.0":\n    raise OSError("old")': "",
    'if gym.__version__ < "0.21.0":\n    four()\nelif gym.__version__ >= "0.26":\n    raise OSError("new")': "stops",
    'if int(gym.__version__.split(".")[1]) < 21:\n    print("an old Gym", gym.__version__)': "",
    'print(gym.__version__)\nfacts = {"gym": gym.__version__}\nif facts["gym"]:\n    log()': "",
    'from gym import __version__ as found\nif found.startswith("0.26"):\n    five()': "other",
    'from importlib.metadata import version\nprint(version("gym"))': "installed",
    'import pkg_resources\nif pkg_resources.get_distribution("gym").version < "0.26":\n    four()': "installed",
    'import pkg_resources\npkg_resources.require("gym<0.26")': "installed",
    'try:\n    found = metadata.version("gym")\nexcept metadata.PackageNotFoundError:\n    found = ""': "",
    'if np.__version__ >= "2":\n    gym.logger.set_level(40)': "",
}


@pytest.mark.parametrize("code", CASES)
def test_a_test_of_the_version_is_computed_for_gym_and_for_gymnasium(code: str) -> None:
    found = survey("a.py", f"import gym\n{code}\n").version_tests
    assert [kind for _, kind in found][:1] == ([CASES[code]] if CASES[code] else [])


def test_a_file_that_imports_gymnasium_asks_for_its_version() -> None:
    code = 'import gymnasium as gym\n\nif gym.__version__.startswith("0.29"):\n    run()\n'
    assert survey("a.py", code).version_tests == ()
