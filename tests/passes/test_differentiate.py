"""dxir-differentiate: what is put beside a function computes its derivative, and runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import dxir
from dxir.errors import PassError, TransformError
from dxir.passes.differentiate import Differentiate
from dxir.targets.kernels import KernelDescriptor, register_kernel, unregister_kernel
from dxir.transforms.registry import Rules, enter
from dxir.types import f32, i32

PRODUCT = """
func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>, %n: tensor<3xi32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %0 = call @square(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %1 = stablehlo.multiply %0, %y : tensor<3xf32>
  return %1, %n : tensor<3xf32>, tensor<3xi32>
}
func.func private @square(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}"""  # noqa: E501
CUBE = """
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<3xf32>
  %1 = stablehlo.multiply %0, %x : tensor<3xf32>
  return %1 : tensor<3xf32>
}"""
X = np.array([1.0, -2.0, 0.5], np.float32)
Y = np.array([3.0, 4.0, -1.0], np.float32)
N = np.array([1, 2, 3], np.int32)
G = np.array([1.0, 10.0, 100.0], np.float32)


def derived(text: str = PRODUCT, **options: Any) -> dxir.Program:
    program = dxir.load(text)
    after = program.run_passes(Differentiate(**options)).verify()
    assert str(after.run_passes(Differentiate(**options))) == str(after), "a second run changes it"
    return after


def run(program: dxir.Program, *arguments: Any) -> list[np.ndarray[Any, Any]]:
    return [np.asarray(r) for r in dxir.compile(program).run(arguments)]


def test_cotangents_come_in_and_go_out_of_the_entry() -> None:
    y, n, gx, gy = run(derived(rename_to="main"), X, Y, N, G)
    np.testing.assert_array_equal(y, X * X * Y)
    np.testing.assert_array_equal(n, N)
    np.testing.assert_array_equal(gx, G * 2 * X * Y)
    np.testing.assert_array_equal(gy, G * X * X)


def test_a_seed_of_one_is_the_gradient_of_the_sum() -> None:
    (gy,) = run(derived(seed="one", wrt=(1,), value=False, rename_to="main"), X, Y, N)
    np.testing.assert_array_equal(gy, X * X)


def test_forward_mode_takes_tangents() -> None:
    y, n, moved = run(derived(mode="forward", wrt=(1, 0), rename_to="main"), X, Y, N, G, X)
    np.testing.assert_array_equal(y, X * X * Y)
    np.testing.assert_array_equal(n, N)
    np.testing.assert_array_equal(moved, X * X * G + 2 * X * X * Y)


def test_the_old_function_stays_beside_the_new_one() -> None:
    before = dxir.load(PRODUCT)
    after = derived()
    assert after.public_names == ("main", "main_vjp")
    assert str(before).splitlines()[1:5] == str(after).splitlines()[1:5]
    found = run(after, X, Y, N)
    np.testing.assert_array_equal(found[0], X * X * Y)


def test_the_function_that_gives_its_name_away_is_private() -> None:
    after = derived(rename_to="main")
    assert after.public_names == ("main",)
    assert "main_primal" in after.function_names
    assert "main_primal" not in after.run_passes("symbol-dce").function_names


def test_passes_go_on_from_what_others_made() -> None:
    second = derived(seed="one", wrt=(0,), value=False).run_passes(
        Differentiate(function="main_grad", seed="one", wrt=(0,), value=False, rename_to="main")
    )
    (found,) = run(second, X, Y, N)
    np.testing.assert_array_equal(found, 2 * Y)


def test_the_new_function_goes_into_artifacts() -> None:
    after = derived(rename_to="main")
    again = dxir.load(after.serialize(version="current"))
    for a, b in zip(run(after, X, Y, N, G), run(again, X, Y, N, G), strict=True):
        np.testing.assert_array_equal(a, b)


def test_functions_that_are_there_already_are_used() -> None:
    after = derived("""
    func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
      %0 = call @steps(%x) : (tensor<3xf32>) -> tensor<3xf32>
      return %0 : tensor<3xf32>
    }
    func.func private @steps(%x: tensor<3xf32>) -> tensor<3xf32> {
      %0 = stablehlo.floor %x : tensor<3xf32>
      return %0 : tensor<3xf32>
    }""")
    assert [n for n in after.function_names if n.startswith("steps")] == ["steps"]


def test_names_that_are_taken_are_left_alone() -> None:
    after = derived(
        PRODUCT
        + """
    func.func private @square_fwd() -> tensor<2xf32> {
      %0 = stablehlo.constant dense<7.0> : tensor<2xf32>
      return %0 : tensor<2xf32>
    }""",
        rename_to="main",
    )
    *_, gx, _ = run(after, X, Y, N, G)
    np.testing.assert_array_equal(gx, G * 2 * X * Y)
    assert "dense<7.0" in str(after)


def test_another_function_of_the_name_is_refused() -> None:
    after = derived(wrt=(0,))
    with pytest.raises(PassError, match="another @main_vjp") as caught:
        after.run_passes(Differentiate(wrt=(1,)))
    assert "rename-to" in (caught.value.hint or "")
    assert caught.value.pass_name == "dxir-differentiate"


def test_what_was_made_of_a_function_that_has_changed_is_refused() -> None:
    after = derived("""
    func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
      return %x : tensor<?xf32>
    }""")
    changed = after.run_passes("dxir-specialize{shapes=3}")
    with pytest.raises(PassError, match="another @main_vjp"):
        changed.run_passes(Differentiate())


def test_sizes_that_must_be_known_are_asked_for() -> None:
    program = dxir.load("""
    func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = stablehlo.multiply %x, %x : tensor<?xf32>
      return %0 : tensor<?xf32>
    }""")
    after = program.run_passes("dxir-differentiate{seed=one}")
    assert after.public_names == ("main", "main_grad")
    with pytest.raises(PassError, match="dynamic dimensions") as caught:
        program.run_passes("dxir-vmap{size=3 in-axes=none}")
    assert "dxir-specialize" in (caught.value.hint or "")
    assert caught.value.where == "<text>:2:5"


def test_a_second_run_says_that_it_does_nothing_and_how_to_derive_again() -> None:
    once = "dxir-differentiate{seed=one value=false}"
    twice = dxir.load(CUBE).run_passes(f"{once},{once}")
    (said,) = twice.diagnostics
    assert said.severity == "remark"
    assert said.message.startswith("@main_grad is already what this pass makes: nothing is done")
    assert "function=main_grad and rename-to" in said.message
    again = "dxir-differentiate{function=main_grad seed=one value=false rename-to=main}"
    after = dxir.load(CUBE).run_passes(f"{once},{again}")
    (found,) = run(after, X)
    np.testing.assert_array_equal(found, 6 * X)


def test_every_op_without_a_rule_is_named_with_its_place() -> None:
    text = PRODUCT.replace("stablehlo.multiply %x, %x", "stablehlo.custom_call @one(%x)").replace(
        "stablehlo.multiply %0, %y", "stablehlo.custom_call @two(%0, %y)"
    )
    text = text.replace("@one(%x) : tensor<3xf32>", "@one(%x) : (tensor<3xf32>) -> tensor<3xf32>")
    text = text.replace(
        "@two(%0, %y) : tensor<3xf32>",
        "@two(%0, %y) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>",
    )
    with pytest.raises(PassError, match="2 ops have no derivative") as caught:
        dxir.load(text).run_passes(Differentiate())
    said = caught.value.message
    assert "custom_call @two at -:4" in said or ":4:" in said
    assert "custom_call @one" in said
    assert "register_rules" in (caught.value.hint or "")


def test_rules_of_custom_calls_are_found_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    from dxir.transforms import registry

    monkeypatch.setattr(registry, "_RULES", {})
    enter(Rules("twice", vjp=lambda node, g, y: (g + g,)))
    after = derived("""
    func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
      %0 = stablehlo.custom_call @twice(%x) : (tensor<3xf32>) -> tensor<3xf32>
      return %0 : tensor<3xf32>
    }""")
    assert after.op_counts()["stablehlo.add"] == 1


KERNEL = """
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0:2 = stablehlo.custom_call @acme_square(%x) {dxir.stands_for = {name = "acme.square", decomposition = @f, attributes = {}}} : (tensor<3xf32>) -> (tensor<3xf32>, tensor<i32>)
  return %0#0 : tensor<3xf32>
}
func.func private @f(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}"""  # noqa: E501


@pytest.fixture
def square_kernel() -> Iterator[None]:
    def vjp(node: Any, g: dxir.Value, y: dxir.Value) -> tuple[dxir.Value]:
        assert y.type == f32[3]
        return (g * node.inputs[0] * 5.0,)

    made = KernelDescriptor(
        composite="acme.square", call_target="acme_square", scratch=(i32[()],), vjp=vjp
    )
    register_kernel("xla-cpu", made)
    yield
    unregister_kernel("xla-cpu", made)


@pytest.mark.usefixtures("square_kernel")
def test_a_call_of_a_kernel_is_derived_by_the_kernel() -> None:
    after = derived(KERNEL, value=False, rename_to="main")
    (found,) = run(after, X, G)
    np.testing.assert_array_equal(found, G * X * 5)


@pytest.mark.usefixtures("square_kernel")
def test_in_forward_mode_the_decomposition_of_a_kernel_is_derived() -> None:
    after = derived(KERNEL, mode="forward", value=False, rename_to="main")
    (found,) = run(after, X, G)
    np.testing.assert_array_equal(found, 2 * X * G)


def test_a_graph_with_a_call_of_a_kernel_is_refused_with_the_way_out() -> None:
    program = dxir.load(KERNEL)
    for transform in (dxir.grad, dxir.jvp):
        with pytest.raises(TransformError, match="acme_square") as caught:
            transform(program.raise_()["main"])
        assert "dxir-decompose{kernels=off}" in (caught.value.hint or "")
    again = program.run_passes("dxir-decompose{kernels=off}").raise_()["main"]
    np.testing.assert_array_equal(dxir.evaluate(dxir.grad(again), X), 2 * X)


def test_a_kernel_without_a_derivative_is_derived_by_its_decomposition() -> None:
    after = derived(KERNEL, value=False, rename_to="main")
    (found,) = run(after, X, G)
    np.testing.assert_array_equal(found, 2 * X * G)
    assert "acme_square" in str(after), "the old function keeps its kernel"


def test_the_new_function_shares_constants_and_has_no_dead_ops() -> None:
    after = derived(
        """
    func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
      %a = stablehlo.constant dense<2.0> : tensor<3xf32>
      %b = stablehlo.constant dense<2.0> : tensor<3xf32>
      %0 = stablehlo.multiply %x, %a : tensor<3xf32>
      %1 = stablehlo.multiply %0, %b : tensor<3xf32>
      %2 = stablehlo.sine %x : tensor<3xf32>
      return %1 : tensor<3xf32>
    }""",
        value=False,
        rename_to="main",
    ).run_passes("symbol-dce")
    assert after.op_counts() == {
        "func.func": 1,
        "func.return": 1,
        "stablehlo.constant": 1,
        "stablehlo.multiply": 2,
    }


LOOP = """
func.func @main(%x: tensor<3xf32>, %n: tensor<i32>) -> tensor<3xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %stop = stablehlo.STOP
  %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<3xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %stop : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.multiply %a, %a : tensor<3xf32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<3xf32>
    }
  return %0#1 : tensor<3xf32>
}"""
KNOWN = LOOP.replace("stablehlo.STOP", "stablehlo.constant dense<3> : tensor<i32>")
UNKNOWN = LOOP.replace("stablehlo.STOP", "stablehlo.add %n, %zero : tensor<i32>")


@pytest.mark.parametrize("loops", ["stored", "recomputed", "2"])
def test_loops_keep_what_the_option_says(loops: str) -> None:
    after = derived(KNOWN, seed="one", value=False, loops=loops, rename_to="main")
    (found,) = run(after, X, np.int32(0))
    np.testing.assert_allclose(found, 8 * X**7, rtol=1e-6)


def test_a_loop_of_unknown_length_needs_a_bound_backwards() -> None:
    program = dxir.load(UNKNOWN)
    with pytest.raises(PassError, match="how often it runs is not known") as caught:
        program.run_passes("dxir-differentiate")
    assert "max-trip-count" in (caught.value.hint or "")
    after = derived(UNKNOWN, seed="one", value=False, max_trip_count=5, rename_to="main")
    for steps, wanted in ((3, 8 * X**7), (0, np.ones_like(X)), (6, np.full_like(X, np.nan))):
        (found,) = run(after, X, np.int32(steps))
        np.testing.assert_allclose(found, wanted, rtol=1e-6)


@pytest.mark.parametrize("option", ["loops=recomputed", "max-trip-count=5"])
def test_what_loops_keep_is_refused_forwards(option: str) -> None:
    with pytest.raises(PassError, match="are for mode=reverse"):
        dxir.load(UNKNOWN).run_passes(f"dxir-differentiate{{mode=forward {option}}}")


def test_a_loop_of_unknown_length_needs_none_forwards() -> None:
    after = derived(UNKNOWN, mode="forward", value=False, rename_to="main")
    (found,) = run(after, X, np.int32(3), G)
    np.testing.assert_allclose(found, 8 * X**7 * G, rtol=1e-6)
