"""done-lint finds and fixes the `done` bug: terminated and truncated in one flag."""

__version__ = "0.1.0"
