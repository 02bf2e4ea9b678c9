"""The gelu pattern: exact and approximated, in every order that front ends write it in."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import dxir
from dxir import ops

ROOT, SCALE, CUBIC = math.sqrt(0.5), math.sqrt(2 / math.pi), 0.044715
ERF = 'approximate = "none", form = "erf"'
ERFC = 'approximate = "none", form = "erfc"'
TANH = 'approximate = "tanh"'

Make = Callable[[Any], Any]


def inner(x: Any) -> Any:
    return SCALE * (x + CUBIC * (x * x * x))


EXACT: dict[str, tuple[Make, str]] = {
    "torch": (lambda x: x * 0.5 * (ops.erf(x * ROOT) + 1), ERF),
    "tensorflow": (lambda x: 0.5 * x * (1 + ops.erf(x / math.sqrt(2))), ERF),
    "half last": (lambda x: x * (1 + ops.erf(x * ROOT)) * 0.5, ERF),
    "half of the sum": (lambda x: x * (0.5 * (1 + ops.erf(x * ROOT))), ERF),
    "divided by two": (lambda x: x * (1 + ops.erf(ROOT * x)) / 2, ERF),
    "half in both terms": (lambda x: x * (0.5 + 0.5 * ops.erf(x * ROOT)), ERF),
    "halved twice": (lambda x: (x / 2) * (1 + ops.erf(x / math.sqrt(2))), ERF),
    "jax": (lambda x: 0.5 * x * ops.erfc(-x * ROOT), ERFC),
    "minus outside": (lambda x: x * ops.erfc(-(x * ROOT)) * 0.5, ERFC),
    "negative factor": (lambda x: 0.5 * (x * ops.erfc(x * -ROOT)), ERFC),
    "negated quotient": (lambda x: 0.5 * x * ops.erfc(-x / math.sqrt(2)), ERFC),
}
APPROXIMATED: dict[str, Make] = {
    "jax": lambda x: x * (0.5 * (1 + ops.tanh(inner(x)))),
    "torch": lambda x: 0.5 * x * (1 + ops.tanh(inner(x))),
    "power": lambda x: 0.5 * x * (1 + ops.tanh(SCALE * (x + CUBIC * ops.pow(x, 3.0)))),
    "square": lambda x: 0.5 * x * (1 + ops.tanh(SCALE * (x + CUBIC * x * ops.square(x)))),
    "factored": lambda x: 0.5 * x * (1 + ops.tanh(x * SCALE * (1 + CUBIC * x * x))),
    "factored square": lambda x: x * (1 + ops.tanh(SCALE * x * (1 + CUBIC * (x * x)))) * 0.5,
    "multiplied out": lambda x: 0.5 * x * (1 + ops.tanh(SCALE * x + SCALE * CUBIC * (x * x * x))),
    "folded": lambda x: 0.5 * x * (1 + ops.tanh(x * (SCALE + SCALE * CUBIC * (x * x)))),
    "half in both terms": lambda x: x * (0.5 + 0.5 * ops.tanh(inner(x))),
}
NOT: dict[str, tuple[Make, str]] = {
    "no half": (lambda x: x * (1 + ops.erf(x * ROOT)), "a constant is 1, not 0.5"),
    "a quarter": (lambda x: 0.25 * x * (1 + ops.erf(x * ROOT)), "a constant is 0.25, not 0.5"),
    "erf of half": (lambda x: 0.5 * x * (1 + ops.erf(x / 2)), "a constant is 0.5, not 0.707107"),
    "of another": (lambda x: 0.5 * x * (1 + ops.erf(ops.sin(x) * ROOT)), "x is not one"),
    "minus": (lambda x: 0.5 * x * (1 - ops.erf(x * ROOT)), "an erf should stand where"),
    "another cubic": (
        lambda x: 0.5 * x * (1 + ops.tanh(SCALE * (x + 0.0447 * (x * x * x)))),
        "a constant is 0.0447, not 0.044715",
    ),
    "positive erfc": (lambda x: 0.5 * x * ops.erfc(x * ROOT), "a constant is"),
}


@pytest.mark.parametrize("spelling", EXACT)
@pytest.mark.parametrize("element", ["f32", "bf16", "f16"])
def test_the_exact_gelu_is_found(find: Any, spelling: str, element: str) -> None:
    make, attributes = EXACT[spelling]
    assert [(f.pattern, f.attributes) for f in find(make, element)] == [("gelu", attributes)]


@pytest.mark.parametrize("spelling", APPROXIMATED)
@pytest.mark.parametrize("element", ["f32", "bf16", "f16"])
def test_the_gelu_by_tanh_is_found(find: Any, spelling: str, element: str) -> None:
    found = find(APPROXIMATED[spelling], element)
    assert [(f.pattern, f.attributes) for f in found] == [("gelu", TANH)]


def test_a_gelu_computed_in_f32_of_narrower_numbers_takes_and_gives_these(find: Any) -> None:
    def wide(x: Any) -> Any:
        y = EXACT["torch"][0](ops.convert(x, dtype=dxir.f32))
        return ops.convert(y, dtype=dxir.bf16)

    found = find(wide, "bf16")
    assert [(f.pattern, f.operands) for f in found] == [("gelu", ("tensor<4x8xbf16>",))]


def test_a_quick_gelu_is_a_pattern_of_its_own(find: Any) -> None:
    for make in (
        lambda x: x * ops.sigmoid(1.702 * x),
        lambda x: ops.sigmoid(x * 1.702) * x,
        lambda x: x / (1 + ops.exp(-1.702 * x)),
        lambda x: x / (1 + ops.exp(-(1.702 * x))),
    ):
        assert [f.pattern for f in find(make)] == ["quick_gelu"]


@pytest.mark.parametrize("what", NOT)
def test_what_only_looks_like_a_gelu_is_not_one(find: Any, near_misses: Any, what: str) -> None:
    make, reason = NOT[what]
    assert "gelu" not in {f.pattern for f in find(make)}
    assert any(reason in told for told in near_misses(make, "gelu")), near_misses(make, "gelu")


def test_the_operand_is_what_the_gelu_is_of(find: Any) -> None:
    found = find(lambda x: EXACT["torch"][0](x * 2 + 1))
    assert [(f.pattern, f.operands) for f in found] == [("gelu", ("tensor<4x8xf32>",))]
