"""Conditionals, loops, calls, composites and side effects: stories beyond the examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest

import dxir
from dxir import Builder, Function, Module, OutputOperandAlias, TensorType, evaluate, ops
from dxir.attributes import ChannelHandle
from dxir.errors import (
    AttributeValueError,
    DTypeError,
    DxirError,
    EvaluationError,
    GraphError,
    OperandError,
    ShapeError,
)
from dxir.graph import walk
from dxir.lowering import lower_module
from dxir.mlir import ir
from dxir.types import TupleType, f32, i1, i32, i64, token

Array = np.ndarray[Any, Any]
HERE = "test_control.py:"


def build(body: Callable[..., Any], *arguments: Any) -> Function:
    """The function `main` that `body` describes on parameters of the arguments' types."""
    types = [
        a if not isinstance(a, (np.ndarray, np.generic)) else TensorType.of_array(np.asarray(a))
        for a in arguments
    ]
    return dxir.build_function(body, *types, name="main")


def both(body: Callable[..., Any], *arguments: Any) -> Any:
    """What the compiled program gives, after checking that the reference gives the same."""
    function = body if isinstance(body, Function) else build(body, *arguments)
    results = dxir.compile(function)(*arguments)
    wanted = evaluate(function, *arguments)
    found = results if isinstance(results, tuple) else (results,)
    for a, b in zip(found, wanted if isinstance(wanted, tuple) else (wanted,), strict=True):
        np.testing.assert_array_equal(np.asarray(a), b)
    arrays = tuple(np.asarray(r) for r in found)
    return arrays if isinstance(results, tuple) else arrays[0]


def operations(function: Function) -> list[str]:
    """The names of the operations of the module, in order."""
    module = lower_module(Module([function]))
    names: list[str] = []

    def visit(op: Any) -> Any:
        names.append(op.name)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    return names


def message(body: Callable[..., Any], *types: Any, error: type[DxirError] = DxirError) -> str:
    """The text of the error that building `body` raises; it names this file."""
    with pytest.raises(error) as caught:
        build(body, *types)
    assert HERE in str(caught.value), str(caught.value)
    return str(caught.value)


