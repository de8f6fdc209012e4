"""What is known of the names of a scope at one point of its flow."""

from __future__ import annotations

from done_lint.syntax.bound_names import UNBOUND

Sources = frozenset[int]
#: The bindings that can arrive, by name; None: no path leads here.
State = dict[str, Sources] | None

NOTHING: Sources = frozenset((UNBOUND,))


def copied(state: State) -> State:
    """A state that can be changed without the other."""
    return dict(state) if state is not None else None


def joined(one: State, other: State) -> State:
    """What can arrive where two paths meet."""
    if one is None or other is None:
        return copied(other if one is None else one)
    return {name: one.get(name, NOTHING) | other.get(name, NOTHING) for name in {**one, **other}}
