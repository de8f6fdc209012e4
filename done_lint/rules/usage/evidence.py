"""Whether a rule about callers can report anything in a file (see `done_lint/rules/sight.py`)."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Sequence

from done_lint.core.findings import Span
from done_lint.facts.kinds.environments import Env
from done_lint.facts.kinds.results import StepResult
from done_lint.knowledge.env_apis import PETTINGZOO_PARALLEL
from done_lint.knowledge.env_id_apis import observes_two
from done_lint.knowledge.env_parameters import moved_class
from done_lint.knowledge.gymnasium_changes import below_root
from done_lint.knowledge.info_keys import INFO_KEYS
from done_lint.knowledge.made_layers import ORDER_ENFORCING
from done_lint.knowledge.naming_conventions import right_order, step_slot
from done_lint.knowledge.old_arguments import BOX, GONE_FROM_MAKE, REGISTER
from done_lint.knowledge.rendering import HUMAN, TAKING_FRAMES
from done_lint.rules.sight import Sight, is_first_argument

_SUBSCRIPT = re.compile(r"\[")
#: A place that has not changed, or an index that is no number.
_SAME_INDEX = re.compile(r"""\[\s*(?:[014]|-\s*1|[A-Za-z_]\w*|"[^"\n]*"|'[^'\n]*')\s*\]""")
#: Targets of assignments and loops, and a read of the name `_` beside them.
_ASSIGNED = re.compile(r"^[ \t]*[\w.,* \t()]*=(?!=)|\bfor\b[\w,* ()]+?\bin\b", re.MULTILINE)
_READ_PLACEHOLDER = re.compile(r"(?<![\w.])_(?!\w)")
_SEED = re.compile(r"\bseed\Z")
_CALL = re.compile(r"\(")
#: A name that stands twice, one behind the other, in a row of values.
_TWICE = re.compile(r"\b(\w+)\b(?:[\s\\)]|#[^\n]*\n)*,(?:[\s\\(]|#[^\n]*\n)*(?=\1\b)")
_OPERATOR = re.compile(r"[-+*/%@&|^<>]|[ \t]*==")
_INDEXED = re.compile(r"\(\s*\)[\s)]*\[")
_ARGUMENT = re.compile(r"\((?!\s*\))")
_LOOP = re.compile(r"\bfor\b([^:=]*?)\bin\b")
_RETURNS = re.compile(r"->[\s\\]*(?:(?:\w+\.)*[Tt]uple[\s\\]*\[|\()")
_RETURNS_ALONE = re.compile(r"->[\s\\]*(?:\w+\.)*(?:array|bool|dict|float|int|list|ndarray|str|Dict|List|Tensor)\b")
#: The first argument of a reset that is none, a keyword, or hidden.
_KEYWORDS = re.compile(r"(?<!\w)\w*reset\s*\(\s*(?:\)|\w+\s*=(?!=)|\*)")
_TRUTH_BEFORE = re.compile(r"\b(?:or|and|not|if|elif|while|assert)$")
_TRUTH_BEHIND = re.compile(r"(?:or|and)\b")
#: A comparison with a constant is as much of a test.
_WITH_TRUTH = re.compile(r"[ \t]*[=!]=[ \t]*(?:True|False)\b")
#: What binds tighter than the Boolean operators.
_PART = re.compile(r"[ \t]*(?:[\[.(<>*/%@&|^+-]|[=!]=|is\b|in\b|not\b)")
#: A space whose shape is a number, alone in its parentheses.
_NUMBER = re.compile(r"\((?:[^,()=]+,[^,()=]+,|.{0,300}?\bshape\s*=)\s*(\(\s*)?\d[\d\s*+-]*(?(1)\))\s*[,)]", re.DOTALL)
_OLD_KEYS = ("TimeLimit.truncated", *INFO_KEYS)
#: A container is asked for one of these keys: by an index or by `get`; it is looked for there.
_ASKED_FOR = re.compile(rf"(?:\[|\.[\s\\]*get[\s\\]*\()(?:[^\])#]|#[^\n]*)*(?:{'|'.join(map(re.escape, _OLD_KEYS))})")
_KEY_BEFORE = re.compile(r"""(?:["'][\s)]*|^\s*)(?:not\s+)?in$""")
_GONE_FROM_MAKE = re.compile(rf"\b(?:{'|'.join(GONE_FROM_MAKE)})[\s\\]*=(?!=)")
#: A step or a rendering of an environment that a variable holds.
_USED = re.compile(r"(\w+)[\s\\]*\.[\s\\]*(?:step|render)\b")
#: A loop that may have no end of its own: `while ...`, `for t in count()`, `for t in range(10000)`.
_ENDLESS = re.compile(
    r"^([ \t]*)(?:while\b|for\b.*\b(?:range[ \t]*\([^()\n]*\b\d[\d_]{3,}[ \t]*\)|count[ \t]*\())", re.MULTILINE
)

