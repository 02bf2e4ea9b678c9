"""Backends held against each other: what is accepted, what is not, and where it begins."""

import itertools
import json
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import dxir
from dxir.errors import ArgumentError, TargetError
from dxir.program import Program
from dxir.runtime.executable import Executable
from dxir.runtime.oracle import FAULTS, Policy, compare, find_divergence
from dxir.runtime.oracle.policy import Expectation
from dxir.runtime.oracle.rounding import Moved
from dxir.targets import Source, Target, register_target
from dxir.targets.registry import forget_target

BOTH = ("xla-cpu", "reference")


def load(text: str) -> Program:
    return dxir.load(textwrap.dedent(text))


def replacing(old: str, new: str) -> Target:
    """A backend that computes another op in the place of one."""

    def compile_source(source: Source) -> Executable:
        text = str(source.program())
        return dxir.compile(dxir.load(text.replace(old, new)), "reference")

    return Target(f"wrong-{old}", "wrong on purpose", compile_source)


@pytest.fixture
def wrong_sine() -> Iterator[str]:
    target = register_target(replacing("stablehlo.sine", "stablehlo.cosine"))
    yield target.name
    forget_target(target.name)


def chain(length: int, wrong_at: int, dtype: str = "f32") -> str:
    lines = [
        f"%{i + 1} = stablehlo.{'sine' if i == wrong_at else 'tanh'} %{i} : tensor<4x{dtype}>"
        for i in range(1, length + 1)
    ]
    body = "\n  ".join(lines)
    return (
        f"func.func @main(%1: tensor<4x{dtype}>) -> tensor<4x{dtype}> {{\n  {body}\n"
        f"  return %{length + 1} : tensor<4x{dtype}>\n}}"
    )


X = np.array([0.5, -1, 2, 0.25])


def verdicts(comparison: Any) -> list[str]:
    return [row.verdict for row in comparison.rows]


def test_backends_that_agree_are_told_so() -> None:
    found = compare(load(chain(5, 2)), [X.astype(np.float32)], BOTH, contained=False)
    assert found.agrees
    assert found.exit_code == 0
    assert found.judge == "reference"
    assert verdicts(found) in (["equal"], ["close"])
    assert json.loads(json.dumps(found.to_json()))["agrees"] is True


@pytest.mark.parametrize("length", [3, 200])
@pytest.mark.parametrize("dtype", ["f32", "f16", "bf16", "complex<f32>"])
def test_a_wrong_op_is_found_in_a_chain(wrong_sine: str, length: int, dtype: str) -> None:
    kinds: dict[str, Any] = {
        "f32": np.float32,
        "f16": np.float16,
        "bf16": ml_dtypes.bfloat16,
        "complex<f32>": np.complex64,
    }
    program = load(chain(length, 2, dtype))
    found = compare(program, [X.astype(kinds[dtype])], (wrong_sine, "reference"), contained=False)
    if length == 3:  # 200 of tanh forget where they came from
        assert found.exit_code == 4
        (divergence,) = found.divergences
    else:
        named = find_divergence(program, [X.astype(kinds[dtype])], wrong_sine, contained=False)
        assert named is not None
        divergence = named
    assert divergence.op == "sin"
    assert divergence.alone is True
    assert divergence.where is not None
    assert divergence.where.partition(":")[2].startswith("3")
    np.testing.assert_allclose(
        divergence.given.astype(np.complex64),
        np.cos(divergence.operands[0].values.astype(np.complex64)),
        rtol=0.02,
    )
    assert "diverges first in sin" in str(divergence)


def test_a_wrong_op_is_found_among_two_thousand(wrong_sine: str) -> None:
    program = load(chain(2000, 1234))
    found = find_divergence(program, [X.astype(np.float32)], wrong_sine, contained=False)
    assert found is not None
    assert found.op == "sin"


