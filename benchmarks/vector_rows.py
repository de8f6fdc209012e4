"""Whether vector programs keep their rows: as they were, under Gymnasium 0.29, against what `fix` makes of them.

    python benchmarks/vector_rows.py CHECKOUT --old FOLDER_WITH_GYMNASIUM_0.29 [--python PYTHON] [--only NAME ...]

CHECKOUT holds single-file training scripts of these names, in one folder, and what they import. PYTHON has Gymnasium,
numpy and torch; the old release comes before it on the path, so that both runs share everything else. A copy is fixed
with `--target-version 1.4`; every run has the same seed. `record_rows.py` writes down what the steps and resets of the
vector environments return and what is put into the buffer, as digests of all bits, and the episodes that are logged.
Fetches nothing: `pip install --no-deps --target FOLDER gymnasium==0.29.1` makes the folder.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

RECORDER = Path(__file__).with_name("record_rows.py")
_LEARNING = ("learning_starts=150", "batch_size=32", "buffer_size=2000", "cuda=False")
_ON_POLICY = ("num_steps=128", "num_minibatches=4", "update_epochs=1", "num_envs=2", "cuda=False")
_PENDULUM = "env_id='Pendulum-v1'"
#: The scripts, and what they are run with.
SCRIPTS = {
    "ppo": (*_ON_POLICY, "total_timesteps=2048"),
    "ppo_continuous_action": (*_ON_POLICY, _PENDULUM, "total_timesteps=1024"),
    "rpo_continuous_action": (*_ON_POLICY, _PENDULUM, "total_timesteps=1024"),
    "dqn": (*_LEARNING, "num_envs=1", "total_timesteps=1500"),
    "c51": (*_LEARNING, "num_envs=1", "total_timesteps=700"),
    "ddpg_continuous_action": (*_LEARNING, _PENDULUM, "total_timesteps=450"),
    "td3_continuous_action": (*_LEARNING, _PENDULUM, "num_envs=2", "total_timesteps=450"),
    "sac_continuous_action": (*_LEARNING, _PENDULUM, "num_envs=2", "total_timesteps=450"),
}


def recorded(python: str, script: Path, record: Path, old: str) -> dict[str, Any]:
    """Run one script and read its record; `old` is put before everything else on the path."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": old, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [python, str(RECORDER), str(record), str(script), *SCRIPTS[script.stem]]
    done = subprocess.run(
        command, env=environment, cwd=record.parent, capture_output=True, text=True, timeout=1800, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    found: dict[str, Any] = json.loads(record.read_text(encoding="utf-8"))
    return found


def fixed_copy(checkout: Path, folder: Path) -> Path:
    """A copy of the checkout after `fix`."""
    copy = folder / "fixed"
    shutil.copytree(checkout, copy, ignore=lambda _, names: [one for one in names if one.startswith(".")])
    command = [sys.executable, "-m", "done_lint", "fix", "--no-cache", "--target-version", "1.4", "--exit-zero"]
    done = subprocess.run([*command, "."], cwd=copy, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return copy


def same_episodes(old: list[list[Any]], new: list[list[Any]]) -> bool:
    """Whether the same episodes are logged; Gymnasium 0.29 adds their rewards up in single precision."""
    pairs = zip(old, new)
    return len(old) == len(new) and all(
        (one[0], one[2]) == (other[0], other[2]) and math.isclose(one[1], other[1], rel_tol=1e-6)
        for one, other in pairs
    )


def main() -> None:
    """Compare and print a row for each script."""
    parser = argparse.ArgumentParser(description="Do vector programs keep their rows?")
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--old", required=True, help="a folder with Gymnasium 0.29")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--only", nargs="+", choices=SCRIPTS, default=list(SCRIPTS))
    options = parser.parse_args()
    differ = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy = fixed_copy(options.checkout.resolve(), folder)
        for script in options.only:
            (path,) = (one.relative_to(copy) for one in copy.glob(f"*/{script}.py"))
            old = recorded(options.python, options.checkout.resolve() / path, folder / "old.json", options.old)
            new = recorded(options.python, copy / path, folder / "new.json", "")
            rows, episodes = old["rows"] == new["rows"], same_episodes(old["episodes"], new["episodes"])
            differ += not (rows and episodes)
            print(
                f"{script:24} {old['gymnasium']} and {new['gymnasium']}: {len(old['rows'])} rows "
                f"{'equal' if rows else 'DIFFER'}, {len(old['episodes']) // 2} episodes "
                f"{'equal' if episodes else 'DIFFER'}",
                flush=True,
            )
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
