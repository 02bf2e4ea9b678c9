"""The record of approximations: written by any pass, kept by all that a program goes through."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import dxir
from dxir.approximations import (
    APPROXIMATIONS,
    Approximation,
    approximations,
    copy_records,
    merged_records,
    record,
    record_attribute,
    recorded,
)
from dxir.mlir import IrOperation, ir
from dxir.program import Program
from dxir.reading import ops_below
from dxir.tools.main import main

HALVED = Approximation(
    "tanh",
    "the table has 256 entries",
    "acme-table",
    max_abs_error=1e-3,
    max_rel_error=0.5,
    details={"table": "t256", "ranges": ("low", "high")},
)
TEXT = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "acme.norm" %x {decomposition = @norm} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @norm(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""


def op_of(program: Program, name: str) -> IrOperation:
    return ops_below(program.module.operation, (name,))[0]


def program(*marked: str) -> Program:
    """The program with the approximation on record of the ops of these names."""
    found = dxir.load(TEXT)
    for name in marked:
        record(op_of(found, name), HALVED)
    return found


def test_what_is_recorded_is_read_with_its_place() -> None:
    (found,) = program("stablehlo.tanh").approximations()
    assert found.as_dict() == {
        **HALVED.as_dict(), "op": "stablehlo.tanh", "where": "<text>:7:8", "function": "norm",
    }  # fmt: skip
    assert json.loads(json.dumps(found.as_dict()))["max_abs_error"] == 1e-3


def test_of_the_module_it_has_no_place_and_comes_first() -> None:
    given = program("stablehlo.tanh")
    record(given.module, HALVED)
    first, second = given.approximations()
    assert first == HALVED
    assert second.op == "stablehlo.tanh"


def test_the_same_is_recorded_once_and_another_thing_beside_it() -> None:
    given = program("stablehlo.tanh")
    op = op_of(given, "stablehlo.tanh")
    before = str(given)
    assert record(op, HALVED) is False
    assert str(given) == before
    other = Approximation("erf", "it has none", "acme-erf")
    assert record(op, other) is True
    assert [a.by for a in recorded(op)] == ["acme-table", "acme-erf"]


@pytest.mark.parametrize("version", ["1.0.0", "12w", "current"])
def test_serialization_keeps_it_on_ops_composites_and_the_module(version: str) -> None:
    given = program("stablehlo.tanh", "stablehlo.composite")
    record(given.module, HALVED)
    again = dxir.load(given.serialize(version))
    told = [(a.legalized_from, a.max_abs_error, a.op) for a in again.approximations()]
    assert told == [(a.legalized_from, a.max_abs_error, a.op) for a in given.approximations()]
    assert again.approximations()[0] == HALVED


@pytest.mark.parametrize(
    "pipeline",
    [
        "dxir-decompose", "cse", "canonicalize", "inline", "dxir-simplify", "dxir-fold", "dxir-dce",
        "dxir-canonical-names", "dxir-share-constants", "dxir-decompose,canonicalize,cse",
        "dxir-mixed-precision",
    ],
)  # fmt: skip
def test_passes_keep_it(pipeline: str) -> None:
    after = program("stablehlo.composite").run_passes(pipeline)
    found = [a for a in after.approximations() if a.by == "acme-table"]
    assert [(a.legalized_from, a.max_abs_error) for a in found] == [("tanh", 1e-3)]


def test_graphs_and_their_json_keep_it() -> None:
    given = program("stablehlo.composite")
    record(given.module, HALVED)
    graph = given.raise_()
    for again in (graph, dxir.from_json(dxir.to_json(graph))):
        assert [a.by for a in dxir.lower(again).approximations()] == ["acme-table"] * 2


def test_decomposing_says_it_of_what_makes_the_results_beside_what_is_said_there() -> None:
    given = program("stablehlo.composite")
    record(op_of(given, "stablehlo.negate"), Approximation("abs", "why not", "acme-sign"))
    (first, second) = given.run_passes("dxir-decompose").approximations()
    assert {first.op, second.op} == {"stablehlo.negate"}
    assert {first.by, second.by} == {"acme-sign", "acme-table"}


def test_decomposing_says_it_of_an_op_of_several_results() -> None:
    given = dxir.load("""
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = stablehlo.composite "acme.two" %x, %y {decomposition = @two}
    : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}
