"""Programs with dynamic dimensions, compiled for the sizes they are called with."""

import itertools
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export

import dxir
from dxir import Dim, f32, i32, ops
from dxir.errors import ArgumentError, TargetError
from dxir.program import Program
from dxir.runtime.arguments import Parameter
from dxir.runtime.array import Array, HostArray
from dxir.runtime.backends import runner
from dxir.runtime.executable import Executable
from dxir.runtime.specializing import SpecializingExecutable
from dxir.targets import Source, Target, find_target
from dxir.targets.acceptance import Accepts

TARGETS = ("xla-cpu", "reference")
BACKENDS = (*TARGETS, "interpreter")

ADD = """
func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = stablehlo.add %x, %y : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}"""

SIZED = """
func.func @main(%x: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<i32>) {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %four = stablehlo.constant dense<4> : tensor<1xi32>
  %shape = stablehlo.concatenate %n1, %four, dim = 0
    : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %ones = stablehlo.dynamic_broadcast_in_dim %one, %shape, dims = []
    : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
  %r = stablehlo.add %x, %ones : tensor<?x4xf32>
  return %r, %n : tensor<?x4xf32>, tensor<i32>
}"""


def weighed() -> Any:
    """softmax(x) * y with a batch shared by both."""
    b = dxir.Builder("main")
    x = b.param(f32["batch", 4], name="x")
    y = b.param(f32["batch", 1], name="y")
    return b.build(ops.mul(ops.softmax(x), y))


def ones(*shape: int) -> np.ndarray[Any, Any]:
    return np.ones(shape, np.float32)


def counting(size: int) -> np.ndarray[Any, Any]:
    return np.arange(size, dtype=np.float32)


def exported(function: Any, shapes: str) -> Program:
    """The program of a JAX function on arguments of symbolic shapes, `;` between them."""
    scope = export.SymbolicScope()
    arguments = [
        jax.ShapeDtypeStruct(export.symbolic_shape(s, scope=scope), np.float32)
        for s in shapes.split(";")
    ]
    return dxir.load(bytes(export.export(jax.jit(function))(*arguments).mlir_module_serialized))


def specializing(source: Any, target: str | Target = "xla-cpu") -> SpecializingExecutable:
    found = dxir.compile(source, target)
    assert isinstance(found, SpecializingExecutable)
    return found


class Counting:
    """A target of known sizes that runs by reference and counts what it compiles."""

    def __init__(self, hold: threading.Barrier | None = None) -> None:
        self.compiled: list[Any] = []
        self.hold = hold
        self.target = Target("counting", "for tests", self.compile, accepts=Accepts(dynamic=False))

    def compile(self, source: Source) -> Executable:
        if self.hold is not None:
            self.hold.wait(timeout=20)
        found = find_target("reference").executable(source)
        self.compiled.append(tuple(p.type.shape for p in found.parameters))
        return found


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("size", [0, 1, 3, 17])
def test_a_graph_with_a_named_dimension_runs_at_any_size(target: str, size: int) -> None:
    run = dxir.compile(weighed(), target)
    assert [repr(p.type) for p in run.parameters] == ["f32[batch, 4]", "f32[batch, 1]"]
    assert [repr(t) for t in run.results] == ["f32[batch, 4]"]
    x = np.random.default_rng(size).standard_normal((size, 4), np.float32)
    y = counting(size).reshape(size, 1)
    result = run(x, y)
    assert result.type == f32[size, 4]
    wanted = dxir.evaluate(weighed(), x, y)
    np.testing.assert_allclose(np.asarray(result), wanted, rtol=1e-6)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_plain_dynamic_module_runs_on_every_backend(backend: str) -> None:
    run = runner(dxir.load(SIZED), backend)
    for size in (0, 1, 5):
        x = counting(size * 4).reshape(size, 4)
        result, count = run([x])
        assert np.array_equal(result, x + 1)
        assert count == size
        assert count.dtype == np.int32


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("source", ["graph", "jax"])
def test_two_sizes_for_one_name_are_refused_before_anything_runs(backend: str, source: str) -> None:
    program = (
        dxir.lower(weighed()) if source == "graph" else exported(lambda x, y: x * y, "b, 4;b, 1")
    )
    run = runner(program, backend)
    (found,) = run([ones(3, 4), ones(3, 1)])
    assert found.shape == (3, 4)
    with pytest.raises(ArgumentError) as caught:
        run([ones(3, 4), ones(2, 1)])
    message = str(caught.value)
    assert "is 3 by axis 0 of parameter 0" in message
    assert "and 2 by axis 0 of parameter 1" in message
    if source == "graph":
        assert "the dimension batch is 3" in message
        assert "(x)" in message
        assert "(y)" in message


