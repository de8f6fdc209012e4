"""Attributes that hold one of several things, where the tag in another attribute says which: `if self.kind == "gym":`.

A class sets the tag beside each thing: `self.env = gym.make(name)` and `self.kind = "gym"` in one block. Where it
compares the tag, the first attribute can hold nothing but what was set beside it.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from done_lint.core.ast_walk import walked

if TYPE_CHECKING:
    from typing import TypeGuard

#: A file without a comparison of an attribute with a word asks for none.
_ASKS = re.compile(r"\.\w+\s*[!=]=\s*['\"]")
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Words = dict[str, frozenset[str]]


def tagged_attributes(tree: ast.Module, text: str) -> Mapping[ast.Attribute, str]:
    """By the place where an attribute is read or set, the name of what it holds there, which no attribute has."""
    if not _ASKS.search(text):
        return {}
    classes = (one for one in walked(tree) if isinstance(one, ast.ClassDef))
    return {place: name for one in classes for place, name in _of_class(one)}


def _of_class(made: ast.ClassDef) -> Iterator[tuple[ast.Attribute, str]]:
    methods = [_Method(one) for one in made.body if isinstance(one, _FUNCTIONS) and one.args.args]
    words = _words(methods)
    tagged = _tagged(methods, words) if words else {}
    for method in methods if tagged else ():
        for one in method.sets:
            if one.target.attr in tagged:
                yield one.target, _name(one.target, one.beside[tagged[one.target.attr]])
        yield from _Reads(method.own, words, tagged).of(method.body)


def _name(place: ast.Attribute, text: str) -> str:
    return f"{place.attr}={text}"


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class _Set(NamedTuple):
    """`self.name = value`, a statement of its own, and the words that its block writes."""

    target: ast.Attribute
    value: ast.expr
    beside: Mapping[str, str]


class _Method:
    """A method, and what it sets of its own object."""

    def __init__(self, function: _Function) -> None:
        self.own = function.args.args[0].arg
        self.body = function.body
        self._nodes = walked(function)
        self.sets = [one for block in _blocks(self._nodes) for one in self._sets(block)]

    @cached_property
    def stored(self) -> list[ast.Attribute]:
        """Every attribute that it sets, in whatever way."""
        return [one for one in self._nodes if _is_set(one) and _is_own(one, self.own)]

    def _sets(self, block: list[ast.stmt]) -> Iterator[_Set]:
        """The attributes that statements of a block set."""
        pairs = [pair for one in block if (pair := _assigned(one, self.own)) is not None]
        texts = [(target.attr, text) for target, value in pairs if (text := _text(value))]
        beside = {name: text for name, text in texts if sum(name == other for other, _ in texts) == 1}
        return (_Set(target, value, beside) for target, value in pairs)


def _is_own(node: ast.expr, own: str) -> bool:
    """`self.name`."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == own


def _assigned(statement: ast.stmt, own: str) -> tuple[ast.Attribute, ast.expr] | None:
    target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    if not isinstance(statement, ast.Assign) or not isinstance(target, ast.Attribute) or not _is_own(target, own):
        return None
    return target, statement.value


def _text(value: ast.expr) -> str:
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else ""


def _blocks(nodes: Iterable[ast.AST]) -> Iterator[list[ast.stmt]]:
    """Every list of statements of these."""
    for one in nodes:
        for name in ("body", "orelse", "finalbody"):
            block = getattr(one, name, None)
            if isinstance(block, list) and block:
                yield block


def _words(methods: list[_Method]) -> _Words:
    """The attributes that only ever hold one of several words, and these."""
    found: dict[str, set[str]] = {}
    for one in methods:
        for each in one.sets:
            if text := _text(each.value):
                found.setdefault(each.target.attr, set()).add(text)
    if not any(len(texts) > 1 for texts in found.values()):
        return {}
    plain = {id(each.target) for one in methods for each in one.sets if _text(each.value)}
    others = {one.attr for method in methods for one in method.stored if id(one) not in plain}
    return {name: frozenset(texts) for name, texts in found.items() if len(texts) > 1 and name not in others}