def test_a_wrong_op_is_found_inside_of_a_call(wrong_sine: str) -> None:
    program = load("""
      func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
        %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
        %1 = stablehlo.negate %x : tensor<4xf32>
        return %1, %0 : tensor<4xf32>, tensor<4xf32>
      }
      func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
        %0 = stablehlo.tanh %x : tensor<4xf32>
        %1 = stablehlo.sine %0 : tensor<4xf32>
        return %1 : tensor<4xf32>
      }
    """)
    found = compare(program, [X.astype(np.float32)], (wrong_sine, "reference"), contained=False)
    assert verdicts(found) == ["equal", "off"]
    assert [d.op for d in found.divergences] == ["sin"]


def test_a_loop_with_a_wrong_op_is_named(wrong_sine: str) -> None:
    program = load("""
      func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
        %zero = stablehlo.constant dense<0> : tensor<i32>
        %one = stablehlo.constant dense<1> : tensor<i32>
        %three = stablehlo.constant dense<3> : tensor<i32>
        %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<4xf32>
          cond {
            %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
            stablehlo.return %c : tensor<i1>
          } do {
            %j = stablehlo.add %i, %one : tensor<i32>
            %z = stablehlo.sine %y : tensor<4xf32>
            stablehlo.return %j, %z : tensor<i32>, tensor<4xf32>
          }
        return %r#1 : tensor<4xf32>
      }
    """)
    found = compare(program, [X.astype(np.float32)], (wrong_sine, "reference"), contained=False)
    assert found.exit_code == 4
    assert [d.op for d in found.divergences] == ["while_loop"]


def test_cancellation_is_no_fault() -> None:
    program = load("""
      func.func @main(%x: tensor<1000xf32>) -> tensor<f32> {
        %zero = stablehlo.constant dense<0.0> : tensor<f32>
        %e = stablehlo.exponential %x : tensor<1000xf32>
        %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0]
          : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
        %n = stablehlo.negate %e : tensor<1000xf32>
        %t = stablehlo.reduce(%n init: %s) applies stablehlo.add across dimensions = [0]
          : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
        return %s : tensor<f32>
      }
    """)
    x = np.random.default_rng(1).standard_normal(1000, np.float32) * 3
    assert compare(program, [x], BOTH, contained=False).agrees


def test_an_integer_that_rounding_decides_is_unstable_not_wrong() -> None:
    expected = [np.array([3, 7])]
    wide = np.array([3.0000001, 7.4])
    seeds = itertools.count()

    def again(evaluator: Any) -> tuple[Any, ...]:
        if not isinstance(evaluator, Moved):
            return tuple(expected)
        signs = np.random.default_rng(next(seeds)).integers(0, 2, 2) * 2 - 1
        return (np.floor(wide * (1 + signs * 1e-6)).astype(np.int64),)

    expectation = Expectation(expected, again, Policy())
    assert expectation.judged(0, np.array([2, 7])).verdict == "unstable"
    assert expectation.judged(0, np.array([3, 6])).verdict == "off"


def test_flushed_subnormals_are_a_class_of_their_own() -> None:
    program = load("""
      func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
        %0 = stablehlo.add %x, %x : tensor<3xf32>
        return %0 : tensor<3xf32>
      }
    """)
    x = np.array([1, 1e-40, -1e-41], np.float32)
    found = compare(program, [x], BOTH, contained=False)
    assert verdicts(found) == ["subnormal"]
    assert found.agrees
    strict = compare(program, [x], BOTH, policy=Policy(subnormals=False), contained=False)
    assert verdicts(strict) == ["off"]


def test_tolerances_of_the_user_take_the_place_of_the_derived_ones(wrong_sine: str) -> None:
    program = load(chain(1, 1))
    for policy, verdict in ((Policy(atol=2), "close"), (Policy(rtol=1e-3), "off")):
        found = compare(
            program,
            [X.astype(np.float32)],
            (wrong_sine, "reference"),
            policy=policy,
            contained=False,
            bisect=False,
        )
        assert verdicts(found) == [verdict]


