"""A base for environments that are pickled by their arguments; Gymnasium's is the same."""

from __future__ import annotations

from gymnasium.utils import EzPickle

__all__ = ["EzPickle"]
