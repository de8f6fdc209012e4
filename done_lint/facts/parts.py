"""The facts of a project's parts, which imports connect, and what the rest of the project makes of them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace

from done_lint.analysis import registrations
from done_lint.analysis.kept_with_gym import Need
from done_lint.core.findings import OF_CLASS, Family, Span
from done_lint.core.paths import PROSE
from done_lint.facts.facts import Facts, Keeper
from done_lint.facts.kept_apart import Apart, KeptApart
from done_lint.facts.kinds.flags import Sink
from done_lint.facts.kinds.obstacles import Obstacle


@dataclass(frozen=True, slots=True)
class Part:
    """What is read of files that imports connect, and what the rest of the project may make of it."""

    facts: dict[str, Facts]
    #: Sinks that rest on names alone (see `sinks`), by file.
    guessed: dict[str, dict[Span, Sink]]
    #: Files that flags come from.
    stepping: set[str]
    #: Ids of environments that are registered here, and whether there are others that cannot be seen.
    registered: set[str]
    registers_unseen: bool
    #: What keeps programs with Gym.
    needs: list[Need]
    #: Old callers of what nothing shows (see `families`).
    obstacles: list[Obstacle]
    #: By file, families of classes and of annotated environments that nothing here steps.
    unseen: dict[str, Family]
    #: The same of what is handed to modules that are imported by a name.
    loaded: dict[str, Family]
    #: What tells which files stay with others that no import connects them with.
    apart: Apart


def rests_on_names(parts: Iterable[Part], paths: Container[str]) -> bool:
    """Whether a fact of these files rests on names alone, so that the rest of the project may change it."""
    return any(path in paths for part in parts for path in part.guessed)


def obstacles(parts: Iterable[Part]) -> tuple[Obstacle, ...]:
    """What keeps families from being changed: an old caller may get a class that no import leads to from there."""
    parts = list(parts)
    unseen = frozenset().union(*(family for part in parts for family in part.unseen.values()))
    loaded = frozenset().union(*(family for part in parts for family in part.loaded.values()))
    registered = {name for part in parts for name in part.registered}
    unseen_ids = any(part.registers_unseen for part in parts)
    obstacles = (one for part in parts for one in part.obstacles if not (one.unless_unseen and unseen_ids))
    every = [one for one in obstacles if not any(registrations.registered_as(name, registered) for name in one.ids)]
    namesakes = _namesakes(parts) if any(one.namesake for one in every) else {}
    every = [_with_namesakes(one, namesakes) if one.namesake else one for one in every]
    arriving = ((one, loaded | unseen if one.open else loaded if one.unused else frozenset()) for one in every)
    found = (one._replace(family=one.family | more) if more else one for one, more in arriving)
    return tuple(one for one in found if one.family)


def _namesakes(parts: Iterable[Part]) -> dict[str, Family]:
    """By the names of classes, the families of all that have this name."""
    classes = (known.class_families.values() for part in parts for known in part.facts.values())
    found: dict[str, Family] = {}
    for family in {family for families in classes for family in families}:
        # a file has no such mark in it
        for name in {one.rpartition(OF_CLASS)[2] for one in family if OF_CLASS in one}:
            found[name] = found.get(name, frozenset()) | family
    return found


def _with_namesakes(obstacle: Obstacle, namesakes: Mapping[str, Family]) -> Obstacle:
    """The obstacle of a class whose base is lost, with the families of what may be this base; without one, of none."""
    found = namesakes.get(obstacle.namesake)
    return obstacle._replace(family=obstacle.family | found if found is not None else frozenset())


def joined(parts: Iterable[Part], *, guessing: bool) -> dict[str, Facts]:
    """The facts of all files.

    Args:
        parts: those of the project.
        guessing: what rests on a name alone counts, where nothing in the project is better evidence.
    """
    parts = list(parts)
    stepping = {path for part in parts for path in part.stepping}
    # the examples of a page are no evidence for the program
    stepping_program = {path for path in stepping if not path.endswith(PROSE)}
    registered = {name for part in parts for name in part.registered}
    found: dict[str, Facts] = {}
    for part in parts:
        for path, facts in part.facts.items():
            proven = stepping if path.endswith(PROSE) else stepping_program
            sinks = facts.sinks if proven or not guessing else {**part.guessed.get(path, {}), **facts.sinks}
            own = {one.value: bool(registrations.registered_as(one.value, registered)) for one in facts.ids.values()}
            used = {span: replace(one, own=own[one.value]) for span, one in facts.ids.items()}
            unseen_ids = tuple(replace(one, registered=frozenset(registered)) for one in facts.unseen_ids)
            found[path] = replace(facts, sinks=sinks, ids=used, unseen_ids=unseen_ids)
    unseen = any(part.registers_unseen for part in parts)
    every = (need for part in parts for need in part.needs)
    needs = [need for need in every if not need.ids or not _registers(need, registered, unseen=unseen)]
    for path in sorted({path for need in needs for path in need.files}):
        for need in sorted((one for one in needs if path in one.files), key=lambda one: _distance(one, path)):
            keeper = Keeper(need.package, need.path, min(need.ids, default=""), need.hidden_id, need.test, need.pinned)
            found[path] = _kept(found[path], keeper)
    _keep_apart(found, [part.apart for part in parts])
    return found


def _distance(need: Need, path: str) -> tuple[bool, bool]:
    """How far a need is from being the one that keeps a file: one that is known comes first, then the file's own."""
    return not need.known, need.path != path


def _registers(need: Need, registered: set[str], *, unseen: bool) -> bool:
    """Whether the project itself registers the ids of a need, or may do so; `unseen`: some that cannot be seen.

    An id that says whose it is is not one of which the project does not say how it begins.
    """
    if need.named:
        registered, unseen = {one for one in registered if not one.startswith("*")}, False
    return unseen or all(registrations.registered_as(one.rpartition(":")[2], registered) for one in need.ids)


def _keep_apart(found: dict[str, Facts], parts: list[Apart]) -> None:
    """Keep what runs with files that stay, or is for them, without an import that says so."""
    kept = {path: one.keeper or Keeper(one.kept_by, path) for path, one in found.items() if one.kept_by}
    for path, other in KeptApart(parts, kept).by_id() if kept else ():
        found[path] = _kept(found[path], kept[other])
    kept |= {path: one.keeper for path, one in found.items() if one.keeper is not None}
    for path, other in KeptApart(parts, kept).unused() if kept else ():
        found[path] = _kept(found[path], kept[other])


def _kept(facts: Facts, keeper: Keeper) -> Facts:
    """The facts of a file whose program stays with Gym: the first package that is found is named, but a test before."""
    package, first = facts.kept_by or keeper.package or "gym", facts.keeper
    if first is None or (keeper.test is not None and (first.test is None or keeper.path == facts.path)):
        first = keeper
    return replace(facts, kept_by=package, old_package=facts.old_package or package, keeper=first)
