"""Compiled functions held against NumPy."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.errors import EvaluationError, MismatchError, TracingError

RANDOM = np.random.default_rng(0)
W = RANDOM.standard_normal((30, 40)).astype(np.float32) / 10
X = RANDOM.standard_normal((5, 30)).astype(np.float32)


def classify(w: Any, x: Any) -> Any:
    y = ops.softmax(ops.tanh(ops.matmul(x, w)), axis=-1)
    return {"y": y, "best": ops.argmax(y, axis=1), "empty": x[:0], "none": None}


def test_a_function_that_agrees_has_a_report_with_a_row_for_each_result() -> None:
    report = dxir.check(classify, W, X)
    assert report.agrees
    assert [row.path for row in report.rows] == ["result['best']", "result['empty']", "result['y']"]
    best, empty, y = report.rows
    assert (best.verdict, best.max_abs, best.off) == ("equal", 0, 0)
    assert (str(empty.type), empty.verdict) == ("f32[0, 30]", "equal")
    assert y.max_ulp is not None
    assert 0 < y.max_abs < 1e-6
    text = str(report)
    assert text.startswith("classify on xla-cpu, against NumPy\nresult")
    assert "result['y']" in text


def test_tolerances_that_are_given_are_gone_by() -> None:
    with pytest.raises(MismatchError) as caught:
        dxir.check(classify, W, X, rtol=0.0, atol=0.0)
    text = str(caught.value)
    assert "result['y'][0, " in text
    assert "xla-cpu diverges first in matmul" in text
    assert str(caught.value.where).startswith(__file__)
    assert dxir.check(classify, W, X, rtol=1e-3, atol=1e-5).agrees


def test_functions_methods_and_compiled_functions_are_checked() -> None:
    @dataclasses.dataclass
    class Layer:
        w: Any

        @dxir.jit
        def __call__(self, x: Any) -> Any:
            return ops.tanh(ops.matmul(x, self.w))

        @dxir.function
        def twice(self, x: Any) -> Any:
            return x * 2 + self.w[0, 0]

    layer = Layer(W)
    assert dxir.check(layer.twice, X).agrees
    assert dxir.check(Layer.__call__, layer, X).agrees
    reference = dxir.check(dxir.jit(classify, target="reference"), W, X)
    assert reference.target == "reference"
    assert {row.verdict for row in reference.rows} == {"equal"}
    assert dxir.check(dxir.function(lambda x, n: x * n, static="n"), X, 3).agrees
    assert dxir.check(dxir.function(lambda x: x + 1, shapes={"x": ("n", None)}), X).agrees


def test_a_function_that_does_something_else_each_time_is_found() -> None:
    calls: list[int] = []

    def counting(x: Any) -> Any:
        calls.append(1)
        return x + len(calls)

    with pytest.raises(MismatchError, match="does something else when it is traced"):
        dxir.check(counting, X)
    assert issubclass(MismatchError, EvaluationError)

    def changing(x: Any) -> Any:
        calls.append(1)
        return (x,) if len(calls) % 2 else [x]

    with pytest.raises(TracingError, match="which containers it returns"):
        dxir.check(changing, X)


def test_numbers_that_are_none_are_alike() -> None:
    x = np.array([np.nan, np.inf, -np.inf, 0, 1e-40], np.float32)
    report = dxir.check(lambda x: (x * 2, x - x, 1 / x), x)
    assert report.agrees
