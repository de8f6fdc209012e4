"""What keeps families from being changed, though no rule reports it: all kinds of it, of all files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.open_steps import owner_name
from done_lint.analysis.unused_functions import UnusedFunctions
from done_lint.core.findings import Family
from done_lint.facts.classes.env_classes import EnvClasses
from done_lint.facts.classes.old_stacks import OldStacks
from done_lint.facts.classes.own_attributes import OwnAttributes
from done_lint.facts.families import Families
from done_lint.facts.kinds.obstacles import Obstacle
from done_lint.facts.obstacles.chosen_widths import obstacles_of_chosen_widths
from done_lint.facts.obstacles.forwarded_reads import ForwardedReads
from done_lint.facts.obstacles.four_of_five import FourOfFive
from done_lint.facts.obstacles.gym_only_makes import obstacles_of_makes
from done_lint.facts.obstacles.handed_environments import HandedEnvironments
from done_lint.facts.obstacles.indirect_calls import IndirectCalls
from done_lint.facts.obstacles.library_differences import obstacles_of_differences
from done_lint.facts.obstacles.lost_bases import obstacles_of_lost_bases
from done_lint.facts.obstacles.modules_by_text import obstacles_of_module_texts
from done_lint.facts.obstacles.program_members import ProgramMembers
from done_lint.facts.obstacles.read_dictionaries import obstacles_of_dictionaries
from done_lint.facts.obstacles.replay_infos import ReplayInfos
from done_lint.facts.obstacles.shared_renders import SharedRenders
from done_lint.facts.obstacles.stand_ins import StandIns
from done_lint.facts.obstacles.step_doors import StepDoors
from done_lint.facts.obstacles.unfit_classes import UnfitClasses
from done_lint.facts.obstacles.unfollowed_callers import UnfollowedCallers

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_BESIDE = "calls `{}`, which returns what the `step` of its class does"
_DRAWS = "passes a mode to `render`: a class of the project takes one, and what a library makes does not"
_ASKS = 'hands infos to a replay buffer that asks them for "TimeLimit.truncated", which no step of Gymnasium sets'


class Obstacles:
    """Looks for them in a solved graph."""

    def __init__(
        self,
        analysis: Analysis,
        classes: EnvClasses,
        families: Families,
        unused: UnusedFunctions,
        attributes: OwnAttributes,
        stacks: OldStacks,
    ) -> None:
        """Look at nothing yet."""
        self._analysis = analysis
        self._program = analysis.program
        self._classes = classes
        self._families = families
        self._members = ProgramMembers(analysis, classes, families)
        self._callers = UnfollowedCallers(analysis, families, unused, self._members)
        self._indirect = IndirectCalls(analysis, families, self._members)
        self._handed = HandedEnvironments(analysis, classes, families)
        self._four_of_five = FourOfFive(analysis, families, stacks)
        self._unfit = UnfitClasses(analysis, classes, families, attributes)
        self._forwarded = ForwardedReads(analysis, classes, families, attributes)
        self._doors = StepDoors(analysis)
        self._renders = SharedRenders(analysis)
        self._replays = ReplayInfos(analysis)
        self._stand_ins = StandIns(analysis)

    def all(self) -> list[Obstacle]:
        """The obstacles of all files; the family of one is empty where nothing here is stepped there."""
        steps = (self._callers.of, self._indirect.of, self._mocked, self._handed.of)
        kinds = (
            *steps,
            self._beside,
            self._drawing,
            self._asking,
            self._four_of_five.assigned,
            self._unfit.of,
            self._forwarded.of,
            self._lost,
            self._dictionaries,
            self._differences,
        )
        found = [one for path in self._program.surveys for kind in kinds for one in kind(path)]
        made = obstacles_of_makes(self._analysis, self._classes, self._families)
        return [*found, *self._four_of_five.adapters(), *made]

    def unseen(self) -> dict[str, Family]:
        """By file, the families of what is for old Gym and that no code steps but environments."""
        return self._members.unstepped_by_file()

    def loaded(self) -> dict[str, Family]:
        """By file, the families of what it hands to code of a module that it imports by a name."""
        return self._handed.loaded()

    def _lost(self, path: str) -> Iterator[Obstacle]:
        """The classes whose base cannot be found, and may be one of another file."""
        yield from obstacles_of_lost_bases(self._analysis, self._families, path)

    def _dictionaries(self, path: str) -> Iterator[Obstacle]:
        """The reads of an environment's dictionary past some of its wrappers."""
        yield from obstacles_of_dictionaries(self._analysis, self._families, self._members, path)

    def _differences(self, path: str) -> Iterator[Obstacle]:
        """What the library does otherwise with what it is handed, modules by their names, and chosen widths."""
        yield from obstacles_of_differences(self._analysis, self._families, self._members, path)
        yield from obstacles_of_chosen_widths(self._analysis, self._families, path)
        yield from obstacles_of_module_texts(self._analysis, self._families, self._members, path)

    def _mocked(self, path: str) -> Iterator[Obstacle]:
        """The steps of an environment, or of a mock in its place, and what a test puts in the place of `gym.make`."""
        survey = self._program.surveys[path]
        for one in self._stand_ins.of(path):
            family = self._families.of_node(one.node) if one.node is not None else None
            if one.node is None:
                family = self._members.near(path)
            if family and self._families.has_gym_file(family):
                owner = owner_name(survey, survey.homes.get(one.result, -1))
                yield Obstacle(path, one.at, owner, one.which, family)

    def _beside(self, path: str) -> Iterator[Obstacle]:
        """The calls that reach the result of a step by another method, where no fix follows it."""
        survey, base = self._program.surveys[path], self._program.bases[path]
        for read, call in self._doors.of(path):
            family = self._families.of_node(base + read.source)
            if family and self._families.has_gym_file(family):
                owner = owner_name(survey, survey.homes.get(call.result, -1))
                yield Obstacle(path, call.at, owner, _BESIDE.format(read.name), family)

    def _drawing(self, path: str) -> Iterator[Obstacle]:
        """The renderings with a mode that only a part of what arrives takes."""
        survey, base = self._program.surveys[path], self._program.bases[path]
        for read, call in self._renders.of(path):
            family = self._families.of_node(base + read.source)
            if family and self._families.has_gym_file(family):
                yield Obstacle(path, call.at, owner_name(survey, survey.homes.get(call.result, -1)), _DRAWS, family)

    def _asking(self, path: str) -> Iterator[Obstacle]:
        """The calls that give infos of a step to a buffer of a library, which asks them for what only old Gym set."""
        survey = self._program.surveys[path]
        for call, infos in self._replays.of(path):
            family = self._families.of_node(infos)
            if family and self._families.has_gym_file(family):
                yield Obstacle(path, call.at, owner_name(survey, survey.homes.get(call.result, -1)), _ASKS, family)
