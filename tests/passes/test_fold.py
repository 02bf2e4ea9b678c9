"""dxir-fold: what it computes is what the program computes, to the last bit."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.errors import PassError
from dxir.examples import Example, Tolerance
from dxir.graph import Module
from dxir.lowering import lower_module
from dxir.mlir import TypeCache, dense_elements, ir
from dxir.op import REGISTRY, Op, Primitive
from dxir.passes.fold import Fold
from dxir.passes.values.exactness import is_candidate
from dxir.program import Program
from dxir.testing.op_checks import (
    assert_agrees,
    available,
    datasets,
    example_function,
    flush_subnormals,
)
from dxir.types import TensorType

ops.names()

# Where XLA's CPU code is not exact: it multiplies by reciprocals, and contracts to fused additions.
_UNITS = {"div": 1, "batch_norm_inference": 8}


def folded(text: str, options: str = "") -> Program:
    """The program after the pass, checked to be at rest."""
    program = dxir.load(text).verify()
    once = program.run_passes(f"dxir-fold{{{options}}}" if options else "dxir-fold").verify()
    twice = once.run_passes(f"dxir-fold{{{options}}}" if options else "dxir-fold")
    assert str(twice) == str(once)
    return once


def body(program: Program) -> str:
    """The text of the ops of a program's only function."""
    lines = str(program).splitlines()
    return "\n".join(line.strip() for line in lines[2:-3])


def main(ops_text: str, result: str, type: str) -> str:
    return f"func.func @main() -> {type} {{\n{ops_text}\nreturn {result} : {type}\n}}"


def with_constants(function: Any, arguments: list[Any]) -> Program:
    """The program of a function with arguments put in as constants."""
    module = lower_module(Module([function]))
    types = TypeCache.of(module.context)
    block = ir.SymbolTable(module.operation)["main"].regions[0].blocks[0]
    for argument, array, param in zip(block.arguments, arguments, function.params, strict=True):
        made = ir.Operation.create(
            "stablehlo.constant",
            results=[argument.type],
            attributes={"value": dense_elements(np.asarray(array), param.type, types)},
            ip=ir.InsertionPoint.at_block_begin(block),
            loc=types.unknown,
        )
        argument.replace_all_uses_with(made.results[0])
    return Program(module)


def _cases() -> list[Any]:
    found = []
    for name, cls in sorted(REGISTRY.items()):
        if not issubclass(cls, Primitive) or cls.mlir is None or not is_candidate(cls.mlir):
            continue
        for index, example in enumerate(cls.examples[:2]):
            if example.runs and cls.family not in ("quantized",):
                found.append(pytest.param(cls, example, id=f"{name}-{index}"))
    return found


def _runs(cls: type[Op], example: Example) -> bool:
    function = example_function(cls, example)
    types = [*(p.type for p in function.params), *function.result_types]
    return all(
        isinstance(t, TensorType) and all(isinstance(d, int) for d in t.shape) for t in types
    )


@pytest.mark.parametrize(("cls", "example"), _cases())
def test_a_folded_op_has_the_value_that_the_compiled_op_has(
    cls: type[Op], example: Example
) -> None:
    if not available(cls) or not _runs(cls, example):
        pytest.skip("not for a CPU of this jaxlib")
    function = example_function(cls, example)
    compiled = dxir.compile(function)
    for label, given in list(datasets(cls, example, 1))[-1:]:
        arguments = [flush_subnormals(a) for a in given]  # XLA's CPU code does so by itself
        after = with_constants(function, arguments).run_passes("dxir-fold").verify()
        if cls.mlir in after.op_counts():
            continue
        found, wanted = dxir.evaluate(after.raise_(), *arguments), compiled(*arguments)
        as_tuple = [r if isinstance(r, tuple) else (r,) for r in (found, wanted)]
        for result, expected in zip(*as_tuple, strict=True):
            got, array = flush_subnormals(result), flush_subnormals(expected)
            tolerance = Tolerance.of(TensorType.of_array(array).primitive, _UNITS.get(cls.op, 0))
            assert_agrees(got, array, array, tolerance, f"{cls.op}{example!r}, {label}")


@pytest.mark.parametrize(
    ("type", "values", "wanted"),
    [
        ("i1", "[true, false]", "[false, true]"),
        ("i4", "[7, -8]", "[-8, 7]"),
        ("ui2", "[3, 0]", "[0, 3]"),
        ("bf16", "[0x7FC1, -0.0]", "[-0.000000e+00, 0x7FC1]"),
        ("f8E4M3FN", "[1.0, 448.0]", "[4.480000e+02, 1.000000e+00]"),
        ("f32", "[0x7FC00001, 0x00000001]", "[1.401300e-45, 0x7FC00001]"),
        ("complex<f32>", "[(1.0, 2.0), (0.0, -0.0)]",
         "[(0.000000e+00,-0.000000e+00), (1.000000e+00,2.000000e+00)]"),
    ],
)  # fmt: skip
def test_every_element_type_keeps_its_bits(type: str, values: str, wanted: str) -> None:
    text = (
        f"%a = stablehlo.constant dense<{values}> : tensor<2x{type}>\n"
        f"%b = stablehlo.reverse %a, dims = [0] : tensor<2x{type}>"
    )
    program = folded(main(text, "%b", f"tensor<2x{type}>"))
    assert f"dense<{wanted}> : tensor<2x{type}>" in str(program)
    assert "reverse" not in str(program)


