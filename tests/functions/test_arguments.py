"""What traced functions are given, and refuse."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import Array, ops
from dxir.errors import TracingError

F32 = np.float32
X = np.ones((2, 3), F32)


class Color(enum.IntEnum):
    RED = 1


def f(x: Any, rest: Any = None, mode: Any = "relu", *more: Any, **named: Any) -> Any:
    return x, rest, more, named if mode else None


def message(function: Any, *args: Any, **kwargs: Any) -> str:
    with pytest.raises(TracingError) as caught:
        function(*args, **kwargs)
    assert caught.value.where is not None
    assert caught.value.where.startswith(__file__)
    assert caught.value.hint
    return str(caught.value)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ((i for i in range(3)), "x of f is of type generator"),
        (iter([X]), "give a list of what it yields"),
        ({"a": ["relu"]}, "x['a'][0] of f is of type str ('relu')"),
        ({1, 2}, "sets have no order"),
        (object, "x of f is of type type"),
        (len, 'static=("x",)'),
        (b"abc", "x of f is of type bytes"),
        (Color.RED, "x of f is of type Color"),
        (1 << 31, "a Python integer is passed as i32"),
        ((0, -(1 << 40)), "x[1] of f is -1099511627776"),
        (np.array(["a"]), "x of f is an array of the type <U1"),
        (np.array([None]), "an array of the type object"),
        (np.array("2020-01-01", "M8[D]"), "datetime64"),
        (np.ma.masked_array([1.0], [True]), "a masked array, whose mask would be lost"),
        (np.ones(2, np.longdouble), "no type of numbers"),
    ],
    ids=lambda given: given if isinstance(given, str) else type(given).__name__,
)
def test_what_is_no_array_is_named_by_what_leads_to_it(given: Any, told: str) -> None:
    jitted = dxir.jit(f)
    assert told in message(jitted, given)
    assert told in message(jitted.eager, given)
    assert told in message(jitted.trace, given)
    assert jitted.traces == 0


def test_arguments_are_named_wherever_they_stand() -> None:
    jitted = dxir.jit(f)
    assert "rest[1] of f" in message(jitted, X, [X, "a"])
    assert "more[1] of f" in message(jitted, X, X, X, X, "a")
    assert "extra['k'] of f" in message(jitted, X, extra={"k": "a"})
    assert "keep it out of extra" in message(jitted, X, extra={"k": "a"})
    assert 'static=("x",)' in message(dxir.jit(lambda x: x), "a")


def test_containers_that_hold_themselves_are_refused() -> None:
    cyclic: list[Any] = [X]
    cyclic.append({"again": cyclic})
    assert "holds itself" in message(dxir.jit(f), cyclic)
    assert "holds itself" in message(dxir.jit(lambda x: cyclic), X)


def test_types_are_for_tracing_only() -> None:
    jitted = dxir.jit(f)
    assert "x[0] of f is the type f32[2], and the function is called" in message(
        jitted, [dxir.f32[2]]
    )
    assert "types are for f.trace" in message(jitted.eager, dxir.f32[2])
    outer = dxir.function(lambda x: jitted(dxir.f32[2]))
    assert "the function is called" in message(outer.trace, X)


def test_static_arguments_must_be_hashable_and_known() -> None:
    jitted = dxir.jit(f, static=("mode", "named"))
    assert "mode of f is static, and cannot be hashed: unhashable type: 'list'" in message(
        jitted, X, X, [1]
    )
    assert "a tuple" in message(jitted, X, mode=np.ones(2))
    assert "unhashable type: 'dict'" in message(jitted, X, mode=({},))
    assert "names the argument 'q', which g does not have" in message(
        dxir.jit, lambda x: x, static="q"
    ).replace("<lambda>", "g")
    assert "by 1.5" in message(dxir.jit, f, static=1.5)
    assert "names the argument 7" in message(dxir.jit, lambda x: x, static=(0, 7))
    jitted(X, X, mode="relu", other=X)


def test_static_by_name_of_the_rest_is_for_all_of_it() -> None:
    g = dxir.jit(lambda x, *modes: x if "up" in modes else -x, static="modes")
    np.testing.assert_array_equal(g(X, "a", "up"), X)
    np.testing.assert_array_equal(g(X, "a"), -X)


def test_donated_arguments_must_be_known_and_not_static() -> None:
    assert "donate= names the argument 'q'" in message(dxir.jit, lambda x: x, donate="q")
    assert "donate= names an argument by 4" in message(dxir.jit, lambda x: x, donate=4)
    assert "donate= names an argument by 1.5" in message(dxir.jit, lambda x: x, donate=[1.5])
    assert "which is static" in message(dxir.jit, lambda x: x, donate="x", static="x")


def test_python_says_which_arguments_are_missing() -> None:
    for call in (dxir.jit(lambda x, y: x), dxir.jit(lambda x, y: x).eager):
        with pytest.raises(TypeError, match="missing 1 required positional argument: 'y'"):
            call(X)
        with pytest.raises(TypeError, match="takes 2 positional arguments but 3 were given"):
            call(X, X, X)


@pytest.mark.parametrize(
    ("returned", "told"),
    [
        ("hi", "the result of g is of type str"),
        ({"a": (1, {2})}, "the result['a'][1] of g is of type set"),
        ((i for i in ()), "return a list of what the generator yields"),
        (np.array(["a"]), "the result of g"),
        (ops.tanh, "of type function"),
    ],
    ids=lambda given: given if isinstance(given, str) else type(given).__name__,
)
def test_results_must_be_arrays(returned: Any, told: str) -> None:
    def g(x: Any) -> Any:
        return returned

    assert told in message(dxir.jit(g), X)
    assert told in message(dxir.jit(g).eager, X)


def test_arguments_may_have_any_name() -> None:
    def f(self: Any, args: Any, function: Any = 0, **kwargs: Any) -> Any:
        return self + args + function, kwargs

    for call in (dxir.jit(f), dxir.function(f).eager):
        found, rest = call(self=X, args=X, function=X, kwargs=X, given=X)
        np.testing.assert_array_equal(found, X * 3)
        assert set(rest) == {"kwargs", "given"}


def test_sizes_with_names_have_one_program() -> None:
    g = dxir.jit(lambda x, y: (x * 2, y), shapes={"x": ("n", None), "y": ("n", ...)})
    for n in (1, 5, 1, 3):
        x, y = np.ones((n, 3), F32), np.ones((n, 2, 2), F32)
        for _ in range(2):
            found, same = g(x, Array(y))
            np.testing.assert_array_equal(found, x * 2)
            np.testing.assert_array_equal(same, y)
    assert g.traces == 1
    with pytest.raises(dxir.DxirError, match=r"the dimension n is 1 .*\(x\), and 2 .*\(y\)") as e:
        g(np.ones((1, 3), F32), np.ones((2, 2, 2), F32))
    assert str(e.value.where).startswith(__file__)
    g(np.ones((1, 4), F32), np.ones((1, 2, 2), F32))
    assert g.traces == 2, "None is a size as it is given"


def test_shapes_are_said_for_containers_or_in_them() -> None:
    p = {"a": X, "b": [X, X]}
    whole = dxir.function(lambda p: p, shapes={"p": ("n", 3)})
    assert {t.shape[0] for t in whole.trace(p).function.param_types} == {dxir.Dim("n")}
    part = dxir.function(lambda p: p, shapes={"p": {"a": ("n", None), "b": [None, (2, "m")]}})
    types = part.trace(p).function.param_types
    assert [str(t) for t in types] == ["f32[n, 3]", "f32[2, 3]", "f32[2, m]"]
    rest = dxir.function(lambda *xs: xs, shapes={"xs": ("n", ...)})
    assert [str(t) for t in rest.trace(X, X).function.param_types] == ["f32[n, 3]"] * 2
    bounded = dxir.function(lambda x: x, shapes={"x": (dxir.Dim("n", 8), 3)})
    assert str(bounded.trace(X).function.param_types[0]) == "f32[n<=8, 3]"


@pytest.mark.parametrize(
    ("shapes", "told"),
    [
        ({"x": ("n",)}, "x is f32[2, 3], but its shape in shapes= has 1 dimensions: [n]"),
        ({"x": ("n", 4)}, "is 4 along axis 1: [n, 4]"),
        ({"x": ("n", ..., 1, 2)}, "has 3 dimensions"),
        ({"x": (..., ...)}, "has more than one `...`"),
        ({"x": "n"}, "'n' is no shape for x"),
        ({"x": 3.5}, "3.5 is no shape for x"),
        ({"q": ("n",)}, "names the argument 'q'"),
        (("n", 3), "shapes= is ('n', 3)"),
    ],
    ids=lambda given: given if isinstance(given, str) else type(given).__name__,
)
def test_shapes_that_do_not_fit_are_refused(shapes: Any, told: str) -> None:
    def call() -> None:
        dxir.function(lambda x: x, shapes=shapes).trace(X)

    assert told in message(call)


def test_containers_of_shapes_must_be_those_of_the_argument() -> None:
    with pytest.raises(dxir.DxirError, match="shapes= for p is"):
        dxir.function(lambda p: p, shapes={"p": {"b": ("n", 3)}}).trace({"a": X})


def test_buckets_round_sizes_up() -> None:
    g = dxir.jit(lambda x: x * 2, shapes={"x": ("n", None)}, buckets={"n": (4, 8)})
    for n in (1, 3, 4, 5):
        np.testing.assert_array_equal(g(np.ones((n, 3), F32)), np.full((n, 3), 2))
    assert g.traces == 1


def test_why_an_object_is_no_array_is_told_with_it() -> None:
    class Foreign:
        def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
            raise RuntimeError("its numbers are on a device")

    with pytest.raises(TracingError, match="is of type Foreign") as caught:
        dxir.jit(lambda x: x)(Foreign())
    assert "its numbers are on a device" in str(caught.value.__cause__)
