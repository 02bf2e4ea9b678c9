"""Settings in pyproject.toml and dxir.toml, and what is told of mistakes in them."""

from pathlib import Path

import pytest

from dxir.errors import ConfigurationError
from dxir.verify.configuration import Configuration, find_configuration, read_configuration
from dxir.verify.globs import matches_any

FULL = """\
[project]
name = "a"

[tool.dxir.verify]
fail-on = "error"
select = ["numerics-*"]
ignore = [
  "structure-verify",
]
exclude = ["old/**"]
baseline = "known.json"

[tool.dxir.verify.severity]
"structure-*" = "note"

[[tool.dxir.verify.overrides]]
files = ["exports/*.mlir"]
select = ["structure-verify"]
severity.structure-parse = "error"
"""


def written(folder: Path, text: str, name: str = "pyproject.toml") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)
    return folder / name


def test_a_table_of_pyproject_says_which_rules_run_and_for_which_files(tmp_path: Path) -> None:
    written(tmp_path, FULL.replace('"numerics-*"', '"structure-parse"'))
    found = find_configuration(tmp_path)
    assert found.path == tmp_path / "pyproject.toml"
    assert found.settings.fail_on == "error"
    assert found.settings.select == ("structure-parse",)
    assert found.settings.ignore == ("structure-verify",)
    assert found.settings.severities == {"structure-*": "note"}
    assert found.baseline == tmp_path / "known.json"
    assert matches_any(str(tmp_path / "old" / "x" / "a.mlir"), found.exclude)
    here = found.settings.for_file(str(tmp_path / "exports" / "a.mlir"))
    assert here.runs("structure-verify", enabled=True)
    assert here.severities["structure-parse"] == "error"
    assert not found.settings.for_file(str(tmp_path / "b.mlir")).runs(
        "structure-verify", enabled=True
    )


def test_the_nearest_file_with_a_table_holds(tmp_path: Path) -> None:
    written(tmp_path, '[tool.dxir.verify]\nfail-on = "error"\n')
    written(tmp_path / "a", "[project]\n")
    written(tmp_path / "a" / "b", '[verify]\nfail-on = "note"\n', "dxir.toml")
    written(tmp_path / "a" / "b", '[tool.dxir.verify]\nfail-on = "warning"\n')
    assert find_configuration(tmp_path / "a").settings.fail_on == "error"
    assert find_configuration(tmp_path / "a" / "b").settings.fail_on == "note"


@pytest.mark.parametrize(
    ("name", "wrong", "right"),
    [
        ("dxir.toml", "tool.dxir.verify", "verify"),
        ("dxir.toml", "verfy", "verify"),
        ("pyproject.toml", "verify", "tool.dxir.verify"),
        ("pyproject.toml", "tool.dxir.verfy", "tool.dxir.verify"),
    ],
)
def test_settings_in_a_table_that_is_not_read_are_not_passed_over(
    tmp_path: Path, name: str, wrong: str, right: str
) -> None:
    path = written(tmp_path, f"[other]\n[{wrong}]\nfail-on = 'note'\n", name)
    with pytest.raises(ConfigurationError, match=f"\\[{wrong}\\] is no table") as raised:
        find_configuration(tmp_path)
    assert raised.value.where == f"{path}:2"
    assert f"[{right}]" in (raised.value.hint or "")


def test_nothing_above_a_repository_is_looked_at(tmp_path: Path) -> None:
    written(tmp_path, '[tool.dxir.verify]\nfail-on = "error"\n')
    repository = tmp_path / "repository"
    (repository / ".git").mkdir(parents=True)
    (repository / "models").mkdir()
    assert find_configuration(repository / "models") == Configuration()


def test_a_file_found_from_the_current_folder_is_told_as_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, "[verify]\nfail-on = 3\n", "dxir.toml")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigurationError) as raised:
        find_configuration()
    assert raised.value.where == "dxir.toml:2"