def test_evaluating_a_graph_refuses_two_sizes_for_one_name() -> None:
    with pytest.raises(ArgumentError, match="the dimension batch is 3 by axis 0") as caught:
        dxir.evaluate(weighed(), ones(3, 4), ones(2, 1))
    assert "test_specializing.py" in str(caught.value)


@pytest.mark.parametrize("backend", BACKENDS)
def test_dimensions_that_follow_from_names_are_checked(backend: str) -> None:
    run = runner(exported(lambda x, y: x + jnp.sum(y), "b, 4;2*b,"), backend)
    (found,) = run([ones(2, 4), ones(4)])
    assert np.array_equal(found, ones(2, 4) * 5)
    with pytest.raises(ArgumentError, match=r"parameter 1.* is 2\*b, which is 4, .* has 3 there"):
        run([ones(2, 4), ones(3)])


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
def test_what_a_program_asserts_of_its_shapes_is_told(backend: str) -> None:
    run = runner(exported(lambda x: x.reshape(2, -1), "2*b,"), backend)
    assert run([ones(4)])[0].shape == (2, 2)
    with pytest.raises(ArgumentError, match=r"Division had remainder 1 when computing .*'b'"):
        run([ones(3)])
    with pytest.raises(ArgumentError, match="Expected value >= 1 for dimension variable 'b'"):
        run([ones(0)])


@pytest.mark.parametrize("target", TARGETS)
def test_other_arguments_are_refused_by_their_dynamic_types(target: str) -> None:
    run = dxir.compile(weighed(), target)
    for given, told in (
        (ones(3, 5), "takes f32[batch, 4], not f32[3, 5]\n  hint: give an array of shape [batch,"),
        (ones(3), "takes f32[batch, 4], not f32[3]"),
        (ones(3, 4).astype(np.float64), "takes f32[batch, 4], not f64[3, 4]"),
        (None, "takes f32[batch, 4], not NoneType"),
        ([[1.0], [1.0, 2.0]], "different lengths"),
        ([[0.1] * 4], "does not hold exactly"),
    ):
        with pytest.raises(ArgumentError) as caught:
            run(given, ones(3, 1))
        assert "parameter 0 (x)" in str(caught.value)
        assert told in str(caught.value)
    with pytest.raises(ArgumentError, match="takes 2 arguments, not 1"):
        run(ones(3, 4))


def test_a_wrong_argument_compiles_nothing() -> None:
    counting_target = Counting()
    run = specializing(weighed(), counting_target.target)
    for wrong in (ones(3, 5), ones(3, 4).astype(np.int32), "text"):
        with pytest.raises(ArgumentError):
            run(wrong, ones(3, 1))
    with pytest.raises(ArgumentError):
        run(ones(3, 4), ones(2, 1))
    assert not counting_target.compiled


@pytest.mark.parametrize("target", TARGETS)
def test_bounds_of_dimensions_are_held(target: str) -> None:
    b = dxir.Builder("main")
    x = b.param(f32[Dim("n", 4)], name="x")
    run = dxir.compile(b.build(ops.add(x, x)), target)
    assert np.array_equal(np.asarray(run(ones(4))), ones(4) * 2)
    with pytest.raises(ArgumentError, match="n<=4"):
        run(ones(5))


def test_sizes_that_do_not_go_together_are_told_by_the_op_they_fail_at() -> None:
    run = dxir.compile(dxir.load(ADD))
    assert np.array_equal(np.asarray(run(ones(2, 4), ones(2, 4))), ones(2, 4) * 2)
    with pytest.raises(ArgumentError) as caught:
        run(ones(2, 4), ones(3, 4))
    message = str(caught.value)
    assert "<text>:3:8" in message
    assert "parameter 0 of shape [2, 4], parameter 1 of shape [3, 4]" in message
    assert "'stablehlo.add' op requires the same shape" in message


def test_an_op_that_stays_dynamic_is_told_with_the_reason() -> None:
    text = """
    func.func @main(%n: tensor<1xi32>{}) -> tensor<?xf32> {{
      %r = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
      return %r : tensor<?xf32>
    }}"""
    told = r"<text>:3:12: xla-cpu runs programs of known sizes, and .*stablehlo.dynamic_iota stayed"
    with pytest.raises(TargetError, match=told):  # nothing about its arguments is unknown
        dxir.compile(dxir.load(text.format("")))
    run = dxir.compile(dxir.load(text.format(", %x: tensor<?xf32>")))
    with pytest.raises(TargetError, match=told + ".*argument 0 of @main"):
        run([3], [1, 2])


def test_sizes_that_only_constants_tell_are_known_when_compiling() -> None:
    run = dxir.compile(
        dxir.load("""
    func.func @main() -> tensor<?xf32> {
      %n = stablehlo.constant dense<3> : tensor<1xi32>
      %r = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
      return %r : tensor<?xf32>
    }""")
    )
    assert not isinstance(run, SpecializingExecutable)
    assert run().numpy().tolist() == [0, 1, 2]


