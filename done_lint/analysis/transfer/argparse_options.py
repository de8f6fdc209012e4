"""What `argparse` and `tyro` make of a program's options: the defaults that the code declares."""

from __future__ import annotations

from done_lint.analysis.calls import Call
from done_lint.analysis.context import Analysis, AttributeRule, CallRule
from done_lint.analysis.transfer.sequences import elements_into
from done_lint.analysis.values import (
    Object,
    Parser,
    ParserMethod,
    Shape,
    Text,
    Value,
)
from done_lint.flowgraph.keys import IndexKey, TextKey

#: Methods of a parser whose result adds options to the same namespace.
_PARTS = frozenset({"add_argument_group", "add_mutually_exclusive_group", "add_subparsers", "add_parser"})
_PARSER = "argparse.ArgumentParser"
#: The action of an option that is on until it is given.
_OFF = "store_false"
#: Calls that fill an instance of the class they are given.
_FILLING = frozenset({"tyro.cli", "simple_parsing.parse"})


def is_command_line(dotted: str) -> bool:
    """Whether `command_line_call` knows what is called."""
    return dotted == _PARSER or dotted in _FILLING


def command_line_call(at: Analysis, dotted: str, call: Call) -> bool:
    """A parser is made, or a class of options filled."""
    if dotted == _PARSER:
        at.put(call.result, Parser(call.result))
    elif dotted in _FILLING and call.args and call.args[0].node:
        made = Call(call.survey, [], (), [], call.result, call.site)
        at.solver.watch(call.args[0].node, lambda number: at.call(number, made))
    else:
        return False
    return True


def attribute_of_parser(at: Analysis, number: int, name: str, target: int, source: int) -> None:
    at.put(target, ParserMethod(number, name))


def call_parser_method(at: Analysis, number: int, call: Call) -> None:
    method = at.solver.get(number, ParserMethod)
    name = method.name
    options = at.solver.intern(Object(at.solver.get(method.parser, Parser).node, Shape.RECORD))
    if name in _PARTS:
        at.solver.add(call.result, method.parser)
    elif name == "parse_args":
        at.solver.add(call.result, options)
    elif name == "parse_known_args":
        both = at.put(call.result, Object(call.result, Shape.TUPLE))
        at.solver.add(at.objects.field(both, IndexKey(0)), options)
    elif name == "set_defaults":
        for key, node, _ in call.named:
            if key and node:
                at.solver.edge(node, at.objects.field(options, TextKey(key)))
    elif name == "add_argument":
        _add_argument(at, options, call)


def _add_argument(at: Analysis, options: int, call: Call) -> None:
    """An option has its default, or one of its choices."""
    default, choices = call.keyword("default"), call.keyword("choices")
    action = call.keyword("action")
    if not default and action and any(text.text == _OFF for text in at.solver.values(action, Text)):
        default = action  # it is true until it is given, as the word is
    if not (default or choices) or not (option := _option(at, call)):
        return
    value = at.objects.field(options, TextKey(option))
    if default:
        at.solver.edge(default, value)
    if choices:
        at.solver.watch(choices, elements_into(at, choices, value))


def _option(at: Analysis, call: Call) -> str:
    """The attribute that an option becomes: `dest`, else the first long name, else the first."""
    dest = [node for key, node, _ in call.named if key == "dest"]
    spelled = [text.text for node in dest or [n for n, _ in call.args] for text in at.solver.values(node, Text)]
    name = next((one for one in spelled if one.startswith("--")), spelled[0] if spelled else "")
    return name if dest else name.lstrip("-").replace("-", "_")


ATTRIBUTES: dict[type[Value], AttributeRule] = {Parser: attribute_of_parser}
CALLS: dict[type[Value], CallRule] = {ParserMethod: call_parser_method}
