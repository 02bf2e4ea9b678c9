"""Questions about inferred types: for each op that infers types, the types that were written."""

from __future__ import annotations

import re

import pytest

import dxir
from dxir.errors import PassError
from dxir.mlir import ir
from dxir.pipeline.running import run_steps
from dxir.pipeline.steps import resolve
from dxir.program import Program

ASKED = {
    "constant": "stablehlo.constant dense<1.0> : tensor<2x3xf32>",
    "complex constant": "stablehlo.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>",
    "transpose": "stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>",
    "pad": "stablehlo.pad %x, %s, low = [0, 1], high = [2, -1], interior = [1, 0]"
    " : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x3xf32>",
    "concatenate": "stablehlo.concatenate %x, %x, dim = 1"
    " : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>",
    "clamp": "stablehlo.clamp %s, %x, %s"
    " : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>",
    "slice": "stablehlo.slice %x [0:1, 0:3:2] : (tensor<2x3xf32>) -> tensor<1x2xf32>",
    "token": "stablehlo.create_token : !stablehlo.token",
    "tuple": "stablehlo.tuple %x, %s : tuple<tensor<2x3xf32>, tensor<f32>>",
    "complex": "stablehlo.complex %x, %x : tensor<2x3xcomplex<f32>>",
    "if": '"stablehlo.if"(%p) ({ stablehlo.return %x, %t : tensor<2x3xf32>, !stablehlo.token },'
    " { stablehlo.return %x, %t : tensor<2x3xf32>, !stablehlo.token })"
    " : (tensor<i1>) -> (tensor<2x3xf32>, !stablehlo.token)",
    "sort": '"stablehlo.sort"(%x) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>):'
    " stablehlo.return %p : tensor<i1> }) {dimension = 1 : i64}"
    " : (tensor<2x3xf32>) -> tensor<2x3xf32>",
    "map": '"stablehlo.map"(%x) ({ ^bb0(%a: tensor<f32>): stablehlo.return %p : tensor<i1> })'
    " {dimensions = array<i64: 0, 1>} : (tensor<2x3xf32>) -> tensor<2x3xi1>",
    "window": '"stablehlo.reduce_window"(%x, %s) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>):'
    " stablehlo.return %a : tensor<f32> }) {window_dimensions = array<i64: 2, 2>}"
    " : (tensor<2x3xf32>, tensor<f32>) -> tensor<1x2xf32>",
}


def program(op: str, question: str = "get_return_types") -> Program:
    type = op.rpartition(" -> " if " -> " in op else " : ")[2]
    number, which = ("", "")
    if type.startswith("("):
        type, number, which = type[1:-1].split(", ")[0], ":2", "#0"
    text = f"""
    func.func @main(%x: tensor<2x3xf32>, %s: tensor<f32>, %p: tensor<i1>, %t: !stablehlo.token) {{
      %0{number} = {op}
      %1 = "hlo_test_infer.{question}"(%0{which}) : ({type}) -> tensor<index>
      return
    }}"""
    return dxir.load(text, allow_unregistered=True)


@pytest.mark.parametrize("op", ASKED.values(), ids=ASKED)
def test_what_is_inferred_is_what_was_written(op: str) -> None:
    before = program(op)
    written = next(
        [str(r.type) for r in found.operation.results]
        for found in before.module.body.operations[0].regions[0].blocks[0].operations
    )
    after = before.run_passes("hlo-test-infer")
    found = re.search(r'"hlo_test_infer.return_types"\(.*?\) \{(.*)\} :', str(after))
    assert found is not None
    with after.context:
        given = [ir.Type.parse(text) for text in re.split(r",? ?types\d+ = ", found[1])[1:]]
    assert [str(type) for type in given] == written
    assert str(after.run_passes("hlo-test-infer")) == str(after)
    (record,) = run_steps(after.module, resolve("hlo-test-infer", after.context))
    assert record.changed is False


def test_shapes_are_asked_of_ops_that_infer_them() -> None:
    op = "stablehlo.negate %x : tensor<2x3xf32>"
    after = program(op, "get_return_type_components").run_passes("hlo-test-infer")
    assert '"hlo_test_infer.return_type_components"(%0) {types0 = tensor<2x3xf32>}' in str(after)
    with pytest.raises(PassError, match=r"stablehlo\.slice infers no shapes") as error:
        program(ASKED["slice"], "get_return_type_components").run_passes("hlo-test-infer")
    assert error.value.where == "<text>:4:12"


def test_what_the_bindings_do_not_offer_is_refused_by_name() -> None:
    with pytest.raises(PassError, match="reify_return_type_shapes cannot be answered") as error:
        program("stablehlo.negate %x : tensor<2x3xf32>", "reify_return_type_shapes").run_passes(
            "hlo-test-infer"
        )
    assert error.value.hint == "get_return_types and get_return_type_components can be"
