"""The state of a project while its parts are put together, and the markers of its rows."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from generated_flows.choose import Choose
from generated_flows.flag_sources import FlagSource
from generated_flows.flags import Flag
from generated_flows.sinks import HARMLESS, TARGETS, Sink, Verdict

#: Rows that make the container, rows in the loop behind the step, and rows that learn from what was collected.
Rows = tuple[list[str], list[str], list[str]]

#: What functions and methods that learn have at hand.
SETUP = "gamma, lam = 0.99, 0.95\ncount, total, hidden = 0, 0.0, start()\nadvantages = [0.0] * 128"

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
class Files:
    """The texts of the files: for each file its imports, definitions and body."""

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


@dataclass
class Draft:
    """The parts that were chosen so far, and the files that they have written."""

    choose: Choose
    source: FlagSource
    flag: Flag
    sink: Sink
    family: str
    second: bool
    parts: list[str]
    files: Files = field(default_factory=Files)
    #: The expression that is handed on, and whether it is a mask.
    value: str = ""
    keep: bool = False
    #: A class steps the environment.
    runner: bool = False

    def verdict(self) -> Verdict:
        holds = self.flag.holds == "limit" or (self.flag.holds == "done" and self.source.truncates)
        return self.sink.verdict if holds else "silent"

    def ended(self) -> str:
        source = self.source
        return source.union or f"{source.terminated} or {source.truncated}"

    def written(self, sink: Sink, array: bool, names: dict[str, str], *, boolean: bool) -> str:
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

    def fitting(self, array: bool) -> Sink:
        """The chosen sink, or one of its family that suits the shape."""
        family = TARGETS if self.sink in TARGETS else HARMLESS
        if self.sink.shape in ("both", "array" if array else "scalar"):
            return self.sink
        self.sink = self.choose([s for s in family if s.shape in ("both", "array" if array else "scalar")])
        self.parts.append(f"rather {self.sink.name}")
        return self.sink

    def cut(self) -> str:
        """The marker of a row that hands the flag on: perhaps the mask is made there."""
        return "" if self.value.replace(".", "").isidentifier() else "  # cut"

    def handed(self, path: str) -> str:
        """The marker of a row that hands the flag to code in a file: to another one it is like a store."""
        return self.cut() if path == "main.py" else self.store_marker()

    def store_marker(self) -> str:
        """The marker of a row that stores the flag."""
        return "  # store, cut" if self.cut() else "  # store"

    def marked(self, row: str) -> str:
        return f"{row}{self.store_marker()}" if self.value in row else row
