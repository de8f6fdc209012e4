"""Whether a rule about the library can report anything in a file (see `done_lint/rules/sight.py`)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from done_lint.core.findings import Related, Span
from done_lint.core.gymnasium_release import Release
from done_lint.facts.environments.autoreset_modes import autoreset_mode, knows_modes, made_before_one
from done_lint.facts.kinds.environments import Env, Made
from done_lint.facts.kinds.results import Info
from done_lint.knowledge.env_apis import BARE, GYM, GYM_VECTOR, GYMNASIUM, GYMNASIUM_VECTOR
from done_lint.knowledge.env_id_apis import REGISTERING_SINCE
from done_lint.knowledge.env_id_versions import outdated
from done_lint.knowledge.gymnasium_changes import (
    MUJOCO_ENV,
    ONE,
    RENAMED,
    SIGNATURES,
    SPLIT_METHODS,
    Signature,
    below_root,
    current,
    gone,
    is_monitor,
    lost,
    renamed,
    wrapper_class,
)
from done_lint.knowledge.made_layers import is_added_by_make
from done_lint.knowledge.old_arguments import ENTRY_OF_GYM, NAME_OF_GYM, STEP_TRIGGER, VECTOR_MAKE
from done_lint.knowledge.rendering import RECORDING
from done_lint.knowledge.vector_info_keys import OF_INFOS, OF_OBSERVATIONS, OF_OLD_RELEASES, final_keys, taking_mode
from done_lint.knowledge.wrapper_attributes import (
    ALWAYS,
    ASKS_SPEC,
    ELSEWHERE,
    GONE_FROM_SPEC,
    GONE_FROM_TASKS,
    INITIALIZER,
    LIMIT,
    OF_WRAPPERS,
    OWN,
    RENAMED_OF_SPEC,
    STATE,
    TABLE_SIZES,
    WITHOUT_SIZES,
)
from done_lint.rules.sight import IMPORT, Sight, is_first_argument

#: What looks for something in a container, or goes over it.
_LOOKING = re.compile(r"\b(?:in|enumerate)$|\breshape\($")
#: A key that a container is asked for, before it and behind it; what else may ask it for something.
_KEY_BEFORE = re.compile(r"""(?<![\w"'])["'](\w*)["'] (?:not )?in$""")
_KEY_BEHIND = re.compile(r"""(?:\[|\.(?:get|pop)\()["'](\w*)["'][\]),]""")
_INDEX_OR_GET = re.compile(r"\[|\.(?!(?!(?:get|pop)\b)\w)")
_COMMENT = re.compile(r"#[^\n]*")
_CALL = re.compile(r"\(")
#: What a specification says of the limit of the steps.
_SPEC_LIMIT = RENAMED_OF_SPEC["timestep_limit"]
#: A call with a tuple in the second place.
_WITH_TUPLE = re.compile(r"\([\w.]+, (?:\w+=)?\(")
_STORE = re.compile(r"\.[\s\\]*(\w+)[\s\\]*(?:[-+*/|&%^@]|//|\*\*|<<|>>)?[=:,](?!=)")
_ATTRIBUTE = re.compile(r"\.[\s\\]*(\w+)")
#: What asks for the class of an object.
_OF_CLASS = re.compile(r"\b__class__\b|\b(?:type|isinstance)\b")
#: The emulator of an environment, and the name of a setting that is given it as bytes.
_EMULATOR = re.compile(r"\.[\s\\]*ale\b")
_SETTING = re.compile(r"\b[gs]et(?:Bool|Float|Int|String)\b")
_BYTES = re.compile(r"""\b[bB]["']""")
#: What a spec does not have any more.
_GAP = r"(?:[\s\\)]|#[^\n]*)*"
_OF_SPEC = re.compile(rf"\.{_GAP}spec{_GAP}\.{_GAP}({'|'.join((*RENAMED_OF_SPEC, *GONE_FROM_SPEC))}|{_SPEC_LIMIT})\b")
#: A method that a vector environment called up to 0.29, or arguments for the constructor of a base.
_PARTS = re.compile(rf"\bdef[\s\\]+(?:step|reset)_(?:async|wait)\b|\.{_GAP}__init__{_GAP}\((?!\s*\))")
#: What gives a specification another id.
_NEW_ID = re.compile(r"\.[\s\\]*spec[\s\\]*\.[\s\\]*id[\s\\]*=(?!=)")
#: An import statement; `gymnasium as gym` is none of Gym.
_FROM_GYM = re.compile(r"\bfrom[\s\\]+gym\b")
_GYM = re.compile(r"(?:^|,)[\s\\]*gym(?!\w)")
_SETUP = re.compile(r"\bsetup[\s\\]*\(")
#: A requirement of Gym in quotes.
_BY_TEXT = re.compile(rf"[\"']{NAME_OF_GYM.pattern}[\"']|(?:import_module|__import__)\(\s*[\"']gym[.\"']")
_REQUIRED = re.compile(r"[\"']\s*gym(?![\w-])")


def gym401(sight: Sight) -> bool:
    """An import of Gym, a class of it that is registered, or a list of the packages that a project needs."""
    text = sight.text
    if "gym" not in text or sight.facts.keeps_gym:
        return False
    if (":" in text and ENTRY_OF_GYM.search(text)) or _BY_TEXT.search(text):
        return True
    imports = _FROM_GYM.search(text) or any(_GYM.search(names) for names in IMPORT.findall(text))
    return bool(imports) or ("_require" in text and bool(_SETUP.search(text) and _REQUIRED.search(text)))


def gym402(sight: Sight) -> bool:
    """A name of the old recording."""
    return any(is_monitor(name, sight.target) for name in sight.library_names)


def gym403(sight: Sight) -> bool:
    """A name that is gone, or a class whose base was written anew."""
    if any(below_root(one.base) in MUJOCO_ENV for one in sight.facts.classes.values()):
        return True
    return any(lost(name, sight.target) is not None for name in sight.library_names)


def gym404(sight: Sight) -> bool:
    """An id that cannot be made any more, or whose package nothing imports."""
    if sight.target >= REGISTERING_SINCE and any(one.lacks and not one.own for one in sight.facts.ids.values()):
        return True
    found = [*(one.value for one in sight.facts.ids.values() if not one.own), *sight.facts.configured_ids]
    return any(outdated(value, sight.target, sight.releases.lowest) is not None for value in found)


def gym405(sight: Sight) -> bool:
    """A wrapper that is called otherwise, takes other arguments, or is put around a vector environment."""
    if any(is_old(name, sight.target) for name in sight.library_names):
        return True
    called = {span: wrapper_class(below_root(name), sight.target) for span, name in sight.facts.names.items()}
    wrappers = {span: name for span, name in called.items() if name.startswith("wrappers.") and name not in RENAMED}
    if STEP_TRIGGER in sight.text and RECORDING in wrappers.values():
        return True
    rows = {span: row for span, name in wrappers.items() if (row := SIGNATURES.get(name)) is not None}
    if any(_lacks(sight, span, row) or _is_given(sight.text, row.arguments) for span, row in rows.items()):
        return True
    plain = {sight.offsets(span)[1] for span, name in wrappers.items() if name.count(".") == 1}
    if sight.target < ONE or not plain:
        return False
    vectors = (span for span, env in sight.facts.envs.items() if env.api.vector and env.api.five)
    return any(is_first_argument(sight, span, plain) for span in vectors)


def _is_given(text: str, arguments: Iterable[str]) -> bool:
    """Whether any call has one of these keywords."""
    return any(re.search(rf"\b{name}\b(?:[\s\\]|#[^\n]*)*=(?!=)", text) for name in arguments)


def _lacks(sight: Sight, span: Span, row: Signature) -> bool:
    """Whether the call of a wrapper may lack an argument that must be given, or give no tuple where one must be."""
    if row.pair:
        return sight.starts(span, _WITH_TUPLE) is None
    if not row.required or sight.starts(span, _CALL) is None:
        return False
    call = sight.called(span)
    if call is None:
        return True
    if any(isinstance(one, ast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords):
        return False
    return len(call.args) <= row.place and row.required not in [one.arg for one in call.keywords]


def is_old(name: str, target: Release) -> bool:
    """Whether a wrapper is called otherwise now, or is found elsewhere."""
    if not name or is_monitor(name, target) or gone(name, target) is not None:
        return False
    return renamed(name, target) is not None or current(name, target) not in ("", name)


def gym406(sight: Sight) -> bool:
    """An attribute that an environment, as it is wrapped, does not have, the size of its space, or its emulator."""
    if _has_refused_size(sight) or (sight.facts.envs and _gives_bytes(sight.text)):
        return True
    asks_spec = any(_asks_spec(sight, span) for span in sight.facts.envs)
    asks_class = bool(_OF_CLASS.search(sight.text))
    of_classes = [one.attributes for one in sight.facts.classes.values() if one.attributes is not None]
    for span, env in sight.facts.envs.items():
        if has_spec(env) and (asks_spec or (ASKS_SPEC in env.layers and _NEW_ID.search(sight.text))):
            return True
        if (store := sight.starts(span, _STORE)) is not None and is_inner_of_make(env, store[1]):
            return True
        if env.api == GYM and asks_class and sight.source(span).endswith("env"):
            return True
        read = sight.starts(span, _ATTRIBUTE) if has_spec(env) else None
        if read is None or (read[1].startswith("__") and read[1] != INITIALIZER):
            continue
        if read[1] in GONE_FROM_TASKS or (read[1] == "reward_range" and env.made):
            return True
        if not env.layers and env.own is None:
            continue
        owns = [env.own, *of_classes] if env.own is not None and not env.layers else [env.own]
        if read[1] == LIMIT or any(is_hidden(env, own, read[1], sight.target) for own in owns):
            return True
    return False


def _asks_spec(sight: Sight, span: Span) -> bool:
    """Whether the specification of an environment is asked for what is gone, or that of an inner one for the limit."""
    if (found := sight.starts(span, _OF_SPEC)) is None:
        return False
    return found[1] != _SPEC_LIMIT or "." in sight.source(span)


def _has_refused_size(sight: Sight) -> bool:
    """Whether a layer may be given the size of a space of Gym, in a file that imports Gym nowhere."""
    if not sight.facts.sizes or any(name.partition(".")[0] == "gym" for name in sight.facts.names.values()):
        return False
    return any(env.api == GYM and not env.mixed for env in sight.facts.envs.values())


def _gives_bytes(text: str) -> bool:
    """Whether an emulator may be given the name of a setting as bytes."""
    return all(pattern.search(text) for pattern in (_EMULATOR, _SETTING, _BYTES))


def has_spec(env: Env) -> bool:
    """Whether `env.spec` is the library's."""
    return not env.mixed and env.certainty == "proven" and env.api in (GYM, GYMNASIUM)


def is_hidden(env: Env, own: frozenset[str] | None, name: str, target: Release) -> bool:
    """Whether an environment, as it is wrapped, does not have an attribute.

    Args:
        env: the environment.
        own: of wrappers of the project, what they have by themselves; None: that is not known.
        name: of the attribute.
        target: the release that it runs with.
    """
    if target < ONE and not name.startswith("_"):
        return False  # up to 0.29 wrappers forward whatever is not private
    if own is not None:
        return name not in own and name not in ALWAYS and name not in ELSEWHERE
    if name == "reward_range":
        return True
    if env.layers == BARE:
        return name in TABLE_SIZES and env.is_made_as(WITHOUT_SIZES) and env.is_task
    outermost = env.layers[0]
    if name in ALWAYS or name in ELSEWHERE or outermost not in OWN:
        return False
    return name not in OWN[outermost]


def is_inner_of_make(env: Env, name: str) -> bool:
    """Whether an attribute that is set goes to a wrapper of `make`, none of which knows it.

    In a program for Gym any attribute; on Gymnasium what the state of a task is kept in.
    """
    if not has_spec(env) or not (env.api == GYM or name in STATE):
        return False
    return is_added_by_make(env.layers[:1]) and name not in ALWAYS and name not in OF_WRAPPERS


def gym407(sight: Sight) -> bool:
    """A vector environment that is made or inherited from as before 1.0, or asked for infos that it does not have."""
    if sight.target >= ONE and (_is_split(sight) or _was_made_before_one(sight)):
        return True
    if sight.facts.named_steps and any(key in sight.text for key in OF_OLD_RELEASES):
        return True
    return any(_is_asked_otherwise(sight, span, info) for span, info in sight.facts.infos.items())


def _is_split(sight: Sight) -> bool:
    """Whether the file names what is gone from the vector environments, or was one method and is several."""
    names = sight.facts.names.values()
    if any(name in VECTOR_MAKE for name in names):
        return True
    inherits = bool(sight.facts.split_bases) or any(below_root(name) in SPLIT_METHODS for name in names)
    return inherits and "class" in sight.text and _PARTS.search(sight.text) is not None


def _was_made_before_one(sight: Sight) -> bool:
    """Whether a vector environment that is made or inherited from here may have been made for a release before 1.0."""
    facts, known = sight.facts, knows_modes(sight.facts)
    every = (one for env in facts.envs.values() for one in env.made)
    made = [one for one in every if one.place.path == facts.path or one.as_library]
    made += [
        Made(Related(facts.path, span, ""), name, mode="default")
        for span, name in facts.names.items()
        if taking_mode(name) and _is_base(sight, span)
    ]
    found = {one: made_before_one(one, sight.releases, knows_modes=known) for one in made}
    if True in found.values() or any(one.dead_ids and before is None for one, before in found.items()):
        return True
    return None in found.values() and _has_sign_of_old_release(sight)


def _is_base(sight: Sight, span: Span) -> bool:
    """Whether a name may stand among the bases of a class."""
    _, found, behind = _COMMENT.sub("", sight.text[: sight.offsets(span)[0]]).rpartition("class ")
    return bool(found) and behind.count("(") > behind.count(")")


def _has_sign_of_old_release(sight: Sight) -> bool:
    """Whether a file may use what 1.0 has changed, or take infos for a list."""
    names = {span: below_root(name) for span, name in sight.facts.names.items() if name.startswith("gymnasium.")}
    if any(renamed(name, ONE) is not None or gone(name, ONE) is not None for name in names.values()):
        return True
    wrappers = {span: one for span, name in names.items() if (one := wrapper_class(name, ONE)).startswith("wrappers.")}
    if any((row := SIGNATURES.get(name)) is not None and row.since == ONE for name in wrappers.values()):
        return True
    plain = {sight.offsets(span)[1] for span in wrappers}
    vectors = (span for span, env in sight.facts.envs.items() if env.api.vector)
    if plain and any(is_first_argument(sight, span, plain) for span in vectors):
        return True
    return any(_may_be_gone_over(sight, span) for span in sight.facts.infos)


def _may_be_gone_over(sight: Sight, span: Span) -> bool:
    """Whether a loop may go over a container."""
    before = sight.before(span)
    return before is None or (_LOOKING.search(before) is not None and _KEY_BEFORE.search(before) is None)


def _is_asked_otherwise(sight: Sight, span: Span, info: Info) -> bool:
    """Whether infos may be taken for a list, or asked for a key that their vector environment does not set."""
    if info.env.api not in (GYM_VECTOR, GYMNASIUM_VECTOR):
        return False
    before = sight.before(span)
    if before is None:
        return True
    behind = sight.starts(span, _KEY_BEHIND)
    asked = _KEY_BEFORE.search(before) if behind is None else behind
    if asked is None:
        return _LOOKING.search(before) is not None or sight.starts(span, _INDEX_OR_GET) is not None
    mode = autoreset_mode(info.env, sight.target)
    if asked[1] not in OF_OBSERVATIONS | OF_INFOS:
        return False
    if mode is None or info.unasked:
        return info.unasked and sight.target >= ONE
    keys = final_keys(mode, sight.target)
    if asked[1].strip("_") != (keys.observation if asked[1] in OF_OBSERVATIONS else keys.info):
        return True
    return asked[1] == keys.info and not keys.listed and _LOOKING.search(before) is not None
