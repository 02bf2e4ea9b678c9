"""JUnit's XML: as a viewer reads it."""

from xml.etree import ElementTree

from junitparser import Error, Failure, JUnitXml, Skipped

from dxir.errors import DxirError
from dxir.verify.finding import Finding, Place
from dxir.verify.formats import write
from dxir.verify.report import Report
from dxir.verify.settings import Settings


def opened(text: str) -> JUnitXml:
    found = JUnitXml.fromstring(text.encode())
    counts = found.tests, found.failures, found.errors
    found.update_statistics()
    assert counts == (found.tests, found.failures, found.errors)
    return found


def test_a_suite_is_a_family_of_rules_and_a_test_of_it_a_file(reports: list[Report]) -> None:
    settings = Settings(only=("structure-*", "numerics-*"), fail_on="error")
    document = opened(write("junit", reports, settings=settings))
    cases = {(case.classname, case.name): case for suite in document for case in suite}
    assert list(cases) == [
        (f"dxir-verify.{family}", name)
        for family in ("structure", "portability", "numerics")
        for name in ("models/a.mlir", "b.mlir", "c.mlirbc")
    ]
    (failure,) = cases["dxir-verify.structure", "b.mlir"].result
    assert isinstance(failure, Failure)
    assert failure.message == "expected ':'"
    assert failure.type == "structure-parse"
    assert failure.text.startswith("b.mlir:7:9: error[structure-parse]: expected ':'\n")
    (skipped,) = cases["dxir-verify.numerics", "b.mlir"].result
    assert isinstance(skipped, Skipped)
    passed = cases["dxir-verify.structure", "models/a.mlir"]
    assert passed.is_passed
    assert "3 |   stablehlo.return %0 : tensor<i1>\n" in passed.system_out
    assert document.failures == 1


def test_several_findings_of_a_file_are_one_failure_that_tells_all(reports: list[Report]) -> None:
    findings = tuple([Finding("numerics-a", "error", f"no {n}", Place("a", n)) for n in (1, 2)])
    document = opened(write("junit", [Report("a", findings)]))
    ((failure,),) = [case.result for suite in document for case in suite if case.result]
    assert failure.message == "2 findings: no 1"
    assert failure.text == "a:1: error[numerics-a]: no 1\n\na:2: error[numerics-a]: no 2"


def test_findings_of_any_text_are_xml(hostile: list[Report]) -> None:
    text = write("junit", hostile)
    assert opened(text).failures == len(hostile) - 1
    root = ElementTree.fromstring(text.encode())
    assert all(c.isprintable() or c == "\n" for c in "".join(root.itertext()))


def test_what_could_not_be_checked_is_an_error(reports: list[Report]) -> None:
    error = DxirError("there is no such file", where="d.mlir")
    settings = Settings(only=("no-such-rule",))
    document = opened(write("junit", [], errors=[error], settings=settings))
    (case,) = [case for suite in document for case in suite if case.result]
    assert case.name == "d.mlir"
    assert isinstance(case.result[0], Error)
    assert case.result[0].message == "there is no such file"
