"""What `argparse` and `tyro` make of a program's options: the defaults that the code declares."""

from __future__ import annotations

from done_lint.analysis.program import Call
from done_lint.analysis.transfer.calls import Calls
from done_lint.analysis.values import Object, Parser, ParserMethod, Shape, Text
from done_lint.flowgraph.keys import IndexKey, TextKey

#: Methods of a parser whose result adds options to the same namespace.
_PARTS = frozenset({"add_argument_group", "add_mutually_exclusive_group", "add_subparsers", "add_parser"})
_PARSER = "argparse.ArgumentParser"
#: Calls that fill an instance of the class they are given.
_FILLING = frozenset({"tyro.cli", "simple_parsing.parse"})


class CommandLine(Calls):
    """The part of the solver in which the default of an option reaches `args.option`."""

    def is_command_line(self, dotted: str) -> bool:
        """Whether `command_line_call` knows what is called."""
        return dotted == _PARSER or dotted in _FILLING

    def command_line_call(self, dotted: str, call: Call) -> bool:
        """A parser is made, or a class of options filled."""
        if dotted == _PARSER:
            self.add(call.result, self.intern(Parser(call.result)))
        elif dotted in _FILLING and call.args and call.args[0].node:
            made = Call(call.survey, [], (), [], call.result, call.site)
            self.watch(call.args[0].node, lambda number: self.call(number, made))
        else:
            return False
        return True

    def a_parser(self, number: int, name: str, target: int, source: int) -> None:
        self.add(target, self.intern(ParserMethod(number, name)))

    def c_parsermethod(self, number: int, call: Call) -> None:
        method = self.get(number, ParserMethod)
        name = method.name
        options = self.intern(Object(self.get(method.parser, Parser).node, Shape.RECORD))
        if name in _PARTS:
            self.add(call.result, method.parser)
        elif name == "parse_args":
            self.add(call.result, options)
        elif name == "parse_known_args":
            both = self.intern(Object(call.result, Shape.TUPLE))
            self.add(call.result, both)
            self.add(self.field(both, IndexKey(0)), options)
        elif name == "set_defaults":
            for key, node, _ in call.named:
                if key and node:
                    self.edge(node, self.field(options, TextKey(key)))
        elif name == "add_argument":
            default = call.keyword("default")
            if default and (option := self._option(call)):
                self.edge(default, self.field(options, TextKey(option)))

    def _option(self, call: Call) -> str:
        """The attribute that an option becomes: `dest`, else the first long name, else the first."""
        dest = [node for key, node, _ in call.named if key == "dest"]
        spelled = [text.text for node in dest or [n for n, _ in call.args] for text in self.values(node, Text)]
        name = next((one for one in spelled if one.startswith("--")), spelled[0] if spelled else "")
        return name if dest else name.lstrip("-").replace("-", "_")
