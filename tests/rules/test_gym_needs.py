"""A package that needs Gym keeps every file that runs together with it, wherever it is imported."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from command import done_lint

AGENT = """
def run(env):
    obs = env.reset()
    done = False
    while not done:
        obs, reward, done, info = env.step(env.action_space.sample())
"""
WORKER = """import gym

from {folder}.agent import run


def work(name):
    run(gym.make(name))
"""
PLAIN = """import gym

env = gym.make("CartPole-v1")
obs = env.reset()
"""
#: A package whose worker makes what it is told to.
PLAY = {"play/agent.py": AGENT, "play/worker.py": WORKER.format(folder="play")}


def written(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in {"pyproject.toml": "", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def findings(folder: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(done_lint(folder, "check", "--output-format", "json").stdout)
    return found


def kept(folder: Path) -> set[str]:
    """The files with findings, all of whose fixes are unsafe and say why."""
    found = findings(folder)
    safe = {str(one["filename"]) for one in found if (fix := one["fix"]) and dict(fix)["applicability"] == "safe"}  # type: ignore[call-overload]
    named = {str(one["filename"]) for one in found if "keeps the program on Gym" in str(one["unfixed"])}
    return named - safe


def test_a_package_in_an_init_keeps_the_worker_that_makes_its_environment(tmp_path: Path) -> None:
    files = {
        **PLAY,
        "play/__init__.py": "import flashgames\n",
        "main.py": 'from play.worker import work\n\nwork("DuskDrive-v0")\n',
        "plain.py": PLAIN,
    }
    written(tmp_path, files)
    assert kept(tmp_path) == {"play/agent.py", "play/worker.py"}
    done_lint(tmp_path, "fix")
    assert all((tmp_path / name).read_text() == text for name, text in files.items() if name != "plain.py")
    assert "import gymnasium as gym" in (tmp_path / "plain.py").read_text()


@pytest.mark.parametrize(
    ("package", "stays"), [("IPython", False), ("torchvision", False), ("click", False), ("flashgames", True)]
)
def test_a_debugger_that_was_left_behind_registers_nothing(tmp_path: Path, package: str, stays: bool) -> None:
    """What is imported and never used may register the id that the program is given."""
    text = f"import sys\n\nimport {package}\nimport gym\n\nenv = gym.make(sys.argv[1])\nobs = env.reset()\n"
    written(tmp_path, {"main.py": text})
    assert bool(kept(tmp_path)) == stays


def test_the_user_says_that_a_package_has_moved(tmp_path: Path) -> None:
    text = 'import gym\nimport flashgames\n\nenv = gym.make("DuskDrive-v0")\nobs = env.reset()\n'
    written(tmp_path, {"main.py": text})
    (reason,) = {one["unfixed"] for one in findings(tmp_path)}
    assert reason == "`flashgames` keeps the program on Gym, unless `moved-packages` names it"
    (tmp_path / "pyproject.toml").write_text('[tool.done-lint]\nmoved-packages = ["flashgames"]\n')
    assert not kept(tmp_path)
    done_lint(tmp_path, "fix")
    assert "obs, _ = env.reset()" in (tmp_path / "main.py").read_text()


@pytest.mark.parametrize("env_id", ['package + "Maze-v0"', 'f"{package}Maze-v0"'])
def test_a_name_puts_its_package_before_an_id(tmp_path: Path, env_id: str) -> None:
    text = f'import gym\n\nif __name__ == "__main__":\n    package = "mazes:"\n    env = gym.make({env_id})\n'
    written(tmp_path, {"main.py": text})
    assert kept(tmp_path)


@pytest.mark.parametrize("env_id", ['"{}:" + task', 'f"{}:{{task}}"', '"{}:%s" % task', '"{}:{{}}".format(task)'])
def test_a_package_stands_before_an_id_that_cannot_be_seen(tmp_path: Path, env_id: str) -> None:
    text = "import gym\n\n\ndef make(task):\n    return gym.make({})\n\n\nobs = make(input()).reset()\n"
    written(
        tmp_path, {"main.py": text.format(env_id.format("mazes")), "arcade.py": text.format(env_id.format("ale_py"))}
    )
    assert kept(tmp_path) == {"main.py"}
    (tmp_path / "mazes.py").write_text("")
    assert not kept(tmp_path)


@pytest.mark.parametrize(
    ("given", "made"),
    [
        *(
            ("NS = {!r}\n\n\ndef make(task):\n    return gym.make({})", made)
            for made in (
                "NS + task",
                'NS + "Maze" + "-" + task',
                "f'{NS}Maze-{task}-v0'",
                '"%s%s" % (NS, task)',
                '"{}{}".format(NS, task)',
                '"{ns}{0}".format(task, ns=NS)',
                '"".join([NS, task])',
                "os.path.join(NS, task)",
            )
        ),
        ("from names import NS\n\n\ndef make(task):\n    return gym.make({1})", "NS + task"),
        (
            "import names\n\n\ndef make(task, NS=names.NS):\n    env_id = {1}\n    return gym.make(env_id)",
            "f'{NS}{task}'",
        ),
        ('OF = {{"ns": {!r}}}\n\n\ndef make(task):\n    NS = OF["ns"]\n    return gym.make({})', "NS + task"),
        (
            "def build(NS, x):\n    NS += x\n    return gym.make(NS)\n\ndef make(task):\n    return build({0!r}, {1})",
            "task",
        ),
    ],
)
def test_a_package_is_named_wherever_the_beginning_of_an_id_is_written(tmp_path: Path, made: str, given: str) -> None:
    text = "import os\nimport gym\n\n{}\n\n\nobs = make(input()).reset()\n"
    for name, stays in (("mazes:", True), ("ale_py:", False), ("CartPole-", False), ("own:", False)):
        main = text.format(given.format(name, made))
        written(tmp_path, {"main.py": main, "names.py": f"NS = {name!r}\n", "own.py": ""})
        assert bool(kept(tmp_path)) == stays, name


def test_an_id_names_its_package(tmp_path: Path) -> None:
    written(tmp_path, {"main.py": 'import gym\n\nenv = gym.make("mazes:Maze-v0")\nobs = env.reset()\n'})
    assert kept(tmp_path) == {"main.py"}
    (tmp_path / "mazes.py").write_text("")
    assert not kept(tmp_path)


@pytest.mark.parametrize("made", ["CartPole-v0", "PongNoFrameskip-v4", "MiniGrid-Empty-5x5-v0", "Corridor-v0"])
def test_an_id_that_is_somebodys_needs_no_package(tmp_path: Path, made: str) -> None:
    """Gymnasium's, ale-py's, another package's on Gymnasium, or one that a file of the project registers."""
    register = (
        'from gym.envs.registration import register\n\nregister(id="Corridor-v0", entry_point="corridor:Corridor")\n'
    )
    main = f'import gym\nimport numpy as np\nimport foreign\n\nenv = gym.make("{made}")\nobs = env.reset()\n'
    written(tmp_path, {"main.py": main, "ids.py": register, "corridor.py": "class Corridor:\n    pass\n"})
    assert not kept(tmp_path)


