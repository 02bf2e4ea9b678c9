"""Traced arrays where numbers are needed, and after their function was traced."""

from __future__ import annotations

import math
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dxir
import dxir.numpy as xp
from dxir import Array, ops
from dxir.errors import DxirError, GraphError, TracingError
from dxir.locations import enable_locations

F32 = np.float32
X = np.ones((2, 3), F32)
S = F32(2)


def if_(x: Any) -> Any:
    if x > 0:
        return x
    return -x


def elif_(x: Any) -> Any:
    if x is None:
        return 1
    elif x > 0:  # noqa: RET505  it is what is tried
        return x
    return -x


def long_if(x: Any) -> Any:
    if (
        x
        >
        0
    ):  # fmt: skip
        return x
    return -x


def while_(x: Any) -> Any:
    while x > 0:
        x = x - 1
    return x


def for_(n: Any) -> Any:
    return sum(i for i in range(n))


def choice(x: Any) -> Any:
    return x if x > 0 else -x


def and_(x: Any) -> Any:
    return x > 0 and x < 1


def or_(x: Any) -> Any:
    return (x > 0) or x


def not_(x: Any) -> Any:
    return not x


def chain(x: Any) -> Any:
    return 0 < x < 1


def comprehension(x: Any) -> Any:
    return [i for i in (1, 2) if x > i]


def index(n: Any) -> Any:
    return [1, 2][n]


def maximum(x: Any) -> Any:
    return max(x, 1)


CASES = [
    (if_, "an `if` asks for the truth of i1[]", "dxir.cond"),
    (elif_, "an `if` asks for the truth of i1[]", "dxir.numpy.where"),
    (long_if, "an `if` asks for the truth of i1[]", "dxir.cond"),
    (while_, "a `while` asks for the truth of i1[]", "dxir.while_loop"),
    (for_, "`range` asks for the number of i32[]", "dxir.fori_loop"),
    (choice, "`a if x else b` asks for the truth", "dxir.numpy.where"),
    (and_, "`and` asks for the truth", "dxir.numpy.logical_and"),
    (or_, "`or` asks for the truth", "dxir.numpy.logical_or"),
    (not_, "`not` asks for the truth of f32[]", "dxir.numpy.logical_not"),
    (chain, "a chain of comparisons", "(a < x) & (x < b)"),
    (comprehension, "the `if` of a comprehension", "dxir.numpy.where"),
    (index, "a Python list or tuple is indexed by i32[]", "dxir.numpy.stack"),
    (maximum, "`max` asks for the truth", "dxir.numpy.maximum"),
    (lambda x: float(x), "`float(x)` asks for the number", "dxir.numpy.astype"),
    (lambda x: int(x), "`int(x)` asks for the number", "dxir.numpy.astype"),
    (lambda x: bool(x), "`bool(x)` asks for the truth", "x != 0"),
    (lambda x: x.item(), "x.item() asks for the numbers of f32[]", "return the array"),
    (lambda x: x.numpy(), "x.numpy() asks for the numbers of f32[]", "f.eager"),
    (lambda x: np.asarray(x), "NumPy asks for the numbers of f32[]", "f.eager"),
    (lambda x: math.sqrt(x), "math.sqrt asks for the number of f32[]", "dxir.numpy.sqrt"),
    (
        lambda x: x * len(f"{x:.2f}"),
        "a text with a format asks for the number of f32[]",
        "as it is",
    ),
    (lambda x: np.sin(x), "np.sin computes on numbers", "dxir.numpy.sin"),
    (lambda x: np.mean(x), "np.mean computes on numbers", "dxir.numpy.mean"),
]


@pytest.mark.parametrize(
    ("function", "told", "hint"), CASES, ids=[f"{c[0].__name__}{i}" for i, c in enumerate(CASES)]
)
def test_what_needs_numbers_is_named_with_what_to_write(
    function: Any, told: str, hint: str
) -> None:
    given = np.int32(1) if told.endswith("i32[]") else S
    jitted = dxir.jit(function)
    with pytest.raises(GraphError) as caught:
        jitted(given)
    assert told in caught.value.message
    assert hint in str(caught.value.hint)
    assert str(caught.value.where).startswith(__file__)
    jitted.eager(np.int32(1) if given.dtype == np.int32 else F32(0.5))


def test_an_assertion_is_named(tmp_path: Path) -> None:
    path = tmp_path / "asserting.py"  # pytest rewrites those in this file
    path.write_text("def f(x):\n    assert x > 0, 'positive'\n    return x\n", encoding="utf-8")
    with pytest.raises(GraphError, match="an `assert` asks for the truth of i1") as caught:
        dxir.jit(runpy.run_path(str(path))["f"])(S)
    assert caught.value.where == f"{path}:2"


def test_without_source_the_message_is_general() -> None:
    names: dict[str, Any] = {}
    exec("def f(x):\n    if x > 0:\n        return x\n", names)
    with pytest.raises(GraphError, match=r"bool\(x\) of an array is asked for") as caught:
        dxir.jit(names["f"])(S)
    assert "dxir.cond" in str(caught.value.hint)