class TestRegions:
    def test_branches_use_values_from_outside(self) -> None:
        def body(p: Any, x: Any) -> Any:
            return ops.cond(p, lambda: x + x, lambda: ops.neg(x))

        x = np.arange(3, dtype=np.float32)
        assert list(both(body, np.True_, x)) == [0, 2, 4]
        assert list(both(body, np.False_, x)) == [0, -1, -2]
        assert operations(build(body, i1[()], f32[3])).count("stablehlo.if") == 1

    @pytest.mark.parametrize(("index", "expected"), [(0, 1), (1, 2), (2, 3), (7, 3), (-1, 3)])
    def test_a_switch_out_of_range_takes_the_last_branch(self, index: int, expected: int) -> None:
        found = both(
            lambda i: ops.switch(i, [lambda k=k: np.float32(k) for k in (1, 2, 3)]),
            np.int32(index),
        )
        assert found == expected

    def test_a_loop_runs_until_its_condition_fails(self) -> None:
        def collatz(n: Any) -> Any:
            return ops.while_loop(
                lambda n, steps: ops.compare(n, np.int32(1), direction="NE"),
                lambda n, steps: (
                    ops.cond(
                        ops.compare(n % 2, np.int32(0), direction="EQ"),
                        lambda: ops.div(n, np.int32(2)),
                        lambda: n * 3 + 1,
                    ),
                    steps + 1,
                ),
                (n, np.int32(0)),
            )[1]

        assert both(collatz, np.int32(27)) == 111

    def test_regions_nest_150_deep(self) -> None:
        def nest(depth: int, p: Any, x: Any) -> Any:
            if depth == 0:
                return x
            return ops.cond(p, lambda: nest(depth - 1, p, x + 1), lambda: x)

        function = build(lambda p, x: nest(150, p, x), i1[()], i32[()])
        assert evaluate(function, np.True_, np.int32(5)) == 155
        assert sum(n.op == "cond" for n in walk(function)) == 150
        assert operations(function).count("stablehlo.if") == 150

    def test_regions_nest_50_deep_on_the_device(self) -> None:
        def nest(depth: int, p: Any, x: Any) -> Any:
            if depth == 0:
                return x
            return ops.cond(p, lambda: nest(depth - 1, p, x + 1), lambda: x)

        assert both(lambda p, x: nest(50, p, x), np.True_, np.int32(5)) == 55

    def test_regions_that_nest_too_deep_are_refused(self) -> None:
        def nest(depth: int, p: Any, x: Any) -> Any:
            return x if depth == 0 else ops.cond(p, lambda: nest(depth - 1, p, x), lambda: x)

        text = message(lambda p, x: nest(250, p, x), i1[()], i32[()], error=GraphError)
        assert "nested more than 200 deep" in text

    @pytest.mark.parametrize(
        ("body", "error", "text"),
        [
            (
                lambda p, x: ops.cond(x, lambda: x, lambda: x), DTypeError,
                "cond: the predicate has type f32[2], but must be i1[]",
            ),
            (
                lambda p, x: ops.cond(p, lambda: x, lambda: p), ShapeError,
                "cond: false_branch returns i1[] as result 0, but must return f32[2]",
            ),
            (
                lambda p, x: ops.cond(p, lambda: (x, p), lambda: x), ShapeError,
                "cond: false_branch returns 1 values, but must return 2",
            ),
            (
                lambda p, x: ops.cond(p, x, lambda: x), OperandError,
                "a region must be a function of 0 values, not Value",
            ),
            (
                lambda p, x: ops.cond(p, lambda: None, lambda: x), OperandError,
                "returned NoneType",
            ),
            (lambda p, x: ops.switch(p, [lambda: x]), DTypeError, "index has type i1[]"),
            (lambda p, x: ops.switch(np.int32(0), []), ShapeError, "at least one branch"),
            (
                lambda p, x: ops.switch(np.int32(0), [lambda: x, lambda: p]), ShapeError,
                "branch 1 returns i1[] as result 0, but must return f32[2]",
            ),
            (
                lambda p, x: ops.while_loop(lambda y: y, lambda y: y, (x,)), ShapeError,
                "while_loop: cond returns f32[2] as result 0, but must return i1[]",
            ),
            (
                lambda p, x: ops.while_loop(lambda y: p, lambda y: (y, y), (x,)), ShapeError,
                "while_loop: body returns 2 values, but must return 1",
            ),
            (
                lambda p, x: ops.while_loop(lambda y: p, lambda y: y[0], (x,)), ShapeError,
                "while_loop: body returns f32[] as result 0, but must return f32[2]",
            ),
            (
                lambda p, x: ops.fori_loop(0, np.int64(3), lambda i: (), ()), DTypeError,
                "the element types differ",
            ),
            (
                lambda p, x: ops.fori_loop(0, 3, lambda i, y: i, (x,)), ShapeError,
                "body returns i32[] as result 0, but must return f32[2]",
            ),
            (lambda p, x: ops.scan(lambda c: c, (x,)), ShapeError, "there are no xs"),
            (
                lambda p, x: ops.scan(lambda c, y: c, (x,), (x,), length=3), ShapeError,
                "different numbers of steps: [2, 3]",
            ),
            (
                lambda p, x: ops.scan(lambda c, y: y, (x,), (x,)), ShapeError,
                "body returns f32[] as carry 0, but the init is f32[2]",
            ),
            (lambda p, x: ops.map(lambda y: y, (p,)), ShapeError, "at least 1 dimensions"),
        ],
    )  # fmt: skip
    def test_a_region_of_the_wrong_type_is_refused(
        self, body: Any, error: type[DxirError], text: str
    ) -> None:
        assert text in message(body, i1[()], f32[2], error=error)

    def test_values_of_a_region_stay_inside(self) -> None:
        kept: list[Any] = []

        def body(p: Any, x: Any) -> Any:
            ops.cond(p, lambda: kept.append(x + x) or x, lambda: x)
            return kept[0] + x

        assert "used outside the function or region" in message(body, i1[()], f32[2])

    def test_a_loop_outside_any_scope_belongs_to_what_it_captures(self) -> None:
        builder = Builder("main")
        x = builder.param(f32[2])
        (_, y) = ops.while_loop(
            lambda i, y: i < np.int32(3), lambda i, y: (i + np.int32(1), y + x),
            (np.int32(0), np.zeros(2, np.float32)),
        )  # fmt: skip
        assert list(both(builder.build(y), np.ones(2, np.float32))) == [3, 3]


