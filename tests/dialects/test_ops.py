"""Every op of the registry against its own examples."""

from __future__ import annotations

import numpy as np
import pytest

from dxir import ops
from dxir.examples import Example, Tolerance
from dxir.op import REGISTRY, Op
from dxir.testing.op_checks import assert_agrees, available, check_types, check_values
from dxir.types import f64

ops.names()
CASES = [
    pytest.param(cls, example, id=f"{cls.family}-{name}-{i}")
    for name, cls in sorted(REGISTRY.items())
    if available(cls)
    for i, example in enumerate(cls.examples)
]


def test_no_number_is_near_infinity() -> None:
    found, wanted = np.array([1.0, np.inf]), np.array([np.inf, np.inf])
    tolerance = Tolerance.of(f64)
    with pytest.raises(AssertionError, match=r"element \(0,\)"):
        assert_agrees(found, wanted, wanted, tolerance, "x")
    assert_agrees(found[1:], wanted[1:], wanted[1:], tolerance, "x")


@pytest.mark.parametrize(("cls", "example"), CASES)
def test_inferred_lowered_and_reference_types_agree(cls: type[Op], example: Example) -> None:
    check_types(cls, example)


@pytest.mark.parametrize(("cls", "example"), [c for c in CASES if c.values[1].runs])  # type: ignore[attr-defined]
def test_compiled_values_agree_with_the_reference(cls: type[Op], example: Example) -> None:
    check_values(cls, example)
