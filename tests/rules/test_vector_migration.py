"""Programs of several files, and those whose project says what they were made for, keep the step that resets."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import done_lint

MAKER = """import gymnasium as gym


def several(makers):
    return gym.vector.SyncVectorEnv(makers)
"""
TRAIN = """from maker import several

envs = several([])
obs, infos = envs.reset()
obs, reward, terminated, truncated, infos = envs.step(0)
print(infos["final_observation"])
"""
LATER = "SyncVectorEnv(makers, autoreset_mode=gym.vector.AutoresetMode.SAME_STEP)"


def fixed(folder: Path, requirement: str, *options: str, train: str = TRAIN) -> tuple[str, str]:
    """The two files of a project after `fix`."""
    (folder / "pyproject.toml").write_text(f'[project]\nname = "a"\ndependencies = ["{requirement}"]\n')
    (folder / "maker.py").write_text(MAKER)
    (folder / "train.py").write_text(train)
    done_lint(folder, "fix", *options)
    return (folder / "maker.py").read_text(), (folder / "train.py").read_text()


def test_keys_that_another_file_asks_for_tell_what_the_call_was_made_for(tmp_path: Path) -> None:
    maker, train = fixed(tmp_path, "gymnasium")
    assert LATER in maker
    assert train == TRAIN.replace("final_observation", "final_obs")


def test_old_keys_that_another_file_tries_second_tell_nothing(tmp_path: Path) -> None:
    today = """if "final_obs" in infos:
    print(infos["final_obs"])
elif "final_observation" in infos:
    print(infos["final_observation"])
"""
    train = TRAIN.replace('print(infos["final_observation"])\n', today)
    assert fixed(tmp_path, "gymnasium", train=train) == (MAKER, train)


def test_the_releases_that_a_project_allows_tell_it_where_another_target_is_asked_for(tmp_path: Path) -> None:
    plain = TRAIN.replace("final_observation", "final_obs")
    maker, train = fixed(tmp_path, "gymnasium==0.29.1", "--target-version", "1.4", train=plain)
    assert LATER in maker
    assert train == plain


@pytest.mark.parametrize(
    ("requirement", "options"),
    [
        ("gymnasium==0.29.1", ()),
        ("gymnasium>=0.28", ()),
        ("gymnasium>=1.0", ()),
        ("gymnasium", ("--target-version", "1.0")),
    ],
)
def test_the_call_stays_where_no_mode_can_be_asked_for_or_none_is_missing(
    requirement: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    maker, _ = fixed(tmp_path, requirement, *options)
    assert maker == MAKER


def test_keys_stay_where_the_target_has_no_mode_that_the_call_asks_for(tmp_path: Path) -> None:
    asked = TRAIN.replace("final_observation", "final_obs").replace("several([])", LATER.replace("makers", "[]"))
    asked = asked.replace("from maker import several", "import gymnasium as gym").replace("= Sync", "= gym.vector.Sync")
    _, train = fixed(tmp_path, "gymnasium", "--target-version", "1.0", train=asked)
    assert train == asked


LISTED = """import gym


def evaluate(makers, model, count):
    envs = gym.vector.SyncVectorEnv(makers)
    obs = envs.reset()
    returns = []
    while len(returns) < count:
        obs, _, _, infos = envs.step(model(obs))
        for info in infos:
            if "episode" in info.keys():
                returns.append(info["episode"]["r"])
    return returns
"""


@pytest.mark.parametrize(
    ("requirement", "body", "moves"),
    [
        ("gymnasium", LISTED, True),
        ("gymnasium==0.29.1", LISTED, False),  # its statistics stand elsewhere, so that the loop has no fix
        ("gymnasium", LISTED.replace('["episode"]["r"]', '.get("lives")'), False),
    ],
)
def test_a_program_stays_where_its_list_of_infos_has_to(
    requirement: str, body: str, moves: bool, tmp_path: Path
) -> None:
    _, train = fixed(tmp_path, requirement, train=body)
    assert ("import gymnasium" in train) == moves
    assert (train == body) != moves


ALONGSIDE = """from maker import several

envs = several([])
obs, infos = envs.reset()
for _ in range(9):
    obs, reward, terminated, truncated, infos = envs.step(0)
    if "final_info" in infos:
        for info in infos["final_info"]:
            if info and "episode" in info:
                print(info["episode"]["r"])
"""
HANDED_ON = """from maker import several


class Agent:
    def run(self, envs):
        obs, infos = envs.reset()
        for _ in range(9):
            obs, reward, terminated, truncated, infos = envs.step(0)
            self.look(infos)


