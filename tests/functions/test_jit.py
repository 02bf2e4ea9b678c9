"""Functions that are compiled when they are called."""

from __future__ import annotations

import collections
import dataclasses
import functools
import threading
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

import dxir
from dxir import Array, ops
from dxir.errors import ArgumentError, RetracingWarning, RuntimeFailure, TracingError
from dxir.graph import current_region

F32 = np.float32
X = np.linspace(-1, 1, 6, dtype=F32).reshape(2, 3)
W = np.linspace(1, -2, 12, dtype=F32).reshape(3, 4)
B = np.linspace(0, 1, 4, dtype=F32)


def dense(params: Any, x: Any) -> Any:
    return ops.tanh(ops.matmul(x, params["w"]) + params["b"])


def jax_dense(params: Any, x: Any) -> Any:
    return jnp.tanh(x @ params["w"] + params["b"])


def identity(*args: Any, **kwargs: Any) -> Any:
    return args, kwargs


def test_it_gives_what_jax_gives() -> None:
    params = {"w": W, "b": B}
    found = dxir.jit(dense)(params, X)
    np.testing.assert_allclose(found, jax.jit(jax_dense)(params, X), rtol=1e-6)
    gradient = dxir.jit(dxir.grad(lambda p, x: ops.sum(dense(p, x))))(params, X)
    wanted = jax.grad(lambda p, x: jnp.sum(jax_dense(p, x)))(params, X)
    assert set(gradient) == {"w", "b"}
    for name in gradient:
        np.testing.assert_allclose(gradient[name], wanted[name], rtol=1e-5)


def test_results_are_arrays_on_the_device_that_go_into_the_next_call_as_they_are() -> None:
    step = dxir.jit(lambda x: x + 1)
    first = step(X)
    assert isinstance(first, Array)
    assert hasattr(first.held, "placement")
    second = step(first)
    assert step.traces == 1
    np.testing.assert_array_equal(second, X + 2)
    assert hasattr(first.held, "placement"), "reading it keeps it on the device"


def test_a_signature_is_traced_once() -> None:
    traced: list[Any] = []

    @dxir.jit
    def f(p: Any, x: Any) -> Any:
        traced.append(x.type)
        return p["a"] * x

    for _ in range(3):
        f({"a": F32(2)}, X)
        f({"a": np.ones(3, F32)}, X)
        f(x=X, p={"a": F32(2)})
    assert len(traced) == f.traces == len(f.signatures) == 3
    f({"a": np.ones(3, np.float64)}, X.astype(np.float64))
    assert f.traces == 4
    f.clear()
    f({"a": F32(2)}, X)
    assert f.traces == 5


def test_the_order_of_keywords_and_of_dictionaries_does_not_matter() -> None:
    f = dxir.jit(lambda *, b, a: a["x"] - b)
    np.testing.assert_array_equal(f(b=F32(1), a={"x": X, "y": X}), X - 1)
    np.testing.assert_array_equal(f(a={"y": X, "x": X}, b=F32(2)), X - 2)
    assert f.traces == 1


def test_numbers_are_arguments_and_not_parts_of_the_program() -> None:
    f = dxir.jit(lambda x, a: x * a)
    for a in (2.0, 3.0, np.float64(4.0)):
        found = f(X, a)
        assert found.dtype == dxir.f32
        np.testing.assert_allclose(found, X * F32(a), rtol=1e-6)
    assert f.traces == 1
    f(X, 2)
    f(X, True)
    assert f.traces == 3, "of other kinds"
    narrow = f(X.astype(ml_dtypes.bfloat16), 2.0)
    assert narrow.dtype == dxir.bf16


def test_numbers_that_come_again_are_those_that_were_given() -> None:
    f = dxir.jit(lambda a: a)
    for a in (1.0, 1.0, 0.0, -0.0, float("nan"), float("inf"), 1.0, 2.0, 2.0):
        np.testing.assert_array_equal(f(a), F32(a))
        assert np.signbit(np.asarray(f(a))) == np.signbit(a)
    assert f.traces == 1
    with pytest.raises(TracingError, match="which does not hold it"):
        dxir.jit(lambda n: n)(1 << 40)
    g = dxir.jit(lambda n: n + 1, donate="n")
    for n in (3, 3, 3):
        assert int(g(n)) == 4
    with pytest.raises(TracingError, match="which does not hold it"):
        g(1 << 40)