class TestLoops:
    def test_scan_agrees_with_jax_in_both_directions(self) -> None:
        rng = np.random.default_rng(2)
        xs, init = rng.standard_normal((5, 3)).astype(np.float32), np.zeros(3, np.float32)
        scale = np.float32(0.5)

        for reverse in (False, True):
            carry, ys = both(
                lambda c, x, s, r=reverse: ops.scan(
                    lambda a, b: (a * s + b, a - b), (c,), (x,), reverse=r
                ),
                init, xs, scale,
            )  # fmt: skip
            wanted = jax.lax.scan(lambda a, b: (a * scale + b, a - b), init, xs, reverse=reverse)
            np.testing.assert_allclose(carry, wanted[0], rtol=1e-6)
            np.testing.assert_allclose(ys, wanted[1], rtol=1e-6)

    def test_a_loop_in_a_loop_in_a_branch_uses_values_of_all_of_them(self) -> None:
        def body(p: Any, x: Any) -> Any:
            def rows() -> Any:
                return ops.map(
                    lambda row: ops.fori_loop(
                        0, 3, lambda i, t: t + row * ops.convert(i, dtype=f32[()].dtype) + x[0, 0],
                        (np.float32(0),),
                    )[0],
                    (x[0],),
                )[0]  # fmt: skip

            return ops.cond(p, rows, lambda: x[1])

        x = np.arange(6, dtype=np.float32).reshape(2, 3) + 1
        assert list(both(body, np.True_, x)) == [6, 9, 12]
        assert list(both(body, np.False_, x)) == [4, 5, 6]

    def test_bounds_of_a_loop_may_be_computed(self) -> None:
        def body(n: Any) -> Any:
            return ops.fori_loop(1, n, lambda i, p: p * i, (np.int32(1),))

        assert both(body, np.int32(6)) == 120
        assert both(body, np.int32(-2)) == 1

    def test_a_scan_is_one_while_and_never_a_map(self) -> None:
        function = build(lambda x: ops.map(lambda y: y * y, (x,)), f32[4, 2])
        names = operations(function)
        assert names.count("stablehlo.while") == 1
        assert "stablehlo.map" not in names

    def test_a_scan_without_steps_has_no_loop(self) -> None:
        function = build(lambda x: ops.scan(lambda c, y: (c, y), (x,), (x[None][:0],)), f32[2])
        assert "stablehlo.while" not in operations(function)

    def test_chlo_scan_is_one_operation_with_its_segments(self) -> None:
        def body(x: Any, c: Any) -> Any:
            return ops.chlo_scan((x,), (c,), lambda x, c: (c + x, c + x), dimension=1)

        function = build(body, f32[2, 3], f32[2])
        assert operations(function).count("chlo.scan") == 1
        x = np.arange(6, dtype=np.float32).reshape(2, 3)
        ys, last = evaluate(function, x, np.zeros(2, np.float32))
        np.testing.assert_array_equal(ys, np.cumsum(x, 1))
        np.testing.assert_array_equal(last, x.sum(1))


