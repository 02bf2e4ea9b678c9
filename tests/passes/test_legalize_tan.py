"""dxir-legalize-tan: sine over cosine and tan differ by no more than what is recorded."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import dxir
from dxir.errors import PassError
from dxir.passes.legalize_tan import LegalizeTan
from dxir.program import Program

Array = np.ndarray[Any, Any]
HOSTILE = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, 1e-45, 3.4e38, np.pi / 2], np.float32)
EPSILON = {"f64": 2.0**-52, "f32": 2.0**-23, "f16": 2.0**-10, "bf16": 2.0**-7}
NUMPY = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16}


def quotient(type: str) -> Program:
    return dxir.load(
        f"func.func @main(%x: {type}) -> {type} {{\n"
        f"%s = stablehlo.sine %x : {type}\n%c = stablehlo.cosine %x : {type}\n"
        f"%0 = stablehlo.divide %s, %c : {type}\nreturn %0 : {type}\n}}"
    )


def run(given: Program, x: Array) -> Array:
    return np.asarray(dxir.compile(given)(x))


def samples(element: str) -> Array:
    """Angles of all sizes, near zeros and near poles."""
    rng = np.random.default_rng(0)
    count = 1 << 14
    near = np.pi / 2 * rng.integers(-600, 600, count)
    parts = [
        rng.uniform(-1.5, 1.5, count),
        rng.uniform(-1e3, 1e3, count),
        near + rng.normal(size=count) * 10.0 ** rng.uniform(-7, -1, count),
    ]
    if element in ("f32", "f64"):
        parts.append(rng.uniform(-1e5, 1e5, count))
    return np.concatenate(parts).astype(NUMPY[element])


@pytest.mark.parametrize("element", sorted(EPSILON))
def test_the_two_forms_differ_by_no_more_than_what_is_recorded(element: str) -> None:
    x = samples(element)
    before = quotient(f"tensor<{len(x)}x{element}>")
    after = before.run_passes("dxir-legalize-tan")
    (found,) = after.approximations()
    assert found.max_rel_error == 2 * EPSILON[element]
    old, new = (run(p, x).astype(np.float64) for p in (before, after))
    finite = np.isfinite(old) & np.isfinite(new)
    assert finite.mean() > 0.99
    gap = np.abs(old[finite] - new[finite])
    assert (gap <= found.max_rel_error * np.abs(new[finite])).all()
    assert gap.any()  # the numbers do differ: it is no exact rewrite


def test_back_and_forth_computes_what_it_did_and_says_so_twice() -> None:
    before = quotient("tensor<8xf32>")
    there = before.run_passes("dxir-legalize-tan")
    back = there.run_passes("dxir-legalize-tan{to=quotient}")
    assert back.op_counts() == before.op_counts()
    assert run(back, HOSTILE).tobytes() == run(before, HOSTILE).tobytes()
    assert [a.legalized_from for a in back.approximations()] == ["tan", "sine / cosine"]
    for program, to in ((there, "tan"), (back, "quotient")):
        again = program.run_passes([LegalizeTan(to=to)])  # type: ignore[arg-type]  # one of the two
        assert str(again) == str(program)


def test_what_is_no_number_and_no_angle_stays_so() -> None:
    before = quotient("tensor<8xf32>")
    old, new = (run(p, HOSTILE) for p in (before, before.run_passes("dxir-legalize-tan")))
    assert np.isnan(old[:3]).all()
    assert np.isnan(new[:3]).all()
    assert old[3:5].tobytes() == new[3:5].tobytes()


def test_it_is_reported_with_the_place_and_the_bound() -> None:
    after = quotient("tensor<2xf32>").run_passes("dxir-legalize-tan")
    (told,) = after.diagnostics
    assert (told.severity, told.code, told.op) == ("remark", "TAN_LEGALIZED", "stablehlo.divide")
    assert told.numbers == {"max_rel_error": 2.0**-22}
    assert told.where == "<text>:4:6"


def test_what_is_recorded_of_the_quotient_stays_on_record() -> None:
    text = str(quotient("tensor<2xf32>")).replace(
        "divide %0, %1",
        'divide %0, %1 {dxir.approximations = [{by = "acme", legalized_from = "a", reason = "b"}]}',
    )
    found = dxir.load(text).run_passes("dxir-legalize-tan").approximations()
    assert sorted(a.by for a in found) == ["acme", "dxir-legalize-tan"]


def test_another_form_is_refused() -> None:
    with pytest.raises(PassError, match="one of tan, quotient"):
        quotient("tensor<2xf32>").run_passes("dxir-legalize-tan{to=sine}")
