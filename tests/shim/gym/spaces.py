"""The spaces are Gymnasium's own."""

from gymnasium.spaces import *  # noqa: F403
