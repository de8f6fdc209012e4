"""How Ray calls functions and classes in other processes (data)."""

from __future__ import annotations

#: The attribute of a remote function, class or method that is called in its place. Ray 2.9 `actor.py`.
CALLING = "remote"
#: The method that gives the same function or class with other resources.
CONFIGURING = "options"
#: What waits for the result of such a call and gives it.
WAITING = "ray.get"