class TestCalls:
    def test_two_calls_share_one_function(self) -> None:
        square = dxir.build_function(lambda x: x * x, f32[3], name="square", public=False)
        function = build(lambda x: ops.call(square, ops.call(square, (x,))), f32[3])
        names = operations(function)
        assert names.count("func.call") == 2
        assert names.count("func.func") == 2
        assert list(both(function, np.array([1, 2, 3], np.float32))) == [1, 16, 81]

    def test_several_results_come_as_a_tuple(self) -> None:
        swap = dxir.build_function(lambda x, y: (y, x), f32[2], i32[()], name="swap")
        a, b = both(lambda x, y: ops.call(swap, x, y), np.ones(2, np.float32), np.int32(3))
        assert a == 3
        assert list(b) == [1, 1]

    def test_a_call_says_which_operand_is_wrong(self) -> None:
        b = Builder("f")
        f = b.build(ops.neg(b.param(f32[2], name="left")))
        text = message(lambda x: ops.call(f, x), f32[3], error=ShapeError)
        assert "parameter left of 'f' has type f32[2], but the operand is f32[3]" in text
        assert "takes 1 operands, but 2 are given" in message(lambda x: ops.call(f, x, x), f32[2])
        assert "must be a dxir Function, not function" in message(
            lambda x: ops.call(lambda y: y, x), f32[2], error=OperandError
        )

    def test_values_are_not_captured_across_functions(self) -> None:
        def body(x: Any) -> Any:
            inner = dxir.build_function(lambda y: y + x, f32[2], name="inner")
            return ops.call(inner, x)

        assert "used outside the function" in message(body, f32[2], error=GraphError)

    def test_recursion_is_refused(self) -> None:
        b = Builder("f")
        x = b.param(f32[2])
        with pytest.raises(GraphError, match="'f' is not built yet, or calls itself"):
            ops.call(b.function, x)

    def test_a_call_has_the_effects_of_its_function(self) -> None:
        with Builder("f") as b:
            (y, _) = ops.infeed(ops.create_token(), types=f32[2])
            f = b.build(y)
        function = build(lambda: ops.call(f))
        assert function.nodes[0].has_side_effect


class TestComposites:
    def square(self) -> Function:
        return dxir.build_function(lambda x: x * x, f32[2], name="my.square.impl", public=False)

    def test_a_composite_keeps_its_name_attributes_and_version(self) -> None:
        function = build(
            lambda x: ops.composite(
                "my.square", (x,), decomposition=self.square(), version=3,
                composite_attributes={"axis": -1, "tags": ["a", "b"], "table": np.arange(2)},
            ),
            f32[2],
        )  # fmt: skip
        text = str(lower_module(Module([function])))
        assert 'stablehlo.composite "my.square"' in text
        assert "version = 3 : i32" in text
        assert 'tags = ["a", "b"]' in text
        assert list(both(function, np.array([2, 3], np.float32))) == [4, 9]

    def test_captured_values_are_refused_by_name(self) -> None:
        def body(x: Any) -> Any:
            b = Builder("my.impl", public=False)
            y = b.param(f32[2])
            return ops.composite("my.op", (x,), decomposition=b.build(y + x))

        b = Builder("main")
        x = b.param(f32[2], name="weights")
        with pytest.raises(GraphError) as caught:
            body(x)
        assert "'weights'" in str(caught.value)
        assert HERE in str(caught.value)

    def test_operands_follow_the_decomposition(self) -> None:
        impl = self.square()
        text = message(lambda x: ops.composite("my.op", (x, x), decomposition=impl), f32[2])
        assert "'my.square.impl' takes 1 operands, but 2 are given" in text
        assert "it has the parameters 0: f32[2]" in text
        text = message(lambda x: ops.composite("my.op", (x,), decomposition=impl), f32[3])
        assert "has type f32[2], but the operand is f32[3]" in text
        text = message(lambda x: ops.composite("square", (x,), decomposition=impl), f32[2])
        assert "'square' is not a name for a composite" in text
        text = message(
            lambda x: ops.composite(
                "my.op", (x,), decomposition=impl, composite_attributes={"a": {"b": object()}}
            ),
            f32[2],
        )
        assert "composite_attributes['a']['b'] is a object" in text


class TestTuples:
    def test_an_element_comes_out_of_a_tuple(self) -> None:
        def body(x: Any, y: Any) -> Any:
            pair = ops.tuple((x, y))
            assert pair.type == TupleType((f32[2], i32[()]))
            return ops.get_tuple_element(pair, index=1)

        assert both(body, np.ones(2, np.float32), np.int32(4)) == 4

    def test_an_element_must_exist(self) -> None:
        text = message(lambda x: ops.get_tuple_element(ops.tuple((x,)), index=1), f32[2])
        assert "index 1 is out of range for tuple<f32[2]>" in text
        assert "a tuple is needed" in message(lambda x: ops.get_tuple_element(x, index=0), f32[2])


