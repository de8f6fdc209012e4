"""Runs Python programs as processes of their own that need not start: see `fork_server.py`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: What of `PYTHON...` variables has an effect on a program that runs already.
_LATE = {"PYTHONPATH", "PYTHONUTF8", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}


class Forks:
    """Programs that begin with some modules imported."""

    def __init__(self, *modules: str) -> None:
        """Start the process that they are forks of, which ends with this one."""
        # a process with several threads is no good to fork
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "OPENBLAS_NUM_THREADS": "1"}
        command = [sys.executable, str(Path(__file__).parent / "fork_server.py"), *modules]
        self._server = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(
        self, folder: Path, arguments: list[str], environment: Mapping[str, str], stdin: bytes
    ) -> subprocess.CompletedProcess[bytes]:
        """Run what `python ARGUMENT ...` runs in a folder."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        with tempfile.TemporaryDirectory() as streams:
            paths = [os.path.join(streams, name) for name in ("stdin", "stdout", "stderr")]
            for path, content in zip(paths, (stdin, b"", b"")):
                Path(path).write_bytes(content)
            request = {
                "folder": str(folder),
                "arguments": arguments,
                "environment": dict(environment),
                "streams": paths,
            }
            self._server.stdin.write(json.dumps(request).encode() + b"\n")
            self._server.stdin.flush()
            status = int(self._server.stdout.readline())
            stdout, stderr = (Path(path).read_bytes() for path in paths[1:])
        return subprocess.CompletedProcess(arguments, status, stdout, stderr)


@cache
def _forks(*modules: str) -> Forks:
    return Forks(*modules)


def forked(
    folder: Path,
    *arguments: str,
    modules: tuple[str, ...],
    environment: Mapping[str, str],
    stdin: bytes = b"",
) -> subprocess.CompletedProcess[str]:
    """Run `python ARGUMENT ...` in a folder, with these modules imported already; output is decoded as UTF-8.

    The arguments begin with `-m`, `-c` or a script. Where a system has no `fork`, or a variable tells the interpreter
    how to start, it is a process like any other.
    """
    given = {name for name, value in environment.items() if os.environ.get(name) != value}
    if hasattr(os, "fork") and not any(name.startswith("PYTHON") for name in given - _LATE):
        result = _forks(*modules).run(folder, [*arguments], environment, stdin)
    else:
        result = subprocess.run(
            [sys.executable, *arguments],
            cwd=folder,
            env=environment,
            input=stdin,
            capture_output=True,
            timeout=120,
            check=False,
        )
    stdout, stderr = result.stdout.decode(), result.stderr.decode()
    return subprocess.CompletedProcess(result.args, result.returncode, stdout, stderr)
