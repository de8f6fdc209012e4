"""What is noted of flags while the graph is solved: where they come from, how they are combined, what they mask."""

from __future__ import annotations

from typing import NamedTuple

from done_lint.analysis.values import ChoiceMark, MaskedMark, Site
from done_lint.flowgraph.operations import Constant


class FlagSource(NamedTuple):
    """Where a flag comes from, and its name there."""

    place: Site
    word: str


class Ending(NamedTuple):
    """A step that gives *terminated*, in an environment that can also truncate."""

    step: Site
    #: It steps several environments, which reset themselves.
    vector: bool
    #: The node of the environment.
    env: int


class Combined(NamedTuple):
    """The inputs of a union or an intersection, and its place."""

    inputs: list[int]
    place: Site
    #: It is a union, and no intersection.
    united: bool = False
    #: Some input is a value that nothing is known of.
    partly: bool = False


class ProductNodes(NamedTuple):
    """The nodes of a product and of its factors."""

    node: int
    factors: list[int]


class Condition(NamedTuple):
    """The nodes of a choice, and what its sides are as constants."""

    test: int
    a: int
    a_constant: Constant
    b: int
    b_constant: Constant
    result: int


class FlagEvidence:
    """Notes on flags, by node."""

    def __init__(self) -> None:
        """None are known."""
        self.sources: dict[int, FlagSource] = {}
        #: Of these, the ends of episodes that a time limit can end too.
        self.endings: dict[int, Ending] = {}
        #: And where a dm_env step is tested for being the last of its episode.
        self.lasts: set[int] = set()
        #: Where the reward of a step is taken out of its result.
        self.rewards: set[int] = set()
        #: Steps of vector environments that are taken apart, by the node of the call, and the environments.
        self.steps_of_several: dict[int, set[int]] = {}
        #: Combinations that are connected with their inputs.
        self.connected: set[int] = set()
        self.combinations: dict[int, Combined] = {}
        self.products: dict[tuple[str, int], ProductNodes] = {}
        self.conditions: dict[ChoiceMark, Condition] = {}
        self.masked: dict[MaskedMark, int] = {}
        #: Those that fill an array of zeros.
        self.filled: dict[MaskedMark, int] = {}
        #: Tests of whether something is None that a flag decides, and what is asked about.
        self.absences: dict[int, int] = {}
