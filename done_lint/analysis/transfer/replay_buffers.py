"""Replay buffers of libraries: what `add` is given is what the fields of a sample hold."""

from __future__ import annotations

from done_lint.analysis.calls import Call
from done_lint.analysis.context import Analysis, AttributeRule, CallRule
from done_lint.analysis.solver import ALL
from done_lint.analysis.values import LibraryReplay, Object, ReplayMethod, Shape, Value
from done_lint.flowgraph.keys import TextKey
from done_lint.flowgraph.operations import Placed
from done_lint.knowledge.replay_buffers import ADDING, REPLAYS


def made(at: Analysis, dotted: str, call: Call) -> bool:
    """`ReplayBuffer(..., handle_timeout_termination=False)`: one that gives back the flag as it came."""
    known = REPLAYS.get(dotted)
    if known is None:
        return False
    asked = call.args[known.place].node if len(call.args) > known.place else call.keyword(known.separates)
    if call.stars or call.survey.booleans.get(asked - at.program.bases[call.survey.path]) is not False:
        return False
    at.put(call.result, LibraryReplay(dotted, call.result))
    return True


def attribute_of_replay(at: Analysis, number: int, name: str, target: int, source: int) -> None:
    at.put(target, ReplayMethod(number, name))


def call_replay_method(at: Analysis, number: int, call: Call) -> None:
    method = at.solver.get(number, ReplayMethod)
    buffer = at.solver.get(method.buffer, LibraryReplay)
    record = Object(buffer.node, Shape.RECORD)
    if method.name == "sample":
        at.put(call.result, record)
    elif method.name == ADDING and not call.stars:
        takes = REPLAYS[buffer.dotted].takes
        named = {name: Placed(node, span) for name, node, span in call.named if name is not None}
        given = {**dict(zip(takes, call.args)), **named}
        for name, field in takes.items():
            if name in given and given[name].node:
                node, span = given[name]
                target = at.objects.field(at.solver.intern(record), TextKey(field))
                at.solver.edge(node, target, ALL, "store", call.passage(node, span))


ATTRIBUTES: dict[type[Value], AttributeRule] = {LibraryReplay: attribute_of_replay}
CALLS: dict[type[Value], CallRule] = {ReplayMethod: call_replay_method}
