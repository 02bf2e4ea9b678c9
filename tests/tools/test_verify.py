"""dxir-verify: what it tells, where, and its exit codes."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from dxir.errors import DxirError
from dxir.tools.verify import main
from dxir.tools.verify_arguments import help_text, parse_arguments

ID = "structure-function-terminator"
FAULTY = """\
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  stablehlo.return %a : tensor<f32>
}
"""
CLEAN = FAULTY.replace("stablehlo.return", "return")
HERE = ["-j0", "--no-cache"]
"""Checks in this process: what becomes of files in others is told in tests/verify/test_fleet.py."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder, which no settings above it hold for."""
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_ACTIONS", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / ".git").mkdir()
    (tmp_path / "bad.mlir").write_text(FAULTY)
    (tmp_path / "good.mlir").write_text(CLEAN)
    return tmp_path


def test_findings_are_told_with_their_line_and_fail_the_run(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["bad.mlir", "good.mlir", *HERE]) == 1
    shown = capsys.readouterr()
    assert shown.err == ""
    assert shown.out.startswith(f"bad.mlir:2:3: warning[{ID}]: the function @main ends in ")
    assert "2 |   stablehlo.return %a : tensor<f32>\n  |   ^" in shown.out
    assert "2 files checked: 1 warning in 1 file" in shown.out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["good.mlir"], 0),
        (["."], 1),
        (["bad.mlir", "--fail-on=error"], 0),
        (["bad.mlir", "--fail-on=error", f"--severity={ID}=error"], 1),
        (["bad.mlir", f"--ignore={ID}"], 0),
        (["bad.mlir", "--only=numerics-*"], 0),
        (["bad.mlir", "--exclude=b*.mlir"], 0),
    ],
)
def test_the_exit_code_says_whether_something_fails_the_run(
    arguments: list[str], code: int
) -> None:
    assert main([*arguments, *HERE]) == code


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "there is nothing to check"),
        (["none.mlir"], "there is nothing to check at 'none.mlir': No such file"),
        (["good.mlir", "--selec=a"], "Unknown command line argument '--selec'"),
        (["good.mlir", "--select=structure-prase"], "there is no rule 'structure-prase'"),
        ([".git", "--select=structure-prase"], "there is no rule 'structure-prase'"),
        (["good.mlir", "--fail-on=fatal"], "Cannot find option named 'fatal'"),
        (["good.mlir", f"--severity={ID}=bad"], f"'{ID}=bad' is not ID=SEVERITY"),
        (["good.mlir", f"--option={ID}=3"], f"'{ID}=3' is not ID.NAME=VALUE"),
        (["good.mlir", f"--option={ID}.x=3"], f"the rule {ID} has no option 'x'"),
        (["good.mlir", "--option=a-b.x=3"], "there is no rule 'a-b'"),
        (
            ["good.mlir", "--option=contract-locations.share=many"],
            "the option share of contract-locations is a number, not 'many'",
        ),
        (["good.mlir", "--format=yaml"], "there is no format 'yaml'"),
        (["good.mlir", "--format=sarif:"], "'sarif:' names no file"),
        (
            ["good.mlir", "--format=json", "--format=text"],
            "json and text cannot both go to the standard output",
        ),
        (["good.mlir", "--format=json", "--statistics"], "--statistics has a meaning with"),
        (["good.mlir", "--config=none.toml"], "cannot read none.toml: No such file"),
        (["good.mlir", "--config=a.toml", "--no-config"], "--config and --no-config cannot be"),
        (["good.mlir", "--baseline=none.json"], "none.json: error: the baseline cannot be read"),
        (["good.mlir", "--write-baseline=good.mlir"], "good.mlir: error: the baseline is not JSON"),
        (["good.mlir", "--json", "--format=text"], "--json and --format cannot be given together"),
        (["good.mlir", "--import=none"], "the rules of none cannot be imported"),
        (["good.mlir", "-q", "-v"], "-q and -v cannot be given together"),
        (["good.mlir", "--stdin-name=a"], "--stdin-name has a meaning with - only"),
        (["-", "--fix"], "--fix changes files"),
        (["good.mlir", "--output=bad.mlir/x"], "the output cannot be written"),
        (["--explain=structure-prase"], "there is no rule 'structure-prase'"),
    ],
)
def test_what_cannot_be_run_is_told_on_stderr_with_exit_code_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, *HERE]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("dxir-verify: ")
    assert message in shown.err