#: A test of two flags of which one alone may not end the loop.
_ASKS_BOTH = re.compile(r"[ \t]*while\b[^:]*(?:\bnot\s+\w+\s*\)?\s*or\b|\bor\s*\(?\s*not\b|\bnot\s*\([^:()]*\band\b)")


def _five(sight: Sight) -> Iterator[tuple[Span, StepResult]]:
    """The results of five values that stand behind no test."""
    for span, step in sight.facts.steps.items():
        if step.env.api.five and not step.guarded:
            yield span, step


def _four_targets(sight: Sight, spans: Iterable[Span]) -> bool:
    """Whether one of these results may be given to four targets."""
    return any((targets := sight.targets(span)) is None or _count(targets) == 4 for span in spans)


def _count(targets: Sequence[str]) -> int:
    """How many values are taken apart; 0 where one target takes several."""
    return 0 if any(one.startswith("*") for one in targets) else len(targets)


def gym101(sight: Sight) -> bool:
    """Four targets, parameters or annotated types."""
    steps = [span for span, _ in _five(sight)]
    columns = [span for span, one in sight.facts.columns.items() if one.env.api.five]
    parallel = [span for span, one in sight.facts.steps.items() if one.env.api == PETTINGZOO_PARALLEL]
    if _four_targets(sight, (*steps, *columns, *parallel)):
        return True
    if not steps:
        return False
    before = [sight.before(span) for span in steps]
    return _in_loops(sight, steps, before) or _spread(sight, before) or _annotated_with_four(sight, steps)


def _in_loops(sight: Sight, steps: Iterable[Span], before: Iterable[str | None]) -> bool:
    """Whether a loop may go over written results, or take each result of several apart."""
    loops = any(found[1].count(",") >= 3 for found in _LOOP.finditer(sight.text)) and _loops_take_four(sight)
    written = (words is None or words.endswith((",", "[", "in")) for words in before)
    return loops and (any(written) or any("," in sight.source(span) for span in steps))


def _loops_take_four(sight: Sight) -> bool:
    """Whether the header of a loop may have four targets."""
    counts = [_count(["*" * isinstance(each, ast.Starred) for each in one.elts]) for one in sight.loop_targets.values()]
    return not sight.nodes or 4 in counts


def _spread(sight: Sight, before: Iterable[str | None]) -> bool:
    """Whether a result may become the arguments of a lambda."""
    return "lambda" in sight.text and any(words is None or words.endswith("*") for words in before)


def _annotated_with_four(sight: Sight, steps: Iterable[Span]) -> bool:
    """Whether a step is returned behind an annotation of four types."""
    returned = [span for span in steps if _is_returned(sight, span)]
    return bool(returned) and any(
        _elements(sight.text, one.end()) in (4, None) for one in _RETURNS.finditer(sight.text)
    )


def _is_returned(sight: Sight, span: Span) -> bool:
    before = sight.before(span)
    return before is None or before.endswith("return")