@pytest.mark.parametrize("units", [0, 1, 3, 64])
def test_the_last_place_of_a_sum_counts(units: int) -> None:
    x = np.float32(1.5)
    given = x
    for _ in range(units):
        given = np.nextafter(given, np.float32(2))
    expectation = Expectation([np.asarray(x)], None, Policy())
    assert expectation.judged(0, np.asarray(given)).verdict == (
        "equal" if units == 0 else "close" if units < 3 else "off"
    )


def test_signed_zeros_and_nan_are_equal_unless_told_apart() -> None:
    a, b = np.array([0.0, np.nan], np.float32), np.array([-0.0, -np.nan], np.float32)
    assert Expectation([a], None, Policy()).judged(0, b).verdict == "equal"
    assert Expectation([a], None, Policy(signed_zeros=True, units=0)).judged(0, b).verdict in (
        "off",
        "close",
    )


def test_a_backend_that_refuses_is_a_row() -> None:
    program = load("""
      func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
        %0 = stablehlo.custom_call @nobody.knows(%x) : (tensor<4xf32>) -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }
    """)
    found = compare(program, [X.astype(np.float32)], BOTH, contained=False)
    assert verdicts(found) == ["refused", "refused"]
    assert (found.judge, found.exit_code) == (None, 6)
    assert "no backend runs the program" in str(found)
    other = load(chain(1, 1).replace("sine", "tanh"))
    refusing = register_target(
        Target("refusing", "takes nothing", lambda _: (_ for _ in ()).throw(TargetError("no")))
    )
    try:
        found = compare(other, [X.astype(np.float32)], ("refusing", "reference"), contained=False)
    finally:
        forget_target(refusing.name)
    assert verdicts(found) == ["refused"]
    assert found.exit_code == 6
    assert "refused the program: no" in str(found)


@pytest.mark.parametrize(
    ("backends", "kind"),
    [(("xla-cpu",), ArgumentError), (("xla-cpu", "xla-cpu"), ArgumentError)],
)
def test_comparing_takes_two(backends: Sequence[str], kind: type[Exception]) -> None:
    with pytest.raises(kind, match="two backends"):
        compare(load(chain(1, 1)), [X.astype(np.float32)], backends)


def test_an_unknown_backend_is_an_error() -> None:
    with pytest.raises(TargetError, match="no backend"):
        compare(load(chain(1, 1)), [X.astype(np.float32)], ("xla-cup", "reference"))


def test_wrong_arguments_are_an_error() -> None:
    with pytest.raises(ArgumentError):
        compare(load(chain(1, 1)), [np.ones(3, np.float32)], BOTH, contained=False)
    with pytest.raises(ArgumentError, match="rtol"):
        Policy(rtol=-1)


def test_every_fault_says_what_to_do() -> None:
    assert len({f.id for f in FAULTS}) == len(FAULTS)
    for known in FAULTS:
        assert known.id.startswith(known.backend)
        assert known.text
        assert known.hint


def test_each_backend_has_a_process_of_its_own_by_default() -> None:
    found = compare(load(chain(3, 2)), [X.astype(np.float32)])
    assert found.agrees


@pytest.mark.parametrize(("m", "k", "n"), [(16, 512, 8), (8, 2048, 8), (4, 64, 4)])
def test_sums_in_another_order_are_no_fault(m: int, k: int, n: int) -> None:
    program = load(f"""
      func.func @main(%a: tensor<{m}x{k}xf32>, %b: tensor<{k}x{n}xf32>) -> tensor<{m}x{n}xf32> {{
        %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
          : (tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>) -> tensor<{m}x{n}xf32>
        return %c : tensor<{m}x{n}xf32>
      }}
    """)
    rng = np.random.default_rng(3)
    a = rng.standard_normal((m, k), np.float32)
    b = rng.standard_normal((k, n), np.float32)
    assert compare(program, [a, b], BOTH, contained=False).agrees


def test_a_product_near_the_smallest_number_counts() -> None:
    x = np.float32(1.5e-19)
    expectation = Expectation([np.asarray(x * x)], lambda _: (np.asarray(x * x),), Policy())
    assert expectation.judged(0, np.asarray(2 * x * x)).verdict == "off"