def test_an_empty_result_folds() -> None:
    text = (
        "%a = stablehlo.constant dense<1.0> : tensor<0x3xf32>\n"
        "%b = stablehlo.add %a, %a : tensor<0x3xf32>"
    )
    program = folded(main(text, "%b", "tensor<0x3xf32>"))
    assert program.op_counts() == {"func.func": 1, "func.return": 1, "stablehlo.constant": 1}


def test_data_beside_the_module_is_read_when_it_is_there() -> None:
    text = main(
        "%a = stablehlo.constant dense_resource<w> : tensor<2xf32>\n"
        "%b = stablehlo.add %a, %a : tensor<2xf32>",
        "%b",
        "tensor<2xf32>",
    )
    data = '{-# dialect_resources: {builtin: {w: "0x040000000000803F00000040"}} #-}'
    assert "dense<[2.000000e+00, 4.000000e+00]>" in str(folded(f"{text}\n{data}"))


def test_a_sharding_goes_to_the_constant() -> None:
    text = """
    sdy.mesh @m = <["a"=2]>
    func.func @main() -> tensor<2xi32> {
      %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
      %b = stablehlo.add %a, %a {
        sdy.sharding = #sdy.sharding_per_value<[<@m, [{"a"}]>]>
      } : tensor<2xi32>
      return %b : tensor<2xi32>
    }"""
    assert "stablehlo.constant {sdy.sharding" in str(folded(text))


@pytest.mark.parametrize(
    "ops_text",
    [
        # more work than elements: a sort, a product
        "%i = stablehlo.iota dim = 0 : tensor<512x512xi32>\n"
        "%r = stablehlo.dot_general %i, %i, contracting_dims = [1] x [0] "
        ": (tensor<512x512xi32>, tensor<512x512xi32>) -> tensor<512x512xi32>",
        # operands above the limit
        "%i = stablehlo.constant dense<1> : tensor<512x512xi32>\n"
        "%r = stablehlo.add %i, %i : tensor<512x512xi32>",
        "%a = stablehlo.iota dim = 0 : tensor<512x512xi32>\n"
        "%r = stablehlo.abs %a : tensor<512x512xi32>",
    ],
)
def test_what_is_too_large_stays_as_it_is(ops_text: str) -> None:
    text = main(ops_text, "%r", "tensor<512x512xi32>")
    program = dxir.load(text)
    assert str(folded(text)) == str(program)


def test_a_function_whose_folding_takes_too_much_stays_as_it_is() -> None:
    keep = "stablehlo.custom_call @keep"
    type = "tensor<1000xi32>"
    lines = [f"%v0 = stablehlo.iota dim = 0 : {type}"]
    for i in range(4):
        lines.append(f"%v{i + 1} = stablehlo.negate %v{i} : {type}")
        lines.append(f"%k{i} = {keep}(%v{i + 1}) : ({type}) -> {type}")
    text = main("\n".join(lines), "%k3", type)
    assert "stablehlo.negate" not in folded(text).op_counts()
    assert str(folded(text, "max-total=2500")) == str(dxir.load(text))
    (warning,) = dxir.load(text).run_passes("dxir-fold{max-total=2500}").diagnostics
    assert "takes more than max-total=2500 elements" in warning.message


def test_an_option_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(PassError, match="max-elements counts elements and cannot be -2"):
        Fold(max_elements=-2)


def test_nothing_to_fold_imports_no_ops() -> None:
    code = (
        "import dxir, sys\n"
        "p = dxir.load('func.func @main(%x: tensor<f32>) -> tensor<f32> { "
        "%c = stablehlo.constant dense<1.0> : tensor<f32> "
        "%r = stablehlo.add %x, %c : tensor<f32> return %r : tensor<f32> }')\n"
        "p.run_passes('dxir-fold')\n"
        "assert not [m for m in sys.modules if m.startswith('dxir.dialects.')]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_inexact_folds_are_reported_and_recorded() -> None:
    text = main(
        "%a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>\n"
        "%b = stablehlo.sine %a : tensor<2xf32>\n"
        "%c = stablehlo.negate %b : tensor<2xf32>",
        "%c",
        "tensor<2xf32>",
    )
    folded(text, "inexact=true")
    program = dxir.load(text).run_passes("dxir-fold{inexact=true}")
    (found,) = program.approximations()
    assert (found.by, found.op) == ("dxir-fold", "stablehlo.constant")
    assert found.legalized_from == "stablehlo.sine"
    assert "a constant holds values of stablehlo.sine" in str(program.diagnostics[0])