def test_parameters_of_rank_0_and_of_known_shape_stand_beside_dynamic_ones() -> None:
    b = dxir.Builder("main")
    x = b.param(f32["n", "n"], name="x")
    s = b.param(f32[()], name="s")
    k = b.param(i32[2], name="k")
    run = specializing(b.build(ops.mul(x, s), ops.add(k, k)))
    scaled, doubled = run(ones(3, 3), 2, [1, 2])
    assert np.array_equal(np.asarray(scaled), ones(3, 3) * 2)
    assert doubled.numpy().tolist() == [2, 4]
    with pytest.raises(ArgumentError, match=r"n is 3 by axis 0 of .*\(x\), and 2 by axis 1 of"):
        run(ones(3, 2), 2, [1, 2])
    with pytest.raises(ArgumentError, match=r"parameter 2 \(k\) takes i32\[2\]"):
        run(ones(3, 3), 2, [1, 2, 3])
    with pytest.raises(ArgumentError, match=r"parameter 2 \(k\) takes i32\[2\]"):
        run(ones(4, 4), 2, [1, 2, 3])


def test_results_on_the_device_are_arguments_of_the_next_call() -> None:
    run = specializing(weighed())
    y = ones(3, 1)
    first = run(ones(3, 4), y)
    second = run(first, y)
    assert type(second) is type(first)
    assert isinstance(second, Array)
    assert len(run.specializations) == 1
    held = run(HostArray(ones(3, 4), f32[3, 4]), y)
    assert np.array_equal(np.asarray(held), np.asarray(first))


def test_an_executable_is_compiled_once_for_each_set_of_sizes_and_the_last_are_kept() -> None:
    counted = Counting()
    run = specializing(weighed(), counted.target)
    run.capacity = 2
    for size in (1, 2, 1, 2, 1):
        run(ones(size, 4), ones(size, 1))
    assert [shapes[0] for shapes in counted.compiled] == [(1, 4), (2, 4)]
    run(ones(3, 4), ones(3, 1))  # 2 was used less recently than 1
    assert [shapes[0] for shapes in run.specializations] == [(1, 4), (3, 4)]
    run(ones(1, 4), ones(1, 1))
    assert len(counted.compiled) == 3
    run(ones(2, 4), ones(2, 1))
    assert len(counted.compiled) == 4
    assert len(run.specializations) == 2


def test_an_executable_for_certain_sizes_is_made_ahead() -> None:
    counted = Counting()
    run = specializing(weighed(), counted.target)
    assert run.dims == ("batch",)
    eight = run.specialize({"batch": 8})
    assert not isinstance(eight, SpecializingExecutable)
    assert [p.type for p in eight.parameters] == [f32[8, 4], f32[8, 1]]
    assert eight.parameters[0].name == "x"
    run(ones(8, 4), ones(8, 1))
    assert run.for_arguments((ones(8, 4), ones(8, 1))) is eight
    assert run.specialize(shapes={"x": (8, 4)}) is eight
    assert run.specialize(shapes=[None, ones(8, 1)]) is eight
    assert len(counted.compiled) == 1
    plain = specializing(dxir.load(ADD))
    assert [p.type for p in plain.specialize(shapes=[(2, 4), (2, 4)]).parameters] == [
        f32[2, 4],
        f32[2, 4],
    ]


@pytest.mark.parametrize(
    ("dims", "shapes", "told"),
    [
        ({"bach": 8}, (), "no dimension is called 'bach'\n  hint: did you mean 'batch'"),
        ({"batch": -1}, (), "the size -1"),
        ({"batch": True}, (), "the size True"),
        ({"batch": 2.0}, (), "the size 2.0"),
        ({}, (), r"axis 0 of parameter 0 (x), batch, has no size"),
        ({}, {"z": (3, 4)}, "there is no parameter 'z'"),
        ({}, {7: (3, 4)}, "there is no parameter 7"),
        ({}, [(3, 5)], "cannot have the shape [3, 5]"),
        ({}, [(3,)], "cannot have the shape [3]"),
        ({}, [3], "3 is not a shape"),
        ({"batch": 4}, [(3, 4)], "is 4 by the sizes given, and 3 by the shape"),
        ({}, [(3, 4), (2, 1)], "is 3 by the sizes given, and 2 by the shape"),
    ],
)
def test_sizes_that_do_not_fit_are_refused_ahead(dims: Any, shapes: Any, told: str) -> None:
    run = specializing(weighed(), Counting().target)
    with pytest.raises(ArgumentError) as caught:
        run.specialize(dims, shapes=shapes)
    assert told in str(caught.value)


