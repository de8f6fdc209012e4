"""Puts the parts of a generated project together."""

from __future__ import annotations

from textwrap import indent

from generated_flows.choose import Choose
from generated_flows.containers import stored
from generated_flows.direct import direct
from generated_flows.draft import Draft, Project
from generated_flows.flag_sources import FLAG_SOURCES
from generated_flows.flags import flag_of
from generated_flows.interaction import flag_rows, interaction, main_program
from generated_flows.sinks import HARMLESS, RECURSIONS, TARGETS


def project(choose: Choose) -> Project:
    """One project, chosen part by part."""
    source = choose(FLAG_SOURCES)
    family = choose(["one-step", "one-step", "one-step", "harmless", "recursion"])
    if family == "recursion":
        sink = choose(RECURSIONS)
        # A recursion cut by *terminated* alone is reported by GYM206.
        flag = flag_of(choose, source, holds=["done"])
        second = "two masks" in sink.name
        if second and source.union:
            sink = RECURSIONS[0]
            second = False
    else:
        flag = flag_of(choose, source, holds=["done", "done", "terminated", "limit"])
        second = False
        sink = choose(TARGETS if family == "one-step" else HARMLESS)
    parts = [source.name, f"`{flag.text}`", sink.name]
    return assembled(Draft(choose, source, flag, sink, family, second, parts))


def assembled(draft: Draft) -> Project:
    """The files and their verdict."""
    choose, source = draft.choose, draft.source
    made, draft.value, draft.keep = flag_rows(draft)
    steps = interaction(draft, made)
    if draft.family != "recursion" and choose([False, False, True]):
        creation, inner, after = direct(draft)
    else:
        creation, inner, after = stored(draft)
    reset = choose(
        [
            f"if {draft.ended()}:\n    {source.reset}\n    steps = 0",
            f"if {draft.ended()}:\n    break",
        ]
    )
    body = "\n".join([*steps, *inner, "obs = next_obs", *([] if source.array else [reset])])
    episode = choose([True, False])
    loop = "\n".join(
        [
            *creation,
            source.reset,
            "steps, max_steps, gamma, lam = 0, 200, 0.99, 0.95",
            "count, total, hidden = 0, 0.0, start()",
            "advantages = [0.0] * 128",
            "for _ in range(1000):" if episode else "while True:",
            "    action = policy(obs)",
            "    steps += 1",
            indent(body, "    "),
            *([indent("\n".join(after), "    ")] if after and draft.family != "recursion" else after),
        ]
    )
    main_program(draft, loop)
    files = draft.files.written()
    return Project(files, draft.verdict(), ", ".join(draft.parts))