def test_static_arguments_are_parts_of_the_program() -> None:
    f = dxir.jit(lambda x, n, mode: x * n if mode == "up" else x - n, static=("n", "mode"))
    np.testing.assert_array_equal(f(X, 2, "up"), X * 2)
    np.testing.assert_array_equal(f(X, mode="down", n=2), X - 2)
    np.testing.assert_array_equal(f(X, 2, mode="up"), X * 2)
    assert f.traces == 3
    again = dxir.jit(lambda x, n: x * n, static=1)
    np.testing.assert_array_equal(again(X, 3), again(X, 3))
    np.testing.assert_array_equal(again(X, n=3), X * 3)
    last = dxir.jit(lambda x, n: x * n, static=-1)
    np.testing.assert_array_equal(last(X, 3), X * 3)


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, True), (0, False), (1, 1.0), (0.0, -0.0), ((1, 2), (True, 2)), (2.0, np.float64(2.0))],
)
def test_static_values_of_other_types_or_bits_are_others(one: Any, other: Any) -> None:
    seen: list[Any] = []

    def f(x: Any, n: Any) -> Any:
        seen.append(n)
        return x

    jitted = dxir.jit(f, static="n")
    for n in (one, other, one, other):
        jitted(X, n)
    assert [repr(n) for n in seen] == [repr(one), repr(other)]


def test_a_static_nan_is_equal_to_itself() -> None:
    f = dxir.jit(lambda x, n: x * n, static="n")
    for _ in range(3):
        assert np.isnan(f(X, float("nan"))).all()
    assert f.traces == 1


def test_static_fields_of_dataclasses_of_other_types_are_others() -> None:
    @dataclasses.dataclass
    class Scale:
        factor: Any
        power: Any = dataclasses.field(default=1, metadata={"static": True})

    f = dxir.jit(lambda s, x: x * s.factor if s.power is True else x)
    for _ in range(2):
        np.testing.assert_array_equal(f(Scale(F32(2), True), X), X * 2)
        np.testing.assert_array_equal(f(Scale(F32(2), 1), X), X)
    assert f.traces == 2


def test_containers_come_and_go() -> None:
    pair = collections.namedtuple("pair", "a b")

    @dataclasses.dataclass
    class Model:
        w: Any
        name: str = dataclasses.field(default="m", metadata={"static": True})

    f = dxir.jit(lambda p, m: (pair(p.b, [p.a, None]), {"m": m}))
    for _ in range(2):
        swapped, rest = f(pair(X, F32(1)), Model(B, "n"))
        assert type(swapped) is pair
        assert swapped.b[1] is None
        assert (type(rest["m"]), rest["m"].name) == (Model, "n")
        np.testing.assert_array_equal(swapped.b[0], X)
        np.testing.assert_array_equal(rest["m"].w, B)
    assert f.traces == 1


def test_results_may_be_none_numbers_inputs_or_nothing() -> None:
    assert dxir.jit(lambda x: None)(X) is None
    assert dxir.jit(lambda x: ())(X) == ()
    three, same, twice = dxir.jit(lambda x: (3, x, x))(X)
    assert (three.dtype, three.weak, int(three)) == (dxir.i32, True, 3)
    np.testing.assert_array_equal(same, X)
    np.testing.assert_array_equal(twice, X)
    assert float(dxir.jit(lambda: 3.5)()) == 3.5
    np.testing.assert_array_equal(dxir.jit(lambda: X)(), X)


@pytest.mark.parametrize(
    "given",
    [
        np.ones((0, 3), F32),
        np.array(2.5),
        np.arange(3, dtype=np.int8),
        np.array([True, False]),
        np.array([1 + 2j], np.complex64),
        np.arange(4).astype(ml_dtypes.int4),
        np.ones(3, ml_dtypes.bfloat16),
        np.ones(3, ml_dtypes.float8_e4m3fn),
        np.arange(6, dtype=F32).reshape(2, 3).T,
        np.arange(6, dtype=F32)[::-2],
    ],
    ids=lambda given: given if isinstance(given, str) else type(given).__name__,
)
def test_arrays_of_any_type_and_layout_go_through(given: Any) -> None:
    f = dxir.jit(lambda x: x)
    for _ in range(2):
        found = f(given)
        assert found.numpy().dtype == given.dtype
        np.testing.assert_array_equal(found, given)
    np.testing.assert_array_equal(f(Array(given)), given)
    assert f.traces == 1


def test_other_byte_orders_and_foreign_arrays_are_taken() -> None:
    f = dxir.jit(lambda x: x * 2)
    np.testing.assert_array_equal(f(X.astype(">f4")), X * 2)
    np.testing.assert_array_equal(f(jnp.asarray(X)), X * 2)
    run = dxir.compile(dxir.build_function(ops.tanh, dxir.f32[2, 3]))
    np.testing.assert_array_equal(f(run(X)), np.asarray(run(X)) * 2)
    assert f.traces == 1


