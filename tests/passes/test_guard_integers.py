"""dxir-guard-integers: what XLA gives is what the references give, and no process ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dxir
from dxir.program import Program

PASS = "dxir-guard-integers"
INTEGERS = ("i8", "ui8", "i32", "ui32", "i64", "ui64")


def binary(op: str, element: str, count: int) -> Program:
    type = f"tensor<{count}x{element}>"
    return dxir.load(
        f"func.func @main(%x: {type}, %y: {type}) -> {type} {{\n"
        f"%0 = stablehlo.{op} %x, %y : {type}\nreturn %0 : {type}\n}}"
    )


def pairs(element: str, seconds: list[int]) -> tuple[np.ndarray[Any, Any], ...]:
    dtype = getattr(dxir, element).numpy
    limits = np.iinfo(dtype)
    firsts = [0, 1, 2, 3, 7, int(limits.max), int(limits.min)]
    seconds = [n for n in seconds if limits.min <= n <= limits.max]
    x, y = np.meshgrid(np.array(firsts, dtype), np.array(seconds, dtype))
    return x.ravel(), y.ravel()


@pytest.mark.parametrize("element", INTEGERS)
@pytest.mark.parametrize("op", ["divide", "remainder", "power"])
def test_values_stay_and_a_second_run_changes_nothing(op: str, element: str) -> None:
    x, y = pairs(element, [0, 1, 2, 5, 63, 64, 65, 100, 127, 200, 1000, -1, -2])
    before = binary(op, element, len(x))
    after = before.run_passes(PASS)
    assert str(after) != str(before)
    assert str(after.run_passes(PASS)) == str(after)
    found = np.asarray(dxir.compile(after)(x, y))
    named = {"divide": dxir.ops.div, "remainder": dxir.ops.rem, "power": dxir.ops.pow}[op]
    wanted = named(dxir.Array(x), dxir.Array(y)).numpy()
    np.testing.assert_array_equal(found, wanted)


def test_sizes_that_are_not_known_are_left_alone() -> None:
    before = dxir.load(
        "func.func @main(%x: tensor<?xi32>) -> tensor<?xi32> {\n"
        "%0 = stablehlo.divide %x, %x : tensor<?xi32>\nreturn %0 : tensor<?xi32>\n}"
    )
    assert str(before.run_passes(PASS)) == str(before)
