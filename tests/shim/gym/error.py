"""The errors of old Gym that programs name."""

from __future__ import annotations


class Error(Exception):
    """Any of them."""


class UnregisteredEnv(Error):
    """An id that nobody registered."""
