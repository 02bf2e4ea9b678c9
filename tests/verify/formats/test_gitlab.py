"""The code quality report of GitLab: what its documentation asks for."""

import json

from dxir.verify.formats import write
from dxir.verify.report import Report


def test_a_finding_has_all_that_gitlab_asks_for(reports: list[Report]) -> None:
    warning, error, note = json.loads(write("gitlab", reports))
    assert warning.pop("fingerprint")
    assert warning == {
        "description": "the function @main ends in stablehlo.return",
        "check_name": "structure-function-terminator",
        "severity": "minor",
        "location": {"path": "models/a.mlir", "lines": {"begin": 3}},
        "content": {"body": "end the function in func.return"},
    }
    assert (error["severity"], note["severity"]) == ("major", "info")
    assert note["location"] == {"path": "c.mlirbc", "lines": {"begin": 1}}


def test_findings_of_any_text_are_told_each_with_a_fingerprint_of_its_own(
    hostile: list[Report],
) -> None:
    text = write("gitlab", hostile)
    text.encode("utf-8")
    found = json.loads(text)
    assert len({each["fingerprint"] for each in found}) == len(found)
    assert len(found) == sum(len(report.findings) for report in hostile)
