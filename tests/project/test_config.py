"""Settings: what is read, what takes precedence, and how a mistake is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from done_lint.project.settings import ConfigError, Overrides, Settings, codes, per_file_ignores, target_version


def settings(folder: Path, text: str, name: str = "pyproject.toml") -> Settings:
    (folder / name).write_text(text, encoding="utf-8")
    return Overrides().settings(str(folder))


def enabled(settings: Settings, *codes: str, path: str = "a.py") -> list[str]:
    return [code for code in codes if settings.enabled(code, path)]


def test_every_rule_is_enabled_by_default() -> None:
    assert enabled(Settings(), "GYM101", "GYM204", "GYM401") == ["GYM101", "GYM204", "GYM401"]


def test_the_longer_prefix_decides_and_of_two_equal_ones_ignore() -> None:
    assert enabled(Settings(select=("GYM2",), ignore=("GYM203",)), "GYM101", "GYM202", "GYM203") == ["GYM202"]
    assert enabled(Settings(select=("GYM203",), ignore=("GYM2",)), "GYM202", "GYM203") == ["GYM203"]
    assert enabled(Settings(ignore=("GYM",)), "GYM101") == []
    assert enabled(Settings(select=("GYM1",), extend_select=("GYM401",)), "GYM101", "GYM401") == ["GYM101", "GYM401"]


def test_per_file_ignores_are_relative_to_the_configuration(tmp_path: Path) -> None:
    found = settings(tmp_path, '[tool.done-lint.per-file-ignores]\n"experiments/*" = ["GYM204"]\n')
    inside, outside = str(tmp_path / "experiments" / "deep" / "a.py"), str(tmp_path / "a.py")
    assert enabled(found, "GYM204", "GYM101", path=inside) == ["GYM101"]
    assert enabled(found, "GYM204", path=outside) == ["GYM204"]


def test_the_command_line_writes_per_file_ignores_in_one_word() -> None:
    assert per_file_ignores(["tests/*:GYM101,GYM2,a.py:GYM401"]) == (
        ("tests/*", ("GYM101", "GYM2")),
        ("a.py", ("GYM401",)),
    )


def test_the_nearest_table_upward_counts_and_a_pyproject_without_one_does_not(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text('[tool.done-lint]\nselect = ["GYM2"]\n')
    (inner / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    found = Overrides().settings(str(inner))
    assert found.select == ("GYM2",)
    assert found.root == str(tmp_path)


def test_done_lint_toml_wins_and_has_no_table_around_its_keys(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.done-lint]\nselect = ["GYM2"]\n')
    assert settings(tmp_path, 'select = ["GYM1"]\n', "done-lint.toml").select == ("GYM1",)


def test_select_on_the_command_line_wins_over_all_that_the_configuration_selects_and_ignores(tmp_path: Path) -> None:
    (tmp_path / "done-lint.toml").write_text(
        'select = ["GYM2"]\nignore = ["GYM101"]\nextend-select = ["GYM401"]\nexclude = ["a"]\n'
        '[per-file-ignores]\n"old.py" = ["GYM101"]\n'
    )
    found = Overrides(select=("GYM1",), ignore=("GYM102",), exclude=("b",)).settings(str(tmp_path))
    assert enabled(found, "GYM101", "GYM102", "GYM103", "GYM201", "GYM401") == ["GYM101", "GYM103"]
    assert enabled(found, "GYM101", "GYM103", path=str(tmp_path / "old.py")) == ["GYM103"]
    assert found.exclude == ("a", "b")


def test_extend_select_and_ignore_on_the_command_line_change_what_the_configuration_selects(tmp_path: Path) -> None:
    (tmp_path / "done-lint.toml").write_text('select = ["GYM101", "GYM2"]\nignore = ["GYM203"]\n')

    def found(overrides: Overrides) -> list[str]:
        return enabled(overrides.settings(str(tmp_path)), "GYM101", "GYM102", "GYM201", "GYM203")

    assert found(Overrides()) == ["GYM101", "GYM201"]
    assert found(Overrides(extend_select=("GYM2",))) == ["GYM101", "GYM201", "GYM203"]
    assert found(Overrides(ignore=("GYM1",))) == ["GYM201"]
    assert found(Overrides(ignore=("GYM1",), extend_select=("GYM102",))) == ["GYM102", "GYM201"]


@pytest.mark.parametrize("word", ["GYM101", "gym101", "four-value-step", "Four-Value-Step"])
def test_a_rule_may_be_named_by_code_or_name_in_upper_or_lower_case(tmp_path: Path, word: str) -> None:
    assert codes([word], "--select") == ("GYM101",)
    assert per_file_ignores([f"a.py:{word}"]) == (("a.py", ("GYM101",)),)
    found = settings(tmp_path, f'select = ["{word}"]\n[per-file-ignores]\n"a.py" = ["{word}"]\n', "done-lint.toml")
    assert (found.select, found.per_file_ignores) == (("GYM101",), (("a.py", ("GYM101",)),))


def test_prefixes_and_all_may_be_lower_case() -> None:
    assert codes(["gym1", "all", "gym"], "--select") == ("GYM1", "GYM", "GYM")


def test_isolated_reads_nothing(tmp_path: Path) -> None:
    (tmp_path / "done-lint.toml").write_text("this is = = no TOML")
    assert Overrides(isolated=True).settings(str(tmp_path)).select == ("GYM",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('selekt = ["GYM1"]', "unknown key `selekt`; did you mean select?"),
        ('select = ["GYM1066"]', "unknown rule 'GYM1066'; did you mean GYM106"),
        ('select = ["GMY101"]', "did you mean GYM101?"),
        ('ignore = ["four-values-step"]', "did you mean GYM101 (four-value-step)?"),
        ('ignore = ["gym1O6"]', "unknown rule 'gym1O6'; did you mean GYM106?"),
        ('ignore = ["E501"]', "unknown rule 'E501'; `done-lint rule` lists all rules"),
        ('ignore = ["GYM999"]', "unknown rule 'GYM999'; `done-lint rule` lists all rules"),
        ('ignore = ["no-such-thing"]', "unknown rule 'no-such-thing'; `done-lint rule` lists all rules"),
        ("line-length = 120", "unknown key `line-length`; the keys are select, ignore, extend-select, exclude, "),
        ("Select = []", "unknown key `Select`; did you mean select?"),
        ('[env-apis]\nmake = "gymnasum"', "unknown API `gymnasum` of `make`; did you mean Gymnasium?"),
        (
            '[env-apis]\nmake = "REST"',
            "unknown API `REST` of `make`; the APIs are listed in done_lint/knowledge/env_apis.py",
        ),
        ('select = ["GYM1", ""]', "unknown rule ''"),
        ('select = "GYM1"', "`select` must be a list of strings"),
        ("exclude = [1]", "`exclude` must be a list of strings"),
        ("per-file-ignores = []", "`per-file-ignores` must be a table"),
        ('[per-file-ignores]\n"a" = ["GYM9"]', "unknown rule 'GYM9'"),
        ("[env-apis]\nmake = 5", "the API of `make` must be a string"),
        (
            'target-version = "newest"',
            "'newest' is not a known release of Gymnasium; known releases are 1.4, 1.3, 1.2, 1.1, 1.0, ",
        ),
        ('target-version = "0.21"', "'0.21' is not a known release of Gymnasium"),
        ('target-version = "0.30"', "'0.30' is not a known release of Gymnasium"),
        ('target-version = "99"', "'99' is not a known release of Gymnasium"),
        ('target-version = "2.0.5"', "'2.0.5' is not a known release of Gymnasium"),
        ('target-version = "1.0.7"', "'1.0.7' is not a known release of Gymnasium"),
        ('target-version = "0"', "'0' is not a known release of Gymnasium"),
        (
            '[tool.done-lint]\nselect = ["GYM1"]',
            "the header `[tool.done-lint]` is only for pyproject.toml; write the keys",
        ),
        ('[done-lint]\nselect = ["GYM1"]', "the header `[tool.done-lint]` is only for pyproject.toml; write the keys"),
        ("target-version = 1.0", "`target-version` must be a string"),
    ],
)
def test_a_mistake_is_one_line_that_names_file_and_remedy(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        settings(tmp_path, text + "\n", "done-lint.toml")
    line = str(caught.value)
    assert message in line
    assert "done-lint.toml: " in line
    assert "\n" not in line


@pytest.mark.parametrize("version", ["1", "1.0", "1.0.0", "0.29", "0.26.1"])
def test_a_release_may_be_written_by_its_first_numbers(version: str) -> None:
    assert target_version(version, "--target-version") == version


def test_a_table_with_an_underscore_is_a_mistake_that_names_the_right_one(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match=r"pyproject.toml: `\[tool.done_lint\]` is ignored; write `\[tool.done-lint\]`"
    ):
        settings(tmp_path, '[tool.done_lint]\nselect = ["GYM2"]\n')


def test_broken_toml_is_one_line_with_the_place(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"pyproject\.toml:2:9: invalid TOML: \w") as caught:
        settings(tmp_path, "[tool.done-lint]\nselect ==\n")
    assert "\n" not in str(caught.value)


def test_a_configuration_that_is_not_utf8_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "done-lint.toml").write_bytes(b"select = ['\xff']")
    with pytest.raises(ConfigError, match="is not UTF-8"):
        Overrides().settings(str(tmp_path))


def test_a_given_pyproject_without_table_is_a_mistake(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text("[project]\n")
    with pytest.raises(ConfigError, match=r"has no \[tool.done-lint\] table"):
        Overrides(config=str(path)).settings(str(tmp_path))