def test_settings_are_those_of_the_nearest_file_and_options_go_before_them(folder: Path) -> None:
    (folder / "pyproject.toml").write_text(f'[tool.dxir.verify]\nignore = ["{ID}"]\n')
    assert main(["bad.mlir", *HERE]) == 0
    assert main(["bad.mlir", "--no-config", *HERE]) == 1
    assert main(["bad.mlir", f"--select={ID}", *HERE]) == 1
    (folder / "other.toml").write_text('[verify]\nfail-on = "error"\n')
    assert main(["bad.mlir", "--config=other.toml", *HERE]) == 0


def test_a_mistake_in_the_settings_has_its_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "dxir.toml").write_text("[verify]\n\nselct = []\n")
    assert main(["good.mlir", *HERE]) == 2
    assert capsys.readouterr().err == (
        "dxir-verify: dxir.toml:3: error: there is no setting 'verify.selct'\n"
        "dxir-verify: note: did you mean 'select'?\n"
    )


def test_each_format_goes_where_it_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    formats = ["--format=text", "--format=json:out/found.json", "--format=sarif:found.sarif"]
    assert main(["bad.mlir", *formats, *HERE]) == 1
    assert "1 warning in 1 file" in capsys.readouterr().out
    assert json.loads((folder / "out" / "found.json").read_text())["summary"]["warnings"] == 1
    assert json.loads((folder / "found.sarif").read_text())["version"] == "2.1.0"
    assert main(["bad.mlir", "-o", "found.txt", *HERE]) == 1
    assert capsys.readouterr().out == ""
    assert "1 warning in 1 file" in (folder / "found.txt").read_text()


def test_reports_for_programs_say_that_there_was_no_run(folder: Path) -> None:
    assert main(["none.mlir", "--format=json:found.json", *HERE]) == 2
    found = json.loads((folder / "found.json").read_text())
    assert found["exit_code"] == 2
    assert "nothing to check at 'none.mlir'" in found["errors"][0]["message"]


def test_on_github_findings_are_annotations(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert main(["bad.mlir", *HERE]) == 1
    assert ",file=bad.mlir,line=2,col=3" in capsys.readouterr().out


def test_notes_are_told_when_asked_for_or_when_they_fail_the_run(
    capsys: pytest.CaptureFixture[str],
) -> None:
    noted = ["bad.mlir", f"--severity={ID}=note", *HERE]
    assert main(noted) == 0
    shown = capsys.readouterr()
    assert ID not in shown.out
    assert shown.err == "", "what is clean is not to make anybody wonder"
    assert main([*noted, "-v"]) == 0
    shown = capsys.readouterr()
    assert f"note[{ID}]" in shown.out
    assert shown.err == "dxir-verify: note: settings of no file\n"
    assert main([*noted, "--fail-on=note"]) == 1
    assert f"note[{ID}]" in capsys.readouterr().out
    assert main([*noted, "-q"]) == 0
    assert capsys.readouterr() == ("", "")


def test_notes_that_are_hidden_beside_findings_are_counted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "open.mlir").write_text(CLEAN.replace("<f32>", "<?xf32>"))
    assert main(["bad.mlir", "open.mlir", *HERE]) == 1
    assert capsys.readouterr().err == "dxir-verify: note: 1 note not shown: -v shows them\n"
    assert main(["open.mlir", *HERE]) == 0
    assert capsys.readouterr() == ("1 file checked: nothing found\n", "")


def test_known_findings_fail_nothing_and_are_told_when_they_are_gone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([".", "--write-baseline", *HERE]) == 0
    assert "1 known finding in dxir-baseline.json" in capsys.readouterr().err
    (folder / "dxir.toml").write_text('[verify]\nbaseline = "dxir-baseline.json"\n')
    assert main([".", *HERE]) == 0
    assert "2 files checked: nothing found; 1 known" in capsys.readouterr().out
    (folder / "new.mlir").write_text(FAULTY)
    assert main([".", *HERE]) == 1
    assert "1 warning in 1 file; 1 known" in capsys.readouterr().out
    (folder / "new.mlir").unlink()
    (folder / "bad.mlir").write_text(CLEAN)
    assert main([".", *HERE]) == 0
    assert "1 finding of the baseline is gone: --write-baseline writes" in capsys.readouterr().err
    assert main([".", "--write-baseline", *HERE]) == 0
    assert json.loads((folder / "dxir-baseline.json").read_text())["findings"] == []


