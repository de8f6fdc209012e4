"""Sinks that read a flag of a generated project without a container on its way."""

from __future__ import annotations

from textwrap import dedent, indent

from generated_flows.draft import SETUP, Draft, Rows
from generated_flows.flags import FLAG_NAMES, MASK_NAMES


def direct(draft: Draft) -> Rows:
    """No container: the sink stands in the loop, or in what the loop calls."""
    choose, array = draft.choose, draft.source.array
    sink = draft.fitting(array)
    place = choose(["loop", "function", "other file", "method", "attribute"])
    draft.parts.append(f"sink in {place}")
    if place == "loop":
        names = {"r": "reward", "s": "next_obs", "f": draft.value}
        if not draft.value.replace(".", "").isidentifier():
            names["f"] = "x"
            rows = [f"x = {draft.value}{draft.cut()}"]
        else:
            rows = []
        text = draft.written(sink, array, names, boolean=False)
        return [], [*rows, text], []
    name = choose(MASK_NAMES if draft.keep else FLAG_NAMES)
    inner = draft.written(sink, array, {"r": "reward", "s": "next_obs", "f": name}, boolean=False)
    if place in ("function", "other file"):
        path = "main.py" if place == "function" else "learning.py"
        draft.files.add(path, f"def learn(reward, next_obs, {name}):\n{indent(SETUP, '    ')}\n{indent(inner, '    ')}")
        if path != "main.py":
            draft.files.head("main.py", choose(["from learning import learn", "from learning import *"]))
        passed = choose([draft.value, f"{name}={draft.value}"])
        return [], [f"learn(reward, next_obs, {passed}){draft.handed(path)}"], []
    path = choose(["main.py", "agents/agent.py"])
    if path != "main.py":
        draft.files.add("agents/__init__.py", "")
        draft.files.head("main.py", "from agents.agent import Agent")
    if place == "method":
        draft.files.add(
            path,
            "class Agent:\n    def learn(self, reward, next_obs, {}):\n{}\n{}".format(
                name, indent(SETUP, " " * 8), indent(inner, " " * 8)
            ),
        )
        return ["agent = Agent()"], [f"agent.learn(reward, next_obs, {draft.value}){draft.handed(path)}"], []
    inner = draft.written(sink, array, {"r": "self.reward", "s": "self.next_obs", "f": f"self.{name}"}, boolean=False)
    draft.files.add(
        path,
        dedent(f"""\
            class Agent:
                def observe(self, reward, next_obs, {name}):
                    self.reward = reward
                    self.next_obs = next_obs
                    self.{name} = {name}

                def learn(self):
            """).rstrip()
        + f"\n{indent(SETUP, ' ' * 8)}\n{indent(inner, ' ' * 8)}",
    )
    return (
        ["agent = Agent()"],
        [f"agent.observe(reward, next_obs, {draft.value}){draft.handed(path)}", "agent.learn()"],
        [],
    )
