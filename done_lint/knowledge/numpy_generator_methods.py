"""Methods of numpy's old generator that the new one does not have, and what takes their place (data)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

#: How the arguments change: not at all; dimensions become one shape; `low, high` become the ends of a closed range;
#: or in no way that is known.
Arguments = Literal["same", "shape", "closed", "unknown"]


@dataclass(frozen=True, slots=True)
class Replacement:
    """What is written today."""

    #: The method that takes the place, empty where there is none.
    method: str
    arguments: Arguments
    help: str


#: `numpy.random.RandomState` against `numpy.random.Generator`, both of numpy 2.4.6. `sample` and `ranf` are in neither:
#: they are functions of `numpy.random`.
METHODS: Mapping[str, Replacement] = {
    "randint": Replacement("integers", "same", "`integers` takes the same arguments"),
    "rand": Replacement("random", "shape", "`random` takes the dimensions as one tuple"),
    "randn": Replacement("standard_normal", "shape", "`standard_normal` takes the dimensions as one tuple"),
    "random_sample": Replacement("random", "same", "`random` takes the same arguments"),
    "random_integers": Replacement("integers", "closed", "`integers(..., endpoint=True)` includes its upper end"),
    "seed": Replacement("", "unknown", "make a new one: `self.np_random, _ = seeding.np_random(seed)`"),
    "get_state": Replacement("", "unknown", "read `bit_generator.state`"),
    "set_state": Replacement("", "unknown", "assign to `bit_generator.state`"),
    "tomaxint": Replacement("", "unknown", "draw from a range: `integers(high)`"),
}
