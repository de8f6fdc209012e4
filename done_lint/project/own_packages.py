"""Whether a package that a file imports is the project's own, though another one has its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator


def is_own(package: str, imported: Iterable[str], is_found: Callable[[str], bool]) -> bool:
    """Whether what a file imports of a package is the project's: a package, or all of it in a folder that is none.

    Such a folder hides no installed package, which has what is not found in it.

    Args:
        package: its name.
        imported: the modules that the file imports, dotted; the last name may be something in a module.
        is_found: whether a file of the project is the module of a dotted name.
    """
    if is_found(package):
        return True
    modules = [one for one in imported if one.partition(".")[0] == package]
    found = set(filter(is_found, modules))
    # `from folder.module import name` names the folder, and what may be a module or not
    around = {start for one in found for start in _beginnings(one)}
    return bool(found) and all(one in around or one.rpartition(".")[0] in found for one in modules)


def _beginnings(module: str) -> Iterator[str]:
    """The modules around one, and itself: `a`, `a.b`, `a.b.c`."""
    parts = module.split(".")
    return (".".join(parts[:end]) for end in range(1, len(parts) + 1))