def test_ids_that_cannot_be_seen_may_be_all(tmp_path: Path) -> None:
    register = "import gym\n\nfor name in open('ids').read().split():\n    gym.register(name, 'corridor:Corridor')\n"
    main = 'import gym\nimport foreign\n\nenv = gym.make("Some-v0")\nobs = env.reset()\n'
    written(tmp_path, {"main.py": main, "ids.py": register, "corridor.py": "class Corridor:\n    pass\n"})
    assert not kept(tmp_path)


@pytest.mark.parametrize(
    ("imports", "made"),
    [
        # the id says whose it is, by the name of a package or by its spelling
        ("", "mazes:Maze-v0"),
        ("import mazes", "Mazes-v0"),
    ],
)
@pytest.mark.parametrize("registered", ["name", '"Corridor-" + name + "-v0"', 'f"{name}-v0"'])
def test_an_id_that_names_another_package_is_not_one_of_those_that_cannot_be_seen(
    tmp_path: Path, imports: str, made: str, registered: str
) -> None:
    register = f"import gym\n\nfor name in open('ids').read().split():\n    gym.register({registered}, 'hall:Hall')\n"
    main = MADE.format(imports=imports, rest="", id=made)
    written(tmp_path, {"main.py": main, "hall/__init__.py": register})
    assert kept(tmp_path) == {"main.py"}


def test_an_id_that_is_put_together_is_only_what_is_spelled_like_it(tmp_path: Path) -> None:
    register = (
        "import gym\n\nfor name in open('ids').read().split():\n    gym.register(f'Hall{name}-v0', 'hall:Hall')\n"
    )
    made = {name: MADE.format(imports="import foreign", rest="", id=name) for name in ("Some-v0", "HallWide-v0")}
    written(tmp_path, {"ids.py": register, "hall.py": "", "some.py": made["Some-v0"], "wide.py": made["HallWide-v0"]})
    assert kept(tmp_path) == {"some.py"}


MADE = 'import gym\n{imports}\n\nenv = gym.make("{id}")\nobs = env.reset()\n{rest}\n'


@pytest.mark.parametrize(
    ("imports", "rest", "package"),
    [
        # Gym itself is built with them, or it is known what they do
        ("import numpy\nimport torch\nimport seaborn\nimport cv2\nimport tensorflow", "", ""),
        # a library: it is read as one, it has a name to be read by, or names of its are imported
        ("import tracking", "tracking.log(obs)", ""),
        ("import tracking as tr", "", ""),
        ("from tracking import log", "", ""),
        ("import tracking\n\n\ndef log(at: tracking.Run) -> None: ...", "", ""),
        # there for its effect
        ("import tracking", "", "tracking"),
        ("import mazes.small", "", "mazes"),
        ("import mazes as m  # noqa: F401", "", "mazes"),
        ("from mazes import small  # noqa", "", "mazes"),
        ("from mazes import (\n    small,  # noqa\n)", "", "mazes"),
        ("def load():\n    import mazes", "", "mazes"),
        # it is told to register, or has environments
        ("import mazes\n\nmazes.register_all()", "", "mazes"),
        ("import tracking\n\ntracking.register_model(open('a'))", "", ""),
        ("from mazes.envs import Small", "", "mazes"),
        ("from tracking import dotenv", "", ""),
        # one of several
        ("import tracking\nimport mazes", "tracking.log(obs)", "mazes"),
        ("from tracking import log\nimport mazes", "log(obs)", "mazes"),
        # what the file can do without registers nothing that it needs
        ("try:\n    import mazes\nexcept ImportError:\n    pass", "", ""),
    ],
)
def test_an_import_for_its_effect_registers(tmp_path: Path, imports: str, rest: str, package: str) -> None:
    written(tmp_path, {"main.py": MADE.format(imports=imports, rest=rest, id="Some-v0")})
    named = {
        str(one["unfixed"]).split("`")[1] for one in findings(tmp_path) if "keeps the program" in str(one["unfixed"])
    }
    assert named == ({package} if package else set())


@pytest.mark.parametrize(
    ("made", "package"),
    [
        ("MicroRTS-v1", "microrts_lab"),
        ("MicrortsMining-v1", "microrts_lab"),
        ("TallTower-v0", "tower"),
        ("PommeTeam-v0", "pommerman"),
        ("Else-v0", "aviary"),
    ],
)
def test_an_id_is_spelled_as_its_package(tmp_path: Path, made: str, package: str) -> None:
    imports = "import aviary\nimport microrts_lab\nimport pommerman\nimport tower"
    written(tmp_path, {"main.py": MADE.format(imports=imports, rest="tower.log(obs)", id=made)})
    (reason,) = {str(one["unfixed"]) for one in findings(tmp_path) if one["code"] == "GYM104"}
    assert reason.startswith(f"`{package}` keeps")


def test_a_library_of_another_file_is_a_library(tmp_path: Path) -> None:
    main = MADE.format(imports="import log\nimport tracking", rest="", id="Some-v0")
    written(tmp_path, {"main.py": main, "log.py": "import tracking\n\nprint(tracking.version)\n"})
    assert not kept(tmp_path)