def _elements(text: str, start: int) -> int | None:
    """How many elements stand behind an opening parenthesis; None: that is not to be seen."""
    depth, count = 0, 1
    for place in range(start, len(text)):
        character = text[place]
        if character in "\"'#":
            return None
        if character in "([{":
            depth += 1
        elif character in ")]}":
            if not depth:
                return count - text[start:place].rstrip().endswith(",")
            depth -= 1
        elif character == "," and not depth:
            count += 1
    return None


def gym102(sight: Sight) -> bool:
    """An index, a slice or a star, or a result that goes where it is not followed."""
    facts = sight.facts
    if any(one.method == "step" for one in facts.escaping_results.values()):
        return True
    if any(_is_indexed(sight, span) for span in facts.columns):
        return True
    return any(
        _is_indexed(sight, span)
        or _is_starred(sight, span)
        or ((step.gym_only or step.pending is not None) and _is_combined(sight, span))
        or (step.pending is not None and "len" in sight.text)  # an assertion may count its values
        for span, step in _five(sight)
    )


def _is_indexed(sight: Sight, span: Span) -> bool:
    """Whether a value is taken that has another place today, or a slice."""
    return sight.starts(span, _SUBSCRIPT) is not None and sight.starts(span, _SAME_INDEX) is None


def _is_starred(sight: Sight, span: Span) -> bool:
    """Whether one of the targets may take several values, and be used; a loop's header stands for what it goes over."""
    if "*" in sight.source(span) and (not sight.nodes or span in sight.loop_targets):
        return True
    targets = sight.targets(span)
    if targets is None or _count(targets) or len(targets) < 2:
        return targets is None
    *before, star = targets
    return star != "*_" or len(before) > 2 or _READ_PLACEHOLDER.search(_ASSIGNED.sub("", sight.text)) is not None


def _is_combined(sight: Sight, span: Span) -> bool:
    """Whether a result is a side of an operation or of a comparison, or stands behind a star."""
    before = sight.before(span)
    if not before or before.endswith("=="):
        return True
    return _OPERATOR.match(before[-1]) is not None or sight.starts(span, _OPERATOR) is not None


def gym103(sight: Sight) -> bool:
    """A call of `seed` of an environment, or of what hands it on to one."""
    seeds = (span for span, env in sight.facts.members.items() if env.api.five and not env.api.seed)
    return any(_SEED.search(sight.source(span)) and sight.starts(span, _CALL) for span in seeds)


def gym104(sight: Sight) -> bool:
    """A reset that may be used as the observation."""
    facts = sight.facts
    if any(one.method == "reset" for one in facts.escaping_results.values()):
        return True
    pairs = [(span, one) for span, one in facts.resets.items() if one.env.api.reset == ("obs", "info")]
    used = [
        one
        for span, one in pairs
        if not (one.dropped or one.guarded or one.passed_on) and sight.source(span).endswith(")")
    ]
    if any(not one.handled or one.gym_only for one in used) or _may_take_two(sight, [one.env for one in used]):
        return True
    returned = any(not one.handled and _is_returned(sight, span) for span, one in pairs)
    return returned and _RETURNS_ALONE.search(sight.text) is not None


def _may_take_two(sight: Sight, envs: Sequence[Env]) -> bool:
    """Whether what looks like a pair may be two numbers, in a file whose steps are those of old Gym."""
    steps = [span for span, _ in _five(sight)] if envs else []
    targets = [sight.targets(span) for span in steps]
    apart = any(one is None or (one and one[0].startswith(("(", "["))) for one in targets)
    return (apart or any(map(gives_two_numbers, envs))) and _four_targets(sight, steps)


def gives_two_numbers(env: Env) -> bool:
    """Whether an observation has two numbers, and may be taken apart like a pair."""
    ids = [one for made in env.made for one in made.ids or ("",)]
    return bool(ids) and all(map(observes_two, ids))


