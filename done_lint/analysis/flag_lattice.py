"""The lattice of flags: which causes of an episode's end one value holds, and with which polarity.

A flag is one small integer, so that a set of alternatives is a set of integers: the causes in the low
bits, then whether the value is a keep-mask (1 where the episode goes on), whether it already carries a
discount, and whether it is an array with one entry an environment.
"""

from __future__ import annotations

from collections.abc import Iterable

from done_lint.analysis.values import Meaning

TERMINATED, TRUNCATED, LIMIT = 1, 2, 4
CAUSES = TERMINATED | TRUNCATED | LIMIT
KEEP = 8
DISCOUNTED = 16
ARRAY = 32
#: Every flag is smaller than this; other values of the solver begin here.
END = 64

DONE = TERMINATED | TRUNCATED


#: Termination, truncation and both.
_EVERYTHING = frozenset((TERMINATED, TRUNCATED, DONE))


def is_anything(flags: Iterable[int]) -> bool:
    """Whether all kinds of flags are among these: no mask, but a way that everything takes, which proves nothing.

    No value target is cut at truncations alone: where they arrive beside the others, places were mixed up on the way.
    """
    held = {flag & (CAUSES | KEEP) for flag in flags}
    return any({one ^ keep for one in held} >= _EVERYTHING for keep in (0, KEEP))


def negated(flag: int) -> int:
    """`not`, `~`, `1 - `, `logical_not`."""
    return flag ^ KEEP


def keeps(flag: int) -> bool:
    """Whether the flag is a keep-mask."""
    return bool(flag & KEEP)


def mixed(flag: int) -> bool:
    """Termination and something that is no termination, in one flag: what must not cut a bootstrap."""
    return bool(flag & TERMINATED and flag & (TRUNCATED | LIMIT))


def united(left: int, right: int) -> int | None:
    """`or` of two flags, `and` (or product) of two keep-masks.

    A keep-mask or'ed with a flag, `not done or truncated`, is the mask without the flag's causes.
    """
    if (left ^ right) & KEEP:
        return narrowed(left, right) if left & KEEP else narrowed(right, left)
    return left | right


def narrowed(flag: int, by: int) -> int | None:
    """`flag and not by`: the causes of `by` are taken out; None when nothing is left.

    An own limit stands for truncation too: `ep_len == max_ep_len` is how old code recognised the
    environment's time limit (facts: spinningup, TD3, SAC).
    """
    out = by & CAUSES
    if out & LIMIT:
        out |= TRUNCATED
    left = flag & CAUSES & ~out
    return (flag & ~CAUSES) | left if left else None


def conjunction(left: int, right: int) -> int | None:
    """`and`, or the product, of two flags."""
    if not (left ^ right) & KEEP:
        if left & KEEP:
            return left | right
        common = left & right & CAUSES
        return (left & ~CAUSES) | common if common else None
    if right & KEEP:
        return narrowed(left, right) if left & CAUSES != right & CAUSES else None
    return narrowed(right, left) if left & CAUSES != right & CAUSES else None


def truncated_alone(flag: int) -> bool:
    """Truncation and nothing else, as a flag that is 1 there."""
    return flag & (CAUSES | KEEP) == TRUNCATED


def spares_truncation(flag: int) -> bool:
    """A mask that is 0 at truncation and nowhere else: `1 - timeouts`."""
    return flag & (CAUSES | KEEP) == TRUNCATED | KEEP


def meaning(flag: int) -> Meaning:
    """The flag as the rules read it."""
    return Meaning(bool(flag & TERMINATED), bool(flag & TRUNCATED), bool(flag & LIMIT), keeps(flag))


def meanings(flags: Iterable[int]) -> frozenset[Meaning]:
    """All alternatives as the rules read them."""
    return frozenset(meaning(f) for f in flags)