func.func private @two(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = stablehlo.optimization_barrier %x, %y : tensor<4xf32>, tensor<4xf32>
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}
""")
    record(op_of(given, "stablehlo.composite"), HALVED)
    (found,) = given.run_passes("dxir-decompose").approximations()
    assert found.op == "stablehlo.optimization_barrier"


def test_a_folded_constant_has_what_is_on_record_of_all_behind_it() -> None:
    given = dxir.load("""
func.func @main() -> tensor<2xf32> {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.negate %a : tensor<2xf32>
  %c = stablehlo.add %b, %a : tensor<2xf32>
  return %c : tensor<2xf32>
}""")
    record(op_of(given, "stablehlo.negate"), HALVED)
    (found,) = given.run_passes("dxir-fold").approximations()
    assert (found.by, found.op) == ("acme-table", "stablehlo.constant")


def test_what_others_wrote_there_is_read_as_far_as_it_goes() -> None:
    given = dxir.load(
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        "%0 = stablehlo.negate %x {dxir.approximations = [3, {by = 7 : i32, max_abs_error = 2, "
        'q = [1, "a"], z = dense<(1.0, 2.0)> : tensor<complex<f32>>, reason = "\\FF"}]} '
        ": tensor<4xf32>\n"
        "%1 = stablehlo.negate %0 {dxir.approximations = true} : tensor<4xf32>\n"
        "return %1 : tensor<4xf32>\n}"
    )
    (found,) = given.approximations()
    assert (found.by, found.legalized_from, found.max_abs_error) == ("7 : i32", "?", 2.0)
    assert found.details == {"q": ("1 : i64", "a")}
    assert record(op_of(given, "stablehlo.negate"), HALVED)
    assert len(approximations(given.module)) == 2


def test_records_are_merged_without_those_that_are_none() -> None:
    given = program()
    context = given.context
    first = record_attribute([HALVED], context)
    other = record_attribute([Approximation("a", "b", "c")], context)
    assert len(list(merged_records(first, other))) == 2
    assert merged_records(first, first) == first
    true = ir.BoolAttr.get(True, context)
    assert merged_records(true, first) == first
    assert merged_records(first, true) == first
    op = op_of(given, "stablehlo.tanh")
    copy_records([op_of(program("stablehlo.tanh"), "stablehlo.tanh")][:0], op)
    assert APPROXIMATIONS not in op.attributes


def test_the_command_lists_them_as_a_table_and_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = program("stablehlo.composite")
    record(given.module, HALVED)
    text, artifact = tmp_path / "m.mlir", tmp_path / "m.mlirbc"
    text.write_text(str(given), "utf-8")
    artifact.write_bytes(given.serialize("1.0.0"))
    for path in (text, artifact):
        assert main(["approximations", str(path)]) == 0
        head, whole, op = capsys.readouterr().out.splitlines()
        assert head.split() == ["where", "op", "was", "by", "error", "reason"]
        assert "the module" in whole
        assert "abs 0.001, rel 0.5" in whole
        assert "the table has 256 entries; ranges=low,high; table=t256" in whole
        assert "stablehlo.composite in @main" in op
        assert main(["approximations", str(path), "--json"]) == 0
        listed = json.loads(capsys.readouterr().out)
        assert [entry["by"] for entry in listed] == ["acme-table", "acme-table"]


def test_the_command_says_when_there_is_nothing_and_what_it_cannot_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = tmp_path / "m.mlir"
    plain.write_text(TEXT, "utf-8")
    assert main(["approximations", str(plain)]) == 0
    assert capsys.readouterr().out == "no approximation is on record\n"
    assert main(["approximations", str(tmp_path / "none.mlir")]) == 1
    assert "none.mlir" in capsys.readouterr().err