def test_what_the_project_registers_needs_no_package(tmp_path: Path) -> None:
    registering = """from gym.envs.registration import register

for size in (3, 5):
    register(id=f"Corridor{size}-v0", entry_point="corridor:Corridor")
"""
    main = MADE.format(
        imports="import ids\nimport seaborn\nimport tracking\nimport matplotlib", rest="", id="Corridor3-v0"
    )
    written(tmp_path, {"main.py": main, "ids.py": registering, "corridor.py": "class Corridor:\n    pass\n"})
    assert not kept(tmp_path)


def test_a_class_of_another_package_is_registered(tmp_path: Path) -> None:
    text = 'import gym\n\ngym.register("Maze-v0", entry_point="mazes.envs:Maze")\nobs = gym.make("Maze-v0").reset()\n'
    written(tmp_path, {"main.py": text})
    assert kept(tmp_path) == {"main.py"}


def test_a_call_of_a_package_makes_the_environment(tmp_path: Path) -> None:
    wrapper = """import gym


class Doubled(gym.Wrapper):
    def step(self, action):
        obs, reward, done, info = self.env.step(action)
        return obs, 2 * reward, done, info
"""
    main = "import football\n\nfrom wrapper import Doubled\n\nenv = Doubled(football.create())\nobs = env.reset()\n"
    files = {"wrapper.py": wrapper, "main.py": main}
    written(tmp_path, files)
    assert "wrapper.py" in kept(tmp_path)
    done_lint(tmp_path, "fix")
    assert all((tmp_path / name).read_text() == text for name, text in files.items())


DOUBLED = """import gym


class Doubled(gym.Wrapper):
    def reset(self):
        return 2 * self.env.reset()

    def step(self, action):
        obs, reward, done, info = self.env.step(action)
        return 2 * obs, reward, done, info
"""
SAFE = "import gym\nimport safety_gym\nimport tasks\n\n{}\nenv = {}\nobs = env.reset()\n"
TASKS = "import gymnasium\n\ntask = gymnasium.make('CartPole-v1')\n"
IMPORTED = "from wrapper import Doubled  # noqa: F401\n"
OLD_CODES = {"GYM101", "GYM104", "GYM301", "GYM302", "GYM303"}


@pytest.mark.parametrize(
    ("imports", "env", "settings", "reported"),
    [
        (IMPORTED, "gym.make(input())", "", False),
        ("from wrapper import Doubled\n", "Doubled(gym.make(input()))", "", False),
        # a call makes one, around something else
        ("from wrapper import Doubled\n\nDoubled(load())\n", "gym.make(input())", "", True),
        ("", "gym.make(input())", '[tool.done-lint]\nmoved-packages = ["safety_gym"]\n', True),
        # no step of it shows that the environments are the package's
        ("", "gym.make('CartPole-v1')", "", True),
    ],
)
def test_a_wrapper_that_nothing_makes_may_be_for_what_the_program_steps(
    tmp_path: Path, imports: str, env: str, settings: str, reported: bool
) -> None:
    main = SAFE.format(imports, env)
    written(tmp_path, {"pyproject.toml": settings, "main.py": main, "tasks.py": TASKS, "wrapper.py": DOUBLED})
    codes = {str(one["code"]) for one in findings(tmp_path) if str(one["filename"]).endswith("wrapper.py")}
    assert codes & OLD_CODES == (OLD_CODES if reported else set())


def test_in_a_program_that_is_old_throughout_it_is_to_be_migrated(tmp_path: Path) -> None:
    written(tmp_path, {"main.py": SAFE.format(IMPORTED, "gym.make(input())"), "wrapper.py": DOUBLED})
    assert {one["code"] for one in findings(tmp_path) if str(one["filename"]).endswith("wrapper.py")} >= OLD_CODES


def test_an_environment_that_nothing_makes_is_no_wrapper(tmp_path: Path) -> None:
    env = DOUBLED.replace("gym.Wrapper", "gym.Env")
    written(tmp_path, {"main.py": SAFE.format("", "gym.make(input())"), "tasks.py": TASKS, "line.py": env})
    assert "GYM301" in {one["code"] for one in findings(tmp_path)}


def test_what_shares_an_import_of_gym_stays_too(tmp_path: Path) -> None:
    spaces = "import gym\n\n\ndef is_box(space):\n    return isinstance(space, gym.spaces.Box)\n"
    bullet = "import gym\nimport pybullet_envs\n\nfrom spaces import is_box\n\nis_box(gym.make(input()).action_space)\n"
    cart = 'import gym\n\nfrom spaces import is_box\n\nis_box(gym.make("CartPole-v1").action_space)\n'
    test = "import bullet\nimport plain\n\n\ndef test():\n    assert bullet and plain\n"
    written(
        tmp_path, {"spaces.py": spaces, "bullet.py": bullet, "cart.py": cart, "plain.py": PLAIN, "test_all.py": test}
    )
    assert kept(tmp_path) == {"spaces.py", "bullet.py", "cart.py"}


def test_what_asks_for_a_class_of_gym_stays_with_what_makes_it(tmp_path: Path) -> None:
    spaces = "import gym\n\n\ndef is_box(space):\n    return isinstance(space, (gym.spaces.Box, gym.spaces.Dict))\n"
    line = "import gym\n\n\nclass Line(gym.Env):\n    def __init__(self):\n        self.s = gym.spaces.Box(0, 1)\n"
    bullet = "import gym\nimport pybullet_envs\n\nfrom spaces import is_box\n\nis_box(gym.make(input()).action_space)\n"
    test = "from line import Line\nfrom spaces import is_box\n\n\ndef test():\n    assert is_box(Line().s)\n"
    files = {"spaces.py": spaces, "line.py": line, "bullet.py": bullet, "plain.py": PLAIN, "test_line.py": test}
    written(tmp_path, files)
    assert kept(tmp_path) == {"spaces.py", "line.py", "bullet.py"}


def test_what_is_made_beside_a_package_of_the_tables_is_right(tmp_path: Path) -> None:
    """One finding says that the program cannot move, and none is about four values."""
    files = {
        "envs/__init__.py": "import pybullet_envs\n",
        "envs/agent.py": AGENT,
        "envs/worker.py": WORKER.format(folder="envs"),
        "main.py": "import sys\n\nfrom envs.worker import work\n\nwork(sys.argv[1])\n",
    }
    written(tmp_path, files)
    assert [(one["filename"], one["code"]) for one in findings(tmp_path)] == [("envs/worker.py", "GYM401")]


