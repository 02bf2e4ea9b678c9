"""Softplus in the forms of JAX, torch, TensorFlow and textbooks, and what is made of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dxir import ops

Make = Callable[[Any], Any]


def full(x: Any, value: float) -> Any:
    return ops.full_like(x, value=value)


def compare(a: Any, b: Any, direction: str) -> Any:
    return ops.compare(a, b, direction=direction)


def smooth(x: Any) -> Any:
    return ops.max(x, full(x, 0)) + ops.log1p(ops.exp(-ops.abs(x)))


def jax(x: Any) -> Any:
    zero = full(x, 0)
    gap = x - zero
    tail = ops.log1p(ops.exp(-ops.abs(gap)))
    return ops.select(compare(gap, gap, "NE"), x + zero, ops.max(x, zero) + tail)


def torch(x: Any) -> Any:
    grown = x * full(x, 1)
    return ops.select(compare(grown, full(x, 20), "GT"), x, ops.log1p(ops.exp(grown)) / full(x, 1))


def tensorflow(x: Any) -> Any:
    middle = ops.log1p(ops.exp(x))
    below = ops.select(compare(x, full(x, -13.94), "LT"), ops.exp(x), middle)
    return ops.select(compare(x, full(x, 13.94), "GT"), x, below)


PLAIN, THRESHOLD = 'form = "plain"', 'form = "threshold"'
FORMS: dict[str, tuple[Make, str, str]] = {
    "smooth": (smooth, "softplus", ""),
    "jax": (jax, "softplus", ""),
    "torch": (torch, "softplus", THRESHOLD),
    "tensorflow": (tensorflow, "softplus", THRESHOLD),
    "plain": (lambda x: ops.log1p(ops.exp(x)), "softplus", PLAIN),
    "textbook": (lambda x: ops.log(1 + ops.exp(x)), "softplus", PLAIN),
    "log of the logistic": (lambda x: ops.log(ops.sigmoid(x)), "log_sigmoid", ""),
    "jax's log sigmoid": (lambda x: -jax(-x), "log_sigmoid", ""),
    "plain log sigmoid": (lambda x: -ops.log1p(ops.exp(-x)), "log_sigmoid", PLAIN),
    "torch's log sigmoid": (
        lambda x: ops.min(full(x, 0), x) - ops.log1p(ops.exp(full(x, -1) * ops.abs(x))) * 1.0,
        "log_sigmoid",
        "",
    ),
    "mish": (lambda x: x * ops.tanh(smooth(x)), "mish", ""),
    "jax's mish": (lambda x: x * ops.tanh(jax(x)), "mish", ""),
    "torch's mish": (lambda x: ops.tanh(torch(x)) * x, "mish", THRESHOLD),
    "plain mish": (lambda x: x * ops.tanh(ops.log1p(ops.exp(x))), "mish", PLAIN),
}
NOT: dict[str, Make] = {
    "log of one minus": lambda x: ops.log1p(-ops.exp(x)),
    "log of two": lambda x: ops.log(2 + ops.exp(x)),
    "low threshold": lambda x: ops.select(compare(x, full(x, 1), "GT"), x, ops.sin(x)),
    "mish of two": lambda x: ops.sin(x) * ops.tanh(x),
}


@pytest.mark.parametrize("spelling", FORMS)
@pytest.mark.parametrize("element", ["f32", "bf16"])
def test_the_softplus_is_found(find: Any, spelling: str, element: str) -> None:
    make, pattern, attributes = FORMS[spelling]
    assert [(f.pattern, f.attributes) for f in find(make, element)] == [(pattern, attributes)]


@pytest.mark.parametrize("what", NOT)
def test_what_only_looks_like_a_softplus_is_not_one(find: Any, what: str) -> None:
    assert not {f.pattern for f in find(NOT[what])} & {"softplus", "log_sigmoid", "mish"}


def test_the_maximum_and_the_magnitude_are_of_one_value(find: Any) -> None:
    found = find(lambda x: ops.max(x, full(x, 0)) + ops.log1p(ops.exp(-ops.abs(ops.sin(x)))))
    assert sorted((f.pattern, f.attributes) for f in found) == [("relu", ""), ("softplus", PLAIN)]


def test_above_a_low_threshold_it_is_another_function(find: Any, near_misses: Any) -> None:
    def early(x: Any) -> Any:
        return ops.select(compare(x, full(x, 1), "GT"), x, ops.log1p(ops.exp(x)))

    assert [(f.pattern, f.attributes) for f in find(early)] == [("softplus", PLAIN)]
    told = near_misses(early, "softplus")
    assert told == ["nearly softplus: above 1 its softplus is not x"]
