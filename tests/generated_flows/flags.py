"""The flags of generated projects: how they are united, narrowed, cast and negated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from generated_flows.choose import Choose
from generated_flows.flag_sources import FlagSource

#: What is done to a column of flags that was read back.
RECASTS = [
    "",
    "np.array({})",
    "torch.FloatTensor({}).to(device)",
    "torch.tensor({}, dtype=torch.float32).unsqueeze(1)",
    "torch.from_numpy(np.vstack({}).astype(np.uint8)).float()",
    "torch.as_tensor({}).float().view(-1, 1)",
    "np.asarray({}, dtype=np.float32).reshape(-1)",
    "tf.convert_to_tensor({}, dtype=tf.float32)",
    "tf.cast({}, tf.float32)",
    "jnp.array({})",
    "np.concatenate([{}])",
    "torch.cat(tuple({}))",
]

Holds = Literal["terminated", "done", "limit"]


@dataclass(frozen=True)
class Flag:
    """An expression of the step's values, and what it holds."""

    text: str
    holds: Holds
    #: It is 1 where the episode goes on.
    keep: bool = False


UNIONS = [
    "{t} or {u}",
    "{t} | {u}",
    "np.logical_or({t}, {u})",
    "max({t}, {u})",
    "any(({t}, {u}))",
    "any([{t}, {u}])",
    "bool({t} + {u})",
    "True if {t} else {u}",
    "not (not {t} and not {u})",
]
ARRAY_UNIONS = [
    "{t} | {u}",
    "np.logical_or({t}, {u})",
    "np.maximum({t}, {u})",
    "({t} + {u}) > 0",
    "np.bitwise_or({t}, {u})",
    "torch.logical_or(torch.tensor({t}), torch.tensor({u}))",
    "~(~{t} & ~{u})",
]
TERMINATED = ["{t}", "({t} or {u}) and not {u}", "{t} and not {u}"]
ARRAY_TERMINATED = ["{t}", "({t} | {u}) & ~{u}", "np.logical_and({t} | {u}, np.logical_not({u}))"]
OLD_TERMINATED = ['{d} and not info.get("TimeLimit.truncated", False)', '{d} and "TimeLimit.truncated" not in info']
LIMITED = ["{t} or steps >= 200", "{t} or steps == max_steps", "bool({t} or steps > 99)"]

CASTS = ["{}", "{}", "bool({})", "float({})", "int({})", "np.float32({})", "1.0 if {} else 0.0"]
ARRAY_CASTS = ["{}", "{}", "np.array({})", "torch.as_tensor({}).float()", "np.asarray({}).astype(np.float32)"]
KEEPS = ["1 - {}", "not {}", "0.0 if {} else 1.0", "1.0 - float({})", "float(not {})"]
ARRAY_KEEPS = ["1 - {}", "~{}", "np.logical_not({})", "1.0 - torch.tensor({}).float()", "np.where({}, 0.0, 1.0)"]

FLAG_NAMES = ["done", "d", "over", "terminal", "ended", "flag", "is_done"]
MASK_NAMES = ["mask", "not_done", "keep", "alive", "m"]


def flag_of(choose: Choose, source: FlagSource, *, holds: Sequence[Holds]) -> Flag:
    """A flag of the wanted content, if the source has it (else of another)."""
    wanted = choose(holds)
    names = {"t": source.terminated or source.union, "u": source.truncated, "d": source.union}
    if source.union:
        right = not source.array and wanted == "terminated"
        text = choose(OLD_TERMINATED) if right else "{d}"
        return Flag(text.format(**names), "terminated" if right else "done")
    if wanted == "limit" and not source.array:
        return Flag(choose(LIMITED).format(**names), "limit")
    if wanted == "terminated":
        return Flag(choose(ARRAY_TERMINATED if source.array else TERMINATED).format(**names), "terminated")
    return Flag(choose(ARRAY_UNIONS if source.array else UNIONS).format(**names), "done")


def is_atom(text: str) -> bool:
    return text.isidentifier()


def within(form: str, text: str) -> str:
    """The expression inside another, in brackets where it needs them."""
    inside = text if is_atom(text) or form == "{}" or "({})" in form else f"({text})"
    return form.format(inside)
