"""Runs done-lint as a user does: as a process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

#: Two findings (GYM401 and GYM101), both with a safe fix, of which one run mends both.
OLD = """\
import gym

env = gym.make("CartPole-v1")
done = False
while not done:
    obs, reward, done, info = env.step(env.action_space.sample())
"""

CLEAN = """\
import gymnasium as gym

env = gym.make("CartPole-v1")
obs, info = env.reset()
done = False
while not done:
    obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
    done = terminated or truncated
"""


def done_lint(
    folder: Path, *arguments: str, stdin: bytes | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command of this checkout in a folder; output is decoded as UTF-8, newlines as they are."""
    result = subprocess.run(
        [sys.executable, "-m", "done_lint", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **(env or {})},
        input=stdin,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert b"Traceback" not in result.stderr, result.stderr.decode()
    stdout, stderr = result.stdout.decode(), result.stderr.decode()
    return subprocess.CompletedProcess(result.args, result.returncode, stdout, stderr)
