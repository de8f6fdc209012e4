"""Whether a rule about environment classes can report anything in a file (see `done_lint/rules/sight.py`)."""

from __future__ import annotations

import re

from done_lint.facts.kinds.classes import EnvClass
from done_lint.knowledge.numpy_generator_methods import METHODS
from done_lint.knowledge.rendering import METADATA_KEYS
from done_lint.knowledge.underscore_methods import NAMES, TRANSFORMING
from done_lint.rules.sight import Sight

_ATTRIBUTE = re.compile(r"\.[\s\\]*(\w+)")


def _with(sight: Sight, sign: str) -> list[EnvClass]:
    """The environment classes of the file, with no API of their own, that have a sign of old Gym."""
    return [made for made in sight.facts.classes.values() if sign in made.old_signs and not made.private]


def gym301(sight: Sight) -> bool:
    """An old result of a `step`."""
    return any(one.method == "step" for one in sight.facts.results.values())


def gym302(sight: Sight) -> bool:
    """A `reset` that lacks a parameter."""
    return any(not made.double or "reset without a seed" in made.old_signs for made in _with(sight, "reset"))


def gym303(sight: Sight) -> bool:
    """An old result of a `reset`."""
    return any(one.method == "reset" for one in sight.facts.results.values())


def gym304(sight: Sight) -> bool:
    """A method `seed`."""
    return any(not made.seed_called for made in _with(sight, "seed"))


def gym305(sight: Sight) -> bool:
    """An old key of the metadata, or a `render` with an old parameter."""
    renders = any("render" in made.old_signs for made in sight.facts.classes.values())
    return renders or any(key in sight.text for key in METADATA_KEYS)


def gym306(sight: Sight) -> bool:
    """An old method of a generator."""
    found = (sight.starts(span, _ATTRIBUTE) for span in sight.facts.generators)
    return any(one is not None and one[1] in METHODS for one in found)


def gym307(sight: Sight) -> bool:
    """A limit that ends an episode."""
    return bool(sight.facts.limits)


def gym308(sight: Sight) -> bool:
    """A method with an underscore before its name."""
    return any(_is_new(made, name) for made in sight.facts.classes.values() for name in NAMES & made.old_signs)


def _is_new(made: EnvClass, name: str) -> bool:
    """Whether no public method has the place of one with an underscore, and the library may have called it."""
    if name in TRANSFORMING and made.base.rpartition(".")[2] != TRANSFORMING[name]:
        return False
    return not made.foreign and name[1:] not in made.methods and name[1:] not in made.overridden


def gym309(sight: Sight) -> bool:
    """A seed that may not be used."""
    return any(not made.double for made in _with(sight, "unused seed"))
