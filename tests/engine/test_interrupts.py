"""An interrupt ends the command at once: exit status 130, one line, no process left, no file half written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from command import OLD, ROOT

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads the processes from /proc")

#: More than a fast machine needs for anything here; only a process that hangs takes so long.
PATIENCE = 60.0
Started = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """So many files that the command starts worker processes."""
    folder = tmp_path_factory.mktemp("tree")
    body = OLD + "".join(f"\ndef helper_{n}(x):\n    return [x * {n}, x + {n}]\n" for n in range(100))
    for number in range(150):
        (folder / f"train_{number}.py").write_text(body)
    return folder


@pytest.fixture
def start() -> Iterator[Started]:
    """Start a Python process as the leader of a group of its own, as a shell does; none of it is left behind."""
    started: list[subprocess.Popen[str]] = []

    def run(*arguments: str, cwd: Path | None = None) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        started.append(process)
        return process

    yield run
    for process in started:
        for member in members(process.pid):
            os.kill(member, signal.SIGKILL)
        process.communicate()


def members(group: int) -> set[int]:
    """The processes of a group that have not ended."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, _, of_group = (entry / "stat").read_text().rpartition(")")[2].split()[:3]
            except OSError:
                continue  # it ended meanwhile
            if int(of_group) == group and state not in "ZX":
                found.add(int(entry.name))
    return found


def until(condition: Callable[[], bool]) -> bool:
    """Wait until a condition holds; whether it ever did."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def run_with_workers(start: Started, tree: Path, command: str) -> subprocess.Popen[str]:
    """A run on the tree whose worker processes have started."""
    program = (
        "import sys\nfrom done_lint import __main__\nfrom done_lint.engine import workers\n"
        "workers.processors = lambda: 2\n"
        f"sys.argv = ['done-lint', {command!r}, '.']\n"
        "__main__.main()\n"
    )
    process = start("-c", program, cwd=tree)
    assert until(lambda: len(members(process.pid)) > 1)
    return process


@pytest.mark.parametrize("command", ["check", "fix"])
@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("send", [os.kill, os.killpg], ids=["to the command alone", "to all of its processes"])
def test_an_interrupt_ends_the_command_and_its_workers(
    start: Started, tree: Path, command: str, times: int, send: Callable[[int, int], None]
) -> None:
    before = {path: path.read_text() for path in tree.iterdir()}
    process = run_with_workers(start, tree, command)
    for _ in range(times):
        send(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=PATIENCE)
    assert (process.returncode, stdout, stderr) == (130, "", "interrupted\n")
    assert until(lambda: not members(process.pid))
    assert {path: path.read_text() for path in tree.iterdir()} == before


def test_a_request_to_terminate_ends_it_as_well(start: Started, tree: Path) -> None:
    process = run_with_workers(start, tree, "check")
    process.terminate()
    _, stderr = process.communicate(timeout=PATIENCE)
    assert (process.returncode, stderr) == (143, "terminated\n")
    assert until(lambda: not members(process.pid))


def test_workers_do_not_outlive_a_command_that_was_killed(start: Started, tree: Path) -> None:
    process = run_with_workers(start, tree, "check")
    process.kill()
    process.wait(PATIENCE)
    assert until(lambda: not members(process.pid))


def test_what_must_not_be_half_done_is_completed_first(start: Started) -> None:
    program = (
        "import os, signal\nfrom done_lint.core import interrupts\n"
        "interrupts.install()\n"
        "with interrupts.delayed():\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    print('completed', flush=True)\n"
        "print('and gone on', flush=True)\n"
    )
    process = start("-c", program)
    stdout, stderr = process.communicate(timeout=PATIENCE)
    assert (process.returncode, stdout, stderr) == (130, "completed\n", "interrupted\n")


def test_a_file_is_written_whole_before_an_interrupt_ends_the_command(start: Started, tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text(OLD)
    program = (
        "import os, signal, sys\nfrom done_lint import __main__\n"
        "rename = os.replace\n"
        "def interrupted(*arguments):\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    rename(*arguments)\n"
        "os.replace = interrupted\n"
        "sys.argv = ['done-lint', 'fix', 'old.py']\n"
        "__main__.main()\n"
    )
    process = start("-c", program, cwd=tmp_path)
    _, stderr = process.communicate(timeout=PATIENCE)
    assert (process.returncode, stderr) == (130, "interrupted\n")
    assert [path.name for path in tmp_path.iterdir()] == ["old.py"]
    assert (tmp_path / "old.py").read_text().startswith("import gymnasium as gym\n")


def test_a_signal_that_the_shell_ignores_stays_ignored(start: Started) -> None:
    program = (
        "import os, signal\nfrom done_lint.core import interrupts\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "interrupts.install()\n"
        "os.kill(os.getpid(), signal.SIGINT)\n"
        "print('gone on')\n"
    )
    process = start("-c", program)
    assert process.communicate(timeout=PATIENCE) == ("gone on\n", "")