class Printing(Agent):
    def look(self, infos):
        if "final_info" in infos:
            for info in infos["final_info"]:
                if info and "episode" in info:
                    print(info["episode"]["r"])


Printing().run(several([]))
"""
AS_ARRAYS = """from maker import several


def look(infos):
    if "final_info" in infos:
        print(infos["final_info"]["episode"]["r"])


envs = several([])
obs, infos = envs.reset()
obs, reward, terminated, truncated, infos = envs.step(0)
look(infos)
"""


@pytest.mark.parametrize(
    ("train", "moves"),
    [
        (ALONGSIDE, True),
        (ALONGSIDE.replace('print(info["episode"]["r"])', "print(info)"), False),
        (HANDED_ON, False),
        (AS_ARRAYS, True),
    ],
    ids=["a loop that is rewritten", "a loop that cannot be", "handed to a method", "read as it is today"],
)
def test_the_call_moves_together_with_what_reads_final_infos_as_a_list(train: str, moves: bool, tmp_path: Path) -> None:
    maker, after = fixed(tmp_path, "gymnasium", train=train)
    assert (maker != MAKER) == moves
    assert moves or after == train


def test_the_call_stays_for_a_function_of_its_own_file_that_is_handed_the_infos(tmp_path: Path) -> None:
    body = HANDED_ON.replace("from maker import several\n", MAKER)
    _, train = fixed(tmp_path, "gymnasium", train=body)
    assert train == body


def test_a_file_that_is_handed_the_infos_alone_reads_the_new_key(tmp_path: Path) -> None:
    helper = "def last(seen, infos):\n    return infos.get({key}, seen)\n"
    (tmp_path / "helper.py").write_text(helper.format(key='"final_observation"'))
    train = TRAIN.replace('print(infos["final_observation"])', "print(last(obs, infos))")
    maker, _ = fixed(tmp_path, "gymnasium", train=f"from helper import last\n{train}")
    assert LATER in maker
    assert (tmp_path / "helper.py").read_text() == helper.format(key='"final_obs"')


COLLECTOR = """import numpy as np


def collect(envs, policy):
    seen, rewards, dones = np.zeros((128, 4, 4)), np.zeros((128, 4)), np.zeros((128, 4))
    obs, infos = envs.reset()
    for step in range(128):
        seen[step] = obs
        obs, reward, terminated, truncated, infos = envs.step(policy(obs))
        rewards[step] = reward
        dones[step] = terminated | truncated
    return seen, rewards, dones
"""
WRAPPED = """import gymnasium as gym

from collector import collect

envs = gym.vector.SyncVectorEnv([lambda: gym.make("CartPole-v1")] * 4)
envs = gym.wrappers.RecordEpisodeStatistics(envs)
print(collect(envs, lambda obs: envs.action_space.sample()))
"""


@pytest.mark.parametrize(
    ("main", "stored"),
    [
        (WRAPPED, False),
        (WRAPPED.replace("wrappers.", "wrappers.vector."), True),
        (WRAPPED.replace("envs = gym.wrappers.RecordEpisodeStatistics(envs)\n", ""), True),
        (
            WRAPPED.replace(
                "envs = gym.wrappers.RecordEpisodeStatistics(envs)",
                "try:\n    envs = gym.wrappers.vector.RecordEpisodeStatistics(envs)\n"
                "except AttributeError:\n    envs = gym.wrappers.RecordEpisodeStatistics(envs)",
            ),
            True,
        ),
    ],
    ids=["a wrapper of single environments", "one of several", "none", "either, by the release"],
)
def test_rows_of_another_file_are_those_of_the_release_that_its_wrapper_is_of(
    main: str, stored: bool, tmp_path: Path
) -> None:
    (tmp_path / "collector.py").write_text(COLLECTOR)
    (tmp_path / "main.py").write_text(main)
    assert ("GYM207" in done_lint(tmp_path, "check").stdout) == stored


ROLLOUT = """\
    obs, infos = envs.reset()
    for _ in range(100):
        action = policy(obs)
        next_obs, reward, terminated, truncated, infos = envs.step(action)
        rows.append((obs, action, reward, next_obs, terminated))
        obs = next_obs
"""
GONE = f"""import gymnasium as gym


def make():
    return gym.wrappers.FrameStack(gym.make("CartPole-v1"), 4)