def test_donated_arrays_are_gone_afterwards() -> None:
    copy = dxir.jit(lambda x: x + 0)
    step = dxir.jit(lambda params, x: ({"w": params["w"] * 2}, x + 1), donate="params")
    params, x = {"w": copy(X)}, copy(X)
    new, _ = step(params, x)
    np.testing.assert_array_equal(new["w"], X * 2)
    np.testing.assert_array_equal(x, X)
    with pytest.raises(RuntimeFailure, match="deleted"):
        params["w"].numpy()
    with pytest.raises(ArgumentError, match=r"params\.w\) was deleted"):
        step(params, x)
    assert step.compile(new, x).parameters[0].name == "params.w"
    again, _ = step(new, x)
    np.testing.assert_array_equal(again["w"], X * 4)


def test_donating_an_array_twice_is_an_error() -> None:
    both = dxir.jit(lambda x, y: (x + 1, y + 2), donate=(0, "y"))
    x = dxir.jit(lambda x: x + 0)(X)
    with pytest.raises(ArgumentError, match="is donated, and given twice"):
        both(x, x)
    one, other = both(X, X)
    np.testing.assert_array_equal(one, X + 1)
    np.testing.assert_array_equal(other, X + 2)


def test_methods_partials_and_functions_of_functions_are_compiled() -> None:
    @dataclasses.dataclass
    class Layer:
        w: Any
        scale: int = dataclasses.field(default=2, metadata={"static": True})

        @dxir.jit
        def __call__(self, x: Any) -> Any:
            return ops.matmul(x, self.w) * self.scale

        @dxir.function
        def half(self, x: Any) -> Any:
            return self(x) / 2

    np.testing.assert_allclose(Layer(W)(X), X @ W * 2, rtol=1e-6)
    np.testing.assert_allclose(Layer(W, 3)(X), X @ W * 3, rtol=1e-6)
    np.testing.assert_allclose(Layer(W).half(X), X @ W, rtol=1e-6)
    np.testing.assert_allclose(Layer(W).half.eager(X), X @ W, rtol=1e-6)
    assert Layer(W).half.trace(X).function.params[0].name == "self.w"
    part = dxir.jit(functools.partial(dense, {"w": W, "b": B}))
    np.testing.assert_allclose(part(X), dense({"w": Array(W), "b": Array(B)}, Array(X)), rtol=1e-6)
    twice = dxir.jit(dxir.jit(lambda x: x * 2))
    np.testing.assert_array_equal(twice(X), X * 2)


def test_a_method_of_an_object_that_is_no_container_names_self() -> None:
    class Model:
        @dxir.jit
        def f(self, x: Any) -> Any:
            return x

        @functools.partial(dxir.jit, static="self")
        def g(self, x: Any) -> Any:
            return x

    with pytest.raises(TracingError, match="self of f is of type Model") as caught:
        Model().f(X)
    assert 'static=("self",)' in str(caught.value)
    np.testing.assert_array_equal(Model().g(X), X)


def test_transforms_compose() -> None:
    def loss(x: Any) -> Any:
        return ops.sum(ops.tanh(x))

    def jax_loss(x: Any) -> Any:
        return jnp.sum(jnp.tanh(x))

    x = X[0]
    wanted = jax.grad(jax_loss)(x)
    for found in (
        dxir.jit(dxir.grad(loss))(x),
        dxir.grad(dxir.jit(loss))(Array(x)),
        dxir.jit(dxir.grad(dxir.jit(dxir.function(loss))))(x),
        dxir.jit(dxir.grad(dxir.checkpoint(dxir.jit(loss))))(x),
    ):
        np.testing.assert_allclose(found, wanted, rtol=1e-6)
    batch = np.stack([x, x * 2])
    for found in (
        dxir.jit(dxir.vmap(loss))(batch),
        dxir.vmap(dxir.jit(loss))(Array(batch)),
    ):
        np.testing.assert_allclose(found, jax.vmap(jax_loss)(batch), rtol=1e-6)
    np.testing.assert_allclose(
        dxir.jit(dxir.hessian(dxir.jit(loss)))(x), jax.hessian(jax_loss)(x), atol=1e-6
    )


def test_several_threads_trace_once() -> None:
    traced: list[int] = []
    start = threading.Barrier(8)

    def f(x: Any) -> Any:
        traced.append(1)
        return x + 1

    jitted = dxir.jit(f)
    found: list[Any] = []

    def work() -> None:
        start.wait()
        for size in (1, 2, 3):
            found.append((size, jitted(np.zeros(size, F32)).numpy()))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(traced) == jitted.traces == 3
    assert len(found) == 24
    for size, result in found:
        np.testing.assert_array_equal(result, np.ones(size))


def test_what_a_function_raises_leaves_nothing_behind() -> None:
    fails = [True]

    def f(x: Any) -> Any:
        y = x + 1
        if fails[0]:
            raise KeyError("mine")
        return y

    jitted = dxir.jit(f)
    for _ in range(2):
        with pytest.raises(KeyError, match="mine"):
            jitted(X)
    assert current_region() is None
    assert (jitted.traces, jitted.signatures) == (0, ())
    fails[0] = False
    np.testing.assert_array_equal(jitted(X), X + 1)


