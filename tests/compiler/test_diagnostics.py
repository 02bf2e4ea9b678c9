"""Diagnostics as data: codes, passes and numbers; to JSON and back, and in colours."""

from __future__ import annotations

import io
import json
import pickle
import re
from pathlib import Path

import pytest
from rich.console import Console

import dxir
import dxir.errors
import dxir.passes.recognize
import dxir.tools.main
from dxir.children import error_told, told
from dxir.diagnostic_codes import CODES, check_code, declare_code
from dxir.diagnostics import Diagnostic, diagnostics_from_json, diagnostics_to_json
from dxir.errors import DxirError, PassError, SchemaError
from dxir.mlir import ir
from dxir.pipeline import Pass

FULL = Diagnostic(
    "warning",
    "values of [bold]9 are lost",
    "a.py:3:4",
    (Diagnostic("note", "they are large", "a.py:1"),),
    "stablehlo.add",
    "NEAR_MISS",
    "acme-pass",
    {"count": 3, "max_abs_error": 4.8e-4, "bound": float("inf")},
)
TEXT = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }"


class Report(Pass, name="test-report-with-numbers"):
    """Report on each function."""

    def run(self, module: ir.Module) -> bool:
        op = module.body.operations[0].operation
        self.warn("it is large", op, code="NEAR_MISS", numbers={"bytes": 12})
        self.remark("it is there", op.location)
        return False


class ReportUnknown(Pass, name="test-report-unknown-code"):
    """Report by a code that nobody declared."""

    def run(self, module: ir.Module) -> bool:
        self.warn("it is large", code="NEAR_MIS")
        return False


def test_a_diagnostic_goes_to_json_and_back() -> None:
    assert Diagnostic.from_json(FULL.to_json()) == FULL
    assert hash(Diagnostic.from_json(FULL.to_json())) == hash(FULL)
    assert pickle.loads(pickle.dumps(FULL)) == FULL
    found = json.loads(FULL.to_json())
    assert found["pass"] == "acme-pass"
    assert found["numbers"] == {"count": 3, "max_abs_error": 4.8e-4, "bound": "inf"}
    assert isinstance(found["numbers"]["count"], int)


def test_a_list_of_them_goes_to_json_and_back_one_on_a_line() -> None:
    for given in ([], [FULL], [FULL, Diagnostic("error", "no")]):
        text = diagnostics_to_json(given)
        assert diagnostics_from_json(text) == given
        assert len(text.splitlines()) == (len(given) + 2 if given else 1)


@pytest.mark.parametrize(
    "text", ["", "{", "3", '{"severity": "error"}', '{"severity": "e", "message": "m", "notes": 1}']
)
def test_what_is_no_diagnostic_is_refused(text: str) -> None:
    with pytest.raises(SchemaError):
        Diagnostic.from_json(text)
    with pytest.raises(SchemaError):
        diagnostics_from_json(text)


def test_in_colours_it_has_its_code_pass_and_numbers_and_no_markup_of_the_message() -> None:
    out = io.StringIO()
    Console(file=out, width=200, color_system=None).print(FULL)
    assert out.getvalue() == (
        "a.py:3:4: warning: values of [bold]9 are lost [NEAR_MISS]\n"
        "  by acme-pass count=3 max_abs_error=0.00048 bound=inf\n"
        "  a.py:1: note: they are large\n"
    )
    out = io.StringIO()
    Console(file=out, width=200, color_system="standard", force_terminal=True).print(FULL)
    assert "\x1b[1;33mwarning: \x1b[0m" in out.getvalue()


def test_what_a_pass_reports_has_its_name_and_op_and_stays_with_the_program() -> None:
    first, second = dxir.load(TEXT).run_passes([Report()]).clone().diagnostics
    assert (first.code, first.pass_name, first.op) == ("NEAR_MISS", Report.name, "func.func")
    assert (first.where, first.numbers) == ("<text>:1:1", {"bytes": 12})
    assert (second.severity, second.op, second.where) == ("remark", None, "<text>:1:1")


def test_what_mlir_reports_has_the_name_of_the_pass_that_ran() -> None:
    mesh = 'sdy.mesh @mesh = <["a"=2]>\n'
    sharded = (
        "func.func @main(%x: tensor<3xf32> "
        '{sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> tensor<3xf32> '
        "{ return %x : tensor<3xf32> }"
    )
    with pytest.raises(PassError) as raised:
        dxir.load(mesh + sharded).run_passes(
            "cse,stablehlo-refine-arguments{types=tensor<3x3xf32>}"
        )
    assert raised.value.pass_name == "stablehlo-refine-arguments"
    assert raised.value.code == "PASS_ERROR"


def test_an_error_becomes_a_diagnostic_with_its_hint_as_a_note() -> None:
    error = PassError("no", where="a.py:1", hint="do", pass_name="acme", code="KERNEL_REFUSED")
    found = Diagnostic.of_error(error)
    assert str(found) == "a.py:1: error: no\n  a.py:1: note: do"
    assert (found.code, found.pass_name) == ("KERNEL_REFUSED", "acme")
    assert Diagnostic.of_error(DxirError("no")).code == "DXIR_ERROR"
    again = error_told(told(error))
    assert isinstance(again, PassError)
    assert vars(again) == vars(error)


def test_every_class_of_error_has_a_code_of_its_own() -> None:
    assert CODES["SHAPE_ERROR"].startswith("Shapes, ranks or axes")
    assert CODES["RUNTIME_FAILURE"]
    assert dxir.errors.ShapeError("no").code == "SHAPE_ERROR"


def test_a_code_is_declared_once_and_spelt_in_upper_case() -> None:
    assert declare_code("ACME_SLOW", "a kernel is slow") == "ACME_SLOW"
    assert declare_code("ACME_SLOW", "a kernel is slow") == "ACME_SLOW"
    with pytest.raises(DxirError, match="has a meaning already"):
        declare_code("ACME_SLOW", "another thing")
    with pytest.raises(DxirError, match="cannot be the code"):
        declare_code("acme-slow", "a kernel is slow")
    with pytest.raises(DxirError, match="no diagnostic has the code"):
        check_code("ACME_SLO")
    del CODES["ACME_SLOW"]


def test_a_code_that_nobody_declared_is_a_mistake_of_the_pass() -> None:
    with pytest.raises(PassError, match="no diagnostic has the code 'NEAR_MIS'"):
        dxir.load(TEXT).run_passes([ReportUnknown()])


def test_every_code_in_the_sources_is_declared() -> None:
    packages = (dxir.errors, dxir.passes.recognize, dxir.tools.main)  # wherever they are installed
    sources = [path for p in packages for path in Path(str(p.__file__)).parent.rglob("*.py")]
    used = {c for path in sources for c in re.findall(r'code="(\w+)"', path.read_text("utf-8"))}
    assert used
    assert used <= set(CODES)
