"""What environments use."""

from __future__ import annotations

from gym.utils.ezpickle import EzPickle

__all__ = ["EzPickle"]