def test_paths_among_options_are_from_the_folder_of_the_file(tmp_path: Path) -> None:
    text = "[verify.rules.contract-determinism]\nagain = 'twice'\n"
    text += "[verify.rules.contract-signature]\nbudgets = 'b.json'\n"
    text += "[verify.rules.contract-op-budget]\nbudgets = 'ci/b.json'\n"
    found = read_configuration(written(tmp_path, text, "dxir.toml")).settings.options
    assert found["contract-determinism"] == {"again": str(tmp_path / "twice")}
    assert found["contract-signature"] == {"budgets": "b.json"}, "looked for above each module"
    assert found["contract-op-budget"] == {"budgets": str(tmp_path / "ci" / "b.json")}


@pytest.mark.parametrize(
    ("text", "line", "message", "hint"),
    [
        ("[verify]\nfail-on = 'fatal'", 2, "fail-on is 'fatal', not one of note, warning", ""),
        ("[verify]\nfail_on = 'note'", 2, "no setting 'verify.fail_on'", "'fail-on'"),
        ("[verify]\nselect = 'x'", 2, "select is 'x', not an array of texts", ""),
        ("[verify]\nselect = 3", 2, "select is 3, not an array of texts", ""),
        ("\n[verify]\nignore = ['structure-prase']", 3, "no rule 'structure-prase'", "-parse"),
        ("[verify]\n[verify.severity]\nnone = 'note'", 3, "no rule 'none'", "--list-rules"),
        ("[verify]\nseverity = {structure-parse = 1}", 2, "structure-parse is 1, not one of", ""),
        ("[verify]\nseverity = 'note'", 2, "severity is 'note', not a table", ""),
        ("[verify]\nbaseline = []", 2, "baseline is \\[\\], not the name of a file", ""),
        ("[verify.rules.structure-pars]\nx = 1", 1, "no rule 'structure-pars'", "-parse"),
        ("[verify]\nignore = ['numerics']", 2, "no rule 'numerics'", "numerics-*"),
        ("[verify.rules.contract-ops]\ndeny = 'a'", 2, "is an array, such as", ""),
        ("[verify.rules.'structure-*']\nx = 1", 1, "no rule 'structure-\\*'", ""),
        ("[verify.rules.structure-parse]\na = 1", 2, "has no option 'a'", "no options"),
        ("[verify]\nrules.structure-parse = 4", 2, "structure-parse is 4, not a table", ""),
        (
            "[verify]\noverrides = 4",
            2,
            "overrides is 4, not tables",
            "[[verify.overrides]]",
        ),
        ("[verify]\n\n[[verify.overrides]]\nignore = []", 3, "there are no files", "files = "),
        (
            "[verify]\n[[verify.overrides]]\nfiles = ['a']\n[[verify.overrides]]\nfile = ['a']",
            5,
            "no setting 'verify.overrides.1.file'",
            "'files'",
        ),
        ("[verify]\noverrides = ['a']", 2, "overrides.0 is 'a', not a table", ""),
        ("[verify]\nexclude = ['[z-a]']", 2, "'\\[z-a\\]' of files cannot be understood", "ranges"),
        ('[verify]\nbaseline = "\\u0000"', 2, "not the name of a file", ""),
        ("a = " + "[" * 9999, 1, "this is nested too deeply", ""),
        ("[verify]\nselect = [", 2, "this is not TOML", ""),
        ("[other]", 1, "there is no table \\[verify\\]", "settings belong in there"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_what_to_do(
    tmp_path: Path, text: str, line: int, message: str, hint: str
) -> None:
    path = written(tmp_path, text, "dxir.toml")
    with pytest.raises(ConfigurationError, match=message) as raised:
        read_configuration(path)
    assert raised.value.where == f"{path}:{line}"
    assert hint in (raised.value.hint or "")


def test_the_settings_on_the_page_are_settings(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "dxir-verify.md").read_text("utf-8")
    example = next(b for b in page.split("```toml\n")[1:] if b.startswith("[tool.dxir.verify]"))
    found = read_configuration(written(tmp_path, example.partition("```")[0]))
    assert found.settings.options == {"contract-custom-calls": {"most": 0}}
    assert found.settings.overrides


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"cannot read .*no.toml: No such file"):
        read_configuration(tmp_path / "no.toml")
