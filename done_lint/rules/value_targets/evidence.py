"""Whether a rule about value targets can report anything in a file (see `done_lint/rules/sight.py`)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from done_lint.core.findings import Span
from done_lint.core.reach import closure
from done_lint.facts.environments.autoreset_modes import (
    autoreset_mode,
    is_asked_for_same_step,
    knows_modes,
    made_before_one,
    row_mode,
)
from done_lint.facts.kinds.environments import Env
from done_lint.facts.kinds.flags import SinkKind
from done_lint.knowledge import naming_conventions
from done_lint.knowledge.array_functions import PLACES
from done_lint.knowledge.env_apis import GYM_VECTOR, GYMNASIUM_VECTOR, SB3_VEC_ENV
from done_lint.knowledge.vector_info_keys import asks_for_final
from done_lint.rules.sight import Sight, goes_over, holds, texts

#: Behind an element of a tuple that is not its last one.
_COMMA = re.compile(r",")
#: Between one of the targets of an assignment, on one row, and its value.
_TARGET = re.compile(r"[\w ,.*]*=[ \t]*(?!=)")
#: Before a value that is kept in a container of its own.
_KEPT = re.compile(r"\.append\b|\]\s*=")
#: Elements of an array that are set to false.
_CLEARED = re.compile(r"\]\s*=\s*(?:False|0)\b")
#: A zero, or an array of them.
_ZERO = re.compile(r"(?<![\w.])0(?:\.0*)?(?![\w.])|\bzeros")
#: Several values of a step, where the first of them goes, and the others.
_OF_STEP = re.compile(r"(?m)(?=^[ \t(]*([\w.]+(?:\[[^\]\n]*\])?)\s*,([^=]*)=(?!=)[^=\n]*\.\s*step\b)")
#: What has to stand in a file that sends or keeps rows.
_CONTAINERS = ("send", "put", "append", "] =", "]=", "],", "((")
#: What is given the observation of a reset.
_GIVEN_RESET = re.compile(r"[\w\]]\s*(?:,[^=\n]*)?=(?!=)[^\n]*\.\s*reset\b")


def _has(sight: Sight, kind: SinkKind) -> bool:
    """Whether the analysis found a sink of a kind."""
    return any(sink.kind == kind for sink in sight.facts.sinks.values())


def gym201(sight: Sight) -> bool:
    """A mask."""
    return _has(sight, "mask")


def gym202(sight: Sight) -> bool:
    """A branch."""
    return _has(sight, "branch")


def gym203(sight: Sight) -> bool:
    """A store."""
    return _has(sight, "store")


def gym204(sight: Sight) -> bool:
    """A recursion."""
    return _has(sight, "recursion")


def gym205(sight: Sight) -> bool:
    """A flag beside a step that resets at once; a reset of another one that replaces its observation; a value."""
    envs = [env for one in sight.facts.reset_values for env in one.envs]
    if any(_may_reset_at_once(sight, env) or is_asked_for_same_step(env) for env in envs):
        return True
    if _keeps_termination(sight) or _values_truncations(sight):
        return True
    if ".reset" in sight.text and any(map(sight.text.__contains__, _CONTAINERS)) and _replaces(sight):
        return True
    # what stands behind a later reset stands behind the first one, too
    return (first := _first_replacing(sight)) is not None and _goes_out_after(sight, first)


def _replaces(sight: Sight) -> bool:
    """Whether the observation of a step, whatever is stepped, may be replaced by that of a reset behind it."""
    text = sight.text
    steps = (one for one in _OF_STEP.finditer(text) if "_" not in [name.strip() for name in one[2].split(",")][1:3])
    if not any(_GIVEN_RESET.search(text, one.end()) for one in steps):
        return False
    return not sight.nodes or any(map(_replaces_in, _blocks(sight.nodes)))


def _blocks(nodes: Iterable[ast.AST]) -> Iterator[list[ast.stmt]]:
    """The statements that stand one behind the other."""
    for node in nodes:
        for name in ("body", "orelse", "finalbody"):
            if isinstance(block := getattr(node, name, None), list):
                yield block


def _replaces_in(block: list[ast.stmt]) -> bool:
    """Whether a branch behind a step asks for both of its flags and resets, and observation and *terminated* go on."""
    for place, step in enumerate(block):
        target = step.targets[0] if isinstance(step, ast.Assign) and _calls(step.value, "step") else None
        if not isinstance(target, ast.Tuple) or not _is_step(names := [_name(_root(one)) for one in target.elts]):
            continue
        # an element of a container keeps its value
        kept = {_name(_root(one)) for one in target.elts[2:4] if isinstance(one, ast.Subscript)}
        behind = block[place + 1 :]
        for at, branch in enumerate(behind):
            if isinstance(branch, ast.If) and _resets(branch) and _asks(names[2:4], behind[:at], branch.test):
                passed = set(_names([*branch.orelse, *behind[at + 1 :]])) | kept
                if names[2] in passed and (isinstance(target.elts[0], ast.Subscript) or names[0] in passed):
                    return True
                if names[2] in kept.union(_put(behind)):
                    return True
    return False


def _is_step(names: list[str]) -> bool:
    """Whether five values are called as those of a step are."""
    return all(names) and naming_conventions.of_step(names)


def _asks(flags: Iterable[str], before: Iterable[ast.stmt], test: ast.expr) -> bool:
    """Whether a test may ask for each of some flags, by themselves or by what is given their values before."""
    given = [
        (_name(_root(one.targets[0])), set(_names([one.value])))
        for statement in before
        for one in ast.walk(statement)
        if isinstance(one, ast.Assign)
    ]
    read = {name for _, values in given for name in values}
    after: dict[str, set[str]] = {name: {other for other, values in given if name in values} for name in read}
    asked = set(_names([test]))
    known = [closure([flag], after) for flag in flags]
    return all(not asked.isdisjoint(one) for one in known)


def _put(statements: Iterable[ast.stmt]) -> Iterator[str]:
    """The names of what is put into elements of containers, or appended."""
    for one in (node for statement in statements for node in ast.walk(statement)):
        if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Subscript):
            yield _name(_root(one.value))
        elif _calls(one, "append") and isinstance(one, ast.Call) and one.args:
            yield _name(_root(one.args[0]))


def _root(value: ast.AST) -> ast.AST:
    """What a value is converted from, or is an element of."""
    while True:
        if isinstance(value, (ast.Subscript, ast.Starred)):
            value = value.value
        elif isinstance(value, ast.Call) and len(value.args) + len(value.keywords) == 1:
            value = (*value.args, *(one.value for one in value.keywords))[0]
        else:
            return value


def _names(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The names and attributes of all that is written there."""
    return (_name(one) for node in nodes for one in ast.walk(node))


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _resets(statement: ast.stmt) -> bool:
    return any(_calls(one, "reset") for one in ast.walk(statement))