def test_a_program_that_does_not_compile_is_not_kept() -> None:
    jitted = dxir.jit(lambda x: x + 1, target="no-such-target")
    for _ in range(2):
        with pytest.raises(dxir.DxirError, match="no-such-target"):
            jitted(X)
    assert jitted.signatures == ()


def test_other_targets_and_options_are_those_of_compile() -> None:
    f = dxir.jit(lambda x: x * 2, target="reference")
    found = f(X)
    assert isinstance(found, Array)
    np.testing.assert_array_equal(found, X * 2)
    np.testing.assert_array_equal(f(found), X * 4)
    contained = dxir.jit(lambda x: x * 2, contained=True)
    np.testing.assert_array_equal(contained(X), X * 2)


def _call_each(function: Any, many: list[tuple[Any, ...]]) -> None:
    for args in many:
        function(*args)


def test_arguments_lie_on_devices_as_shardings_say() -> None:
    mesh = dxir.Mesh("m", {"data": 4})

    @dxir.jit(shardings={"x": dxir.P("data"), "params": dxir.P()}, mesh=mesh, devices=4)
    def step(params: Any, x: Any) -> Any:
        return {"w": params["w"] - ops.mean(ops.matmul(x, params["w"])), "x": x}

    x = np.linspace(0, 1, 24, dtype=F32).reshape(8, 3)
    params = {"w": dxir.jit(lambda w: w + 0)(W)}  # on one device, and moved when it is needed
    for _ in range(2):
        wanted = np.asarray(params["w"]) - np.mean(x @ np.asarray(params["w"]))
        params = step(params, x)
        np.testing.assert_allclose(params["w"], wanted, rtol=1e-5)
        assert len(params.pop("x").held.placement.devices) == 4
    assert step.traces == 1
    for shardings, told in (
        ({"q": dxir.P()}, "shardings= names the argument 'q'"),
        ({"x": "data"}, "'data' is no sharding for x"),
        (dxir.P("data"), r"shardings= is P\('data'\)"),
        ({"x": {"a": dxir.P()}}, "shardings= for x is"),
    ):
        with pytest.raises(dxir.DxirError, match=told):
            dxir.jit(lambda x: x, shardings=shardings, mesh=mesh)([x])  # type: ignore[arg-type]


def test_options_that_there_are_not_are_refused() -> None:
    for name, like in (("static_argnums", "static"), ("in_shardings", "shardings")):
        with pytest.raises(TracingError, match=f"jit has no option '{name}'") as caught:
            dxir.jit(lambda x: x, **{name: 0})
        assert str(caught.value.hint).startswith(f"it is called {like}= here")
    with pytest.raises(TracingError, match="jit has no option 'fast'") as caught:
        dxir.jit(fast=True)(lambda x: x)
    assert "buckets" in str(caught.value.hint)


def test_objects_that_can_be_called_keep_what_they_have_to_themselves() -> None:
    class Scale:
        traces = "mine"

        def __init__(self) -> None:
            self.function = 3.0

        def __call__(self, x: Any) -> Any:
            return x * self.function

    f = dxir.jit(Scale())
    np.testing.assert_array_equal(f(X), X * 3)
    assert f.traces == 1


def test_many_traces_are_told_of_with_the_argument_that_changes() -> None:
    f = dxir.jit(lambda x, n: x * n, static="n", target="reference")
    with pytest.warns(RetracingWarning, match="the argument n had 32 forms, the last 28, 29") as w:
        _call_each(f, [(X, n) for n in range(33)])
    assert len(w) == 1
    assert "pass it as an array" in str(w[0].message)
    assert w[0].filename == __file__
    g = dxir.jit(lambda p: p["x"] + 1, target="reference")
    with pytest.warns(RetracingWarning, match=r"p had 32 forms, .*f32\[31\].*shapes="):
        _call_each(g, [({"x": np.ones(n, F32), "y": X},) for n in range(32)])


def test_a_jitted_function_is_a_call_where_another_one_is_traced() -> None:
    inner = dxir.jit(lambda x: x * 2)
    graph = dxir.function(lambda x: inner(x) + 1).trace(X).function
    assert [n.op for n in graph.nodes] == ["call", "constant", "add"]
    assert inner.traces == 0


def test_huge_containers_take_time_by_their_size() -> None:
    params = {f"w{i}": F32(i) for i in range(10_000)}
    f = dxir.function(lambda p: {k: p[k] for k in ("w0", "w9999")})
    traced = f.trace(params)
    assert len(traced.function.params) == 10_000
    assert traced.function.params[1].name == "p.w1"
