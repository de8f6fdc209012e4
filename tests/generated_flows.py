"""Builds small projects whose verdict is known, because it follows from the parts they are made of.

A project is a *birth* (what the step returns), a *flag* made of it, *casts*, a *channel* (how the flag travels, and
over which files) and a *sink* (what is made of it). The rows where the model may report carry a marker:

    # store   the flag is put where a one-step target reads it later
    # cut     the flag, or the mask made of it, cuts a target or a recursion

A project that is right has the same markers: there they say nothing. Every choice goes through one function, so
that hypothesis can draw (and shrink) it and a plain random generator can run thousands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from textwrap import dedent, indent
from typing import TypeVar

from flow_parts import (
    ARRAY_CASTS,
    ARRAY_KEEPS,
    ARRAY_TERMINATED,
    ARRAY_UNIONS,
    BIRTHS,
    CASTS,
    HARMLESS,
    KEEPS,
    LIMITED,
    OLD_TERMINATED,
    RECASTS,
    RECURSIONS,
    STORES,
    TARGETS,
    TERMINATED,
    UNIONS,
    Birth,
    Flag,
    Holds,
    Sink,
    Store,
    Verdict,
)

T = TypeVar("T")


class Choose:
    """Takes one of several parts, and remembers which."""

    def __init__(self, pick: Callable[[int], int]) -> None:
        """`pick(n)` answers with a number below n."""
        self.pick = pick

    def __call__(self, parts: Sequence[T]) -> T:
        return parts[self.pick(len(parts))]


_MARKER = re.compile(r"  # (?P<what>store|cut|store, cut)$")


@dataclass(frozen=True)
class Project:
    """Files with markers, and what the model has to say about them."""

    files: dict[str, str]
    verdict: Verdict
    #: The parts, for a failure's message.
    parts: str

    def markers(self) -> dict[tuple[str, int], tuple[str, ...]]:
        """The rows where something may be reported, and what."""
        return {
            (path, row): tuple(marker["what"].split(", "))
            for path, text in self.files.items()
            for row, line in enumerate(text.splitlines(), 1)
            if (marker := _MARKER.search(line))
        }

    def __str__(self) -> str:
        texts = "".join(f"\n# {path}\n{text}" for path, text in self.files.items())
        return f"{self.verdict}: {self.parts}{texts}"


def _flag(choose: Choose, birth: Birth, *, holds: Sequence[Holds]) -> Flag:
    """A flag of the wanted content, if the birth has it (else of another)."""
    wanted = choose(holds)
    names = {"t": birth.terminated or birth.union, "u": birth.truncated, "d": birth.union}
    if birth.union:
        right = not birth.array and wanted == "terminated"
        text = choose(OLD_TERMINATED) if right else "{d}"
        return Flag(text.format(**names), "terminated" if right else "done")
    if wanted == "limit" and not birth.array:
        return Flag(choose(LIMITED).format(**names), "limit")
    if wanted == "terminated":
        return Flag(choose(ARRAY_TERMINATED if birth.array else TERMINATED).format(**names), "terminated")
    return Flag(choose(ARRAY_UNIONS if birth.array else UNIONS).format(**names), "done")


def _is_atom(text: str) -> bool:
    return text.isidentifier()


def _within(form: str, text: str) -> str:
    """The expression inside another, in brackets where it needs them."""
    inside = text if _is_atom(text) or form == "{}" or "({})" in form else f"({text})"
    return form.format(inside)


# --- the whole -----------------------------------------------------------------------------------------

IMPORTS = """\
import random
from collections import defaultdict, deque, namedtuple
from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np
import tensorflow as tf
import torch
"""


@dataclass
class _Files:
    """The texts in the making: for each file its imports, definitions and body."""

    heads: dict[str, list[str]] = field(default_factory=dict)
    bodies: dict[str, list[str]] = field(default_factory=dict)

    def head(self, path: str, row: str) -> None:
        self.heads.setdefault(path, []).append(row)

    def add(self, path: str, text: str) -> None:
        self.bodies.setdefault(path, []).append(text)

    def written(self) -> dict[str, str]:
        return {
            path: IMPORTS + "".join(f"{row}\n" for row in self.heads.get(path, [])) + "\n\n" + "\n\n".join(texts) + "\n"
            for path, texts in self.bodies.items()
        }


@dataclass(frozen=True)
class _Container:
    """A store with its fields, how it is read, and the sink that reads it."""

    store: Store
    #: The fields and the expressions that are put there.
    row: list[tuple[str, str]]
    #: Rows that read it: `take("self.")`.
    take: Callable[[str], list[str]]
    #: Rows of the sink.
    sinking: Callable[[], str]
    by_row: bool

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.row]

    @property
    def values(self) -> str:
        return ", ".join(value for _, value in self.row)


#: What functions and methods that learn have at hand.
SETUP = "gamma, lam = 0.99, 0.95\ncount, total, hidden = 0, 0.0, start()\nadvantages = [0.0] * 128"

FLAG_NAMES = ["done", "d", "over", "terminal", "ended", "flag", "is_done"]
MASK_NAMES = ["mask", "not_done", "keep", "alive", "m"]

#: Where the container and the sink live.
PLACES = ["inline", "function", "memory class", "memory file", "agent owns memory", "agent"]


def project(choose: Choose) -> Project:
    """One project, chosen part by part."""
    birth = choose(BIRTHS)
    family = choose(["one-step", "one-step", "one-step", "harmless", "recursion"])
    if family == "recursion":
        sink = choose(RECURSIONS)
        # A recursion cut by *terminated* alone is GYM206's affair.
        flag = _flag(choose, birth, holds=["done"])
        second = "two masks" in sink.name
        if second and birth.union:
            sink = RECURSIONS[0]
            second = False
    else:
        flag = _flag(choose, birth, holds=["done", "done", "terminated", "limit"])
        second = False
        sink = choose(TARGETS if family == "one-step" else HARMLESS)
    return _Assembly(choose, birth, flag, sink, family, second).project()


class _Assembly:
    """Puts the parts of one project together."""

    def __init__(self, choose: Choose, birth: Birth, flag: Flag, sink: Sink, family: str, second: bool) -> None:
        self.choose = choose
        self.birth = birth
        self.flag = flag
        self.sink = sink
        self.family = family
        self.second = second
        self.files = _Files()
        self.parts = [birth.name, f"`{flag.text}`", sink.name]

    def project(self) -> Project:
        """The files and their verdict."""
        choose, birth = self.choose, self.birth
        made, self.value, self.keep = self._made()
        interaction = self._interaction(made)
        if self.family != "recursion" and choose([False, False, True]):
            creation, inner, after = self._direct()
        else:
            creation, inner, after = self._stored()
        reset = choose(
            [
                f"if {self._ended()}:\n    {birth.reset}\n    steps = 0",
                f"if {self._ended()}:\n    break",
            ]
        )
        body = "\n".join([*interaction, *inner, "obs = next_obs", *([] if birth.array else [reset])])
        episode = choose([True, False])
        loop = "\n".join(
            [
                *creation,
                birth.reset,
                "steps, max_steps, gamma, lam = 0, 200, 0.99, 0.95",
                "count, total, hidden = 0, 0.0, start()",
                "advantages = [0.0] * 128",
                "for _ in range(1000):" if episode else "while True:",
                "    action = policy(obs)",
                "    steps += 1",
                indent(body, "    "),
                *([indent("\n".join(after), "    ")] if after and self.family != "recursion" else after),
            ]
        )
        self._main(loop)
        files = self.files.written()
        return Project(files, self._verdict(), ", ".join(self.parts))

    def _verdict(self) -> Verdict:
        holds = self.flag.holds == "limit" or (self.flag.holds == "done" and self.birth.truncates)
        return self.sink.verdict if holds else "silent"

    def _made(self) -> tuple[list[str], str, bool]:
        """Rows that make the flag, the expression that is handed on, and whether it is a mask."""
        choose, array = self.choose, self.birth.array
        text = self.flag.text
        rows: list[str] = []
        if choose([True, True, False]) or not _is_atom(text):
            name = choose([n for n in FLAG_NAMES if n not in (self.birth.terminated, self.birth.truncated)])
            if text != name:
                rows.append(f"{name} = {text}")
            text = name
        cast = choose(ARRAY_CASTS if array else CASTS)
        text = _within(cast, text)
        keep = choose([False, False, False, True])
        bare = cast == "{}" or "bool(" in cast
        forms = [f for f in (ARRAY_KEEPS if array else KEEPS) if bare or not f.startswith(("~", "np.w"))]
        if keep:
            text = _within(choose(forms), text)
            self.parts.append(f"stored as `{text}`")
            if choose([True, False]):
                name = choose(MASK_NAMES)
                rows.append(f"{name} = {text}  # cut")
                text = name
        elif cast != "{}":
            self.parts.append(f"cast `{text}`")
        return rows, text, keep

    def _ended(self) -> str:
        birth = self.birth
        return birth.union or f"{birth.terminated} or {birth.truncated}"

    def _interaction(self, made: list[str]) -> list[str]:
        """The step itself, in the loop, in a function or in a class that keeps what came."""
        birth, choose = self.birth, self.choose
        step = f"{birth.slots} = env.step(action)"
        how = choose(["plain", "plain", "plain", "function", "result", "runner"])
        if how == "plain" or self.second or self.flag.holds == "limit":
            # whether a parameter counts steps is not visible in a helper
            return [step, *made]
        self.parts.append(f"step by {how}")
        end = birth.union or f"{birth.terminated}, {birth.truncated}"
        if how == "result":
            return ["result = env.step(action)", f"{birth.slots} = result", *made]
        if how == "function":
            helper = "\n".join(
                [
                    "def interact(env, action, steps=0, max_steps=200):",
                    indent(
                        "\n".join([step, *made, f"return next_obs, reward, {end}, {self.value}{self._cut()}"]), "    "
                    ),
                ]
            )
            path = choose(["main.py", "steps.py"])
            self.files.add(path, helper)
            if path != "main.py":
                self.files.head("main.py", "from steps import interact")
            self.value = choose(["what", "x", "flag"])
            return [f"next_obs, reward, {end}, {self.value} = interact(env, action, steps, max_steps)"]
        runner = "\n".join(
            [
                "class Runner:",
                "    def __init__(self, env):",
                "        self.env = env",
                "        self.ended = None",
                "",
                "    def advance(self, action, steps=0, max_steps=200):",
                indent(
                    "\n".join(
                        [
                            step.replace("env.step", "self.env.step"),
                            *made,
                            f"self.ended = {self.value}{self._cut()}",
                            f"return next_obs, reward, {end}",
                        ]
                    ),
                    "        ",
                ),
            ]
        )
        self.files.add("main.py", runner)
        self.runner = True
        self.value = "runner.ended"
        return [f"next_obs, reward, {end} = runner.advance(action, steps, max_steps)"]

    runner = False

    # --- sinks ---

    def _written(self, sink: Sink, array: bool, names: dict[str, str], *, boolean: bool) -> str:
        """The sink's rows, of the flag or mask that `names` gives."""
        choose = self.choose
        f = names["f"]
        if self.keep:
            keeps = [f]
            flags = [f"(1 - {f})", f"({f} == 0)"]
        elif array:
            keeps = [f"(1 - {f})", f"(1.0 - {f})", f"(1 - {f}.astype(int))", f"(1 - {f}.float())"]
            flags = [f, f"({f} == 1)"] if boolean else [f"({f} == 1)", f"{f}.astype(bool)"]
        else:
            keeps = [f"(1 - {f})", f"(1 - int({f}))", f"(1.0 - float({f}))", f"(0.0 if {f} else 1.0)", f"(not {f})"]
            flags = [f, f"bool({f})", f"{f} == True"]
        return sink.text.format(r=names["r"], q=f"net({names['s']})", d=choose(flags), k=choose(keeps))

    def _fitting(self, array: bool) -> Sink:
        """The chosen sink, or one of its family that suits the shape."""
        family = TARGETS if self.sink in TARGETS else HARMLESS
        if self.sink.shape in ("both", "array" if array else "scalar"):
            return self.sink
        self.sink = self.choose([s for s in family if s.shape in ("both", "array" if array else "scalar")])
        self.parts.append(f"rather {self.sink.name}")
        return self.sink

    def _direct(self) -> tuple[list[str], list[str], list[str]]:
        """No container: the sink stands in the loop, or in what the loop calls."""
        choose, array = self.choose, self.birth.array
        sink = self._fitting(array)
        place = choose(["loop", "function", "other file", "method", "attribute"])
        self.parts.append(f"sink in {place}")
        if place == "loop":
            names = {"r": "reward", "s": "next_obs", "f": self.value}
            if not self.value.replace(".", "").isidentifier():
                names["f"] = "x"
                rows = [f"x = {self.value}{self._cut()}"]
            else:
                rows = []
            text = self._written(sink, array, names, boolean=False)
            return [], [*rows, text], []
        name = choose(MASK_NAMES if self.keep else FLAG_NAMES)
        inner = self._written(sink, array, {"r": "reward", "s": "next_obs", "f": name}, boolean=False)
        if place in ("function", "other file"):
            path = "main.py" if place == "function" else "learning.py"
            self.files.add(
                path, f"def learn(reward, next_obs, {name}):\n{indent(SETUP, '    ')}\n{indent(inner, '    ')}"
            )
            if path != "main.py":
                self.files.head("main.py", choose(["from learning import learn", "from learning import *"]))
            passed = choose([self.value, f"{name}={self.value}"])
            return [], [f"learn(reward, next_obs, {passed}){self._handed(path)}"], []
        path = choose(["main.py", "agents/agent.py"])
        if path != "main.py":
            self.files.add("agents/__init__.py", "")
            self.files.head("main.py", "from agents.agent import Agent")
        if place == "method":
            self.files.add(
                path,
                "class Agent:\n    def learn(self, reward, next_obs, {}):\n{}\n{}".format(
                    name, indent(SETUP, " " * 8), indent(inner, " " * 8)
                ),
            )
            return ["agent = Agent()"], [f"agent.learn(reward, next_obs, {self.value}){self._handed(path)}"], []
        inner = self._written(
            sink, array, {"r": "self.reward", "s": "self.next_obs", "f": f"self.{name}"}, boolean=False
        )
        self.files.add(
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
            [f"agent.observe(reward, next_obs, {self.value}){self._handed(path)}", "agent.learn()"],
            [],
        )

    # --- containers ---

    def _stored(self) -> tuple[list[str], list[str], list[str]]:
        choose = self.choose
        recursion = self.family == "recursion"
        store = choose([s for s in STORES if s.ordered] if recursion else STORES)
        place = choose(PLACES)
        self.parts += [store.name, place]
        name = choose(MASK_NAMES if self.keep else FLAG_NAMES)
        if recursion:
            row = [("reward", "reward"), ("value", "net(obs)"), (name, self.value)]
            if self.second:
                row.append(("only", self.birth.terminated))
        else:
            row = [("obs", "obs"), ("reward", "reward"), ("next_obs", "next_obs"), (name, self.value)]
        names = [n for n, _ in row]
        by_row = not recursion and store.rows is not None and place != "memory file" and choose([False, True])
        array = not by_row or self.birth.array
        if not recursion:
            self._fitting(array)

        def take(m: str) -> list[str]:
            if recursion:
                assert store.ordered is not None
                return store.ordered(m, names)
            if by_row:
                assert store.rows is not None
                return store.rows(m, names)
            return store.columns(m, names)

        def sinking(prefix: str = "b_") -> str:
            if recursion:
                f = f"{prefix}{name}"
                kt = f"{f}[t]" if self.keep else choose([f"(1 - {f}[t])", f"(1.0 - float({f}[t]))"])
                ended = "not ended" if self.keep else "ended"
                return self.sink.text.format(
                    r=f"{prefix}reward", v=f"{prefix}value", f=f, kt=kt, ended=ended, e=f"{prefix}only"
                )
            text = self._written(
                self.sink,
                array,
                {"r": f"{prefix}reward", "s": f"{prefix}next_obs", "f": f"{prefix}{name}"},
                boolean=not store.arrays,
            )
            return indent(text, "    ") if by_row else text

        plain = take
        recast = choose(RECASTS) if not by_row and not recursion and not self.birth.array else ""
        if recast:
            self.parts.append(f"read by {recast}")

            def take(m: str) -> list[str]:
                return [*plain(m), f"b_{name} = {recast.format(f'b_{name}')}"]

        defined = store.defined(names)
        if place in ("inline", "function"):
            if defined:
                self.files.add("main.py", defined)
            put = [self._marked(r) for r in store.put("", row)]
            if place == "inline":
                return store.made("", names), put, [*take(""), sinking()]
            columns = [f"b_{n}" for n in names if n != "obs"]
            if by_row:
                return store.made("", names), put, [*take(""), sinking()]
            text = indent(f"{SETUP}\n{sinking()}", "    ")
            path = choose(["main.py", "learning.py"])
            self.files.add(path, f"def learn({', '.join(columns)}):\n{text}")
            if path != "main.py":
                self.files.head("main.py", "import learning")
            call = "learn" if path == "main.py" else "learning.learn"
            return store.made("", names), put, [*take(""), f"{call}({', '.join(columns)})"]
        container = _Container(store, row, take, sinking, by_row)
        return self._agent(container) if place == "agent" else self._memory(container, place)

    def _cut(self) -> str:
        """The marker of a row that hands the flag on: perhaps the mask is made there."""
        return "" if self.value.replace(".", "").isidentifier() else "  # cut"

    def _handed(self, path: str) -> str:
        """The marker of a row that hands the flag to what stands in a file: to another one it is like a store."""
        return self._cut() if path == "main.py" else self._store()

    def _store(self) -> str:
        """The marker of a row that stores the flag."""
        return "  # store, cut" if self._cut() else "  # store"

    def _marked(self, row: str) -> str:
        return f"{row}{self._store()}" if self.value in row else row

    def _agent(self, container: _Container) -> tuple[list[str], list[str], list[str]]:
        """One class has the container, fills it and learns from it."""
        store, names, values = container.store, container.names, container.values
        path = self.choose(["main.py", "agent.py"])
        if defined := store.defined(names):
            self.files.add(path, defined)
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
        self.files.add(path, text)
        if path != "main.py":
            self.files.head("main.py", "from agent import Agent")
        return ["agent = Agent()"], [f"agent.remember({values}){self._store()}"], ["agent.learn()"]

    def _memory(self, container: _Container, place: str) -> tuple[list[str], list[str], list[str]]:
        """A class has the container; the sink asks it for a batch, or walks over its rows."""
        choose, store, names, values = self.choose, container.store, container.names, container.values
        path = "main.py" if place == "memory class" else "memory.py"
        if defined := store.defined(names):
            self.files.add(path, defined)
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
        self.files.add(path, text)

        def taken(memory: str) -> list[str]:
            if container.by_row:
                return container.take(f"{memory}.")
            if back != "dict":
                return [choose([f"{', '.join(columns)} = {memory}.sample()"])]
            return [f"batch = {memory}.sample()", *(f"b_{n} = batch[{n!r}]" for n in names)]

        imported = f"from memory import {class_name}"
        if place == "agent owns memory":
            self.files.head("agent.py", imported)
            self.files.head("main.py", "from agent import Agent")
            self.files.add(
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
            return ["agent = Agent()"], [f"agent.remember({values}){self._store()}"], ["agent.learn()"]
        if path != "main.py":
            self.files.head("main.py", imported)
        put = f"memory.push({values}){self._store()}"
        if choose([True, False]):
            return [f"memory = {class_name}()"], [put], [*taken("memory"), container.sinking()]
        where = choose(["main.py", "learning.py"])
        rows = indent("\n".join([SETUP, *taken("memory"), container.sinking()]), "    ")
        self.files.add(where, f"def learn(memory):\n{rows}")
        if where != "main.py":
            self.files.head("main.py", "from learning import learn")
        return [f"memory = {class_name}()"], [put], ["learn(memory)"]

    # --- the program around it ---

    def _main(self, loop: str) -> None:
        birth, choose = self.birth, self.choose
        self.files.heads.setdefault("main.py", []).insert(0, birth.imports)
        definitions = self.files.bodies.setdefault("main.py", [])
        if birth.definitions:
            definitions.insert(0, birth.definitions.strip())
        made = f"env = {birth.made}"
        if choose([False, False, True]):
            definitions.append(f"def make_env():\n    return {birth.made}")
            made = "env = make_env()"
        if self.runner:
            loop = f"runner = Runner(env)\n{loop}"
        form = choose(["module", "function", "parameter"])
        if form == "module":
            definitions.append(f"{made}\n{loop}")
        elif form == "function":
            body = indent(f"{made}\n{loop}", "    ")
            definitions.append(f"def main():\n{body}")
            definitions.append('if __name__ == "__main__":\n    main()')
        else:
            definitions.append(f"def train(env):\n{indent(loop, '    ')}")
            definitions.append(f'if __name__ == "__main__":\n    {made}\n    train(env)')
