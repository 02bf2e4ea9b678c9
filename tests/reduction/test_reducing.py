"""Programs shrink to what makes them interesting, and everything tried on the way is valid."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dxir
from dxir.errors import ReductionError, VerificationError
from dxir.mlir import ir
from dxir.program import Program
from dxir.reading import functions
from dxir.reduction import Progress, Size, reduce
from dxir.reduction.size import size_of

BINARY = ("add", "subtract", "maximum", "minimum")


def long_program(ops: int, odd: dict[int, str]) -> Program:
    """A program of binary ops, each on values made shortly before, with a few of other kinds."""
    rng = random.Random(0)
    type = "tensor<2x4xf32>"
    lines = [f"func.func @main(%x: {type}, %y: {type}) -> {type} {{"]
    lines.append(f"  %v0 = stablehlo.add %x, %y : {type}")
    for i in range(1, ops):
        name = odd.get(i, rng.choice(BINARY))
        other = rng.randrange(max(0, i - 30), i)
        lines.append(f"  %v{i} = stablehlo.{name} %v{i - 1}, %v{other} : {type}")
    return dxir.load("\n".join([*lines, f"  return %v{ops - 1} : {type}", "}"]))


def differs(program: Program, wrong: Callable[[str], str]) -> bool:
    """Whether a backend that gets something wrong gives other results than the reference does."""
    right, broken = program.raise_(), dxir.load(wrong(str(program)), trusted=True).raise_()
    rng = np.random.default_rng(0)
    arguments = [rng.uniform(1, 2, p.type.shape).astype(np.float32) for p in right["main"].params]
    expected, actual = (dxir.evaluate(graph, *arguments) for graph in (right, broken))
    return not np.array_equal(np.asarray(actual), np.asarray(expected), equal_nan=True)


def has(*names: str) -> Callable[[Program], bool]:
    return lambda program: program.op_counts().keys() >= set(names)


def op_count(program: Program) -> int:
    return size_of(program.module).ops


def test_two_thousand_ops_shrink_to_the_one_that_a_backend_gets_wrong() -> None:
    program = long_program(2000, {1300: "atan2"})
    tried = itertools.count(1)

    def is_interesting(candidate: Program) -> bool:
        next(tried)
        return differs(candidate, lambda text: text.replace("stablehlo.atan2", "stablehlo.add"))

    reduced = reduce(program, is_interesting)
    assert reduced.op_counts() == {"func.func": 1, "func.return": 1, "stablehlo.atan2": 1}
    assert next(tried) < 60


def test_two_thousand_ops_shrink_to_the_two_that_a_backend_gets_wrong_together() -> None:
    program = long_program(2000, {700: "atan2", 1300: "power"})

    def wrong(text: str) -> str:
        if "stablehlo.atan2" not in text or "stablehlo.power" not in text:
            return text
        return text.replace("stablehlo.power", "stablehlo.multiply")

    reduced = reduce(program, lambda candidate: differs(candidate, wrong))
    assert has("stablehlo.atan2", "stablehlo.power")(reduced)
    assert op_count(reduced) == 2


CALLS = """
func.func public @main(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = call @f(%x) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = call @f(%0) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = call @g(%1, %y) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
func.func private @f(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.tanh %x : tensor<8x4xf32>
  %1 = stablehlo.composite "my.h" %0 {decomposition = @h} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
func.func private @g(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.add %x, %y : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
func.func private @h(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.cosine %x : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
func.func public @other(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.not %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}
"""

CONTROL = """
func.func @main(%n: tensor<i32>, %x: tensor<16xf32>, %p: tensor<i1>) -> tensor<16xf32> {
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c9 = stablehlo.constant dense<9> : tensor<i32>
  %0:2 = stablehlo.while(%i = %n, %v = %x) : tensor<i32>, tensor<16xf32>
    cond {
      %t = stablehlo.compare LT, %i, %c9 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %t : tensor<i1>
    } do {
      %j = stablehlo.add %i, %c1 : tensor<i32>
      %w = "stablehlo.if"(%p) ({
        %a = stablehlo.logistic %v : tensor<16xf32>
        stablehlo.return %a : tensor<16xf32>
      }, {
        %b = stablehlo.exponential %v : tensor<16xf32>
        stablehlo.return %b : tensor<16xf32>
      }) : (tensor<i1>) -> tensor<16xf32>
      stablehlo.return %j, %w : tensor<i32>, tensor<16xf32>
    }
  return %0#1 : tensor<16xf32>
}
"""

SHARDED = """
module @m attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
      -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
    %0 = stablehlo.tanh %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
        : tensor<8x4xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"y"}]> : tensor<8x4xf32>
    %2 = stablehlo.cosine %1 : tensor<8x4xf32>
    return %2 : tensor<8x4xf32>
  }
}
"""

DYNAMIC = """
func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.add %x, %y : tensor<?x4xf32>
  %1 = stablehlo.cosine %0 : tensor<?x4xf32>
  %2 = stablehlo.multiply %1, %y : tensor<?x4xf32>
  return %2 : tensor<?x4xf32>
}
"""

REDUCTIONS = """
func.func @main(%x: tensor<64x32xf32>, %i: tensor<7x1xi32>) -> (tensor<64xf32>, tensor<7x32xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %w = stablehlo.constant dense<"0x0000803F000000400000404000008040"> : tensor<4xf32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1]
      : (tensor<64x32xf32>, tensor<f32>) -> tensor<64xf32>
  %1 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 32>, indices_are_sorted = false}>
      : (tensor<64x32xf32>, tensor<7x1xi32>) -> tensor<7x32xf32>
  %2 = stablehlo.slice %w [1:3] : (tensor<4xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<64xf32>, tensor<7x32xf32>
}
"""

COMPLEX = """
func.func @main(%t: !stablehlo.token, %x: tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>> {
  %c = stablehlo.constant dense<(2.0, 3.0)> : tensor<2x3xcomplex<f32>>
  %b = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %0 = stablehlo.multiply %x, %c : tensor<2x3xcomplex<f32>>
  %1 = stablehlo.after_all %t, %t : !stablehlo.token
  %2 = stablehlo.custom_call @f(%b) {has_side_effect = true} : (tensor<2xbf16>) -> tensor<2xbf16>
  return %0 : tensor<2x3xcomplex<f32>>
}
"""

PROGRAMS = {
    "calls": CALLS,
    "control": CONTROL,
    "sharded": SHARDED,
    "dynamic": DYNAMIC,
    "reductions": REDUCTIONS,
    "complex": COMPLEX,
}


@pytest.mark.parametrize(
    ("program", "needed", "left"),
    [
        (CALLS, ("stablehlo.cosine",), 1),
        (CALLS, ("stablehlo.add", "stablehlo.cosine"), 2),
        (CALLS, ("stablehlo.not",), 1),
        (CONTROL, ("stablehlo.exponential",), 1),
        (CONTROL, ("stablehlo.logistic", "stablehlo.exponential"), 3),
        (SHARDED, ("stablehlo.cosine",), 1),
        (DYNAMIC, ("stablehlo.cosine",), 1),
        (REDUCTIONS, ("stablehlo.gather",), 1),
        (REDUCTIONS, ("stablehlo.slice",), 1),
        (COMPLEX, ("stablehlo.multiply",), 1),
    ],
)
def test_an_op_is_freed_of_all_that_is_around_it(
    program: str, needed: Sequence[str], left: int
) -> None:
    reduced = reduce(dxir.load(program), has(*needed))
    assert op_count(reduced) == left
    assert len(reduced.function_names) == 1
    for leftover in ("sdy", "?", "num_partitions"):
        assert leftover not in str(reduced)


def test_a_composite_that_matters_stays_with_its_decomposition() -> None:
    reduced = reduce(dxir.load(CALLS), has("stablehlo.composite"))
    assert set(reduced.function_names) == {"main", "h"}
    assert "stablehlo.tanh" not in reduced.op_counts()


def test_a_loop_that_matters_stays_and_a_branch_in_it_goes() -> None:
    reduced = reduce(dxir.load(CONTROL), has("stablehlo.while"))
    assert "stablehlo.if" not in reduced.op_counts()


def test_a_sharding_that_matters_stays_with_its_mesh() -> None:
    reduced = reduce(dxir.load(SHARDED), lambda p: "sdy.sharding_constraint" in str(p))
    assert "sdy.mesh" in str(reduced)
    assert op_count(reduced) == 2


def test_sizes_shrink_and_the_data_of_constants_becomes_simple() -> None:
    reduced = reduce(dxir.load(REDUCTIONS), has("stablehlo.slice"))
    assert "tensor<4xf32>" not in str(reduced)
    kept = reduce(dxir.load(REDUCTIONS), lambda p: "tensor<4xf32>" in str(p))
    assert "dense<0.000000e+00> : tensor<4xf32>" in str(kept)


def test_what_matters_may_be_dead_code() -> None:
    program = dxir.load("""
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.cosine %x : tensor<4xf32>
      %1 = stablehlo.sine %0 : tensor<4xf32>
      %2 = stablehlo.tanh %1 : tensor<4xf32>
      return %x : tensor<4xf32>
    }
    """)

    def is_dead(candidate: Program) -> bool:
        alive = candidate.run_passes("dxir-dce")
        return has("stablehlo.sine")(candidate) and not has("stablehlo.sine")(alive)

    assert op_count(reduce(program, is_dead)) == 1


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_whatever_is_tried_is_valid_smaller_and_new(data: st.DataObject) -> None:
    program = dxir.load(PROGRAMS[data.draw(st.sampled_from(sorted(PROGRAMS)))])
    names = sorted(program.op_counts())
    needed = has(*data.draw(st.lists(st.sampled_from(names), max_size=3, unique=True)))
    best, seen = size_of(program.module), set[bytes]()

    def is_interesting(candidate: Program) -> bool:
        nonlocal best
        candidate.clone().verify()
        data = candidate.bytecode()
        size = size_of(candidate.module)
        assert data not in seen
        assert size < best or not seen
        seen.add(data)
        # Of what has all that is needed, some is not interesting for no reason at all.
        if len(seen) > 1 and hash_of(data) % 5 == 0:
            return False
        if needed(candidate):
            best = size
            return True
        return False

    reduced = reduce(program, is_interesting)
    assert needed(reduced)
    assert size_of(reduced.module) == best


def hash_of(data: bytes) -> int:
    return random.Random(data).getrandbits(32)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_result_is_the_same_for_any_number_of_jobs_and_when_reduced_again(name: str) -> None:
    program = dxir.load(PROGRAMS[name])
    for needed in sorted(program.op_counts()):
        one = reduce(program, has(needed))
        assert str(reduce(program, has(needed), jobs=3)) == str(one)
        assert str(reduce(one, has(needed))) == str(one)


def test_the_program_to_reduce_stays_as_it_is() -> None:
    program = dxir.load(CALLS)
    text = program.text(debug_info=True)
    reduce(program, has("stablehlo.cosine"))
    assert program.text(debug_info=True) == text


def test_progress_tells_of_each_better_program_and_of_the_end() -> None:
    told: list[Progress] = []
    reduced = reduce(dxir.load(CALLS), has("stablehlo.cosine"), on_progress=told.append)
    better = [progress.size for progress in told if progress.is_better]
    assert better == sorted(better, reverse=True)
    assert [progress.finished for progress in told].index(True) == len(told) - 1
    assert told[-1].taken == len(better)
    assert str(told[-1].best) == str(reduced)


def test_when_time_is_over_the_best_so_far_is_given() -> None:
    told: list[Progress] = []
    program = dxir.load(CALLS)
    reduced = reduce(program, has("stablehlo.cosine"), seconds=0, on_progress=told.append)
    assert str(reduced) == str(program)
    assert not any(progress.finished for progress in told)


def test_a_program_that_is_not_interesting_is_refused() -> None:
    with pytest.raises(ReductionError, match="is not interesting itself"):
        reduce(dxir.load(CALLS), lambda _: False)


def test_a_program_that_is_not_valid_is_refused() -> None:
    program = dxir.load(DYNAMIC)
    type = ir.Type.parse("tensor<2xi1>", program.context)
    next(functions(program.module)).regions[0].blocks[0].arguments[0].set_type(type)
    with pytest.raises(VerificationError):
        reduce(program, lambda _: True)


def test_what_the_judge_raises_comes_out() -> None:
    def is_interesting(_: Program) -> bool:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        reduce(dxir.load(CALLS), is_interesting)


def test_of_two_sizes_that_with_fewer_functions_and_ops_is_less() -> None:
    assert Size(functions=1, ops=9) < Size(functions=2, ops=1)
    assert Size(ops=1, constants=5) < Size(ops=2)


def test_recursion_and_functions_without_a_body_are_no_obstacle() -> None:
    program = dxir.load("""
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
      %1 = call @g(%0) : (tensor<4xf32>) -> tensor<4xf32>
      %2 = stablehlo.cosine %1 : tensor<4xf32>
      return %2 : tensor<4xf32>
    }
    func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func private @g(tensor<4xf32>) -> tensor<4xf32>
    """)
    assert op_count(reduce(program, has("stablehlo.cosine"))) == 1
    assert "@g" in str(reduce(program, lambda p: "@g" in str(p)))
    assert "@f" in str(reduce(program, lambda p: "@f" in str(p)))