def _tagged(methods: list[_Method], words: _Words) -> dict[str, str]:
    """The attributes that are set beside a word wherever they are set, and the attribute that holds the word."""
    sets = {id(each.target): each for one in methods for each in one.sets}
    found: dict[str, str] = {}
    for name in {each.attr for one in methods for each in one.stored} - set(words):
        known = [sets.get(id(each)) for one in methods for each in one.stored if each.attr == name]
        for word in words:
            if len(known) > 1 and all(each is not None and word in each.beside for each in known):
                found[name] = word
    return found


class _Reads:
    """Goes through a method and knows at each read which words can be meant."""

    def __init__(self, own: str, words: _Words, tagged: Mapping[str, str]) -> None:
        self._own = own
        self._words = words
        self._tagged = tagged

    def of(self, block: list[ast.stmt], meant: _Words | None = None) -> Iterator[tuple[ast.Attribute, str]]:
        """The reads in a block where one word alone can be meant."""
        changed = Counter(one.attr for part in block for one in ast.walk(part) if _is_set(one))
        meant = {word: texts for word, texts in (meant or {}).items() if not changed[word]}
        pairs = [_assigned(one, self._own) for one in block]
        written = {
            target.attr: frozenset({_text(value)})
            for target, value in filter(None, pairs)
            if target.attr in self._words and changed[target.attr] == 1
        }
        for statement, pair in zip(block, pairs):
            yield from self._statement(statement, meant)
            word = self._tagged.get(pair[0].attr, "") if pair is not None else ""
            if word in written:  # from here on the attribute holds what goes with the word
                meant = {**meant, word: written[word]}

    def _statement(self, statement: ast.stmt, meant: _Words) -> Iterator[tuple[ast.Attribute, str]]:
        changed = {one.attr for one in ast.walk(statement) if _is_set(one)}
        if isinstance(statement, ast.If):
            yield from self._read(statement.test, meant)
            holds, fails = self._asked(statement.test, meant)
            yield from self.of(statement.body, holds)
            yield from self.of(statement.orelse, fails)
            return
        inner = list(_own_blocks(statement))
        kept = {word: texts for word, texts in meant.items() if not inner or word not in changed}
        for block in inner:
            yield from self.of(block, kept)
        for part in ast.iter_child_nodes(statement):
            if isinstance(part, ast.expr):
                yield from self._read(part, kept)

    def _asked(self, test: ast.expr, meant: _Words) -> tuple[_Words, _Words]:
        """What can be meant where a test holds, and where it fails."""
        if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.left, ast.Attribute):
            return meant, meant
        word, text = test.left.attr, _text(test.comparators[0])
        if word not in self._words or text not in self._words[word] or not _is_own(test.left, self._own):
            return meant, meant
        before = meant.get(word, self._words[word])
        same, other = {**meant, word: frozenset({text})}, {**meant, word: before - {text}}
        if isinstance(test.ops[0], ast.Eq):
            return same, other
        return (other, same) if isinstance(test.ops[0], ast.NotEq) else (meant, meant)

    def _read(self, part: ast.expr, meant: _Words) -> Iterator[tuple[ast.Attribute, str]]:
        for one in ast.walk(part):
            if isinstance(one, ast.Attribute) and not _is_set(one) and _is_own(one, self._own):
                texts = meant.get(self._tagged.get(one.attr, ""), frozenset())
                if len(texts) == 1:
                    yield one, _name(one, min(texts))


def _is_set(node: ast.AST) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)


def _own_blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks of one compound statement; a function or class inside may run at another time."""
    if isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
        return
    for owner in (statement, *getattr(statement, "handlers", ())):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(owner, name, None)
            if isinstance(block, list) and block:
                yield block
