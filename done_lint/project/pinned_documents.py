"""Documents of a project that install an older release of the project itself: their code is for that release."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping

from done_lint.core.paths import DOCUMENTS

_INSTALLS = re.compile(rb"pip3? install[^\n\"']*?[\s]([A-Za-z][\w.-]*)==([\w.]+)")


def pinned_documents(root: str, paths: Iterable[str], read: Callable[[str], bytes | None]) -> Mapping[str, str]:
    """By document, why it is for another release: `pip install maze==1.2` in a project with the package `maze`.

    Args:
        root: of the project.
        paths: its files.
        read: the bytes of a file, if it can be read.
    """
    paths = list(paths)
    installs = {path: _INSTALLS.findall(read(path) or b"") for path in paths if path.endswith(DOCUMENTS)}
    own = {_name(package) for package in _packages(root, paths)} if any(installs.values()) else set()
    found: dict[str, str] = {}
    for path, named in installs.items():
        for package, release in named:
            if _name(package.decode()) in own:
                found[path] = f"it installs {package.decode()} {release.decode()}"
    return found


def _packages(root: str, paths: Iterable[str]) -> Iterable[str]:
    """The packages that the project has at its root, or in `src`."""
    for path in paths:
        folder, name = os.path.split(path)
        if name == "__init__.py" and os.path.dirname(folder) in (root, os.path.join(root, "src")):
            yield os.path.basename(folder)


def _name(package: str) -> str:
    """A name of a distribution or a package, as both are compared."""
    return re.sub(r"[-_.]+", "-", package).lower()
