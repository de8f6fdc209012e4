"""An unsafe fix says why it is no promise, and a finding without a fix why it has none."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from command import done_lint
from markdown_cases import CASES, cases_of, findings_in

from done_lint.core.findings import Edit, Finding, Fix
from done_lint.rewrites.outcome import Outcome, fixed, unfixed

ROOT = Path(__file__).parents[2]
RENAMED = (Edit(0, 1, "b"),)

OPENS = "it opens a window and draws every step, which needs a display and takes time"
NEW_END = "what steps the wrapper sees an end that it did not see before"
ONLY_A_NAME = "only a name shows that the environment is one of Gymnasium or Gym"
RENDERING = "the file also needs `{}envs.classic_control.rendering`, which Gymnasium does not have"

#: Rule, heading of its cases, code, reasons.
REASONS = [
    (
        "gym-import",
        "The code calls the library old",
        "GYM401",
        {f"its name `{name}` says that the old library is meant" for name in ("old_gym", "gym_021")},
    ),
    ("bare-reset", "A name alone", "GYM104", {ONLY_A_NAME}),
    (
        "bare-reset",
        "What is sent inside of a row",
        "GYM104",
        {"it is sent inside of a row, and the other end may take the pair"},
    ),
    (
        "bare-reset-return",
        "A caller takes an element of the observation",
        "GYM303",
        {"a caller may take a part of the observation by its index, and would take one of the pair, without an error"},
    ),
    (
        "done-stored",
        "Combined as an option asks",
        "GYM203",
        {
            "a branch (case.py:11) chooses between this flag and another value",
            "a branch (case.py:16) chooses between this flag and another value",
        },
    ),
    ("env-seed", "A name alone", "GYM103", {ONLY_A_NAME}),
    (
        "four-value-step",
        "Names that wait for both flags",
        "GYM101",
        {"`terminated` and `truncated` were always false here, and what reads them would get the flags"},
    ),
    (
        "four-value-return",
        "Names that say nothing of the flag or the info",
        "GYM301",
        {
            "nothing shows that `phase`, which it returns as `done`, is a truth value",
            "nothing shows that `ledger`, which it returns as info, is a dictionary",
            "nothing shows that `winner`, which it returns as `done`, is a truth value",
            "nothing shows that `state`, which it returns as info, is a dictionary",
        },
    ),
    (
        "time-limit-info",
        "The flags do not reach where the info goes",
        "GYM101",
        {"a read of `TimeLimit.truncated` cannot be changed with it, and would always be false, without an error"},
    ),
    (
        "truncation-ignored",
        "The flag is read again behind the loop",
        "GYM107",
        {"`terminated` is read behind the loop, where it was always true, and would not be after a truncation"},
    ),
    (
        "truncation-ignored",
        "A branch at the end of the body closes the episode",
        "GYM107",
        {"another branch behind the step may belong to the end of an episode too, and stays as it is"},
    ),
    (
        "truncation-ignored",
        "The next episode begins on the third value only",
        "GYM107",
        {"another branch of the loop tests `terminated` too, and stays as it is"},
    ),
    ("truncation-ignored", "A wrapper returns no truncation", "GYM107", {NEW_END}),
    ("swapped-step-values", "A wrapper returns one flag twice", "GYM109", {NEW_END}),
    (
        "swapped-step-values",
        "The environment itself returns them so",
        "GYM109",
        {"a class of the project that may be stepped here returns its values in another order"},
    ),
    (
        "render-argument",
        "A window now and then",
        "GYM105",
        {"human mode draws every step, and the code does not show that `render` did so too"},
    ),
    (
        "render-argument",
        "Another mode beside that of `make`",
        "GYM105",
        {"`render` asks for another mode than `make` here, and which of the two is meant does not show"},
    ),
    ("render-without-mode", "No mode", "GYM111", {OPENS}),
    (
        "reset-signature",
        "A generator that another object has too",
        "GYM302",
        {"its constructor hands `self.rng` on, and what has it would keep the old generator"},
    ),
    (
        "render-signature",
        "A key that the program asks for by its new name",
        "GYM305",
        {"code of the program asks for `render_modes`, and what never ran there would run"},
    ),
    (
        "limit-as-termination",
        "A branch",
        "GYM307",
        {"code that tests `terminated` alone would not see the limit any more"},
    ),
    (
        "done-recursion",
        "A carry for each environment",
        "GYM204",
        {"the value that is added at a truncation may be that of an observation after a reset, which is not checked"},
    ),
    (
        "reset-observation",
        "The observation after the reset",
        "GYM205",
        {"nothing shows that the observations are one array, with a row for each environment"},
    ),
    (
        "autoreset-row",
        "Every row is stored",
        "GYM207",
        {"the step that ends an episode then returns the first observation of the next, which may be stored with it"},
    ),
    (
        "vector-api",
        "Ids that 1.0 took away",
        "GYM407",
        {"only environment ids show that it was made for a release before 1.0, and those of today may differ"},
    ),
    (
        "gym-import",
        "A wrapper of the project around an environment for Gym",
        "GYM401",
        {"`EnvPool for Gym` in the same file needs Gym"},
    ),
    (
        "renamed-wrapper",
        "In a file that has to stay with the old package",
        "GYM401",
        {f"{RENDERING.format('gym.')}, and objects of both libraries would meet"},
    ),
    ("renamed-wrapper", "In a file that has to stay with the old package", "GYM405", {RENDERING.format("")}),
    (
        "renamed-wrapper",
        "A file that only a release before 1.0 runs",
        "GYM405",
        {"the file needs a release before 1.0 for something else, and this would fail there"},
    ),
    (
        "renamed-wrapper",
        "Successors of another form",
        "GYM405",
        {"it resets at the step after the end, no longer at the end itself"},
    ),
    (
        "monitor-wrapper",
        "Two of them",
        "GYM402",
        {"something else may count its episodes too, and `RecordEpisodeStatistics` cannot stand around another one"},
    ),
    (
        "monitor-wrapper",
        "Who has the environment afterwards is not known",
        "GYM402",
        {
            "the program renders it too, and the mode of frames opens no window",
            "where the recording ends does not show, and `RecordVideo` writes its last video when it is closed",
        },
    ),
    (
        "outdated-env-id",
        "A task that changed a little",
        "GYM404",
        {f"`{new}` may not be quite the same task, and give other results" for new in ("LunarLander-v3", "Taxi-v4")},
    ),
    (
        "outdated-env-id",
        "The id is said in another place too",
        "GYM404",
        {"the file has the same id in another place, which stays as it is"},
    ),
    (
        "outdated-env-id",
        "Atari lacks an import, not another id",
        "GYM404",
        {"the same call is also given ids that do not need `ale_py`"},
    ),
    (
        "hidden-attribute",
        "The sizes of a table whose id comes from elsewhere",
        "GYM406",
        {"which environment is made does not show, and some tasks of Gymnasium have lost `nS`"},
    ),
    (
        "hidden-attribute",
        "What old Gym had for classes to define",
        "GYM406",
        {"only some classes define it, and that of the environment does not show"},
    ),
]


#: The same of findings without a fix.
WITHOUT_FIX = [
    (
        "done-stored",
        "Flags of Stable-Baselines3, stored in a loop of the project",
        "GYM203",
        {
            "the step that ends an episode resets, so that `terminated` would take the value of another episode: "
            'the final observation in `infos[i]["terminal_observation"]` has to come first'
        },
    ),
    (
        "done-stored",
        "A wrapper ends the episode at a count of its own",
        "GYM203",
        {"nothing in scope here is known to be `terminated` alone"},
    ),
    (
        "env-seed",
        "The base of a class that wraps nothing is asked",
        "GYM103",
        {"it asks the base of the class, which has none: the `reset` of the class itself has to take the seed"},
    ),
    (
        "env-seed",
        "The base of a wrapper is asked",
        "GYM103",
        {"the object hands it on to an environment inside of it, whose reset cannot be seen from here"},
    ),
]


def found_in(rule: str, heading: str, code: str) -> list[Finding]:
    """What the rule says in the cases under a heading."""
    cases = [one for one in cases_of(CASES / f"{rule}.md") if one.name.endswith(f" {heading}")]
    return [one for case in cases for one in findings_in(case.source, case.codes) if one.code == code]


@pytest.mark.parametrize(
    ("rule", "heading", "code", "reasons"), REASONS, ids=[f"{code} {heading}" for _, heading, code, _ in REASONS]
)
def test_the_reason_is_that_of_the_place(rule: str, heading: str, code: str, reasons: set[str]) -> None:
    found = found_in(rule, heading, code)
    assert {one.unfixed for one in found if one.fix is not None and one.fix.safety == "unsafe"} == reasons


@pytest.mark.parametrize(("rule", "heading", "code", "reasons"), WITHOUT_FIX)
def test_a_finding_without_a_fix_says_what_is_true(rule: str, heading: str, code: str, reasons: set[str]) -> None:
    assert {one.unfixed for one in found_in(rule, heading, code) if one.fix is None} == reasons


@pytest.mark.parametrize("folder", ["documents", "notebooks", "projects", "result_shapes"])
def test_no_project_has_an_unsafe_fix_without_a_reason(tmp_path: Path, folder: str) -> None:
    copy = shutil.copytree(ROOT / "fixtures" / folder, tmp_path / folder)
    arguments = ("check", "--no-cache", "--isolated", "--include-docs", "--exit-zero", "--output-format", "json", ".")
    found = json.loads(done_lint(copy, *arguments).stdout)
    silent = [one for one in found if one["fix"] and one["fix"]["applicability"] == "unsafe" and not one["unfixed"]]
    assert found
    assert not silent


def test_rules_and_rewrites_make_a_fix_unsafe_in_one_place_alone() -> None:
    rooms = [ROOT / "done_lint" / room for room in ("rules", "rewrites")]
    files = {path.name for room in rooms for path in room.rglob("*.py") if '"unsafe"' in path.read_text("utf-8")}
    assert files == {"outcome.py"}


def test_a_reason_makes_a_fix_unsafe() -> None:
    assert fixed("rename", RENAMED) == Outcome(Fix("rename", RENAMED, "safe"))
    assert fixed("rename", RENAMED, unsure="it is read") == Outcome(Fix("rename", RENAMED, "unsafe"), "it is read")


def test_the_first_reason_stays() -> None:
    outcome = fixed("rename", RENAMED).doubted("").doubted("it is read").doubted("it is set")
    assert outcome == fixed("rename", RENAMED, unsure="it is read")


def test_a_doubt_changes_nothing_that_is_not_offered_as_safe() -> None:
    shown = Outcome(Fix("rename", RENAMED, "display"))
    assert [one.doubted("it is read") for one in (unfixed("no name"), shown)] == [unfixed("no name"), shown]
