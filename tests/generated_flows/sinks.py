"""What generated projects compute of a flag: value targets, recursions, and what looks like one of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["silent", "target", "recursion"]


@dataclass(frozen=True)
class Sink:
    """Rows that read columns: `r` the reward, `q` the value of the next state, `d` the flag, `k` the mask."""

    name: str
    text: str
    #: What the rows are, if the flag holds a truncation.
    verdict: Verdict
    #: For whole arrays, for single values, or for both.
    shape: Literal["array", "scalar", "both"] = "both"
    #: Whether it can be written of a flag, or only of a mask.
    of: Literal["flag", "mask"] = "mask"


TARGETS = [
    Sink("product", "y = {r} + gamma * {k} * {q}  # cut", "target"),
    Sink("product, mask last", "y = {r} + 0.99 * {q} * {k}  # cut", "target"),
    Sink("product, attribute", "y = {r} + config.gamma * ({q} * {k})  # cut", "target"),
    Sink("mask in a name", "keep = {k}  # cut\ny = {r} + gamma * keep * {q}  # cut", "target"),
    Sink("masked value", "nq = {q} * {k}  # cut\ny = {r} + gamma * nq", "target"),
    Sink("masked in place", "nq = {q}\nnq *= {k}  # cut\ny = {r} + gamma * nq", "target", "array"),
    Sink("TD error", "error = {r} + gamma * {q} * {k} - net({r})  # cut\nloss = error ** 2", "target"),
    Sink("np.where", "y = np.where({d}, {r}, {r} + gamma * {q})  # cut", "target", "array", "flag"),
    Sink("np.where of a value", "y = {r} + gamma * np.where({d}, 0.0, {q})  # cut", "target", "array", "flag"),
    Sink("masked assignment", "nq = {q}\nnq[{d}] = 0.0  # cut\ny = {r} + gamma * nq", "target", "array", "flag"),
    Sink("torch.where", "y = {r} + gamma * torch.where({d}, torch.zeros(32), {q})  # cut", "target", "array", "flag"),
    Sink("masked_fill", "nq = {q}.masked_fill({d}, 0.0)  # cut\ny = {r} + gamma * nq", "target", "array", "flag"),
    Sink("np.multiply", "y = {r} + np.multiply(gamma * {q}, {k})  # cut", "target", "array"),
    Sink(".mul", "y = {r} + gamma * {q}.mul({k})  # cut", "target", "array"),
    Sink("discount that is masked", "keep = gamma * {k}  # cut\ny = {r} + keep * {q}", "target"),
    Sink("discounted first", "future = gamma * {q}\ny = {r} + future * {k}  # cut", "target"),
    Sink("discounted first, masked in place", "y = gamma * {q}\ny *= {k}  # cut\ny = y + {r}", "target", "array"),
    Sink("added later", "y = {r}\ny = y + gamma * {q} * {k}  # cut", "target"),
    Sink("added in place", "y = {r}\ny += gamma * {q} * {k}  # cut", "target"),
    Sink("tabular", "table[{r}] += 0.1 * ({r} + gamma * np.max({q}) * {k} - table[{r}])  # cut", "target"),
    Sink(
        "filled where it goes on",
        "nq = np.zeros(32)\nnq[~{d}] = {q}[~{d}]  # cut\ny = {r} + gamma * nq",
        "target",
        "array",
        "flag",
    ),
    Sink("added where it goes on", "y = {r}.copy()\ny[~{d}] += gamma * {q}[~{d}]  # cut", "target", "array", "flag"),
    Sink(
        "row by row",
        """\
