"""What broke when the front door was tried on odd programs: each of them once more."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dxir
import dxir.numpy as xp

X = np.arange(1, 4, dtype=np.float32)


def by_zero(kind: str, x: Any) -> Any:
    """7 divided by zeros that XLA computes when it compiles."""
    zeros = {
        "a constant": lambda: xp.zeros((2,), dtype="i32"),
        "a broadcast one": lambda: xp.broadcast_to(xp.asarray(0), (2,)),
        "a difference": lambda: x - x,
        "a product": lambda: x * 0,
        "an index": lambda: xp.arange(2) * 0,
    }
    return 7 // zeros[kind]()


@pytest.mark.parametrize(
    "kind", ["a constant", "a broadcast one", "a difference", "a product", "an index"]
)
def test_an_integer_divided_by_a_zero_known_when_compiling_ends_no_process(kind: str) -> None:
    x = np.int32([5, -3])
    np.testing.assert_array_equal(dxir.jit(lambda x: by_zero(kind, x))(x), [-1, -1])


def test_a_division_by_zero_that_is_not_chosen_is_compiled() -> None:
    chosen = dxir.jit(lambda n: n + xp.where(xp.arange(3) > 0, 6 // xp.arange(3), 0))(np.int32(1))
    np.testing.assert_array_equal(chosen, [1, 7, 4])


def test_integers_are_raised_to_powers_beyond_63() -> None:
    x = np.int32([0, 1, 2, 3, -1])
    np.testing.assert_array_equal(dxir.jit(lambda x: x**64)(x), xp.pow(xp.asarray(x), 64))
    y = np.int32([64, 65, 100, 127, 65])
    np.testing.assert_array_equal(
        dxir.jit(lambda x, y: x**y)(x, y), xp.pow(xp.asarray(x), xp.asarray(y))
    )
