"""`check`: exit status, settings, comments and the files that are checked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from command import LEARNER, OLD, ROOT, TRAIN, done_lint

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

#: Right with PettingZoo 1.22, whose `reset` returns the observations alone.
PARALLEL = """\
from pettingzoo.mpe import simple_spread_v3

env = simple_spread_v3.parallel_env()
observations = env.reset()
while env.agents:
    actions = {agent: env.action_space(agent).sample() for agent in env.agents}
    observations, rewards, terminations, truncations, infos = env.step(actions)
"""


def test_findings_are_exit_1_and_a_clean_file_is_exit_0(folder: Path) -> None:
    assert done_lint(folder, "check", "old.py").returncode == 1
    result = done_lint(folder, "check", "clean.py")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "No findings in 1 file.\n")


def test_the_current_folder_is_checked_when_no_path_is_given(folder: Path) -> None:
    assert done_lint(folder, "check").stdout == done_lint(folder, "check", ".").stdout != ""


def test_the_same_is_reported_of_a_file_whichever_paths_were_given(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").touch()
    (tmp_path / "train.py").write_text(TRAIN.replace("from learner", "from pkg.learner"))
    (tmp_path / "pkg" / "learner.py").write_text(LEARNER)

    def reported(*paths: str) -> list[str]:
        # fixes differ: only the files that were given are changed
        text = done_lint(tmp_path, "check", "--output-format", "concise", *paths).stdout
        return text.replace(" [*]", "").splitlines()

    both = reported()
    assert reported("train.py") == [row for row in both if row.startswith("train.py")] != []
    assert reported("pkg/learner.py") == [row for row in both if row.startswith("pkg/learner.py")] != []
    assert reported("pkg") == reported("pkg/learner.py")


def test_select_ignore_and_extend_select_take_prefixes(folder: Path) -> None:
    def codes(*arguments: str) -> list[str]:
        rows = done_lint(folder, "check", "--output-format", "concise", *arguments).stdout.splitlines()
        return [row.split()[1] for row in rows]

    assert codes("--select", "GYM1") == ["GYM101"]
    assert codes("--select", "GYM2,GYM4") == ["GYM401"]
    assert codes("--select", "GYM2", "--extend-select", "GYM10") == ["GYM101"]
    assert codes("--ignore", "GYM101") == ["GYM401"]
    assert codes("--select", "ALL") == ["GYM401", "GYM101"]
    assert codes("--select", "four-value-step") == codes("--select", "gym101") == ["GYM101"]
    assert codes("--ignore", "gym401") == ["GYM101"]
    assert codes("--per-file-ignores", "o*.py:GYM4,clean.py:GYM1") == ["GYM101"]


def test_the_configuration_is_found_and_isolated_ignores_it(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[tool.done-lint]\nignore = ["GYM4"]\n')
    assert "GYM401" not in done_lint(folder, "check").stdout
    assert "GYM401" in done_lint(folder, "check", "--isolated").stdout
    (folder / "other.toml").write_text('ignore = ["GYM1"]\n')
    other = done_lint(folder, "check", "--config", "other.toml").stdout
    assert "GYM401" in other
    assert "GYM101" not in other


def test_excluded_files_are_not_checked_unless_given_and_not_even_then_with_force_exclude(folder: Path) -> None:
    assert done_lint(folder, "check", "--exclude", "old.py").returncode == 0
    assert done_lint(folder, "check", "--exclude", "old.py", "old.py").returncode == 1
    assert done_lint(folder, "check", "--exclude", "old.py", "--force-exclude", "old.py").returncode == 0


def test_exit_zero_hides_findings_from_the_exit_status_but_no_wrong_call(folder: Path) -> None:
    result = done_lint(folder, "check", "--exit-zero")
    assert result.returncode == 0
    assert "GYM101" in result.stdout
    assert done_lint(folder, "check", "--exit-zero", "missing.py").returncode == 2


def test_quiet_prints_findings_only_and_verbose_says_which_settings_are_used(folder: Path) -> None:
    quiet = done_lint(folder, "check", "-q")
    assert "GYM101" in quiet.stdout
    assert quiet.stderr == ""
    (folder / "done-lint.toml").touch()
    assert "2 files, settings from done-lint.toml" in done_lint(folder, "check", "-v").stderr


def test_verbose_and_show_settings_name_the_releases_and_where_they_come_from(folder: Path) -> None:
    (folder / "done-lint.toml").write_text('ignore = ["GYM1"]\n[per-file-ignores]\n"a.py" = ["GYM2"]\n')
    (folder / "requirements.txt").write_text("numpy\ngymnasium>=0.28\n")
    (folder / "inside").mkdir()
    (folder / "inside" / "old.py").touch()
    (folder / "inside" / "setup.py").write_text("setup(install_requires=['gymnasium<1'])\n")
    wanted = "Gymnasium 0.28 (requirements.txt:2) to 1.4 (the newest)"
    verbose = done_lint(folder, "check", "-v").stderr
    assert wanted in verbose
    assert "inside: Gymnasium 0.29 (inside/setup.py:1)" in verbose
    shown = done_lint(folder, "check", "--show-settings")
    assert shown.returncode == 0
    assert wanted in shown.stdout
    assert tomllib.loads(shown.stdout)["per-file-ignores"] == {"a.py": ["GYM2"]}
    assert 'ignore = ["GYM1"]' in shown.stdout
    again = done_lint(folder, "check", "--show-settings", "--target-version", "1.1").stdout
    assert "Gymnasium 1.1 (--target-version)" in again
    assert tomllib.loads(again)["target-version"] == "1.1"


def test_the_settings_name_a_script_that_says_what_it_needs(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text("gymnasium==0.29.1\n")
    (tmp_path / "other.py").write_text("import gymnasium\n")
    block = '# /// script\n# dependencies = ["gymnasium>=1.0"]\n# ///\n'
    (tmp_path / "train.py").write_text(f"{block}import gymnasium\n")
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "requirements.txt").write_text("gymnasium==0.28.1\n")
    # what it needs is said by its folder alone
    (tmp_path / "old" / "play.py").write_text(f"{block.replace('gymnasium>=1.0', 'numpy')}import gymnasium\n")
    for shown in (done_lint(tmp_path, "check", "--show-settings").stdout, done_lint(tmp_path, "check", "-v").stderr):
        assert "train.py: Gymnasium 1.0 (train.py:2) to 1.4 (the newest)\n" in shown
        assert "old: Gymnasium 0.28 (old/requirements.txt:1)" in shown
        assert "other.py: " not in shown
        assert "play.py: " not in shown


def test_a_silenced_finding_is_neither_reported_nor_fixed(folder: Path) -> None:
    silenced = OLD.replace("import gym", "import gym  # noqa: GYM401").replace("sample())", "sample())  # noqa: GYM101")
    (folder / "old.py").write_text(silenced)
    assert done_lint(folder, "check").returncode == 0
    assert done_lint(folder, "fix").returncode == 0
    assert (folder / "old.py").read_text() == silenced
    (folder / "old.py").write_text(f"# done-lint: skip-file\n{OLD}")
    assert done_lint(folder, "check").returncode == 0


def test_a_comment_that_cannot_be_meant_is_one_warning_and_changes_no_exit_status(folder: Path) -> None:
    (folder / "old.py").write_text("x = 1  # noqa: GYM999\n# done-lint: skip-fil\n")
    for command in (["check"], ["fix"], ["fix", "--diff"]):
        result = done_lint(folder, *command, "old.py")
        assert result.returncode == 0
        assert result.stderr.splitlines()[:2] == [
            "old.py:1:8: warning: `# noqa: GYM999` names the unknown code GYM999; `done-lint rule` lists all rules",
            "old.py:2:1: warning: `# done-lint: skip-fil` is not a known comment; did you mean done-lint: skip-file?",
        ]


def test_a_fixed_file_is_warned_about_once(folder: Path) -> None:
    (folder / "old.py").write_text(f"{OLD}# noqa: GYM999\n")
    result = done_lint(folder, "fix", "old.py")
    assert (folder / "old.py").read_text() != f"{OLD}# noqa: GYM999\n"
    assert result.stderr.count("warning") == 1


def test_a_file_can_be_skipped_for_some_codes(folder: Path) -> None:
    (folder / "old.py").write_text(f"# done-lint: skip-file: GYM401, GYM2\n{OLD}")
    result = done_lint(folder, "check", "--output-format", "concise", "old.py")
    assert [row.split()[1] for row in result.stdout.splitlines()] == ["GYM101"]


def test_the_output_does_not_depend_on_how_the_work_is_shared_out(tmp_path: Path) -> None:
    padding = "# " + "x" * 30_000 + "\n"
    for number in range(40):
        (tmp_path / f"old_{number:02}.py").write_text(OLD + padding)
    (tmp_path / "broken.py").write_text("import gym\nx = (\n")
    # the release that is required, and what the answer of an environment is, reach the other processes, too
    (tmp_path / "requirements.txt").write_text("pettingzoo==1.22.3\n")
    (tmp_path / "parallel.py").write_text(PARALLEL)

    def output(processes: int) -> str:
        result = done_lint(tmp_path, "check", "--no-cache", "-j", str(processes), "--output-format", "json", ".")
        assert result.returncode == 1, result.stderr
        found = "Found 80 findings in 40 files (80 fixable with done-lint fix)"
        assert result.stderr == f"{found}; 1 file could not be checked.\n"
        return result.stdout

    assert output(1) == output(3)
    assert done_lint(tmp_path, "check", "-j", "-1", ".").returncode == 2


def test_one_process_starts_no_others(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / f"old_{number:02}.py").write_text(OLD + "# " + "x" * 30_000 + "\n")
    # where processes are started, what starts them is imported
    program = (
        "import sys\nfrom done_lint.cli import main\n"
        "main(['check', '-q', '--no-cache', '-j', sys.argv[1], '--output-file', 'found', '.'], standalone_mode=False)\n"
    )
    program = program.replace("main([", "try: main([").replace("False)\n", "False)\nexcept SystemExit: pass\n")
    program += "sys.exit('concurrent.futures.process' in sys.modules)"
    runs = [
        subprocess.run(
            [sys.executable, "-c", program, jobs],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=False,
        ).returncode
        for jobs in ("1", "2")
    ]
    assert runs == [0, 1]


def test_work_can_be_shared_out_to_spawned_processes(tmp_path: Path) -> None:
    """As on macOS and Windows, and everywhere from Python 3.14 on."""
    for number in range(20):
        (tmp_path / f"old_{number:02}.py").write_text(OLD + "# " + "x" * 30_000 + "\n")
    (tmp_path / "program.txt").write_text(
        "import multiprocessing\nfrom done_lint.engine import workers\nfrom done_lint.cli import main\n"
        "if __name__ == '__main__':\n"
        "    multiprocessing.set_start_method('spawn')\n"
        "    workers.processors = lambda: 2\n"
        "    main(['check', '--statistics', '.'])\n"
    )
    result = subprocess.run(
        [sys.executable, "program.txt"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.stdout == "20  GYM101  [*]  four-value-step\n20  GYM401  [*]  gym-import\n", result.stderr