def test_an_environment_is_registered_with_both_libraries(tmp_path: Path) -> None:
    registering = """from gym.envs.registration import register as register_gym
{new}
register_gym(id="Corridor-v0", entry_point="corridor:Corridor")
"""
    new = "from gymnasium.envs.registration import register\n\nregister(id='Corridor-v0', entry_point='c:Corridor')\n"
    written(tmp_path, {"one.py": registering.format(new=new)})
    assert not findings(tmp_path)
    written(tmp_path, {"one.py": registering.format(new="import new\n"), "new.py": new})
    assert not findings(tmp_path)
    # in a program that knows Gym only, it moves
    written(tmp_path, {"one.py": registering.format(new=""), "new.py": ""})
    assert [one["code"] for one in findings(tmp_path)] == ["GYM401"]


@pytest.mark.parametrize(
    ("given", "stays"),
    [
        ("from sky import Stacked\n\nenv = Stacked(gym.make('CartPole-v1'))", True),  # stepped: a wrapper
        ("from sky import plan\n\nenv = gym.make('CartPole-v1')\nplan(env)", True),  # it may step it
        ("import sky\n\nenv = gym.make('CartPole-v1')\nsky.plan(env.action_space)", False),
        ("import sky\n\nsky.serve(lambda: gym.make('CartPole-v1'))\nenv = gym.make('CartPole-v1')", True),
        ("from sky import Base\n\nclass Mine(Base):\n    pass\n\nenv = Mine(gym.make('CartPole-v1'))", True),
        ("from sky import Base\n\nclass Net(Base):\n    pass\n\nenv = gym.make('CartPole-v1')\nNet(env)", False),
        ("import sky\nimport copy\n\nenv = copy.deepcopy(gym.make('CartPole-v1'))\nsky.show()", False),
        ("from rl.agents import DQNAgent\n\nenv = gym.make('CartPole-v1')\nDQNAgent().fit(env)", True),
        ("from stable_baselines import PPO2\n\nenv = gym.make('CartPole-v1')\nPPO2('MlpPolicy', 'CartPole-v1')", True),
        ("from ray.rllib.agents.dqn import DQNTrainer\n\nenv = gym.make('CartPole-v1')\nDQNTrainer(env='x')", True),
        ("from ray.rllib.algorithms.dqn import DQN\n\nenv = gym.make('CartPole-v1')\nDQN(env='x')", False),
        ("from ray import tune\n\nenv = gym.make('CartPole-v1')\ntune.run('DQN')", False),
        ("from gfootball.env import wrappers\n\nenv = gym.make('GFootball-11_vs_11_kaggle-v0')", True),
        ("import spinup\n\nenv = gym.make('CartPole-v1')\nspinup.ppo(lambda: gym.make('CartPole-v1'))", True),
        # it asks whether a space is one of Gym's
        ("from spinup import core\n\nenv = gym.make('CartPole-v1')\ncore.Actor(env.action_space)", True),
        ("from spinup import core\n\nenv = gym.make('CartPole-v1')\ncore.Actor(env.action_space.n)", False),
        ("from acme import wrappers\n\nenv = gym.make('CartPole-v1')\nwrappers.GymWrapper(env)", True),
        ("from stable_baselines3 import PPO\n\nenv = gym.make('CartPole-v1')\nPPO('MlpPolicy', env)", False),
        ("import pickle\n\nenv = pickle.loads(pickle.dumps(gym.make('CartPole-v1')))", False),
    ],
)
def test_a_package_is_given_an_environment(tmp_path: Path, given: str, stays: bool) -> None:
    written(tmp_path, {"main.py": f"import gym\n{given}\nobs = env.reset()\n"})
    assert kept(tmp_path) == ({"main.py"} if stays else set())


@pytest.mark.parametrize(
    ("constructor", "stays"),
    [
        ("", True),
        ("    def __init__(self, env):\n        super().__init__(env)\n\n", True),
        ("    def __init__(self, env):\n        self._env = env\n\n", False),
    ],
)
def test_a_class_steps_what_its_base_keeps(tmp_path: Path, constructor: str, stays: bool) -> None:
    """The base of another package keeps what it is handed, and may step it, too."""
    trainer = f"""import gym
from sky import Trainer


class Mine(Trainer):
{constructor}    def run(self):
        obs, done = self._env.reset(), False
        while not done:
            obs, reward, done, _ = self._env.step(0)
"""
    main = "import gym\n\nfrom trainer import Mine\n\nMine(gym.make('CartPole-v1')).run()\n"
    written(tmp_path, {"trainer.py": trainer, "main.py": main})
    assert kept(tmp_path) == ({"main.py", "trainer.py"} if stays else set())


@pytest.mark.parametrize(
    ("base", "body", "stays"),
    [
        ("Env", "    @property\n    def action_space(self):\n        return Box(0, 1, (2,))", True),
        ("Env", "    observation_space = Box(0, 1, (2,))", True),
        ("Env", "    def __init__(self):\n        self.action_space = Box(0, 1, (2,))", True),
        ("Env", "    def __init__(self, env):\n        self.action_space = env.action_space", False),
        ("Env", "    def __init__(self):\n        self.box = Box(0, 1, (2,))", False),
        ("Module", "    def __init__(self):\n        self.action_space = Box(0, 1, (2,))", False),
    ],
)
def test_an_environment_of_a_package_has_gyms_spaces(tmp_path: Path, base: str, body: str, stays: bool) -> None:
    """What runs such an environment may ask for the type of its spaces."""
    imports = "from flow.envs import Env\nfrom gym.spaces import Box\nfrom torch.nn import Module\n"
    written(tmp_path, {"walk.py": f"{imports}\n\nclass Walk({base}):\n{body}\n"})
    assert kept(tmp_path) == ({"walk.py"} if stays else set())


