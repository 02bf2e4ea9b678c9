"""Numbers are what their types hold."""

from __future__ import annotations

import math

import pytest

import dxir
from dxir.mlir import ir
from dxir.pattern.numbers import extremes, number_of, round_to
from dxir.pattern.view import Seen, View
from dxir.reading import terminator


def number(text: str, type: str) -> float | None:
    program = dxir.load(f"func.func @main() -> tensor<{type}> {{\n{text}\n}}")
    view = View(program.module)
    block = view.functions["main"].regions[0].blocks[0]
    found = number_of(view, Seen(terminator(block).operands[0], ()))
    return None if found is None else found[0]


@pytest.mark.parametrize(
    ("op", "a", "b", "type", "expected"),
    [
        ("add", "100", "100", "i8", -56),
        ("subtract", "0", "1", "ui8", 255),
        ("add", "256.0", "1.0", "bf16", 256),
        ("add", "2.0", "3.0", "f32", 5),
        ("multiply", "3.0e38", "10.0", "f32", math.inf),
    ],
)
def test_a_computed_number_is_rounded_or_wrapped(
    op: str, a: str, b: str, type: str, expected: float
) -> None:
    text = f"""
    %a = stablehlo.constant dense<{a}> : tensor<{type}>
    %b = stablehlo.constant dense<{b}> : tensor<{type}>
    %c = stablehlo.{op} %a, %b : tensor<{type}>
    return %c : tensor<{type}>"""
    assert number(text, type) == expected


@pytest.mark.parametrize(
    ("source", "value", "to", "expected"),
    [("f32", "0.5", "i1", 1.0), ("f32", "0.1", "f8E5M2", 0.09375), ("f32", "-2.5", "i32", -2.0)],
)
def test_a_converted_number_is_what_the_type_holds(
    source: str, value: str, to: str, expected: float
) -> None:
    text = f"""
    %a = stablehlo.constant dense<{value}> : tensor<{source}>
    %c = stablehlo.convert %a : (tensor<{source}>) -> tensor<{to}>
    return %c : tensor<{to}>"""
    assert number(text, to) == expected


def test_extremes_are_the_last_finite_numbers() -> None:
    with ir.Context():
        f16 = ir.F16Type.get()
        assert extremes(f16) == (-65504.0, 65504.0)
        assert extremes(ir.IntegerType.get_signless(8)) == (-128.0, 127.0)
        assert round_to(f16, 1e9) == math.inf
