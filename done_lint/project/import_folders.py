"""Folders that programs add to those where Python looks for modules: `sys.path.append("../lib")`."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping

from done_lint.core.ast_walk import walked
from done_lint.core.paths import slashed

_PATH = "sys.path"
_ADDS = re.compile(rb"\bsys\.path\s*(?:\+=|\.\s*(?:append|extend|insert)\b)")


def may_add(data: bytes) -> bool:
    """Whether a file may add a folder."""
    return _PATH.encode() in data and _ADDS.search(data) is not None


def added_folders(tree: ast.Module, text: str) -> tuple[str, ...]:
    """The folders that a file adds, relative to its own one as far as they can be seen, each once."""
    if _PATH not in text:
        return ()
    bound: dict[str, ast.expr] = {}
    given: list[ast.expr] = []
    for node in walked(tree):
        if isinstance(node, ast.Assign):
            bound.update((one.id, node.value) for one in node.targets if isinstance(one, ast.Name))
        elif isinstance(node, ast.AugAssign) and _is_search_path(node.target):
            given += _items(node.value)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is_search_path(node.func.value):
            given += _given(node.func.attr, node.args)
    ends = _Ends(bound)
    return tuple(dict.fromkeys(_joined([ends.of(one)]) for one in given))


def _is_search_path(value: ast.expr) -> bool:
    return (
        isinstance(value, ast.Attribute)
        and value.attr == "path"
        and isinstance(value.value, ast.Name)
        and value.value.id == "sys"
    )


def _given(method: str, arguments: list[ast.expr]) -> list[ast.expr]:
    """What a method of the list of folders is given."""
    if method == "extend" and arguments:
        return _items(arguments[0])
    return arguments[-1:] if method in ("append", "insert") else []


def _items(value: ast.expr) -> list[ast.expr]:
    return value.elts if isinstance(value, (ast.List, ast.Tuple)) else []


class _Ends:
    """The ends of the paths that expressions show; what cannot be seen is the folder of the file.

    In `os.path.join(root, "lib")` that is `lib`, and in `dirname(dirname(__file__))` it is `..`.
    """

    def __init__(self, bound: Mapping[str, ast.expr]) -> None:
        """`bound` is what names are bound to."""
        self._bound = bound
        #: The names that are being followed.
        self._open: set[str] = set()

    def of(self, value: ast.expr) -> str:
        """The end of one path."""
        if isinstance(value, ast.Constant):
            return value.value.replace("\\", "/").strip("/") if isinstance(value.value, str) else ""
        if isinstance(value, ast.Name):
            return self._of_name(value.id)
        if isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Add, ast.Div)):
            return _joined([self.of(value.left), self.of(value.right)])
        if isinstance(value, ast.JoinedStr) and value.values:
            return self.of(value.values[-1])
        if isinstance(value, ast.Attribute) and value.attr == "parent":
            return _joined([self.of(value.value), ".."])
        return self._of_call(value) if isinstance(value, ast.Call) else ""

    def _of_name(self, name: str) -> str:
        if name == "__file__":
            return "_"
        if name in self._open or name not in self._bound:
            return ""
        self._open.add(name)
        found = self.of(self._bound[name])
        self._open.remove(name)
        return found

    def _of_call(self, call: ast.Call) -> str:
        """Of what a call gives: of `abspath(path)` and `path.resolve()` the path, of `join` its parts."""
        function = call.func
        if call.args:
            name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            return _joined([*map(self.of, call.args), ".." if name == "dirname" else ""])
        return self.of(function.value) if isinstance(function, ast.Attribute) else ""


def _joined(parts: Iterable[str]) -> str:
    """Parts of a path as one; an empty one cannot be seen."""
    path = posixpath.normpath("/".join(part for part in parts if part) or ".")
    return "" if path == "." else path


class ImportFolders:
    """Where the files of each folder find modules, besides the folders around them.

    The list of folders belongs to the program: what stands in an added folder finds the modules beside the script.
    """

    def __init__(self, paths: Iterable[str], root: str, added: Mapping[str, Iterable[str]]) -> None:
        """Find the folders.

        Args:
            paths: of all files of the project.
            root: its folder.
            added: what files add, by path (see `added_folders`).
        """
        self._beside: dict[str, list[str]] = {}
        self._scripts: dict[str, list[str]] = {}
        self._root = slashed(root).rstrip("/")
        wanted = {path: folders for path, folders in added.items() if folders}
        if not wanted:
            return
        root = self._root
        known = {posixpath.dirname(slashed(path)) for path in paths}
        known |= {one for folder in known for one in upward(folder, root)}
        for path, folders in sorted(wanted.items()):
            here = posixpath.dirname(slashed(path))
            places = list(upward(here, root))
            for folder in folders:
                found = (posixpath.normpath(f"{place}/{folder}") for place in places if folder)
                chosen = next((one for one in found if one in known), None)
                if chosen is not None and chosen not in places:
                    _note(self._beside, here, chosen)
                    _note(self._scripts, chosen, here)

    def beside(self, folder: str) -> list[str]:
        """The folders that the scripts in a folder add."""
        return self._beside.get(folder, [])

    def scripts(self, folder: str) -> list[str]:
        """The folders of the scripts that add a folder."""
        return self._scripts.get(folder, [])


def _note(found: dict[str, list[str]], folder: str, other: str) -> None:
    known = found.setdefault(folder, [])
    if other not in known:
        known.append(other)


def upward(folder: str, root: str) -> Iterator[str]:
    """A folder and those around it in the project, nearest first."""
    while not root or folder == root or folder.startswith(f"{root}/"):
        yield folder
        if folder in (root, "/", ""):
            return
        folder = posixpath.dirname(folder)
