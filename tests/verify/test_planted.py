"""Every fault that is planted in a sound module is found, where it is, and nothing else is."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dxir.loading import load
from dxir.mlir import bytecode_of
from dxir.verify.finding import Finding, is_at_least
from dxir.verify.fleet import check_files
from dxir.verify.globs import Glob
from dxir.verify.report import Report
from dxir.verify.rule import all_rules
from dxir.verify.settings import Override, Settings

FOLDER = Path(__file__).parent / "planted"
CORPUS = Path(__file__).parent.parent / "recognition" / "corpus"
MANIFEST: dict[str, Any] = tomllib.loads((FOLDER / "manifest.toml").read_text("utf-8"))
CLEAN: list[str] = MANIFEST["clean"]
PLANTED: list[dict[str, Any]] = MANIFEST["planted"]
REPORTS: list[dict[str, Any]] = MANIFEST["reports"]

NOT_PLANTED = {
    "contract-determinism": "compares two folders",
    "equivalence-backends": "runs the module",
    "equivalence-golden": "runs the module",
    "structure-crash": "no text brings every reader down",
    "structure-out-of-memory": "depends on the machine",
    "structure-overdue": "takes a minute",
}


def path_of(file: str) -> Path:
    inside = file.removeprefix("corpus/")
    return FOLDER / file if inside == file else CORPUS / inside


def text_of(fault: dict[str, Any]) -> str:
    """The module of a fault, with the fault in it."""
    text = path_of(fault["file"]).read_text("utf-8")
    for old, new in fault.get("everywhere", ()):
        assert old in text
        text = text.replace(old, new)
    for old, new in fault.get("edits", ()):
        assert text.count(old) == 1, f"{fault['file']} has this {text.count(old)} times: {old}"
        text = text.replace(old, new)
    if "cut" in fault:
        text = text[: text.index(fault["cut"])]
    return text + fault.get("append", "")


def line_of(text: str, at: str) -> int:
    """The line that has some text, which must be one; 0 for no text."""
    lines = [i for i, line in enumerate(text.splitlines(), 1) if at in line] if at else [0]
    assert len(lines) == 1, f"{at!r} is on the lines {lines}"
    return lines[0]


def written(fault: dict[str, Any], path: Path) -> Path:
    """The file of a fault, as text, bytecode or an artifact."""
    path.write_text(text_of(fault), "utf-8")
    form = fault.get("form")
    if form is None:
        return path
    program = load(path)
    other = path.with_suffix(".mlirbc")
    data = bytecode_of(program.module) if form == "bytecode" else program.serialize()
    other.write_bytes(data)
    return other


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Report]:
    """What is found in all files, which are checked in one go, by the names of the files."""
    folder = tmp_path_factory.mktemp("planted")
    files: list[Path] = [path_of(file) for file in CLEAN]
    files += [FOLDER / report["file"] for report in REPORTS]
    overrides: list[Override] = []
    for number, fault in enumerate(PLANTED):
        path = written(fault, folder / f"{number}.mlir")
        files.append(path)
        if "options" in fault:
            settings = Settings(options={fault["rule"]: fault["options"]})
            overrides.append(Override((Glob(path.name, str(folder)),), settings))
    found = check_files(files, Settings(overrides=tuple(overrides)), cache=False)
    return {report.name: report for report in found}


@pytest.fixture
def planted(reports: dict[str, Report]) -> dict[int, Report]:
    """What is found in the file of each fault, by its number."""
    return {
        int(Path(name).stem): report
        for name, report in reports.items()
        if Path(name).stem.isdigit()
    }


def bad(findings: tuple[Finding, ...]) -> list[Finding]:
    return [finding for finding in findings if is_at_least(finding.severity, "warning")]


def told(findings: tuple[Finding, ...] | list[Finding]) -> Iterator[str]:
    for finding in findings:
        yield f"{finding.place.line}: {finding.rule}: {finding.message}"


def test_half_of_a_hundred_modules_are_sound_and_every_rule_has_a_fault() -> None:
    assert len(CLEAN) >= 50
    assert len(PLANTED) >= 50
    planted = {fault["rule"] for fault in PLANTED}
    assert sorted(set(all_rules()) - planted) == sorted(NOT_PLANTED)


@pytest.mark.parametrize("file", CLEAN)
def test_nothing_is_found_in_a_sound_module(file: str, reports: dict[str, Report]) -> None:
    assert list(told(bad(reports[str(path_of(file))].findings))) == []


@pytest.mark.parametrize(
    "number",
    range(len(PLANTED)),
    ids=[f"{fault['rule']}-{Path(fault['file']).stem}" for fault in PLANTED],
)
def test_a_planted_fault_is_found_and_nothing_else(number: int, planted: dict[int, Report]) -> None:
    fault, findings = PLANTED[number], planted[number].findings
    everything = "\n".join(told(findings)) or "nothing is found"
    own = [finding for finding in findings if finding.rule == fault["rule"]]
    assert own, f"{fault['why']}: {everything}"
    worst = [finding for finding in own if finding.severity != "note"] or own
    line = line_of(text_of(fault), fault["at"])
    assert [finding.place.line for finding in worst] == [line], everything
    assert [finding.rule for finding in bad(findings) if finding not in own] == [], everything


@pytest.mark.parametrize("report", REPORTS, ids=[report["file"] for report in REPORTS])
def test_what_users_reported_is_found(report: dict[str, Any], reports: dict[str, Report]) -> None:
    path = FOLDER / report["file"]
    findings = bad(reports[str(path)].findings)
    lines = [line_of(path.read_text("utf-8"), at) for at in report["at"]]
    assert [f.place.line for f in findings if f.rule == report["rule"]] == lines
    others = {f.rule for f in findings if f.rule != report["rule"]}
    assert others == set(report.get("others", ()))