def gym105(sight: Sight) -> bool:
    """A `render` that is given something, here or of what is made here, or whose result is indexed."""
    if any(one.mode not in ("", HUMAN) and one.make.path == sight.facts.path for one in sight.facts.renderings):
        return True
    renders = [span for span in sight.facts.members if sight.source(span).endswith("render")]
    return any(sight.starts(span, _ARGUMENT) or sight.starts(span, _INDEXED) for span in renders)


def gym106(sight: Sight) -> bool:
    """An info that is asked for the key of the time limit, or for one that has another name today."""
    if not any(key in sight.text for key in _OLD_KEYS):
        return False
    infos = [span for span, info in sight.facts.infos.items() if info.env.api.five]
    return any(sight.starts(span, _ASKED_FOR) or _is_behind_key(sight, span) for span in infos)


def _is_behind_key(sight: Sight, span: Span) -> bool:
    """Whether a text may be looked for in a container."""
    before = sight.before(span)
    return before is None or _KEY_BEFORE.search(before) is not None


def gym107(sight: Sight) -> bool:
    """Five targets of a step in a loop without an end, or in a `step`, the fourth of which may not be read."""
    wraps = "def step" in sight.text and "False" in sight.text
    loops = [(found.start(), len(found[1])) for found in _ENDLESS.finditer(sight.text)]
    if not loops and not wraps:
        return False
    for span, step in _five(sight):
        env, targets = step.env, sight.targets(span)
        unlimited = env.unlimited and not step.truncates
        if env.api.vector or unlimited or env.doubtful or (targets is not None and _count(targets) != 5):
            continue
        start = sight.offsets(span)[0]
        row = sight.text.rfind("\n", 0, start) + 1
        margin = _margin(sight.text[row:start])
        around = wraps or any(place < start and (width < margin or targets is None) for place, width in loops)
        if around and (targets is None or not _is_read_behind(sight, span, targets[3], margin)):
            return True
        if around and targets is not None and any(_ASKS_BOTH.match(sight.text, place) for place, _ in loops):
            return True
    return False


def _margin(row: str) -> int:
    return len(row) - len(row.lstrip())


def _is_read_behind(sight: Sight, step: Span, name: str, margin: int) -> bool:
    """Whether a flag is read in the block of the step, behind it."""
    flags = sight.flags_by_name.get(name, ())
    for span in flags[bisect_right(flags, step) :]:
        if span.row <= step.end_row:
            continue
        between = [sight.row(row) for row in range(step.end_row + 1, span.row + 1)]
        if any(row.strip() and _margin(row) < margin for row in between):
            return False
        target = _ASSIGNED.match(sight.row(span.row))
        if target is None or target.end() <= span.column:
            return True
    return False


def gym108(sight: Sight) -> bool:
    """An array of flags where one truth value is wanted."""
    return any(flag.array is True and _is_tested(sight, span) for span, flag in sight.facts.flags.items())


def _is_tested(sight: Sight, span: Span) -> bool:
    """Whether a name, or a slice, may be an operand of a Boolean operator, or a condition."""
    text = sight.source(span)
    if "(" in text or (text.endswith("]") and ":" not in text):
        return False
    if sight.starts(span, _WITH_TRUTH, alone=True):
        return True
    if sight.starts(span, _PART, alone=True):
        return False
    before = sight.before(span)
    return before is None or bool(_TRUTH_BEFORE.search(before) or sight.starts(span, _TRUTH_BEHIND))


def gym109(sight: Sight) -> bool:
    """Five targets whose names are those of other values, or a `step` that returns these, or a value twice."""
    if any(one.order for one in sight.facts.classes.values()):
        return True
    twice = set(_TWICE.findall(sight.text)) if "def step" in sight.text else set()
    for span, _ in _five(sight):
        targets = sight.targets(span)
        if targets is None:
            return True
        names = ["" if "[" in one else one.rpartition(".")[2] for one in targets]
        if _count(targets) == 5 and (right_order(names) is not None or _is_doubled(targets[3], twice)):
            return True
    return False


def _is_doubled(target: str, twice: Container[str]) -> bool:
    """Whether a name that says `truncated` stands twice in a row of values."""
    return target in twice and step_slot(target) == 3