@pytest.mark.parametrize(
    ("bases", "stays"),
    [
        ("gym.Env, Node", False),  # a node is no environment of Gym's, or no class could have both in this order
        ("Node, gym.Env", True),
    ],
)
def test_a_package_is_given_what_it_has_a_base_of(tmp_path: Path, bases: str, stays: bool) -> None:
    """`spin(self)` takes a node, which happens to be an environment as well."""
    arm = f"""import gym
import bus
from bus.node import Node


class Arm({bases}):
    def __init__(self):
        Node.__init__(self, "arm")

    def reset(self):
        return 0

    def step(self, action):
        bus.spin(self)
        return 0, 0.0, False, {{}}
"""
    written(tmp_path, {"arm.py": arm})
    assert kept(tmp_path) == ({"arm.py"} if stays else set())


OPTIONS = """
class Options:
    def __init__(self, values):
        self.values = values

    def get(self, name, default=None):
        return self.values[name] if name in self.values else default


options = Options({})
"""


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ('env = gym.make("Arm-v0", speed=2)', True),
        ('import numpy as np\n\nenv = gym.make(np.random.choice(["Arm-v0", "Hand-v0"]))', True),
        ('env = gym.make("CartPole-v1")', False),
        (f'{OPTIONS}print(options.get("title", "Learning curves"))\nenv = gym.make(options.get("env"))', False),
        (f'{OPTIONS}print(options.get("title", "Learning-v0"))\nenv = gym.make(options.get("env"))', True),
        ('import sys\n\nenv = gym.make("Arm-v0" if sys.argv[1:] else "CartPole-v1")', False),
        ('import minigrid\n\nenv = gym.make("Arm-v0")', False),  # it may be one of its own
        ('gym.register(id="Arm-v0", entry_point="arm:Arm")\nenv = gym.make("Arm-v0")', False),
        ('for name in open("ids"):\n    gym.register(id=name, entry_point="arm:Arm")\nenv = gym.make("Arm-v0")', False),
    ],
)
def test_an_id_that_nothing_registers_may_be_one_of_a_gym_that_was_changed(
    tmp_path: Path, text: str, held: bool
) -> None:
    """The environment lives in a fork of Gym, or in a package that is installed beside it and nothing imports."""
    written(tmp_path, {"main.py": f"import gym\n\n{text}\nobs = env.reset()\n"})
    reasons = {str(one["unfixed"]) for one in findings(tmp_path)}
    assert any("an id that nothing in sight registers" in one for one in reasons) is held


def test_what_runs_without_the_package_too_is_reported(tmp_path: Path) -> None:
    files = {
        "agent.py": AGENT,
        "worker.py": "import gym\n\nfrom agent import run\n\n\ndef work(name):\n    run(gym.make(name))\n",
        "bullet.py": "import pybullet_envs\n\nfrom worker import work\n\nwork(input())\n",
        "other.py": "from worker import work\n\nwork(input())\n",
    }
    written(tmp_path, files)
    assert {one["code"] for one in findings(tmp_path)} == {"GYM101", "GYM104", "GYM401"}
    assert kept(tmp_path) == {"agent.py", "worker.py"}
    (tmp_path / "other.py").write_text("")
    assert {one["code"] for one in findings(tmp_path)} == {"GYM401"}


@pytest.mark.parametrize("other", ["pybullet_envs", "d4rl"])
def test_what_every_program_runs_with_some_such_package_is_right(tmp_path: Path, other: str) -> None:
    """Each of the programs imports a package for itself: the same, or one of its own."""
    files = {
        "worker.py": f"import gym\n{AGENT}\n\ndef work(name):\n    run(gym.make(name))\n",
        "bullet.py": "import pybullet_envs\n\nfrom worker import work\n\nwork(input())\n",
        "other.py": f"import {other}\n\nfrom worker import work\n\nwork(input())\n",
    }
    written(tmp_path, files)
    (found,) = findings(tmp_path)
    assert (found["filename"], found["code"]) == ("worker.py", "GYM401")
    assert "keeps the program on Gym" in str(found["unfixed"])


def test_a_test_stays_with_the_package_that_it_imports_a_name_from(tmp_path: Path) -> None:
    """The import of any file of a package runs its `__init__`, and what that imports."""
    test = f"import gym\n\nfrom play.ids import HOPPER\n{AGENT}\n\ndef test_hopper():\n    run(gym.make(HOPPER))\n"
    files = {
        "play/__init__.py": "import d4rl  # registers the ids\n",
        "play/ids.py": 'HOPPER = "hopper-medium-replay-v2"\n',
        "tests/test_run.py": test,
    }
    written(tmp_path, files)
    (found,) = findings(tmp_path)
    assert (found["filename"], found["code"]) == ("tests/test_run.py", "GYM401")
    assert kept(tmp_path) == {"tests/test_run.py"}


def test_a_test_that_also_runs_what_may_move_takes_no_side(tmp_path: Path) -> None:
    imports = "import gym\n\nimport plain\nfrom play.ids import HOPPER\n"
    test = f"{imports}{AGENT}\n\ndef test_hopper():\n    run(plain.env)\n"
    files = {
        "play/__init__.py": "import flashgames\n",
        "play/ids.py": 'import gym\n\nHOPPER = "DuskDrive-v0"\nENV = gym.make(HOPPER)\n',
        "plain.py": PLAIN,
        "tests/test_run.py": test,
    }
    written(tmp_path, files)
    assert kept(tmp_path) == {"play/ids.py"}


def test_a_library_that_learns_in_gyms_environments_is_one_finding(tmp_path: Path) -> None:
    """Four values are right there, whatever is made."""
    main = "import gym\nfrom stable_baselines import PPO2\n\nfrom agent import run\n\nrun(gym.make('CartPole-v1'))\n"
    written(tmp_path, {"agent.py": AGENT, "main.py": main})
    assert [(one["filename"], one["code"]) for one in findings(tmp_path)] == [("main.py", "GYM401")]


def test_a_name_of_gym_is_imported(tmp_path: Path) -> None:
    """A file that imports `from gym.spaces import Box` imports Gym, as each question about it is asked."""
    optional = "from gym.spaces import Box\n\nBOX = Box(0, 1)\n"
    main = "import gymnasium\n\ntry:\n    import arm\nexcept ImportError:\n    arm = None\n"
    new = "from gymnasium.spaces import Box\n\nBOX = Box(0, 1)\n"
    written(tmp_path, {"arm.py": optional, "main.py": main, "a.py": new, "b.py": new})
    assert not findings(tmp_path)


