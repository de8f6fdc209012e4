"""The keys of vector infos, version by version."""

from __future__ import annotations

import pytest

from done_lint.core.gymnasium_release import Release
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
