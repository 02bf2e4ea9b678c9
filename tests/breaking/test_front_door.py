"""What broke when the front door was tried on odd programs: each of them once more."""

from __future__ import annotations

import collections
import dataclasses
from typing import Any

import numpy as np
import pytest

import dxir
import dxir.numpy as xp
from dxir.errors import DTypeError, DxirError, TracingError

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


@dataclasses.dataclass(frozen=True)
class Config:
    n: Any


def test_static_dataclasses_are_told_apart_by_the_types_of_their_fields() -> None:
    kinds = {bool: 2, float: 3, int: 1}
    f = dxir.jit(static="c")(lambda x, c: x * kinds[type(c.n)])
    assert [float(f(np.float32(1), c=Config(n))) for n in (1, True, 1.0, 1)] == [1, 2, 3, 1]
    assert f.traces == 3


def test_static_numbers_of_numpy_are_told_apart_by_their_bits() -> None:
    f = dxir.jit(static="n")(lambda x, n: x * n)
    assert [bool(np.signbit(f(X, n=np.float32(n))[0].numpy())) for n in (0.0, -0.0)] == [
        False,
        True,
    ]
    f(X, n=np.float32("nan"))
    f(X, n=np.float32("nan"))
    assert f.traces == 3


def test_a_static_value_whose_equality_raises_is_refused_by_name() -> None:
    class Odd:
        def __eq__(self, other: object) -> bool:
            raise ValueError("no")

        def __hash__(self) -> int:
            return 1

    f = dxir.jit(static="n")(lambda x, n: x)
    f(X, n=Odd())
    with pytest.raises(TracingError, match=r"type Odd cannot be told apart: .* ValueError: no"):
        f(X, n=Odd())


def test_keys_of_dictionaries_are_told_apart_by_their_types() -> None:
    f = dxir.jit(lambda x, d: x * (2 if next(iter(d)) is True else 1))
    assert [float(f(np.float32(1), {k: X})) for k in (1, True, 1)] == [1, 2, 1]
    g = dxir.jit(lambda d: d)
    assert [type(next(iter(g({k: X})))) for k in (1, 1.0, True)] == [int, float, bool]


def test_a_complex_number_that_differs_in_the_sign_of_a_zero_is_another_one() -> None:
    f = dxir.jit(xp.imag)
    found = [bool(np.signbit(f(complex(1, n)).numpy())) for n in (0.0, -0.0, 0.0)]
    assert found == [False, True, False]


def test_a_number_of_numpy_that_is_a_float_is_weak_whatever_was_given_before() -> None:
    f = dxir.jit(lambda x: x)
    f(np.array(1.5))
    assert [f(x).dtype.name for x in (np.float64(1.5), np.array(1.5))] == ["f32", "f64"]


@pytest.mark.parametrize("bounds", [(np.int8(0), 200), (-5, np.uint8(3)), (np.uint8(0), 300)])
def test_a_bound_that_the_type_of_the_other_does_not_hold_is_refused(bounds: Any) -> None:
    def count() -> Any:
        return dxir.fori_loop(*bounds, lambda i, n: n + 1, 0)

    for call in (count, dxir.jit(count)):
        with pytest.raises(DTypeError, match="is no number of type"):
            call()


def test_bounds_of_two_types_are_brought_to_one() -> None:
    def last(a: Any, b: Any) -> Any:
        return dxir.fori_loop(a, b, lambda i, n: xp.astype(i, "i64"), np.int64(0))

    bounds = np.uint8(250), np.int32(258)
    assert int(last(*bounds)) == int(dxir.jit(last)(*bounds)) == 257


