"""What people read: the line of a finding, and nothing that was not meant to be seen."""

import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from dxir.errors import ConfigurationError, DxirError
from dxir.verify.finding import Finding, Place
from dxir.verify.formats import write
from dxir.verify.report import Report

TOLD = """\
models/a.mlir:3:3: warning[structure-function-terminator]: \
the function @main ends in stablehlo.return
  |
3 |   stablehlo.return %0 : tensor<i1>
  |   ^^^^^^^^^^^^^^^^
  = made at: train.py:3:7
  |
3 | print(a > b)
  |       ^
  = note: models/a.mlir:2:8: the value comes from here
  |
2 |   %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  |        ^^^^^^^^^^^^^^^^^
  = note: no place
  = hint: end the function in func.return
  = fix: --fix puts this right

b.mlir:7:9: error[structure-parse]: expected ':'
  after a type

c.mlirbc: note[portability-version]: this needs 1.9.0

3 files checked: 1 error, 1 warning, 1 note in 3 files; 1 allowed; 1 known; \
1 can be put right by --fix
"""


def at(line: str, column: int, width: int = 60) -> list[str]:
    """The line of a source and the marks under it, as they are told of a place in it."""
    finding = Finding("structure-parse", "error", "x", Place("-", 1, column))
    text = write("text", [Report("-", (finding,))], sources={"-": line.encode()}, width=width)
    return text.split("\n")[2:4]


def test_a_finding_is_told_with_its_lines_and_what_to_do(reports: list[Report]) -> None:
    assert write("text", reports) == TOLD


def test_files_in_which_nothing_was_found_are_counted(module: Path) -> None:
    found = [Report(str(module)), Report("b.mlir")]
    assert write("text", found) == "2 files checked: nothing found\n"
    told = write("text", found, errors=[DxirError("there is no such file", where="d.mlir")])
    assert told.startswith("error: d.mlir: there is no such file\n")


@pytest.mark.parametrize(
    "before", ["", "\t\t", "日本 ", "\x1b\u202e", '"äöü" ', "x" * 500, "\t" * 90]
)
@pytest.mark.parametrize("after", ["", " : tensor<f32>", " 日本" * 50, " " + "y" * 1000])
def test_the_marks_stand_under_what_they_mark_in_a_line_of_any_kind(
    before: str, after: str
) -> None:
    line, marks = at(f"{before}stablehlo.add{after}", len(before.encode()) + 1)
    assert cell_len(line) <= 60
    start, end = marks.index("^"), marks.rindex("^") + 1
    cells = "".join(c if cell_len(c) == 1 else c + "\0" for c in line)
    assert cells[start:end] == "stablehlo.add"
    assert line.startswith("1 | ...") == (len(before) > 40)


@pytest.mark.parametrize("column", [0, 6, 7, 10**9])
def test_a_column_that_the_line_does_not_have_is_marked_at_its_end(column: int) -> None:
    line, *marks = at("short", column)
    assert line == "1 | short"
    assert marks == (["  |      ^"] if column else [""])


def test_a_word_that_is_longer_than_the_line_is_cut_and_still_marked() -> None:
    line, marks = at("dense<" + "0" * 5000 + ">", 7)
    assert line == "1 | dense<" + "0" * (len(line) - 13) + "..."
    assert marks.count("^") > 20
    assert cell_len(line) <= 60 >= cell_len(marks)


def test_nothing_of_a_module_reaches_the_terminal_that_it_obeys(hostile: list[Report]) -> None:
    text = write("text", hostile)
    assert all(c == "\n" or (c.isprintable() and c != "\x1b") for c in text)
    text.encode("utf-8")
    assert "\\x1b[31m" in text
    assert "\\u202e" in text
    assert "\\xff\\x80" in text


def test_colors_are_for_terminals(reports: list[Report], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    colored = write("text", reports, color=True)
    assert "\x1b[1;33mwarning" in colored
    assert re.sub("\x1b.*?m", "", colored) == write("text", reports)


def test_a_module_cannot_have_files_shown_that_are_no_sources_of_the_repository(
    module: Path, tmp_path: Path
) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside.py"
    outside.write_text("secret")
    Path(".git", "config").write_text("secret")
    Path(".git", "hook.py").write_text("secret")
    Path(".env").write_text("secret")
    Path("key.pem").write_text("secret")
    Path("link.py").symlink_to(outside)
    Path("folder.py").mkdir()
    places = (".git/config", ".git/hook.py", ".env", "key.pem", "link.py", "folder.py")
    names = (*places, str(outside), "../" + outside.name, "/dev/zero", "nul\0.py")
    findings = [Finding("structure-verify", "error", "x", Place(n, 1), Place(n, 1)) for n in names]
    assert "secret" not in write("text", [Report(str(module), tuple(findings))])
    Path("open.py").write_text("shown")
    finding = Finding("structure-verify", "error", "x", Place(str(module), 1), Place("open.py", 1))
    assert "1 | shown" in write("text", [Report(str(module), (finding,))])


def test_bytecode_has_no_lines(module: Path) -> None:
    module.write_bytes(b"ML\xefR\r\n\n\n")
    finding = Finding("a-b", "error", "x", Place(str(module), 1, 1), op="func.call", function="f")
    told = write("text", [Report(str(module), (finding,))])
    assert told.startswith("models/a.mlir:1:1: error[a-b]: x\n  = at: func.call in @f\n")


def test_a_format_that_is_not_there_is_told_with_those_that_are() -> None:
    with pytest.raises(ConfigurationError, match="no format 'xml'") as caught:
        write("xml", [])
    assert caught.value.hint == "there are text, json, sarif, junit, github, gitlab, markdown"