def test_arrays_of_numbers_have_truth_and_are_indices() -> None:
    assert Array(S) > 1
    assert [1, 2, 3][Array(np.int32(1))] == 2
    assert list(range(Array(np.int32(2)))) == [0, 1]
    assert f"{Array(S):.2f}" == "2.00"


kept: list[Any] = []


def leaking(x: Any) -> Any:
    kept[:] = [x * 2]
    return x


def uses() -> list[Any]:
    return [
        lambda: kept[0] + 1,
        lambda: kept[0].numpy(),
        lambda: bool(kept[0]),
        lambda: float(kept[0]),
        lambda: np.sin(kept[0]),
        lambda: np.asarray(kept[0]),
        lambda: dxir.jit(lambda y: y + kept[0])(S),
        lambda: dxir.jit(lambda: kept[0])(),
        lambda: dxir.jit(leaking)(kept[0]),
        lambda: dxir.function(lambda x: x).eager(kept[0]) + 1,
    ]


@pytest.mark.parametrize("number", range(10))
def test_arrays_that_leaked_are_told_of_with_their_function(number: int) -> None:
    dxir.jit(leaking)(S)
    with pytest.raises(GraphError) as caught:
        uses()[number]()
    text = str(caught.value)
    assert "leaking" in text
    assert "used after that was traced" in text or "computes on numbers" in text
    assert str(caught.value.where).startswith(__file__)
    assert "traced array" in repr(kept[0])


def test_arrays_of_a_trace_that_failed_have_leaked() -> None:
    def failing(x: Any) -> Any:
        kept[:] = [x * 2]
        raise KeyError("mine")

    with pytest.raises(KeyError):
        dxir.jit(failing)(S)
    with pytest.raises(TracingError, match="failing"):
        print(kept[0] + 1)


def test_arrays_of_a_body_or_callee_cannot_be_used_around_it() -> None:
    def f(x: Any) -> Any:
        def inner(y: Any) -> Any:
            kept[:] = [y * 2]
            return y

        dxir.function(inner)(x)
        return kept[0] + x

    with pytest.raises(GraphError, match="inside the function 'f'"):
        dxir.jit(f)(S)

    def g(x: Any) -> Any:
        def body(i: Any, y: Any) -> Any:
            kept[:] = [y * 2]
            return i + 1, y

        ops.while_loop(cond=lambda i, y: i < 3, body=body, init=(np.int32(0), x))
        return kept[0] + x

    with pytest.raises(GraphError, match="'g'"):
        dxir.jit(g)(S)


def test_recursion_is_refused_and_static_recursion_unrolls() -> None:
    @dxir.function
    def endless(x: Any) -> Any:
        return endless(x)

    with pytest.raises(TracingError, match="endless calls itself while it is traced") as caught:
        endless(X)
    assert str(caught.value.where).startswith(__file__)

    @dxir.jit
    def compiled(x: Any) -> Any:
        return compiled(x)

    with pytest.raises(TracingError, match="compiled calls itself"):
        compiled(X)

    @dxir.function
    def growing(x: Any) -> Any:
        return growing(ops.concat((x, x[:1]), axis=0))

    with pytest.raises(TracingError, match="call each other more than"):
        growing(X)

    @dxir.function(static="n")
    def factorial(n: int, x: Any) -> Any:
        return x if n == 0 else factorial(n - 1, x) * n

    np.testing.assert_array_equal(factorial(4, X), X * 24)


def test_arrays_are_not_changed_in_place() -> None:
    def f(x: Any) -> Any:
        x[0] = 1
        return x

    for call in (dxir.jit(f), dxir.function(f).eager):
        with pytest.raises(GraphError, match="not changed in place") as caught:
            call(X)
        assert "x.at[index].set(value)" in str(caught.value.hint)


def test_numpy_functions_compute_on_arrays_of_numbers() -> None:
    a = Array(X)
    for found, wanted in (
        (np.sin(a), np.sin(X)),
        (np.mean(a), np.mean(X)),
        (np.concatenate([a, X]), np.concatenate([X, X])),
        (np.add.reduce(a), np.add.reduce(X)),
    ):
        assert isinstance(found, (np.ndarray, np.generic))
        np.testing.assert_array_equal(found, wanted)
    total = X.copy()
    total += a
    for found in (X + a, F32(1) + a, total, np.float64(1) + a):
        assert isinstance(found, Array)
        assert found.dtype == dxir.f32
        np.testing.assert_array_equal(found, X * 2)


def test_without_locations_an_error_says_no_place() -> None:
    enable_locations(False)
    try:
        for mistake in (lambda x: x @ x, lambda x: xp.dot(x, x), lambda x: x + x[0, :2]):
            with pytest.raises(DxirError) as caught:
                mistake(dxir.Array(np.ones((2, 3), np.float32)))
            assert caught.value.where is None
            assert "None" not in str(caught.value)
    finally:
        enable_locations(True)