class TestEffects:
    def test_an_effect_outside_any_function_is_refused(self) -> None:
        for make in (
            lambda: ops.custom_call((), types=(), call_target_name="log", has_side_effect=True),
            lambda: ops.infeed(ops.create_token(), types=f32[2]),
            lambda: ops.outfeed((np.float32(1),), ops.create_token()),
            lambda: ops.cond(
                np.True_,
                lambda: ops.infeed(ops.create_token(), types=f32[2])[0],
                lambda: np.zeros(2, np.float32),
            ),
        ):
            with pytest.raises(GraphError) as caught:
                make()
            assert "nothing says which function it belongs to" in str(caught.value)
            assert "with Builder(...)" in str(caught.value)
            assert HERE in str(caught.value)

    def test_effects_stay_in_their_order(self) -> None:
        with Builder("main") as b:
            x = b.param(f32[2])
            t = ops.create_token()
            t = ops.outfeed((x,), t, outfeed_config="a")
            y, t = ops.infeed(t, types=f32[2])
            ops.custom_call((y,), types=(), call_target_name="log", has_side_effect=True)
            t = ops.send((y,), t, channel_handle=1, is_host_transfer=True)
            z, t = ops.recv(t, types=f32[2], channel_handle=2, is_host_transfer=True)
            function = b.build(z)
        kept = [n for n in operations(function) if n.startswith("stablehlo.")]
        assert kept == [
            f"stablehlo.{n}"
            for n in ["create_token", "outfeed", "infeed", "custom_call", "send", "recv"]
        ]  # fmt: skip
        assert [n.op for n in function.nodes if n.has_side_effect] == [
            "outfeed", "infeed", "custom_call", "send", "recv"
        ]  # fmt: skip

    def test_a_branch_with_an_effect_has_one(self) -> None:
        def body(p: Any, x: Any) -> Any:
            def log() -> Any:
                ops.custom_call((x,), types=(), call_target_name="log", has_side_effect=True)
                return ()

            assert ops.cond(p, log, lambda: ()) == ()
            return x

        function = build(body, i1[()], f32[2])
        assert [n.has_side_effect for n in function.nodes] == [True]

    def test_what_needs_a_device_cannot_be_evaluated(self) -> None:
        function = build(
            lambda x: ops.custom_call((x,), types=f32[2], call_target_name="k"), f32[2]
        )
        with pytest.raises(
            EvaluationError, match="the custom call of 'k' has no meaning"
        ) as caught:
            evaluate(function, np.zeros(2, np.float32))
        assert HERE in str(caught.value)

    @pytest.mark.parametrize(
        ("body", "text"),
        [
            (lambda x, t: ops.outfeed((x,), x), "`token` has type f32[2, 3], but must be a token"),
            (lambda x, t: ops.after_all((x,)), "tokens are needed, not f32[2, 3]"),
            (
                lambda x, t: ops.infeed(t, types=f32[2, 3], layout=((0, 2),)),
                "the layout (0, 2) of result 0 does not name each axis of f32[2, 3] once",
            ),
            (lambda x, t: ops.infeed(t, types=("f32",)), "'f32' is not a type"),
            (
                lambda x, t: ops.send(
                    (x,), t, channel_handle=ChannelHandle(1, 3), is_host_transfer=True
                ),
                "send with the host needs 2",
            ),
            (
                lambda x, t: ops.recv(
                    t, types=f32[2], channel_handle=1, source_target_pairs=((0, 1), (0, 2))
                ),
                "name a source twice",
            ),
            (
                lambda x, t: ops.recv(
                    t, types=f32[2], channel_handle=1, source_target_pairs=((0, 1, 2),)
                ),
                "(0, 1, 2) is not a pair",
            ),
            (lambda x, t: ops.async_start((x,), lambda y: y + y), "not one op that can be started"),
            (
                lambda x, t: ops.async_start(
                    (x,), lambda y: ops.slice(x, starts=(0, 0), limits=(1, 1))
                ),
                "the body uses <Value",
            ),
            (lambda x, t: ops.async_done(x), "a future is needed, not a f32[2, 3]"),
        ],
    )  # fmt: skip
    def test_host_ops_say_what_is_wrong(self, body: Any, text: str) -> None:
        assert text in message(body, f32[2, 3], token)

    def test_an_asynchronous_slice_is_a_start_and_a_wait(self) -> None:
        def body(x: Any) -> Any:
            future = ops.async_start((x,), lambda y: ops.slice(y, starts=(1,), limits=(3,)))
            return ops.async_done(future)

        function = build(body, f32[4])
        names = [n for n in operations(function) if "async" in n]
        assert names == ["stablehlo.async_start", "stablehlo.async_done"]
        assert list(evaluate(function, np.arange(4, dtype=np.float32))) == [1, 2]

    def test_a_barrier_keeps_its_values(self) -> None:
        x, n = both(lambda x, n: ops.optimization_barrier((x, n)), np.float32(2), np.int32(3))
        assert (x, n) == (2, 3)