nq = {q}
for i in range(32):
    if {d}[i]:  # cut
        y[i] = {r}[i]
    else:
        y[i] = {r}[i] + gamma * nq[i]""",
        "target",
        "array",
        "flag",
    ),
    Sink(
        "row by row, conditional",
        "for i in range(32):\n    y[i] = {r}[i] + (0 if {d}[i] else gamma * {q}[i])  # cut",
        "target",
        "array",
        "flag",
    ),
    Sink("if", "if {d}:  # cut\n    y = {r}\nelse:\n    y = {r} + gamma * {q}", "target", "scalar", "flag"),
    Sink("if not", "y = {r}\nif not {d}:  # cut\n    y += gamma * {q}", "target", "scalar", "flag"),
    Sink("if, afterwards", "y = {r} + gamma * {q}\nif {d}:  # cut\n    y = {r}", "target", "scalar", "flag"),
    Sink("rows, afterwards", "y = {r} + gamma * {q}\ny[{d}] = {r}[{d}]  # cut", "target", "array", "flag"),
    Sink("conditional", "y = {r} if {d} else {r} + gamma * {q}  # cut", "target", "scalar", "flag"),
    Sink("conditional value", "y = {r} + gamma * (0.0 if {d} else {q})  # cut", "target", "scalar", "flag"),
]

HARMLESS = [
    Sink("logging", "print({r}, {d})", "silent", of="flag"),
    Sink("counted", "count = count + {d}", "silent", of="flag"),
    Sink("reset", "if {d}:\n    total, hidden = 0.0, None", "silent", "scalar", "flag"),
    Sink("reward shaping", "y = ({r} - {d}) + gamma * {q}", "silent", of="flag"),
    Sink("reward penalty", "shaped = -10.0 if {d} else {r}\ny = shaped + gamma * {q}", "silent", "scalar", "flag"),
    Sink("recurrent state", "hidden = hidden * {k}\ny = {r} + gamma * {q}", "silent"),
    Sink("episode return", "total = (total + {r}) * {k}", "silent"),
    Sink("loss of what goes on", "y = {r} + gamma * {q}\nloss = (y - net({r})) * {k}", "silent"),
    Sink("predicted end", "loss = (net({r}) - {d}) ** 2\ny = {r} + gamma * {q}", "silent", of="flag"),
]

RECURSIONS = [
    Sink(
        "GAE",
        """\
last = 0.0
for t in reversed(range(128)):
    delta = {r}[t] + gamma * {v}[t + 1] * {kt} - {v}[t]  # cut
    last = delta + gamma * lam * {kt} * last  # cut
    advantages[t] = last
""",
        "recursion",
    ),
    Sink(
        "GAE, mask in a name",
        """\
last = 0.0
for t in reversed(range(len({r}))):
    alive = {kt}  # cut
    delta = {r}[t] + 0.99 * {v}[t + 1] * alive - {v}[t]  # cut
    advantages[t] = last = delta + 0.99 * 0.95 * alive * last
""",
        "recursion",
    ),
    Sink(
        "GAE over an array",
        """\
advantages = np.zeros(129)
for t in reversed(range(128)):
    delta = {r}[t] + gamma * {v}[t + 1] * {kt} - {v}[t]  # cut
    advantages[t] = delta + gamma * lam * {kt} * advantages[t + 1]  # cut
""",
        "recursion",
    ),
    Sink(
        "returns",
        """\
total, returns = 0.0, []
for t in reversed(range(128)):
    total = {r}[t] + gamma * total * {kt}  # cut
    returns.insert(0, total)
""",
        "recursion",
    ),
    Sink(
        "returns, by branch",
        """\
total, returns = 0.0, []
for reward, ended in zip(reversed({r}), reversed({f})):
    if {ended}:  # cut
        total = 0.0
    total = reward + gamma * total
    returns.insert(0, total)
""",
        "recursion",
    ),
    Sink(
        "GAE, two masks",
        """\
last = 0.0
for t in reversed(range(128)):
    delta = {r}[t] + gamma * {v}[t + 1] * (1 - {e}[t]) - {v}[t]
    last = delta + gamma * lam * {kt} * last
    advantages[t] = last
""",
        "silent",
    ),
    Sink(
        "returns of one episode",
        """\
total, returns = 0.0, []
for reward in reversed({r}):
    total = reward + gamma * total
    returns.insert(0, total)
""",
        "silent",
    ),
    Sink("ends counted", "print(sum({f}), len({r}))", "silent"),
]