def _calls(node: ast.AST, method: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == method


def _may_reset_at_once(sight: Sight, env: Env) -> bool:
    """Whether a vector environment may reset in the step that ends an episode, or may have done so."""
    if env.api == SB3_VEC_ENV:
        return not env.unlimited
    if env.api not in (GYM_VECTOR, GYMNASIUM_VECTOR) or env.unlimited:
        return False
    if autoreset_mode(env, sight.target) == "SameStep":
        return True
    known = knows_modes(sight.facts)
    return any(made_before_one(made, sight.releases, knows_modes=known) is not False for made in env.made)


def _values_truncations(sight: Sight) -> bool:
    """Whether something may be added, or stand for zero, at truncations alone, of a step that resets at once."""
    may_count = "+" in sight.text or _ZERO.search(sight.text) is not None
    if not may_count or not any(_may_reset_at_once(sight, one.env) for one in sight.facts.steps.values()):
        return False
    meanings = (one for flag in sight.facts.flags.values() for one in flag.meanings)
    return any(one.truncated and not one.terminated for one in meanings)


def _keeps_termination(sight: Sight) -> bool:
    """Whether *terminated* is read where nothing asks for the final observations of a step that resets at once."""
    flags = sight.facts.flags
    if not any(flag.array is True for flag in flags.values()):
        return False
    steps = sorted(span for span, step in sight.facts.steps.items() if _may_reset_at_once(sight, step.env))
    if not steps:
        return False
    cleared = _CLEARED.search(sight.text) is not None
    ends = [span for span, flag in flags.items() if cleared or flag.terminated_only]
    ends = [span for span in ends if not _is_given(sight, span)]
    around = [(step, sight.around(step)) for step in steps] if ends else []
    return any(
        scope is None
        or (any(holds(scope, end) for end in ends) and not _asks_for_final(sight, scope, step))
        or _may_ask_for_less(sight, scope, step, ends)
        for step, scope in around
    )


def _asks_for_final(sight: Sight, scope: ast.AST, step: Span) -> bool:
    """Whether a function asks for the final observations of a step, and not only in the loop of another one."""
    others = sight.facts.steps.keys() - {step}

    def is_apart(node: ast.AST) -> bool:
        if isinstance(node, ast.Dict) or (isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)):
            return True  # what is written under a key is not asked for
        if not isinstance(node, (ast.For, ast.AsyncFor, ast.While)) or goes_over(node, step):
            return False
        return any(goes_over(node, other) for other in others)

    return asks_for_final(frozenset(texts(scope, is_apart)))