@pytest.mark.parametrize("steps", [0, 1, 3])
def test_state_that_begins_as_a_number_has_one_type_compiled_or_not(steps: int) -> None:
    def fori(n: Any) -> Any:
        return dxir.fori_loop(0, n, lambda i, s: s * 4 * xp.asarray(1.0), 1 << 30)

    def whiled(n: Any) -> Any:
        double = lambda s: (s[0] + 1, s[1] * xp.asarray(2.5))  # noqa: E731
        return dxir.while_loop(lambda s: s[0] < n, double, (0, 1))[1]

    def scanned(n: Any) -> Any:
        xs = xp.ones(steps, dtype="f16")
        return dxir.scan(lambda s, x: (s + x / 2, None), 1, xs)[0]

    def replaced(n: Any) -> Any:
        return dxir.fori_loop(0, n, lambda i, s: 2, xp.asarray(1.5))

    for f in (fori, whiled, scanned, replaced):
        eager, compiled = f(steps), dxir.jit(f)(steps)
        assert (eager.dtype, float(eager)) == (compiled.dtype, float(compiled))


def test_bodies_that_go_by_numbers_run_eagerly_from_a_number_on() -> None:
    def body(i: Any, s: Any) -> Any:
        return s + 1 if float(s) < 3 else s

    assert int(dxir.fori_loop(0, 5, body, 0)) == 3
    assert int(dxir.fori_loop(0, 0, body, 7)) == 7


def test_a_python_integer_that_no_i32_holds_is_refused_where_it_is_used() -> None:
    for call in (
        lambda: dxir.fori_loop(0, 1 << 40, lambda i, n: n, 0),
        lambda: dxir.jit(lambda x: dxir.fori_loop(0, 1 << 40, lambda i, n: n, x))(X),
        lambda: dxir.jit(lambda: 1 << 40)(),
        lambda: dxir.jit(lambda x: dxir.cond(x[0] > 0, lambda: 1 << 40, lambda: 0))(X),
    ):
        with pytest.raises(DTypeError, match="1099511627776 is no number of type i32"):
            call()


def test_attributes_of_a_list_are_not_lost_in_silence() -> None:
    class Scaled(list[Any]):
        by = 1

    given = Scaled([X])
    f = dxir.jit(lambda xs: xs[0] * xs.by)
    np.testing.assert_array_equal(f(given), X)
    given.by = 5
    for call in (f, f.eager):
        with pytest.raises(DxirError, match=r"a Scaled has attributes .* \(by\)"):
            call(given)


def test_a_dictionary_whose_entries_are_attributes_is_a_container() -> None:
    class Record(dict[str, Any]):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.__dict__ = self

    np.testing.assert_array_equal(dxir.jit(lambda r: Record(y=r.x + 1))(Record(x=X)).y, X + 1)


def test_ordered_dictionaries_keep_their_order() -> None:
    given = collections.OrderedDict(b=X, a=X + 1)
    found = dxir.jit(lambda d: collections.OrderedDict(z=next(iter(d.values())), c=X))(given)
    assert list(found) == ["z", "c"]
    np.testing.assert_array_equal(found["z"], X)


def test_zeros_of_remainders_and_floored_quotients_have_the_sign_that_numpy_gives_them() -> None:
    x = np.float32([-0.0, 0.0, -1, 1, 3, -3, 0.5, np.inf])
    y = np.float32([1, -1, 2, -2, -np.inf, np.inf, 0.25, -3])
    a, b = np.meshgrid(x, y)
    for ours, theirs in ((xp.remainder, np.remainder), (xp.floor_divide, np.floor_divide)):
        with np.errstate(all="ignore"):
            wanted = theirs(a, b)
        found = dxir.jit(ours)(a, b).numpy()
        np.testing.assert_array_equal(found, wanted)
        known = ~np.isnan(wanted)
        np.testing.assert_array_equal(np.signbit(found)[known], np.signbit(wanted)[known])


def test_loops_that_are_nested_too_deep_are_refused_as_that() -> None:
    def nested(depth: int, x: Any) -> Any:
        if not depth:
            return x
        return dxir.fori_loop(0, 1, lambda i, s: nested(depth - 1, s + 1), x)

    with pytest.raises(DxirError, match="nested more than"):
        dxir.jit(lambda x: nested(66, x))(X)
