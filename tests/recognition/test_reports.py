"""Public reports of recognition that changed numbers, each with the outcome that is right.

A test's id names the reports.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.reading import attribute, attribute_text, ops_below

SPREAD = np.array([10000.0, 10000.1, 9999.9, 10000.0], np.float32)
TAIL = np.array([-5, -6, -1, 2], np.float32)


@pytest.fixture(autouse=True)
def reports(request: pytest.FixtureRequest) -> object:
    """The names of the reports that a test is about: they are in its id only."""
    return getattr(request, "param", None)


def about(*names: str) -> pytest.MarkDecorator:
    """Put the names of reports into the id of a test."""
    return pytest.mark.parametrize("reports", [names], ids=[" ".join(names)], indirect=True)


def one_pass(x: Any) -> Any:
    return ops.mean(x * x) - ops.square(ops.mean(x))


def two_pass(x: Any) -> Any:
    return ops.mean(ops.square(x - ops.mean(x)))


def erf(x: Any) -> Any:
    return 0.5 * x * (1 + ops.erf(x / np.float32(np.sqrt(2))))


def erfc(x: Any) -> Any:
    return 0.5 * x * ops.erfc(-x * np.float32(np.sqrt(0.5)))


def tanh(x: Any) -> Any:
    return 0.5 * x * (1 + ops.tanh(np.float32(np.sqrt(2 / np.pi)) * (x + 0.044715 * x * x * x)))


FORMS = {
    "one pass": (one_pass, SPREAD, "moments", 'form = "one_pass"', [0.0], 0.0),
    "two passes": (two_pass, SPREAD, "moments", 'form = "two_pass"', [0.00496101], 1e-7),
    "erf": (erf, TAIL, "gelu", 'form = "erf"', [-1.341e-06, 0.0, -0.15865525, 1.95449972], 5e-7),
    "erfc": (
        erfc, TAIL, "gelu", 'form = "erfc"', [-1.43326e-06, -5.9195e-09, -0.15865525, 1.95449972],
        2e-7,
    ),
    "tanh": (tanh, TAIL, "gelu", 'approximate = "tanh"', [0.0, 0.0, -0.158808, 1.954598], 5e-7),
}  # fmt: skip


@about("tt-metal#45968", "SKaiNET#769", "tt-metal#56490", "gemma_pytorch#33", "spd#820")
@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_found_as_what_it_is_and_never_becomes_another(form: str) -> None:
    formula, data, pattern, says, wanted, tolerance = FORMS[form]
    b = dxir.Builder()
    program = dxir.lower(b.build(formula(b.param(dxir.TensorType.of_array(data))))).decompose()
    coarse = program.run_passes("dxir-recognize,dxir-coarsen")
    (found,) = ops_below(coarse.module.operation, ("stablehlo.composite",))
    name, attributes = attribute(found, "name"), attribute(found, "composite_attributes")
    assert name is not None
    assert attributes is not None
    assert attribute_text(name) == f'"dxir.{pattern}"'
    assert says in attribute_text(attributes)
    before, after = (np.asarray(dxir.compile(p)(data)) for p in (program, coarse))
    assert before.tobytes() == after.tobytes()
    np.testing.assert_allclose(np.atleast_1d(after), wanted, rtol=0, atol=tolerance)
