"""The keys of vector infos, version by version."""

from __future__ import annotations

import gymnasium
import pytest

from done_lint.core.gymnasium_release import Release
from done_lint.knowledge.old_arguments import OWN_VECTORS
from done_lint.knowledge.vector_info_keys import Autoreset, default_mode, final_keys


@pytest.mark.parametrize(
    ("target", "mode", "observation", "info", "listed"),
    [
        ((0, 24), "SameStep", "terminal_observation", "", False),
        ((0, 29), "SameStep", "final_observation", "final_info", True),
        ((1, 0), "NextStep", "", "", False),
        ((1, 4), "NextStep", "", "", False),
        ((1, 4), "SameStep", "final_obs", "final_info", False),
        ((1, 4), "Disabled", "", "", False),
        ((0, 23), "SameStep", "", "", False),
    ],
)
def test_keys_are_those_of_the_version_and_the_mode(
    target: Release, mode: Autoreset, observation: str, info: str, listed: bool
) -> None:
    keys = final_keys(mode, target)
    assert (keys.observation, keys.info, keys.listed) == (observation, info, listed)


@pytest.mark.parametrize(("target", "mode"), [((0, 29), "SameStep"), ((1, 0), "NextStep"), ((1, 10), "NextStep")])
def test_the_default_mode_is_that_of_the_version(target: Release, mode: Autoreset) -> None:
    assert default_mode(target) == mode


def test_the_ids_with_a_vector_environment_of_their_own_are_those_of_the_library() -> None:
    assert {name for name, spec in gymnasium.registry.items() if spec.vector_entry_point} == OWN_VECTORS


def test_such_a_vector_environment_takes_no_mode_until_make_vec_puts_environments_side_by_side() -> None:
    options = {"autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP}
    with pytest.raises(gymnasium.error.Error, match="vector_kwargs"):
        gymnasium.make_vec("CartPole-v1", 2, vector_kwargs=options)
    envs = gymnasium.make_vec("CartPole-v1", 2, vectorization_mode="sync", vector_kwargs=options)
    assert envs.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.SAME_STEP