class TestCustomCalls:
    def call(self, **changes: Any) -> Callable[..., Any]:
        given = {"types": (f32[2, 3],), "call_target_name": "kernel", **changes}
        return lambda x: ops.custom_call((x,), **given)

    def test_a_dictionary_makes_a_typed_call_that_can_be_written(self) -> None:
        config = {"idx": np.arange(3, dtype=np.int32), "names": ["a"], "eps": 1e-3, "on": True}
        function = build(self.call(backend_config=config), f32[2, 3])
        text = str(lower_module(Module([function])))
        assert "api_version = 4 : i32" in text
        assert "idx = dense<[0, 1, 2]> : tensor<3xi32>" in text
        assert dxir.lower(function).serialize()

    def test_called_functions_come_along(self) -> None:
        helper = dxir.build_function(lambda x: x, f32[()], name="helper", public=False)
        function = build(self.call(called_computations=[helper]), f32[2, 3])
        text = str(lower_module(Module([function])))
        assert "called_computations = [@helper]" in text
        assert "func.func private @helper" in text

    @pytest.mark.parametrize(
        ("changes", "text"),
        [
            ({"backend_config": {"idx": {1, 2}}}, "backend_config['idx'] is a set"),
            ({"backend_config": {"n": [0, 2**70]}}, "backend_config['n'][1] is 1180591620717411"),
            ({"backend_config": {1: 2}}, "backend_config has the key 1, which is not a string"),
            ({"backend_config": "x", "api_version": 4}, "does not go with api_version 4"),
            ({"backend_config": {}, "api_version": 2}, "does not go with api_version 2"),
            ({"api_version": 9}, "api_version is 9"),
            ({"call_target_name": ""}, "'' is not the name of a target"),
            ({"types": (3,)}, "3 is not a type"),
            ({"operand_layouts": ((0, 1),)}, "given for only one of operands and results"),
            (
                {"operand_layouts": ((0,),), "result_layouts": ((0, 1),)},
                "the layout (0,) of operand 0 does not name each axis of f32[2, 3] once",
            ),
            ({"output_operand_aliases": ("x",)}, "output_operand_aliases holds 'x'"),
            (
                {"output_operand_aliases": (OutputOperandAlias((), 1),)}, "names operand 1 of 1"
            ),
            (
                {
                    "types": (f32[2, 3], i64[2]),
                    "output_operand_aliases": (OutputOperandAlias((1,), 0),),
                },
                "shares the buffer of f32[2, 3] with a result of i64[2]",
            ),
            (
                {"output_operand_aliases": (OutputOperandAlias((1,), 0),)}, "leads nowhere"
            ),
            ({"called_computations": ["f"]}, "called_computations holds 'f'"),
        ],
    )  # fmt: skip
    def test_attributes_that_cannot_be_are_refused(
        self, changes: dict[str, Any], text: str
    ) -> None:
        error = OperandError if "called" in text else AttributeValueError
        error = ShapeError if "shares" in text else error
        assert text in message(self.call(**changes), f32[2, 3], error=error)


def test_every_case_here_lowers_alike_twice() -> None:
    function = build(lambda x: ops.scan(lambda c, y: (c + y, c), (x[0],), (x,)), f32[4, 2])
    first, second = Counter(operations(function)), Counter(operations(function))
    assert first == second
    assert str(lower_module(Module([function]))) == str(lower_module(Module([function])))
