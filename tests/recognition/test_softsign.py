"""Softsign and squareplus."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dxir import ops

B = "b = 4.000000e+00 : f64"
FORMS: dict[str, tuple[Callable[[Any], Any], str, str]] = {
    "softsign": (lambda x: x / (1 + ops.abs(x)), "softsign", ""),
    "softsign the other way": (lambda x: x * (1 / (ops.abs(x) + 1)), "softsign", ""),
    "squareplus": (lambda x: (x + ops.sqrt(ops.square(x) + 4)) / 2, "squareplus", B),
    "squareplus by products": (lambda x: 0.5 * (ops.sqrt(4 + x * x) + x), "squareplus", B),
}
NOT: dict[str, Callable[[Any], Any]] = {
    "of two": lambda x: x / (1 + ops.abs(ops.sin(x))),
    "plus two": lambda x: x / (2 + ops.abs(x)),
    "times": lambda x: x * (1 + ops.abs(x)),
    "no half": lambda x: x + ops.sqrt(x * x + 4),
    "minus": lambda x: 0.5 * (x - ops.sqrt(x * x + 4)),
}


@pytest.mark.parametrize("spelling", FORMS)
@pytest.mark.parametrize("element", ["f32", "bf16"])
def test_it_is_found(find: Any, spelling: str, element: str) -> None:
    make, pattern, attributes = FORMS[spelling]
    assert [(f.pattern, f.attributes) for f in find(make, element)] == [(pattern, attributes)]


@pytest.mark.parametrize("what", NOT)
def test_what_only_looks_like_one_is_not_one(find: Any, what: str) -> None:
    assert find(NOT[what]) == []
