"""Sinks that read a flag of a generated project out of a container that was filled before."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import indent

from generated_flows.draft import SETUP, Draft, Rows
from generated_flows.flags import FLAG_NAMES, MASK_NAMES, RECASTS
from generated_flows.stores import STORES, Store

#: Where the container and the sink live.
PLACES = ["inline", "function", "memory class", "memory file", "agent owns memory", "agent"]


@dataclass(frozen=True)
class _Container:
    """A store with its fields, how it is read, and the sink that reads it."""

    draft: Draft
    store: Store
    #: The fields and the expressions that are put there; the flag or mask is in the field `flag`.
    row: list[tuple[str, str]]
    flag: str
    by_row: bool
    #: What is done to the column of flags when it is read back.
    recast: str

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.row]

    @property
    def values(self) -> str:
        return ", ".join(value for _, value in self.row)

    @property
    def ordered(self) -> bool:
        return self.draft.family == "recursion"

    def take(self, m: str) -> list[str]:
        """Rows that read it: `take("self.")`."""
        columns = self.store.ordered if self.ordered else self.store.rows if self.by_row else self.store.columns
        assert columns is not None
        recast = [f"b_{self.flag} = {self.recast.format(f'b_{self.flag}')}"] if self.recast else []
        return [*columns(m, self.names), *recast]

    def sinking(self) -> str:
        """Rows of the sink."""
        draft, f = self.draft, f"b_{self.flag}"
        if self.ordered:
            kt = f"{f}[t]" if draft.keep else draft.choose([f"(1 - {f}[t])", f"(1.0 - float({f}[t]))"])
            ended = "not ended" if draft.keep else "ended"
            return draft.sink.text.format(r="b_reward", v="b_value", f=f, kt=kt, ended=ended, e="b_only")
        array = not self.by_row or draft.source.array
        names = {"r": "b_reward", "s": "b_next_obs", "f": f}
        text = draft.written(draft.sink, array, names, boolean=not self.store.arrays)
        return indent(text, "    ") if self.by_row else text


def stored(draft: Draft) -> Rows:
    """The flag is put into a container, and a sink reads it from there."""
    choose = draft.choose
    recursion = draft.family == "recursion"
    store = choose([s for s in STORES if s.ordered] if recursion else STORES)
    place = choose(PLACES)
    draft.parts += [store.name, place]
    flag = choose(MASK_NAMES if draft.keep else FLAG_NAMES)
    by_row = not recursion and store.rows is not None and place != "memory file" and choose([False, True])
    if not recursion:
        draft.fitting(not by_row or draft.source.array)
    recast = choose(RECASTS) if not by_row and not recursion and not draft.source.array else ""
    if recast:
        draft.parts.append(f"read by {recast}")
    container = _Container(draft, store, _row(draft, flag), flag, by_row, recast)
    if place in ("inline", "function"):
        return _inline(container, place)
    return _agent(container) if place == "agent" else _memory(container, place)


def _row(draft: Draft, flag: str) -> list[tuple[str, str]]:
    if draft.family != "recursion":
        return [("obs", "obs"), ("reward", "reward"), ("next_obs", "next_obs"), (flag, draft.value)]
    only = [("only", draft.source.terminated)] if draft.second else []
    return [("reward", "reward"), ("value", "net(obs)"), (flag, draft.value), *only]


def _inline(container: _Container, place: str) -> Rows:
    """The loop itself has the container; the sink stands behind it, or in a function of columns."""
    draft, store, names = container.draft, container.store, container.names
    if defined := store.defined(names):
        draft.files.add("main.py", defined)
    put = [draft.marked(r) for r in store.put("", container.row)]
    taken = container.take("")
    if place == "inline" or container.by_row:
        return store.made("", names), put, [*taken, container.sinking()]
    columns = ", ".join(f"b_{n}" for n in names if n != "obs")
    text = indent(f"{SETUP}\n{container.sinking()}", "    ")
    path = draft.choose(["main.py", "learning.py"])
    draft.files.add(path, f"def learn({columns}):\n{text}")
    if path != "main.py":
        draft.files.head("main.py", "import learning")
    call = "learn" if path == "main.py" else "learning.learn"
    return store.made("", names), put, [*taken, f"{call}({columns})"]


def _agent(container: _Container) -> Rows:
    """One class has the container, fills it and learns from it."""
    draft, store, names, values = container.draft, container.store, container.names, container.values
    path = draft.choose(["main.py", "agent.py"])
    if defined := store.defined(names):
        draft.files.add(path, defined)
    inner = store.put("self.", [(n, n) for n in names])
    text = "\n".join(
        [
            "class Agent:",
            "    def __init__(self):",
            *(f"        {r}" for r in store.made("self.", names)),
            "",
            f"    def remember(self, {', '.join(names)}):",
            *(f"        {r}" for r in inner),
            "",
            "    def learn(self):",
            indent(SETUP, " " * 8),
            *(f"        {r}" for r in container.take("self.")),
            indent(container.sinking(), " " * 8),
        ]
    )
    draft.files.add(path, text)
    if path != "main.py":
        draft.files.head("main.py", "from agent import Agent")
    return ["agent = Agent()"], [f"agent.remember({values}){draft.store_marker()}"], ["agent.learn()"]


def _memory(container: _Container, place: str) -> Rows:
    """A class has the container; the sink asks it for a batch, or walks over its rows."""
    draft, choose, store = container.draft, container.draft.choose, container.store
    names, values = container.names, container.values
    path = "main.py" if place == "memory class" else "memory.py"
    if defined := store.defined(names):
        draft.files.add(path, defined)
    columns = [f"b_{n}" for n in names]
    back = choose(["tuple", "dict", "list"])
    given = {
        "tuple": f"return {', '.join(columns)}",
        "dict": f"return {{{', '.join(f'{n!r}: b_{n}' for n in names)}}}",
        "list": f"return [{', '.join(columns)}]",
    }[back]
    sample = (
        []
        if container.by_row
        else ["    def sample(self):", *(f"        {r}" for r in [*container.take("self."), given])]
    )
    class_name = choose(["Memory", "ReplayBuffer"])
    text = "\n".join(
        [
            f"class {class_name}:",
            "    def __init__(self):",
            *(f"        {r}" for r in store.made("self.", names)),
            "",
            f"    def push(self, {', '.join(names)}):",
            *(f"        {r}" for r in store.put("self.", [(n, n) for n in names])),
            "",
            *sample,
        ]
    )
    draft.files.add(path, text)

    def taken(memory: str) -> list[str]:
        if container.by_row:
            return container.take(f"{memory}.")
        if back != "dict":
            return [choose([f"{', '.join(columns)} = {memory}.sample()"])]
        return [f"batch = {memory}.sample()", *(f"b_{n} = batch[{n!r}]" for n in names)]

    imported = f"from memory import {class_name}"
    if place == "agent owns memory":
        draft.files.head("agent.py", imported)
        draft.files.head("main.py", "from agent import Agent")
        draft.files.add(
            "agent.py",
            "\n".join(
                [
                    "class Agent:",
                    "    def __init__(self):",
                    f"        self.memory = {class_name}()",
                    "",
                    f"    def remember(self, {', '.join(names)}):",
                    f"        self.memory.push({', '.join(names)})",
                    "",
                    "    def learn(self):",
                    indent(SETUP, " " * 8),
                    *(f"        {r}" for r in taken("self.memory")),
                    indent(container.sinking(), " " * 8),
                ]
            ),
        )
        return ["agent = Agent()"], [f"agent.remember({values}){draft.store_marker()}"], ["agent.learn()"]
    if path != "main.py":
        draft.files.head("main.py", imported)
    put = f"memory.push({values}){draft.store_marker()}"
    if choose([True, False]):
        return [f"memory = {class_name}()"], [put], [*taken("memory"), container.sinking()]
    where = choose(["main.py", "learning.py"])
    rows = indent("\n".join([SETUP, *taken("memory"), container.sinking()]), "    ")
    draft.files.add(where, f"def learn(memory):\n{rows}")
    if where != "main.py":
        draft.files.head("main.py", "from learning import learn")
    return [f"memory = {class_name}()"], [put], ["learn(memory)"]