def _may_ask_for_less(sight: Sight, scope: ast.AST, step: Span, ends: Sequence[Span]) -> bool:
    """Whether a function may take final observations where episodes terminated, or for the reward, and no more."""
    targets = sight.targets(step) or ()
    reward = targets[1] if len(targets) > 1 else ""
    for node in ast.walk(scope):
        if isinstance(node, (ast.AugAssign, ast.Assign)) and _adds_to(node, reward):
            return True
        parts: list[ast.expr] = []
        if isinstance(node, ast.comprehension):
            parts = [*node.ifs, node.iter]
        elif isinstance(node, (ast.If, ast.IfExp)):
            parts = [node.test]
        elif isinstance(node, (ast.Subscript, ast.Call)) and _is_choice(node):
            parts = [node]
        if any(one.lineno <= end.row <= (one.end_lineno or 0) for one in parts for end in ends):
            return True
    return False


def _adds_to(node: ast.AugAssign | ast.Assign, name: str) -> bool:
    target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
    while isinstance(target, ast.Subscript):
        target = target.value
    return isinstance(target, ast.Name) and target.id == name


def _is_choice(node: ast.Subscript | ast.Call) -> bool:
    """What may choose environments by a flag: an index, and the places of what is true."""
    if isinstance(node, ast.Subscript):
        return not isinstance(node.slice, ast.Constant)
    func = node.func
    return (func.attr if isinstance(func, ast.Attribute) else "") in PLACES


def _is_given(sight: Sight, span: Span) -> bool:
    """Whether what stands there is only given its value, as one of the targets of a step."""
    found = sight.starts(span, _TARGET, alone=True)
    if found is None:
        return False
    start = sight.offsets(span)[1] + len(found[0])
    return any(sight.offsets(step)[0] == start for step in sight.facts.steps if step.row == span.end_row)


def _of_agents(sight: Sight) -> bool:
    """Whether something is stepped that returns tables with one flag for each agent, which are no flags themselves."""
    return any(step.env.api.per_agent for step in sight.facts.steps.values())


def _first_replacing(sight: Sight) -> Span | None:
    """The first reset that may give its observation to a name which a step before it, in its function, gave one to."""
    apis = {span: step.env.api for span, step in sight.facts.steps.items()}
    steps = {span for span, api in apis.items() if (api.five or api.per_agent) and not api.vector}
    #: The name that each step gives its observation to; None: it cannot be seen.
    given: dict[Span, tuple[str, ...] | None] = {}
    for span in sorted(steps.union(sight.facts.resets)):
        targets = sight.targets(span)
        name = None if targets is None else targets[:1]
        if span in sight.facts.resets and name != ():
            alike = [step for step, other in given.items() if name is None or other in (None, name)]
            if any(sight.around(step) is sight.around(span) for step in alike):
                return span
        if span in steps:
            given[span] = name
    return None


def _goes_out_after(sight: Sight, reset: Span) -> bool:
    """Whether *terminated* stands behind a reset, in a row or in a container of its own."""
    if _of_agents(sight):
        return True
    later = {span: flag for span, flag in sight.facts.flags.items() if span > reset}
    if not any(flag.terminated_only for flag in later.values()):
        return False
    return any(sight.starts(span, _COMMA) or _is_kept(sight, span) for span in later)


def _is_kept(sight: Sight, span: Span) -> bool:
    """Whether a container may get a value."""
    before = sight.before(span)
    return before is None or _KEPT.search(before) is not None


def gym206(sight: Sight) -> bool:
    """A leak."""
    return _has(sight, "leak")


def gym207(sight: Sight) -> bool:
    """Rows that a vector environment returned which resets in the next step."""
    return any(row_mode(row, sight.target) == "NextStep" for row in sight.facts.rows)


def gym208(sight: Sight) -> bool:
    """The last step of a dm_env episode, or what is said to terminate one."""
    return _has(sight, "last") or _has(sight, "ending")