def collect(policy, rows):
    envs = gym.vector.SyncVectorEnv([make] * 4)
{ROLLOUT}"""


def found(folder: Path, program: str) -> str:
    (folder / "requirements.txt").write_text("gymnasium==1.2.3\n")
    (folder / "program.py").write_text(program)
    return done_lint(folder, "check", "--output-format", "concise", "--select", "GYM207,GYM407").stdout


def test_what_a_file_calls_outranks_the_release_that_its_project_asks_for(tmp_path: Path) -> None:
    assert "program.py:9:12: GYM407" in (shown := found(tmp_path, GONE))
    assert "GYM207" not in shown
    done_lint(tmp_path, "fix", "--select", "GYM407")
    assert (tmp_path / "program.py").read_text() == GONE  # all but that call may run


def test_an_old_key_alone_does_not(tmp_path: Path) -> None:
    old = GONE.replace("FrameStack", "FrameStackObservation").replace(
        "        obs = n", "        infos['final_info']\n        obs = n"
    )
    shown = found(tmp_path, old)
    assert "program.py:9:" not in shown
    assert "GYM207" in shown


LOOP = f"""import gymnasium as gym
from maker import several


def collect(makers, policy, rows):
    envs = several(makers)
{ROLLOUT}        for info in infos:
            if "episode" in info:
                print(info["episode"])
"""


def test_what_only_another_file_shows_of_the_release_takes_the_place_of_no_row(tmp_path: Path) -> None:
    (tmp_path / "maker.py").write_text(MAKER)
    (tmp_path / "train.py").write_text(LOOP)
    shown = done_lint(tmp_path, "check", "--output-format", "concise", "--select", "GYM207,GYM407").stdout
    assert "maker.py" not in shown
    assert "train.py:11:9: GYM207" in shown


CHOSEN = """import gym

make = gym.vector.SyncVectorEnv if few else lambda them: gym.vector.AsyncVectorEnv(them, context="spawn")
envs = make(makers)
obs, infos = envs.reset()
while running:
    obs, reward, terminated, truncated, infos = envs.step(policy(obs))
    store.append((reward, terminated | truncated))
"""


def test_the_import_stays_where_the_choice_of_a_call_leaves_no_place_for_the_mode(tmp_path: Path) -> None:
    # nothing else shows that the rows were others
    (tmp_path / "train.py").write_text(CHOSEN)
    answer = done_lint(tmp_path, "check", "--exit-zero").stdout
    assert "what is called at train.py:4 may make another one in its place, and cannot be asked for the mode" in answer
    done_lint(tmp_path, "fix")
    assert (tmp_path / "train.py").read_text() == CHOSEN


def test_a_choice_of_another_file_leaves_the_call_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "maker.py").write_text(MAKER)
    train = TRAIN.replace("from maker import several", "import gymnasium as gym\n\nfrom maker import several")
    train = train.replace("several([])", "(several if few else gym.vector.AsyncVectorEnv)([])")
    (tmp_path / "train.py").write_text(train)
    done_lint(tmp_path, "fix")
    assert (tmp_path / "maker.py").read_text() == MAKER


def test_a_function_that_nobody_calls_keeps_the_mode_out(tmp_path: Path) -> None:
    (tmp_path / "lives.py").write_text("""from maker import several

def lives(infos):
    return [infos["final_info"][i]["lives"] for i in infos["_final_info"].nonzero()[0]]
""")
    assert fixed(tmp_path, "gymnasium") == (MAKER, TRAIN)
    answer = done_lint(tmp_path, "check", "--exit-zero", "--output-format", "full").stdout
    assert "what reads `final_info` as a list (lives.py:4) would fail" in answer


WRAPPED = """import gym


class Note(gym.Wrapper):
    def step(self, action):
        obs, rewards, dones, infos = self.env.step(action)
        return obs, rewards, dones, infos


def run(makers, policy):
    envs = Note(gym.vector.SyncVectorEnv(makers))
    obs = envs.reset()
    for _ in range(100):
        obs, rewards, dones, infos = envs.step(policy(obs))
"""


@pytest.mark.parametrize(
    ("body", "moves"),
    [
        (WRAPPED, False),
        (WRAPPED.replace("Note(gym.vector.SyncVectorEnv(makers))", 'Note(gym.make("CartPole-v1"))'), True),
    ],
)
def test_a_program_stays_where_it_puts_a_wrapper_of_single_environments_around_several(
    body: str, moves: bool, tmp_path: Path
) -> None:
    _, train = fixed(tmp_path, "gymnasium", train=body)
    assert (train != body) == moves