def test_files_are_put_right(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commented = FAULTY.replace("  stable", "  // as it is\n  stable")
    (folder / "commented.mlir").write_text(commented)
    assert main([".", "--fix", "-v", *HERE]) == 1
    shown = capsys.readouterr()
    assert f"note: bad.mlir:2:3: {ID} is put right\n" in shown.err
    assert f"note: commented.mlir:3:3: {ID} is left: it cannot be written: " in shown.err
    assert "note: 1 finding put right in 1 file\n" in shown.err
    assert "commented.mlir:3:3: warning" in shown.out
    assert "3 files checked: 1 warning in 1 file\n" in shown.out, "nothing that --fix puts right"
    assert "  return " in (folder / "bad.mlir").read_text()
    assert (folder / "commented.mlir").read_text() == commented
    assert (folder / "good.mlir").read_text() == CLEAN


def test_budgets_are_what_modules_have_when_they_are_written(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["good.mlir", "--write-budgets", *HERE]) == 0
    assert "budgets of 1 module in dxir-budgets.json" in capsys.readouterr().err
    grown = CLEAN.replace("return %a", "%0 = stablehlo.tanh %a : tensor<f32>\n  return %0")
    (folder / "good.mlir").write_text(grown)
    assert main(["good.mlir", *HERE]) == 1
    assert "1 stablehlo.tanh (0 -> 1)" in capsys.readouterr().out
    assert main(["good.mlir", "--write-budgets", *HERE]) == 0
    assert main(["good.mlir", *HERE]) == 0


def test_the_standard_input_may_have_a_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(FAULTY.encode())))
    assert main(["-", "--stdin-name=model.mlir", *HERE]) == 1
    shown = capsys.readouterr().out
    assert shown.startswith("model.mlir:2:3: warning")
    assert "2 |   stablehlo.return" in shown


def test_findings_are_counted_by_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bad.mlir", "good.mlir", "--statistics", *HERE]) == 1
    assert capsys.readouterr().out == f"1  {ID}: warning\n"


def test_a_rule_is_explained_with_its_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([f"--explain={ID}"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"# {ID}\n\nA function ends in stablehlo.return.\n")
    for part in ("## Why", "## What to do", "## Example", f"dxir-verify: allow({ID})"):
        assert part in shown
    assert main([f"--explain={ID}", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["id"] == ID


def test_rules_are_listed_with_whether_they_run(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "dxir.toml").write_text(
        f'[verify]\nignore = ["{ID}"]\nseverity.structure-parse = "note"\n'
    )
    assert main(["--list-rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1:3] for line in lines if line.startswith(ID)] == [["warning", "no"]]
    parse = [line.split()[1:3] for line in lines if line.startswith("structure-parse")]
    assert parse == [["note", "yes"]]
    assert main(["--list-rules", "--json"]) == 0
    assert not next(r for r in json.loads(capsys.readouterr().out) if r["id"] == ID)["runs"]


RULE = '''\
from dxir.pipeline.base import option
from dxir.verify.rule import Rule


class {name}(Rule, id="acme-{id}", severity="error"):
    """There are ops of a kind.

    They are slow here.
    """

    remedy = "use others"
    ops = ("func.func",)
    most: int = option("how many there may be", default=0)

    def visit(self, op, subject):
        if not self.most:
            yield self.found("one too many", op, subject)
'''


def test_rules_of_a_module_of_ones_own_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    (folder / "acme_first.py").write_text(RULE.format(name="First", id="first"))
    assert main(["good.mlir", "--import=acme_first", "--only=acme-first", *HERE]) == 1
    assert "good.mlir:1:1: error[acme-first]: one too many" in capsys.readouterr().out
    option = "--option=acme-first.most=1"
    assert main(["good.mlir", "--import=acme_first", "--only=acme-first", option, *HERE]) == 0
    (folder / "rules").mkdir()
    (folder / "rules" / "acme_second.py").write_text(RULE.format(name="Second", id="second"))
    (folder / "rules" / "dxir.toml").write_text(
        '[verify]\nimport = ["acme_second"]\nonly = ["acme-second"]\n'
        "[verify.rules.acme-second]\nmost = 0\n"
    )
    assert main(["good.mlir", "--config=rules/dxir.toml"]) == 1, "in processes of their own, too"
    assert "error[acme-second]: one too many" in capsys.readouterr().out


def test_every_option_is_in_the_help_and_read() -> None:
    shown = help_text()
    for name in ("--select", "--baseline", "--format", "--explain", "-j, --jobs", "--no-cache"):
        assert name in shown
    with pytest.raises(DxirError, match="Unknown command line") as raised:
        parse_arguments(["a.mlir", "--formt=json"])
    assert raised.value.hint == "did you mean --format?"


def test_a_reader_that_has_seen_enough_leaves_the_exit_code(folder: Path) -> None:
    tool = [sys.executable, "-m", "dxir.tools.verify", "bad.mlir", *HERE]
    tool += ["--format=json"]
    script = 'set -o pipefail; "$@" | true'
    done = subprocess.run(
        ["bash", "-c", script, "sh", *tool], cwd=folder, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (1, "")
