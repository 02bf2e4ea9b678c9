"""Workflow commands, as the runner of GitHub reads a log."""

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

import pytest

from dxir.errors import DxirError
from dxir.verify.finding import Finding, Place
from dxir.verify.formats import write
from dxir.verify.report import Report

COMMAND = re.compile(r"^\s*::(?P<name>[\w-]+)(?: (?P<properties>[^:]*))?::(?P<data>.*)$")
LEGACY = "##["


@dataclass
class Command:
    name: str
    properties: dict[str, str]
    data: str


def obeyed(log: str) -> list[Command]:
    """The commands of a log that the runner obeys: not those between stop-commands and its word."""
    found: list[Command] = []
    word = None
    for line in re.split(r"[\r\n]", log):
        match = COMMAND.match(line)
        if word is not None:
            word = None if match is not None and match["name"] == word else word
            continue
        assert LEGACY not in line or match is not None, line
        if match is None:
            continue
        if match["name"] == "stop-commands":
            word = match["data"]
        else:
            given = (each.split("=", 1) for each in (match["properties"] or "").split(",") if each)
            properties = {key: unquote(value) for key, value in given}
            found.append(Command(match["name"], properties, unquote(match["data"])))
    assert word is None
    return found


def test_the_worst_come_first_with_their_place_and_what_to_do(reports: list[Report]) -> None:
    log = write("github", reports)
    error, warning, notice, start, end = obeyed(log)
    assert error == Command(
        "error",
        {"title": "dxir-verify: structure-parse", "file": "b.mlir", "line": "7"},
        "expected ':'\nafter a type",
    )
    assert warning.properties == {
        "title": "dxir-verify: structure-function-terminator",
        "file": "models/a.mlir",
        "line": "3",
        "col": "3",
        "endColumn": "19",
    }
    assert warning.data.endswith("\nend the function in func.return")
    assert (notice.name, start.name, end.name) == ("notice", "group", "endgroup")
    assert "3 |   stablehlo.return %0 : tensor<i1>\n" in log


def test_text_of_a_module_cannot_give_commands(hostile: list[Report]) -> None:
    log = write("github", hostile)
    known = ("error", "warning", "notice", "group", "endgroup")
    commands = obeyed(log)
    assert {each.name for each in commands} <= {*known}
    assert any("\n::error::injected\n" in each.data for each in commands)
    words = re.findall(r"^::stop-commands::(\w+)$", log, re.M)
    assert len(words[0]) == 32
    assert words != re.findall(r"^::stop-commands::(\w+)$", write("github", hostile), re.M)


def test_properties_are_escaped(module: Path) -> None:
    name = "a,b:c%d.mlir"
    finding = Finding("a-b", "error", "100%: a, b", Place(name, 1))
    log = write("github", [Report(name, (finding,))])
    assert "file=a%2Cb%3Ac%25d.mlir,line=1::100%25: a, b\n" in log
    assert obeyed(log)[0].properties["file"] == name


def test_no_more_annotations_are_made_than_github_shows(module: Path) -> None:
    findings = [
        Finding("a-b", severity, f"no {n}", Place("a", n))
        for n in range(1, 31)
        for severity in ("warning", "error")
    ]
    log = write("github", [Report("a", tuple(findings))])
    names = [each.name for each in obeyed(log)]
    assert (names.count("error"), names.count("warning")) == (10, 10)
    assert log.count("[a-b]: no") == 60


def test_paths_are_those_of_the_repository(
    module: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    monkeypatch.chdir("models")
    finding = Finding("a-b", "error", "x", Place("a.mlir", 3, 3))
    assert obeyed(write("github", [Report("a.mlir", (finding,))]))[0].properties["file"] == (
        "models/a.mlir"
    )


def test_the_summary_of_the_job_is_added_to(
    reports: list[Report], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    write("github", reports)
    assert summary.read_text("utf-8") == "before\n" + write("markdown", reports)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))
    told = obeyed(write("github", reports))[3]
    assert told.name == "warning"
    assert told.data.startswith("the summary of the job cannot be written: ")


def test_what_could_not_be_checked_is_an_error(module: Path) -> None:
    error = DxirError("there is no such file", where="d.mlir")
    assert obeyed(write("github", [], errors=[error]))[0].data == "d.mlir: there is no such file"
