"""done-lint finds and mends the `done` bug: terminated and truncated, told apart."""

__version__ = "0.1.0"