def gym110(sight: Sight) -> bool:
    """An argument of `make` that is gone, one of `reset` that is no keyword of today, or one whose place changed."""
    if any(_GONE_FROM_MAKE.findall(sight.text)) or any(map(moved_class, sight.facts.names.values())):
        return True
    names = {span: below_root(name) for span, name in sight.facts.names.items()}
    if any(name in REGISTER for name in names.values()):
        return True
    if any(name in BOX and sight.starts(span, _NUMBER) is not None for span, name in names.items()):
        return True
    for span, reset in sight.facts.resets.items():
        if not (reset.own or reset.guarded):
            call = sight.source(span)
            if "return_info" in call or (call.endswith(")") and not _takes_keywords(call)):
                return True
    return False


def _takes_keywords(call: str) -> bool:
    """Whether every call of a reset begins with a keyword, or has no arguments."""
    return call.count("reset") == len(_KEYWORDS.findall(call))


def gym111(sight: Sight) -> bool:
    """A `render`, or a wrapper that needs frames, and an environment that was made without a mode."""
    facts = sight.facts
    if any(_is_undecided(env) and sight.source(span).endswith("render") for span, env in facts.members.items()):
        return True
    wrappers = {sight.offsets(span)[1] for span, name in facts.names.items() if below_root(name) in TAKING_FRAMES}
    return bool(wrappers) and any(
        _is_undecided(env) and is_first_argument(sight, span, wrappers) for span, env in facts.envs.items()
    )


def _is_undecided(env: Env) -> bool:
    """Whether the environment was made without a mode, and nothing else can arrive."""
    known = bool(env.made) and not env.mixed
    drawing = ("", "raises", "either", "withheld")
    return known and not any(
        made.hidden or made.drawing not in drawing or "render_mode" in made.keywords for made in env.made
    )


def _indent(text: str, offset: int) -> int:
    """How far the row of a place in a text is indented before it."""
    row = text[text.rfind("\n", 0, offset) + 1 : offset]
    return len(row) - len(row.lstrip())


def _places(text: str, name: str) -> tuple[list[int], list[int]]:
    """Where assignments and parameters of a name end in a text, and where resets of what it stands for begin."""
    word = rf"\b{name}\b"
    assigned = re.finditer(rf"{word}\s*(?::[^=\n]*)?=|[(,]\s*{word}\s*[,:)]", text)
    resets = re.finditer(rf"{word}[\s\\]*\.[\s\\]*reset\b", text)
    return [one.end() for one in assigned], [one.start() for one in resets]


def _is_ordered(sight: Sight, used: Span, name: str) -> bool:
    """Whether a variable, which is used at a place, holds what one `make` of the file has put in order."""
    env = sight.facts.envs.get(Span(used.row, used.column, used.row, used.column + len(name)))
    if env is None or ORDER_ENFORCING not in env.layers or len(env.made) != 1:
        return False
    return env.made[0].place.path == sight.facts.path and env.made[0].function.endswith(".make")


def gym112(sight: Sight) -> bool:
    """A step or a rendering with no reset between it and the last assignment before it."""
    places: dict[str, tuple[list[int], list[int]]] = {}
    steps = ((span, step.env) for span, step in sight.facts.steps.items())
    for span, env in (*steps, *sight.facts.members.items()):
        called = _USED.match(sight.source(span))
        if called is None or env.mixed or env.api.vector or not _is_ordered(sight, span, called[1]):
            continue
        if (name := called[1]) not in places:
            places[name] = _places(sight.text, name)
        (assigned, resets), here = places[name], sight.offsets(span)[0]
        if not (last := bisect_right(assigned, here)):
            continue
        behind = resets[bisect_right(resets, assigned[last - 1]) : bisect_right(resets, here)]
        # a function that stands between may not have run
        if all(_indent(sight.text, reset) > _indent(sight.text, here) for reset in behind):
            return True
    return False
