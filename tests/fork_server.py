"""Runs Python programs as processes that begin with modules imported: a request a line comes in, exit statuses go out.

    python fork_server.py MODULE ...

`MODULE.*` is a package and all that is in it.

Each program is a fork of this process, and ends as a process of its own does: its modules, folder, environment,
arguments and streams are its own. Only the start of the interpreter and the imports are saved.
"""

from __future__ import annotations

import gc
import json
import os
import pkgutil
import runpy
import signal
import sys
from importlib import import_module
from types import ModuleType
from typing import Any

#: Seconds after which a program is stopped.
LIMIT = 120


def main() -> None:
    """Answer line by line until the input ends; in a child, become the program."""
    for name in sys.argv[1:]:
        _import(name)
    sys.dont_write_bytecode = True  # what is run may lie among the fixtures
    gc.freeze()
    del sys.path[0]  # the folder of this file
    answers = os.dup(1)
    # read byte by byte, so that a child finds nothing of the next request in a buffer
    requests = open(0, "rb", buffering=0, closefd=False)  # noqa: SIM115
    for line in iter(requests.readline, b""):
        if (child := os.fork()) == 0:
            os.close(answers)
            become(json.loads(line))
            return
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.write(answers, b"%d\n" % status)


def become(request: dict[str, Any]) -> None:
    """Run what `python ARGUMENT ...` runs."""
    signal.alarm(LIMIT)
    _open_streams(*request["streams"])
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    first, *arguments = request["arguments"]
    added = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    if first == "-m":
        name = arguments.pop(0)
        sys.path[:0] = [os.getcwd(), *added]
        sys.argv = ["-m", *arguments]
        runpy.run_module(name, run_name="__main__", alter_sys=True)
    elif first == "-c":
        text = arguments.pop(0)
        sys.path[:0] = ["", *added]
        sys.argv = ["-c", *arguments]
        sys.modules["__main__"] = module = ModuleType("__main__")
        exec(compile(text, "<string>", "exec"), module.__dict__)
    else:
        sys.path[:0] = [os.path.dirname(os.path.abspath(first)), *added]
        sys.argv = [first, *arguments]
        runpy.run_path(first, run_name="__main__")


def _import(name: str) -> None:
    package = import_module(name.removesuffix(".*"))
    if name.endswith(".*"):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                import_module(module.name)


def _open_streams(stdin: str, stdout: str, stderr: str) -> None:
    """Let the streams be these files, as they are in a process that begins with them."""
    for number, path in enumerate((stdin, stdout, stderr)):
        opened = os.open(path, os.O_RDONLY if number == 0 else os.O_WRONLY)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115


if __name__ == "__main__":
    main()
