"""Which layers `make` puts around an environment, by its id and by what is asked for."""

from __future__ import annotations

import pytest

from done_lint.knowledge.made_layers import UNKNOWN, Wrapping, any_of, as_asked, by_id, common_layers

ALL = ("TimeLimit", "OrderEnforcing", "PassiveEnvChecker", "")


@pytest.mark.parametrize(
    ("env_id", "layers"),
    [
        ("CartPole-v1", ALL),
        ("gymnasium.envs.mujoco:HalfCheetah-v5", ALL),
        ("ALE/Pong-v5", ALL[1:]),
        ("BreakoutNoFrameskip-v4", ALL[1:]),
        ("Breakout-v0", ALL[1:]),
        ("MiniGrid-Empty-5x5-v0", ALL[1:]),
        ("highway-fast-v0", ALL[1:]),
        ("PandaReachJointsDense-v3", ALL),
        ("FetchReach-v4", ALL),
        ("PointMaze_UMaze-v3", ALL),
        ("Blackjack-v1", ALL[1:]),
        ("tabular/Blackjack-v0", ("",)),
        ("phys2d/CartPole-v1", ("TimeLimit", "")),
    ],
)
def test_the_layers_of_known_ids(env_id: str, layers: tuple[str, ...]) -> None:
    found = by_id(env_id)
    assert found is not None
    assert found.layers == layers


def test_an_id_of_no_table_has_some_layers_of_make() -> None:
    assert by_id("Maze-v0") is None
    assert UNKNOWN.layers == ("make", "make")
    assert UNKNOWN.doubtful


@pytest.mark.parametrize("env_id", ["Blackjack-v1", "gymnasium.envs.toy_text:CliffWalking-v0", "CliffWalking-v1"])
def test_some_environments_are_never_truncated(env_id: str) -> None:
    found = by_id(env_id)
    assert found is not None
    assert found.endless


@pytest.mark.parametrize(
    ("options", "layers"),
    [
        ({"max_episode_steps": "9"}, ALL),
        ({"max_episode_steps": "-1"}, ALL[1:]),
        ({"max_episode_steps": "None"}, ALL[1:]),
        ({"max_episode_steps": ""}, ("make", "make")),
        ({"disable_env_checker": "True"}, ("OrderEnforcing", "")),
        ({"disable_env_checker": ""}, ("OrderEnforcing",)),
        ({"disable_env_checker": "True", "order_enforce": "False"}, ("",)),
        ({"autoreset": "True"}, ()),
        ({"autoreset": "False", "additional_wrappers": "()"}, ALL[1:]),
    ],
)
def test_what_is_asked_for_decides(options: dict[str, str], layers: tuple[str, ...]) -> None:
    assert as_asked(Wrapping(limit=False, truncates=False), options).layers == layers


def test_arguments_that_are_not_visible_may_ask_for_a_limit() -> None:
    found = as_asked(Wrapping(limit=False, truncates=False), {}, hidden=True)
    assert not found.endless
    assert not found.doubtful
    assert found.layers == ("make",)


def test_one_of_several_environments_with_a_limit_is_enough() -> None:
    found = any_of([Wrapping(limit=True), Wrapping(limit=False, truncates=False)])
    assert not found.endless
    assert not found.doubtful
    assert found.layers == ("make", "make")


@pytest.mark.parametrize(
    ("alternatives", "layers"),
    [
        ([ALL, ALL], ALL),
        ([ALL, ALL[1:]], ("make", "make")),
        ([("ClipAction", *ALL), ("ClipAction", *ALL[1:])], ("ClipAction", "make", "make")),
        ([("ClipAction", *ALL), ALL], ()),
        ([ALL, ()], ()),
    ],
)
def test_layers_that_differ_are_not_certain(alternatives: list[tuple[str, ...]], layers: tuple[str, ...]) -> None:
    assert common_layers(alternatives) == layers