@pytest.mark.parametrize(("moved", "stays"), [("", True), ("pybullet_envs", False)])
def test_what_has_moved_spreads_no_gym_in_a_project_on_gymnasium(tmp_path: Path, moved: str, *, stays: bool) -> None:
    old = "import gym\nimport pybullet_envs\n\nBOX = gym.spaces.Box(0, 1)\n"
    new = "import gymnasium\n\nenv = gymnasium.make('CartPole-v1')\n"
    written(tmp_path, {"arm.py": old, "a.py": new, "b.py": new})
    stated = '[project]\nname = "lab"\ndependencies = ["gymnasium"]\n'
    (tmp_path / "pyproject.toml").write_text(f'{stated}[tool.done-lint]\nmoved-packages = ["{moved}"]\n')
    assert [one["code"] for one in findings(tmp_path)] == ([] if stays else ["GYM401"])


@pytest.mark.parametrize(("module", "stays"), [("envs", False), ("other", True)])
def test_the_project_is_imported_by_its_installed_name(tmp_path: Path, module: str, *, stays: bool) -> None:
    register = f"from gym.envs.registration import register\n\nregister('Grid-v0', entry_point='Grid.{module}:Grid')\n"
    files = {"__init__.py": register, "main.py": "import gym\nimport Grid\n\nassert Grid\nenv = gym.make('Grid-v0')\n"}
    written(tmp_path, {**files, "envs.py": "import gym\n\n\nclass Grid(gym.Env):\n    pass\n"})
    assert bool(kept(tmp_path)) is stays


@pytest.mark.parametrize("files", [{}, {"my_lab/bin/activate.py": "# a virtual environment\n"}])
def test_a_folder_of_that_name_may_stand_in_the_project(tmp_path: Path, files: dict[str, str]) -> None:
    """Somebody has made an environment there: the modules that are imported are still those beside it."""
    imports = "import gym\nfrom gym.envs.classic_control import rendering\nfrom gym.envs.registration import register\n"
    step = "    def step(self, action):\n        return 0, 0.0, False, {}\n"
    maze = f"class Maze(gym.Env):\n    view = rendering.Viewer\n\n    def reset(self):\n        return 0\n\n{step}"
    register = 'register(id="Maze-1-v0", entry_point="my_lab.mazes:Maze")\n'
    main = 'import gym\nimport my_lab.mazes as mazes\n\nenv = gym.make("Maze-1-v0")\nenv.reset()\nenv.step(1)\n'
    modules = {"__init__.py": "import my_lab.mazes\n", "mazes.py": f"{imports}\n\n{maze}\n\n{register}"}
    written(tmp_path, {**modules, "main.py": main, **files})
    done_lint(tmp_path, "fix")
    assert (tmp_path / "main.py").read_text() == main


@pytest.mark.parametrize(
    ("files", "stays"),
    [
        ({"case/maze/__init__.py": ""}, True),
        ({"case/maze/__init__.py": "", "case/maze/gym_wrapper.py": ""}, False),
        ({"case/maze/__init__.py": "gym_wrapper = 1\n"}, False),
        ({"case/maze/__init__.py": "from case.maze.all import *\n", "case/maze/all.py": ""}, False),
    ],
)
def test_a_folder_is_called_like_a_library(tmp_path: Path, files: dict[str, str], *, stays: bool) -> None:
    script = "import gym\nfrom maze import gym_wrapper  # noqa\n\nenv = gym.make('MazeWayHome-v0')\nobs = env.reset()\n"
    written(tmp_path, {"case/__init__.py": "", **files, "case/maze/train.py": script})
    assert bool(kept(tmp_path)) is stays


@pytest.mark.parametrize("package", ["baselines", "igibson"])
@pytest.mark.parametrize(
    ("folder", "imports", "stays"),
    [
        ("work/{}", "from {} import utils", False),
        ("work/{}", "from {}.utils import load", False),
        ("work/{}", "from {0}.tools.deep import start\nfrom {0} import utils", False),
        ("src/{}", "from {} import utils", False),
        # the installed package has what is not there, and what is there is not imported by this name
        ("work/{}", "import {}\nimport utils", True),
        ("work/{}", "from {} import deepq", True),
        ("work/{}", "from {}.common import utils", True),
        ("work/{0}", "from {0} import utils\nfrom {0}.common import misc", True),
        ("work/tools/{}", "from {} import utils", True),
    ],
)
def test_a_folder_without_an_init_is_the_project_s(
    tmp_path: Path, package: str, folder: str, imports: str, *, stays: bool
) -> None:
    """Python looks there for what no installed package of the name has: all that is imported of it is found there."""
    load = "def load(name):\n    import gym\n\n    return gym.make(name)\n"
    main = f"{imports.format(package)}\nimport gym\n\nenv = gym.make('Maze-v0')\nobs = env.reset()\n"
    around = folder.format(package)
    files = {f"{around}/utils.py": load, f"{around}/tools/deep.py": "start = 1\n"}
    written(tmp_path, {"work/main.py": main, **files})
    assert bool(kept(tmp_path)) is stays


def test_what_only_an_example_imports_keeps_nothing_but_the_example(tmp_path: Path) -> None:
    code = "import gym\nimport gym_of_old\nfrom play.agent import run\n\nrun(gym.make('Old-v0'))\n"
    page = f"# Use\n\n```python\n{code}```\n"
    files = {
        **PLAY,
        "play/__init__.py": "",
        "main.py": 'from play.worker import work\n\nwork("CartPole-v1")\n',
        "README.md": page,
    }
    written(tmp_path, files)
    found: list[dict[str, object]] = json.loads(
        done_lint(tmp_path, "check", "--include-docs", "--output-format", "json").stdout
    )
    named = {str(one["filename"]) for one in found if "keeps the program on Gym" in str(one["unfixed"])}
    assert found
    assert named == {"README.md"}


_TRIED = """import gym

try:
    import gym_minigrid
except ModuleNotFoundError:
    {handler}

env = gym.make("MiniGrid-Empty-6x6-v0")
obs = env.reset()
"""


