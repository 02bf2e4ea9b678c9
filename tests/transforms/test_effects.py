"""Side effects: each runs as often as before and in its place, or the transform is refused."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.errors import PassError, TransformError
from dxir.graph import Function, Node, Region, walk
from dxir.op import trace
from dxir.types import f32, i1, i32

OPTIONS = ("", " loops=recomputed", " loops=3")
LOOP = """func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %twelve = stablehlo.constant dense<12> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %c = stablehlo.constant dense<1.0> : tensor<4xf32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<4xf32>
    cond { IN_COND
           %p = stablehlo.compare LT, %i, LIMIT : (tensor<i32>, tensor<i32>) -> tensor<i1>
           stablehlo.return %p : tensor<i1> }
    do { %j = stablehlo.add %i, %one : tensor<i32>
         %w = stablehlo.sine %v : tensor<4xf32>
         IN_BODY
         stablehlo.return %j, %w : tensor<i32>, tensor<4xf32> }
  return %r#1 : tensor<4xf32>
}
func.func private @say(%x: tensor<4xf32>) {
  stablehlo.custom_call @debug(%x) {has_side_effect = true} : (tensor<4xf32>) -> ()
  return
}"""
SHOWN = "stablehlo.custom_call @debug(%{}) {{has_side_effect = true}} : (tensor<4xf32>) -> ()"


def loop(body: str = "", cond: str = "", limit: str = "%twelve") -> str:
    return LOOP.replace("IN_BODY", body).replace("IN_COND", cond).replace("LIMIT", limit)


def made(program: str, passes: str) -> str:
    """The function that passes make of a program, with the name `made`."""
    text = str(dxir.load(program).run_passes(passes.replace("}", " rename-to=made}")))
    return next(f for f in re.split(r"(?m)^  (?=func\.func )", text) if "@made(" in f)


def depth(function: str, what: str = "@debug") -> list[int]:
    """In how many regions each effect of a function is."""
    lines = [line for line in function.split("\n") if what in line]
    return [(len(line) - len(line.lstrip())) // 2 - 2 for line in lines]


def show(value: Any, name: str = "debug") -> Any:
    return ops.custom_call((value,), types=(), call_target_name=name, has_side_effect=True)


def graph(function: Callable[..., Any], *types: Any) -> Function:
    return trace(function, Function("main", types))


def effects(region: Region) -> list[Node]:
    return [n for n in walk(region) if n.op == "custom_call"]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("value", ["c", "y", "v", "w"])
def test_an_effect_in_a_loop_is_in_its_steps_and_nowhere_else(value: str, options: str) -> None:
    found = made(loop(SHOWN.format(value)), f"dxir-differentiate{{seed=one{options}}}")
    assert depth(found) == [2 if options == " loops=3" else 1]


@pytest.mark.parametrize("value", ["c", "v"])
def test_an_effect_in_a_function_that_steps_call_is_in_the_steps(value: str) -> None:
    body = f"func.call @say(%{value}) : (tensor<4xf32>) -> ()"
    for passes in ("dxir-differentiate{seed=one}", "dxir-jvp{wrt=0}"):
        found = made(loop(body), passes)
        assert depth(found) + depth(found, "@say") == [1], passes


@pytest.mark.parametrize("value", ["c", "v"])
def test_an_effect_in_a_bounded_loop_runs_in_each_step(value: str) -> None:
    found = made(
        loop(SHOWN.format(value), limit="%n"), "dxir-differentiate{seed=one max-trip-count=6}"
    )
    assert depth(found) == [1]


def test_the_steps_of_a_loop_with_an_effect_in_its_condition_are_not_counted_ahead() -> None:
    program = loop(cond=SHOWN.format("c"))
    found = made(program, "dxir-differentiate{seed=one max-trip-count=12}")
    assert depth(found) == [1]
    with pytest.raises(PassError, match="since its condition has a side effect"):
        made(program, "dxir-differentiate{seed=one}")


def shows_on_the_way_back(function: Callable[[Any], Any] | None = None) -> Any:
    """A sine whose reverse rule shows the cotangent, or another value made of the residual."""

    def bwd(r: Any, g: Any) -> tuple[Any]:
        show(g if function is None else function(r))
        return (g * r,)

    return dxir.custom_vjp(ops.sin, lambda x: (ops.sin(x), ops.cos(x)), bwd)


SHOWS: tuple[Any, ...] = (None, lambda r: r, lambda r: ops.constant(np.float32(1)))


@pytest.mark.parametrize("value", SHOWS, ids=["cotangent", "residual", "constant"])
def test_an_effect_of_a_reverse_rule_is_in_the_steps_of_the_loop_back(value: Any) -> None:
    h = shows_on_the_way_back(value)
    g = dxir.grad(graph(lambda x: ops.fori_loop(0, 3, lambda i, v: h(v), (x,))[0], f32[4]))
    (node,) = effects(g)
    loops = [n for n in g.nodes if n.regions]
    assert node in list(walk(loops[-1].regions[-1]))


@pytest.mark.parametrize("value", SHOWS, ids=["cotangent", "residual", "constant"])
def test_an_effect_of_a_reverse_rule_is_in_the_branch_of_the_way_back(value: Any) -> None:
    h = shows_on_the_way_back(value)
    g = dxir.grad(graph(lambda p, x: ops.cond(p, lambda: h(x), lambda: x), i1[()], f32[4]))
    (node,) = effects(g)
    assert node in list(walk([n for n in g.nodes if n.regions][-1].regions[0]))


def test_effects_of_reverse_rules_in_a_checkpoint_run_once_each_on_the_way_back() -> None:
    h = shows_on_the_way_back()

    def body(x: Any) -> Any:
        show(x, "along")
        return h(h(x))

    g = dxir.grad(graph(lambda x: dxir.checkpoint(body)(x), f32[4]))
    text = str(dxir.lower(g))
    assert len(re.findall("@debug", text)) == 2
    assert len(re.findall("@along", text)) == 1


def test_a_checkpoint_whose_result_nobody_uses_keeps_its_effect() -> None:
    def body(x: Any) -> Any:
        show(x)
        return ops.sin(x)

    def function(x: Any) -> Any:
        dxir.checkpoint(body)(x)
        return x

    assert "@debug" in str(dxir.lower(dxir.grad(graph(function, f32[4]))))


def predicated(kind: str) -> Callable[..., Any]:
    def chosen(x: Any) -> Any:
        show(ops.constant(np.float32(1)))
        return ops.sin(x)

    def function(i: Any, x: Any) -> Any:
        if kind == "cond":
            return ops.cond(i < 2, lambda: chosen(x), lambda: x)
        if kind == "switch":
            return ops.switch(i, (lambda: x, lambda: chosen(x)))
        return ops.while_loop(lambda k, v: k < i, lambda k, v: (k + 1, chosen(v)), (i * 0, x))[1]

    return function


@pytest.mark.parametrize("kind", ["cond", "switch", "while_loop"])
@pytest.mark.parametrize("within", ["itself", "call", "scan"])
def test_an_effect_under_a_predicate_that_differs_in_the_batch_is_refused(
    kind: str, within: str
) -> None:
    inner = graph(predicated(kind), i32[()], f32[4])
    inner.name = "inner"

    def function(i: Any, x: Any) -> Any:
        if within == "call":
            return ops.call(inner, (i, x))
        if within == "scan":
            return ops.fori_loop(0, 3, lambda _, v: predicated(kind)(i, v), (x,))[0]
        return predicated(kind)(i, x)

    f = graph(function, i32[()], f32[4])
    with pytest.raises(TransformError, match=rf"{kind}: its predicate differs.*@debug") as caught:
        dxir.vmap(f, (0, None), axis_size=3)
    assert "test_effects.py" in str(caught.value)
    assert "dxir.ops.map" in str(caught.value)


@pytest.mark.parametrize("kind", ["cond", "switch", "while_loop"])
def test_an_effect_under_one_predicate_for_the_whole_batch_stays_where_it_is(kind: str) -> None:
    f = graph(predicated(kind), i32[()], f32[4])
    batched = dxir.vmap(f, (None, 0), axis_size=3)
    (node,) = effects(batched)
    assert node not in batched.nodes


def nested(levels: int) -> Function:
    def go(level: int, v: Any) -> Any:
        if not level:
            return ops.sin(v)
        return ops.fori_loop(0, 2, lambda i, u: go(level - 1, u), (v,))[0]

    return graph(lambda x: go(levels, x), f32[4])


def test_twenty_nested_loops_take_no_time_to_differentiate() -> None:
    f, start = nested(20), time.perf_counter()
    dxir.grad(f)
    assert time.perf_counter() - start < 20


def chain(length: int) -> Function:
    """Functions each of which calls the next one."""
    inner = trace(ops.sin, Function("last", [f32[4]], public=False))
    for i in range(length):
        callee = inner

        def body(x: Any, callee: Function = callee) -> Any:
            return ops.call(callee, (ops.sin(x),))

        inner = trace(body, Function(f"link_{i}", [f32[4]], public=False))
    return graph(lambda x: ops.call(inner, (x,)), f32[4])


TRANSFORMS: tuple[Callable[[Function], Function], ...] = (
    dxir.grad,
    dxir.jvp,
    lambda f: dxir.vmap(f, axis_size=2),
)


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_long_chains_of_calls_are_transformed_or_refused(
    transform: Callable[[Function], Function],
) -> None:
    transform(chain(130))
    with pytest.raises(TransformError, match="calls are nested deeper than 200") as caught:
        transform(chain(220))
    assert "inline" in str(caught.value)
