"""The activations of Dxir are found again in what they expand into, with what they were told."""

from __future__ import annotations

from typing import Any

import pytest

import dxir
from dxir import ops

OPS: dict[str, dict[str, Any]] = {
    "relu": {},
    "relu6": {},
    "leaky_relu": {"negative_slope": 0.125},
    "silu": {},
    "elu": {"alpha": 0.75},
    "softplus": {},
    "softsign": {},
    "hard_sigmoid": {},
    "hard_swish": {},
    "mish": {},
}
GELUS = {"none": 'approximate = "none", form = "erfc"', "tanh": 'approximate = "tanh"'}


def expanded(name: str, element: str, **attributes: Any) -> dxir.Program:
    builder = dxir.Builder("main")
    x = builder.param(getattr(dxir, element)[4, 8], name="x")
    return dxir.lower(builder.build(getattr(ops, name)(x, **attributes))).decompose()


@pytest.mark.parametrize("element", ["f32", "bf16", "f16", "f64"])
@pytest.mark.parametrize("name", OPS)
def test_an_activation_is_found_in_its_expansion(recognize: Any, name: str, element: str) -> None:
    (found,) = recognize(expanded(name, element, **OPS[name]))
    told = ", ".join(f"{key} = {value:e} : f64" for key, value in OPS[name].items())
    assert (found.pattern, found.attributes) == (name, told)
    assert found.operands == (f"tensor<4x8x{element}>",)


@pytest.mark.parametrize("element", ["f32", "bf16", "f16", "f64"])
@pytest.mark.parametrize("approximate", GELUS)
def test_a_gelu_is_found_in_its_expansion(recognize: Any, approximate: str, element: str) -> None:
    (found,) = recognize(expanded("gelu", element, approximate=approximate))
    assert (found.pattern, found.attributes) == ("gelu", GELUS[approximate])
    assert found.operands == (f"tensor<4x8x{element}>",)


@pytest.mark.parametrize("name", [*OPS, "gelu"])
def test_an_activation_that_is_a_composite_stays_the_same_one(name: str) -> None:
    builder = dxir.Builder("main")
    x = builder.param(dxir.f32[4, 8], name="x")
    program = dxir.lower(builder.build(getattr(ops, name)(x, **OPS.get(name, {}))))
    coarse = program.run_passes("dxir-recognize,dxir-coarsen")
    assert coarse.fingerprint() == program.fingerprint()