@pytest.mark.parametrize("handler", ['raise ModuleNotFoundError("install gym_minigrid")', "sys.exit(1)"])
def test_an_import_whose_error_only_says_what_to_install_is_a_need(tmp_path: Path, handler: str) -> None:
    text = "import sys\n" + _TRIED.format(handler=handler)
    written(tmp_path, {"main.py": text})
    assert kept(tmp_path) == {"main.py"}
    done_lint(tmp_path, "fix")
    assert (tmp_path / "main.py").read_text() == text


def test_a_wrapper_that_turns_the_new_form_back_keeps_gym_s_wrapper_around_it(tmp_path: Path) -> None:
    program = """\
import gymnasium
from gym.wrappers import TimeLimit


class OldStyle(gymnasium.Wrapper):
    def reset(self):
        obs, info = self.env.reset()
        return obs

    def step(self, action):
        obs, reward, done, _, info = self.env.step(action)
        return obs, reward, done, info


def make(name):
    return TimeLimit(OldStyle(gymnasium.make(name)), max_episode_steps=50)
"""
    written(tmp_path, {"make.py": program})
    (found,) = findings(tmp_path)
    assert (found["code"], found["fix"]) == ("GYM401", None)
    assert "`OldStyle` of this file is made for Gym" in str(found["unfixed"])


def test_a_module_of_brax_that_wraps_for_gym_keeps_the_program(tmp_path: Path) -> None:
    program = """\
import gym
from brax.envs.wrappers.gym import GymWrapper


def film(env):
    env = gym.wrappers.RecordVideo(GymWrapper(env), "videos")
    obs = env.reset()
    done = False
    while not done:
        obs, reward, done, info = env.step(env.action_space.sample())
"""
    written(tmp_path, {"film.py": program})
    assert kept(tmp_path) == {"film.py"}
    written(tmp_path, {"film.py": program.replace("brax.envs.wrappers.gym", "brax.envs")})
    assert kept(tmp_path) == set()


def test_nothing_is_said_of_releases_of_gymnasium_in_a_file_that_keeps_gym(tmp_path: Path) -> None:
    program = (
        "import gym\n{}\nenvs = gym.vector.SyncVectorEnv([lambda: gym.make('AntBulletEnv-v0')] * 2)\n"
        "obs, reward, done, infos = envs.step(envs.action_space.sample())\n"
    )
    written(tmp_path, {"keeps.py": program.format("import pybullet_envs")})
    assert {one["code"] for one in findings(tmp_path)} == {"GYM401"}
    written(tmp_path, {"keeps.py": program.format("").replace("AntBulletEnv", "Ant")})
    assert "GYM407" in {one["code"] for one in findings(tmp_path)}


def test_the_particle_environments_need_gym_whatever_stands_beside_them(tmp_path: Path) -> None:
    program = "import gym\nfrom multiagent.environment import MultiAgentEnv\n\nspace = gym.spaces.Discrete(3)\n"
    written(tmp_path, {"train.py": program})
    assert done_lint(tmp_path, "fix").returncode == 1
    assert (tmp_path / "train.py").read_text() == program


LEARN = """import gym
from stable_baselines3 import PPO

env = gym.make("CartPole-v1")
PPO("MlpPolicy", env).learn(1000)
obs = env.reset()
"""


@pytest.mark.parametrize(
    ("listed", "stays"),
    [
        ("stable-baselines3==1.5.0\n", True),
        ("stable-baselines3<2\ngym==0.21\n", True),
        ("stable_baselines3[extra]~=1.8\n", True),
        ("stable-baselines3>=1.8\n", False),
        ("stable-baselines3\n", False),
        ("stable-baselines3==2.3.2\n", False),
    ],
)
def test_a_release_from_before_gymnasium_keeps_the_program(tmp_path: Path, listed: str, stays: bool) -> None:
    written(tmp_path, {"learn.py": LEARN, "plain.py": PLAIN, "requirements.txt": listed})
    assert kept(tmp_path) == ({"learn.py"} if stays else set())


MANY = """import gym
from {package} import SubprocVecEnv


def make_env():
    return gym.make("CartPole-v1")


SubprocVecEnv([make_env for _ in range(4)])
env = make_env()
obs = env.reset()
"""


@pytest.mark.parametrize(
    ("package", "stays"), [("baselines.common.vec_env", True), ("stable_baselines3.common.vec_env", False)]
)
def test_a_list_of_makers_is_handed_to_a_package_run_on_gym(tmp_path: Path, package: str, stays: bool) -> None:
    written(tmp_path, {"main.py": MANY.format(package=package)})
    assert kept(tmp_path) == ({"main.py"} if stays else set())


HEAD = """import gym


def head(space):
    return space.n if isinstance(space, gym.spaces.Discrete) else space.shape[0]
"""


@pytest.mark.parametrize(
    ("made", "stays"),
    [("import robosim\n\nenv = robosim.load('reach')", True), ("import gym\n\nenv = gym.make('CartPole-v1')", False)],
)
def test_spaces_of_an_unknown_package_are_asked_for_a_class_of_gym(tmp_path: Path, made: str, stays: bool) -> None:
    main = f"{made}\nfrom policy import head\n\nprint(head(env.action_space))\n"
    written(tmp_path, {"policy.py": HEAD, "main.py": main})
    assert kept(tmp_path) == ({"policy.py"} if stays else set())


FLEET = """import gym
from ray import tune
from ray.tune.registry import register_env

register_env("cart", lambda config: gym.make("CartPole-v1"))
tune.run("PPO", config={"env": "cart"})
env = gym.make("CartPole-v1")
obs = env.reset()
"""


@pytest.mark.parametrize(("listed", "stays"), [("ray[rllib]==1.13.0", True), ("ray[rllib]>=2.9", False)])
def test_environments_registered_with_an_old_rllib_keep_the_program(tmp_path: Path, listed: str, stays: bool) -> None:
    packages = f"dependencies:\n  - python=3.8\n  - pip:\n      - {listed}\n"
    written(tmp_path, {"fleet.py": FLEET, "plain.py": PLAIN, "environment.yml": packages})
    assert kept(tmp_path) == ({"fleet.py"} if stays else set())


