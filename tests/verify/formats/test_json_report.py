"""What programs read: as the schema says, and back again."""

import json
from importlib.resources import files

import jsonschema
import pytest

from dxir.errors import DxirError, SchemaError
from dxir.verify.formats import reports_of, write
from dxir.verify.report import Report
from dxir.verify.settings import Settings

SCHEMA = json.loads((files("dxir.verify.formats") / "report.schema.json").read_text("utf-8"))


@pytest.mark.parametrize("kind", ["reports", "hostile"])
def test_a_report_is_as_the_schema_says_and_comes_back(
    kind: str, request: pytest.FixtureRequest
) -> None:
    found: list[Report] = request.getfixturevalue(kind)
    text = write("json", found)
    document = json.loads(text, parse_constant=pytest.fail)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    back = reports_of(text)
    again = write("json", back)
    assert json.loads(again) == document
    assert [r.name for r in back] == [r.name for r in found]
    assert [f.message for r in back for f in r.findings] == [
        f.message for r in found for f in r.findings
    ]


def test_the_summary_counts_and_says_with_what_the_run_ends(reports: list[Report]) -> None:
    document = json.loads(write("json", reports, settings=Settings(fail_on="error")))
    assert document["summary"] == {
        "files": 3, "errors": 1, "warnings": 1, "notes": 1, "allowed": 1, "known": 1, "fixable": 1
    }  # fmt: skip
    assert document["exit_code"] == 1
    assert json.loads(write("json", reports[2:]))["exit_code"] == 0
    errors = [DxirError("there is no such file", where="d.mlir", hint="name another")]
    document = json.loads(write("json", reports[2:], errors=errors))
    assert document["exit_code"] == 2
    assert document["errors"] == [
        {"message": "there is no such file", "where": "d.mlir", "hint": "name another"}
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "not a report of dxir-verify"),
        ('{"format": "dxir-verify", "version": 2}', "has version 2, and this dxir reads 1"),
        ('{"format": "dxir-verify", "version": 1}', "no list of reports"),
        ('{"format": "dxir-verify", "version": 1, "reports": [7]}', "not a report"),
    ],
)
def test_what_is_no_report_is_refused(text: str, told: str) -> None:
    with pytest.raises(SchemaError, match=told):
        reports_of(text)
