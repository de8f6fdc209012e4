"""What reads `final_info` as a list: the mode that makes it a dictionary is safe only where all of that moves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import done_lint

MAKER = """import gymnasium as gym
{0}

def main(policy):
    envs = {1}
    obs, infos = envs.reset()
    for _ in range(1000):
        obs, reward, terminated, truncated, infos = envs.step(policy(obs))
        if "{2}" in infos:
            for info in infos["{2}"]:
                if info and "episode" in info:
                    print(info["episode"]["r"])
"""
ENVS = 'gym.vector.SyncVectorEnv([lambda: gym.make("CartPole-v1")] * 3)'
TRAIN = MAKER.format("", ENVS, "final_info")
WRAPPED = MAKER.format("from renamed import Renamed\n", f"Renamed({ENVS})", "{}")
WRAPPER = """import gymnasium as gym


class Renamed(gym.vector.VectorWrapper):
    def step(self, actions):
        obs, reward, terminated, truncated, infos = self.env.step(actions)
        return obs, reward, terminated, truncated, {}
"""


def made(folder: Path, files: dict[str, str]) -> tuple[str, str]:
    """The safety of the fix at the constructor, and the reason against it."""
    for name, text in {"pyproject.toml": "", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    result = done_lint(folder, "check", "--no-cache", "--output-format", "json")
    (one,) = (one for one in json.loads(result.stdout) if "SyncVectorEnv" in one["message"])
    return one["fix"]["applicability"] if one["fix"] else "none", one["unfixed"]


@pytest.mark.parametrize(
    ("reader", "row"),
    [
        ('def lives(infos):\n    return [one["lives"] for one in infos["final_info"] if one]\n', 2),
        ('def lives(infos):\n    ended = infos["final_info"]\n    return [one["lives"] for one in ended if one]\n', 2),
        ('class Log:\n    def note(self, infos):\n        self.ended += infos.get("final_info", [])\n', 3),
    ],
)
@pytest.mark.parametrize("imports", ["", "import gymnasium\n"])
def test_a_file_that_nothing_imports_may_be_given_the_infos(
    tmp_path: Path, reader: str, row: int, imports: str
) -> None:
    safety, reason = made(tmp_path, {"train.py": TRAIN, "tools/stats.py": imports + reader})
    place = f"tools/stats.py:{row + imports.count(chr(10))}"
    assert safety == "unsafe"
    assert (
        reason
        == f"{place} takes `final_info` of what it is given for a list, and no import shows whose infos these are"
    )


@pytest.mark.parametrize(
    "reader",
    [
        'def returns(infos):\n    return infos["final_info"]["episode"]["r"]\n',
        'def ended(infos):\n    return "final_info" in infos\n',
        'def ended(infos):\n    return 1 if infos.get("final_info") is not None else 0\n',
        'def ended(infos):\n    if infos.get("final_info"):\n        print("ended")\n',
        'def ended(infos):\n    return infos.get("final_info", {}).get("_episode")\n',
        'seen = {}\nprint(seen["final_info"])\n',
        '"""Reads `final_info`."""\n',
    ],
)
def test_others_are_no_reason(tmp_path: Path, reader: str) -> None:
    assert made(tmp_path, {"train.py": TRAIN, "tools/stats.py": reader}) == ("safe", "")


@pytest.mark.parametrize(
    "infos", ['{"ended": infos["final_info"]} if "final_info" in infos else {}', 'dict(ended=infos.get("final_info"))']
)
def test_a_wrapper_of_another_file_hands_the_list_on(tmp_path: Path, infos: str) -> None:
    files = {"train.py": WRAPPED.format("ended", "ended"), "renamed.py": WRAPPER.format(infos)}
    row = 7
    assert made(tmp_path, files) == ("none", f"what reads `final_info` as a list (renamed.py:{row}) would fail")


def test_a_wrapper_of_another_file_hands_all_on(tmp_path: Path) -> None:
    files = {"train.py": WRAPPED.format("final_info", "final_info"), "renamed.py": WRAPPER.format("infos")}
    assert made(tmp_path, files) == ("safe", "")


def test_a_loop_of_another_file_is_rewritten_with_it(tmp_path: Path) -> None:
    """A test beside it takes nothing for a list."""
    maker = f"import gymnasium as gym\n\n\ndef make():\n    return {ENVS}\n"
    loop = MAKER.format("from maker import make\n", "make()", "final_info").replace("import gymnasium as gym\n", "")
    tested = loop.replace('if "final_info" in infos:', 'if infos.get("final_info") is not None:')
    assert made(tmp_path, {"maker.py": maker, "train.py": tested}) == ("safe", "")


def test_a_loop_of_another_file_that_no_rule_rewrites_keeps_the_mode_out(tmp_path: Path) -> None:
    maker = f"import gymnasium as gym\n\n\ndef make():\n    return {ENVS}\n"
    loop = MAKER.format("from maker import make\n", "make()", "final_info").replace("import gymnasium as gym\n", "")
    asked = loop.replace('if "final_info" in infos:', "if True:").replace(
        'infos["final_info"]', 'infos.get("final_info", [])'
    )
    reason = "what reads `final_info` as a list (train.py:10) would fail"
    assert made(tmp_path, {"maker.py": maker, "train.py": asked}) == ("none", reason)