def test_the_nearest_list_tells_which_release_a_program_has(tmp_path: Path) -> None:
    lists = {"requirements.txt": "stable-baselines3>=2.0\n", "old/requirements.txt": "stable-baselines3==1.5.0\n"}
    written(tmp_path, {**lists, "old/learn.py": LEARN, "new/learn.py": LEARN})
    assert kept(tmp_path) == {"old/learn.py"}


def test_a_change_of_the_list_is_seen_by_the_next_run(tmp_path: Path) -> None:
    written(tmp_path, {"learn.py": LEARN, "requirements.txt": "stable-baselines3==1.5.0\n"})
    assert kept(tmp_path) == {"learn.py"}
    (tmp_path / "requirements.txt").write_text("stable-baselines3>=2.0\n")
    assert kept(tmp_path) == set()


_TESTED = """import pack


def build(name):
    return pack.make(name)


def test_episode(config):
    env = build(config["name"])
    state = env.reset()
    assert env.observation_space.contains(state)
    state, reward, done, info = env.step(0)
"""
_STARTS = 'from gym.envs import make, register\n\nregister(id="Hill-v0", entry_point="pack.hill:Hill")\n'
_HILL = """import gym


class Hill(gym.Env):
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return 0, {{}}

    def step(self, action):
        return {result}
"""
_TRAIN = "import ray\nfrom ray.rllib.agents.ppo import PPOTrainer\nfrom pack.hill import Hill\n\nPPOTrainer(env=Hill)\n"


@pytest.mark.parametrize(
    ("files", "stays"),
    [
        ({"demo/train.py": _TRAIN}, True),
        ({"pack/view.py": "from gym.envs.classic_control import rendering\n\nVIEW = rendering.Viewer(9, 9)\n"}, True),
        ({}, False),
    ],
)
def test_a_make_that_a_package_hands_on_moves_with_the_package(
    tmp_path: Path, files: dict[str, str], *, stays: bool
) -> None:
    """What the test makes is Gym's as long as the import in the `__init__` is, whatever the id."""
    hill = _HILL.format(result="0, 1.0, action == 8, {}")
    written(tmp_path, {"tests/test_hill.py": _TESTED, "pack/__init__.py": _STARTS, "pack/hill.py": hill, **files})
    done_lint(tmp_path, "fix")
    test = (tmp_path / "tests/test_hill.py").read_text()
    assert (test == _TESTED) is stays
    assert ("gymnasium" in (tmp_path / "pack/__init__.py").read_text()) is not stays


@pytest.mark.parametrize(
    ("code", "pin", "reason"),
    [
        # in 2.0 an algorithm is made by its configuration
        ("d3rlpy.algos.DQNConfig().create().fit_online(env)", "", ""),
        ("d3rlpy.algos.DQN().fit_online(env)", "", "`d3rlpy` keeps the program on Gym before its release 2.0, unless"),
        ("print(d3rlpy.__version__)", "", ""),
        (
            "print(d3rlpy.__version__)",
            "d3rlpy==1.1.1",
            "`d3rlpy==1.1.1` keeps the program on Gym: it is a release from",
        ),
    ],
)
def test_a_package_that_moved_keeps_what_is_for_its_first_releases(
    tmp_path: Path, code: str, pin: str, reason: str
) -> None:
    main = f'import gym\nimport d3rlpy\n\nenv = gym.make("CartPole-v1")\nobs = env.reset()\n{code}\n'
    written(tmp_path, {"requirements.txt": f"{pin}\n", "main.py": main})
    found = {str(one["unfixed"]) for one in findings(tmp_path) if str(one["filename"]).endswith("main.py")}
    assert len(found) == 1
    assert next(iter(found)).startswith(reason)
    assert bool(reason) == any(found)


def test_a_package_that_moved_has_not_registered_an_id(tmp_path: Path) -> None:
    """Nobody in sight has: `d3rlpy` names the ids of another package."""
    main = 'import gym\nimport d3rlpy\n\nenv = gym.make("hopper-medium-v2")\nobs = env.reset()\n'
    written(tmp_path, {"main.py": main})
    assert all("nothing in sight registers" in str(one["unfixed"]) for one in findings(tmp_path))


def test_a_name_that_is_gone_is_said_to_be_so_of_one_release(tmp_path: Path) -> None:
    written(tmp_path, {"main.py": "from gym.envs.robotics import FetchReachEnv\n\nprint(FetchReachEnv)\n"})
    (found,) = {str(one["unfixed"]) for one in findings(tmp_path) if one["code"] == "GYM401"}
    assert found == "`gym.envs.robotics.FetchReachEnv` has no counterpart in Gymnasium 1.4"


def test_an_id_that_another_program_makes_says_nothing_of_a_program_that_shares_the_call(tmp_path: Path) -> None:
    files = {
        "made.py": "import gym\n\n\nclass Made:\n    def __init__(self, name):\n        self.env = gym.make(name)\n",
        "offline.py": "import sys, d4rl\nfrom made import Made\n\nd4rl.qlearning_dataset(Made(sys.argv[1]).env)\n",
        "plain.py": 'from made import Made\n\nMade("CartPole-v1")\n',
    }
    written(tmp_path, files)
    assert kept(tmp_path) == {"made.py"}
    written(tmp_path, {"offline.py": files["offline.py"].replace("sys.argv[1]", '"CartPole-v1"')})
    assert kept(tmp_path) == set()


@pytest.mark.parametrize(
    ("env", "stays"),
    [("gym.make(name)", True), ("env", True), ('gym.make("CartPole-v1")', False)],
)
def test_a_wrapper_that_nothing_imports_is_for_the_programs_that_stay(tmp_path: Path, env: str, stays: bool) -> None:
    """What it wraps comes from them, even if it makes what it is told to; one that chooses by itself is a program."""
    core = "import gym\nimport pybullet_envs\n\n\ndef hold(env):\n    assert isinstance(env, gym.Env)\n"
    stop = f"""import gym


class Stop(gym.Wrapper):
    def __init__(self, env=None, name=""):
        super().__init__({env})

    def step(self, action):
        obs, reward, done, info = self.env.step(action)
        return obs, 2 * reward, done, info
"""
    written(tmp_path, {"core.py": core, "tests/stop.py": stop})
    assert ("tests/stop.py" in kept(tmp_path)) is stays