def test_dimensions_without_names_need_shapes() -> None:
    run = specializing(dxir.load(ADD), Counting().target)
    assert run.dims == ()
    with pytest.raises(ArgumentError, match="it has no name: give the shape of the parameter"):
        run.specialize({})
    assert run.specialize(shapes=[(2, 4), (2, 4)]).results == (f32[2, 4],)


def test_threads_that_ask_for_the_same_sizes_compile_once() -> None:
    counted = Counting()
    run = specializing(weighed(), counted.target)
    arguments = [(ones(n, 4), ones(n, 1)) for n in range(1, 6)]

    def work(seed: int) -> bool:
        order = np.random.default_rng(seed).integers(0, len(arguments), 100)
        results = [(n, run(*arguments[n])) for n in order]
        return all(r.shape == (n + 1, 4) for n, r in results)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))
    assert len(counted.compiled) == len(set(counted.compiled)) == 5


def test_threads_run_mixed_sizes_on_xla_and_get_their_own_answers() -> None:
    run = specializing(weighed())
    run.capacity = 3  # of five: some are made again

    def work(seed: int) -> None:
        random = np.random.default_rng(seed)
        for _ in range(100):
            n = int(random.choice([1, 2, 3, 5, 8], p=[0.45, 0.45, 0.08, 0.01, 0.01]))
            y = np.full((n, 1), seed, np.float32)
            assert np.array_equal(np.asarray(run(ones(n, 4), y)), ones(n, 4) / 4 * seed)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert len(run.specializations) <= 3


def test_different_sizes_are_compiled_at_the_same_time() -> None:
    together = Counting(threading.Barrier(2))  # each waits until the other compiles as well
    run = specializing(weighed(), together.target)
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda n: run(ones(n, 4), ones(n, 1)).shape, (2, 3)))
    assert results == [(2, 4), (3, 4)]


def test_a_failure_is_told_and_not_kept() -> None:
    failures = itertools.count()

    def compile(source: Source) -> Executable:
        if next(failures) == 0:
            raise TargetError("not yet")
        return find_target("reference").executable(source)

    target = Target("failing", "for tests", compile, accepts=Accepts(dynamic=False))
    run = specializing(weighed(), target)
    with pytest.raises(TargetError, match="not yet"):
        run(ones(2, 4), ones(2, 1))
    assert run.specializations == ()
    assert run(ones(2, 4), ones(2, 1)).shape == (2, 4)


def test_options_reach_what_is_compiled() -> None:
    seen: list[Any] = []

    def compile(source: Source) -> Executable:
        seen.append((source.options, source.parameter_names()))
        return find_target("reference").executable(source)

    target = Target("noting", "for tests", compile, accepts=Accepts(dynamic=False))
    run = dxir.compile(weighed(), target, flags={"level": 3}, donate=[0])
    run(ones(2, 4), ones(2, 1))
    ((options, names),) = seen
    assert (options.flags, options.donate) == ({"level": 3}, (0,))
    assert names == ("x", "y")


def test_parameters_that_are_no_tensors_are_refused() -> None:
    program = dxir.load("""
    func.func @main(%t: !stablehlo.token, %x: tensor<?xf32>) -> tensor<?xf32> {
      return %x : tensor<?xf32>
    }""")
    with pytest.raises(TargetError, match="parameter 0 of main has type token; xla-cpu takes"):
        dxir.compile(program)
    with pytest.raises(TargetError, match="has type token"):
        dxir.compile(program, "reference")


def test_an_executable_says_what_it_takes() -> None:
    shown = repr(dxir.compile(weighed()))
    assert (
        shown == "<Executable for xla-cpu: (x: f32[batch, 4], y: f32[batch, 1]) -> (f32[batch, 4])>"
    )
    named: Parameter = dxir.compile(exported(lambda x, y: (x, y), "b, 4;2*b,")).parameters[1]
    assert repr(named.type) == "f32[2*b]"


@pytest.mark.parametrize("size", [1, 4])
def test_programs_of_jax_give_what_jax_gives(size: int) -> None:
    def attention(x: Any, mask: Any) -> Any:
        weights = jax.nn.softmax(x @ jnp.swapaxes(x, 1, 2) + mask[:, None, :], axis=-1)
        pooled = jnp.mean(weights @ x, axis=1)
        return pooled, jnp.concatenate([x, x], axis=0), jax.lax.top_k(pooled, 2)[0], jnp.sum(mask)

    run = specializing(exported(attention, "b, s, 4;b, s"))
    random = np.random.default_rng(size)
    x = random.standard_normal((size, 3, 4), np.float32)
    mask = random.standard_normal((size, 3), np.float32)
    for mine, theirs in zip(run(x, mask), jax.jit(attention)(x, mask), strict=True):
        np.testing.assert_allclose(np.asarray(mine), np.asarray(theirs), rtol=2e-6, atol=1e-6)
    assert run.dims == ("b", "s")
