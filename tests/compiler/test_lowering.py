"""From graphs to MLIR: determinism, locations, composites, names, depth, size."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.errors import GraphError, LoweringError
from dxir.lowering import lower_module
from dxir.op import REGISTRY, make

ROOT = Path(__file__).parents[2]
CASE = json.loads((ROOT / "examples" / "cases" / "llama_decoder.json").read_text())


def decoder(config: str = "tiny") -> dxir.Function:
    """The decoder of the case file, built from its list of nodes."""
    sizes = CASE["configs"][config]
    b = dxir.Builder("main")
    values: list[Any] = [
        b.param(dxir.f32[tuple(int(sizes.get(d, d)) for d in dims.split(","))], name=name)
        for name, dims in CASE["params"]
    ]
    for number, op, operands, *attrs in CASE["nodes"]:
        assert number == len(values)
        values.append(
            getattr(ops, op)(*(values[i] for i in operands), **(attrs[0] if attrs else {}))
        )
    return b.build(*(values[i] for i in CASE["returns"]))


def text(function: dxir.Function, *, debug: bool = False) -> str:
    """The lowered module as text."""
    module = lower_module(dxir.Module([function]))
    return str(module.operation.get_asm(enable_debug_info=debug))


def test_the_decoder_expands_to_exactly_the_ops_of_the_case() -> None:
    program = dxir.lower(decoder()).decompose()
    counts = {
        name.removeprefix("stablehlo."): n
        for name, n in program.op_counts(nested=False).items()
        if name not in ("stablehlo.constant", "func.return")
    }
    wanted = {k: n for k, n in CASE["expected"]["ops_after_default_pipeline"].items() if n}
    assert counts == wanted


def test_two_lowerings_give_the_same_bytes() -> None:
    first, second = (dxir.lower(decoder()) for _ in range(2))
    assert first.bytecode() == second.bytecode()
    assert first.serialize(version="12w") == second.serialize(version="12w")


def test_equal_composites_share_one_decomposition() -> None:
    b = dxir.Builder()
    x, y = b.param(dxir.f32[2, 3]), b.param(dxir.f32[4, 3])
    f = b.build(ops.softmax(ops.softmax(x)), ops.softmax(y), ops.softmax(x, axis=0))
    lines = text(f).splitlines()
    assert sum("stablehlo.composite" in line for line in lines) == 4
    assert sum("func.func private" in line for line in lines) == 3


def test_locations_are_the_users_file_and_line_fused_with_the_name() -> None:
    b = dxir.Builder()
    x = b.param(dxir.f32[2], name="x")
    f = b.build(ops.exp(x, name="weights"))
    shown = text(f, debug=True)
    assert f'"{__file__}":' in shown
    assert 'loc("weights"(' in shown
    assert 'loc("x"(' in shown


def test_derived_ops_carry_the_location_of_their_use() -> None:
    b = dxir.Builder()
    x = b.param(dxir.f32[2, 3])
    with dxir.at(dxir.Location("net.kt", 7)):
        y = ops.mean(x, axes=(1,))
    shown = text(b.build(y), debug=True)
    assert '"net.kt":7' in shown


def test_the_function_handed_to_compile_becomes_main_whatever_its_name() -> None:
    b = dxir.Builder("loss")
    x = b.param(dxir.f32[2])
    f = b.build(ops.mul(x, x))
    assert np.asarray(dxir.compile(f)(np.array([2, 3], np.float32))).tolist() == [4, 9]


def test_calls_and_private_functions_are_emitted_once() -> None:
    b = dxir.Builder("square", public=False)
    x = b.param(dxir.f32[2])
    square = b.build(ops.mul(x, x))
    c = dxir.Builder("main")
    y = c.param(dxir.f32[2])
    f = c.build(ops.call(square, ops.call(square, y)))
    shown = text(f)
    assert shown.count("call @square") == 2
    assert shown.count("func.func private @square") == 1


def test_recursion_is_refused_with_the_cycle() -> None:
    b = dxir.Builder("a")
    x = b.param(dxir.f32[2])
    with pytest.raises(GraphError, match="'a' is not built yet, or calls itself"):
        ops.call(b.function, x)
    a, c = (dxir.Function(n, [dxir.f32[2]]) for n in "ac")
    for caller, callee in ((a, c), (c, a)):  # what no builder lets through
        caller.seal(caller.params)
        caller.nodes.append(make(REGISTRY["call"], caller.params, {"callee": callee}, []))
    with pytest.raises(GraphError, match="a function calls itself: a -> c -> a"):
        dxir.Module([a])


def test_what_the_verifier_rejects_is_reported_at_the_users_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(REGISTRY["transpose"], "infer", lambda self: self.x.type)
    b = dxir.Builder()
    x = b.param(dxir.f32[2, 3])
    f = b.build(ops.transpose(x, permutation=(1, 0)))
    with pytest.raises(LoweringError, match=r"transpose: .*stablehlo\.transpose") as error:
        lower_module(dxir.Module([f]))
    assert error.value.where is not None
    assert error.value.where.startswith(f"{__file__}:")


def test_named_dynamic_dimensions_become_dynamic_broadcasts() -> None:
    b = dxir.Builder()
    x = b.param(dxir.TensorType(("n", 4), "f32"))
    y = b.param(dxir.TensorType((1, 4), "f32"))
    shown = text(b.build(ops.add(ops.exp(x), y)))
    assert "stablehlo.dynamic_broadcast_in_dim" in shown
    assert "tensor<?x4xf32>" in shown


def test_a_chain_of_ten_thousand_ops_lowers_and_serializes() -> None:
    b = dxir.Builder()
    x = y = b.param(dxir.f32[2])
    for _ in range(10_000):
        y = ops.add(y, x)
    program = dxir.lower(b.build(y))
    program.verify()
    assert len(program.serialize()) > 10_000


def _seconds(function: Callable[[], object]) -> float:
    start = time.process_time()
    function()
    return time.process_time() - start


def test_the_time_for_a_graph_is_linear_in_its_size() -> None:
    def build(length: int) -> None:
        b = dxir.Builder()
        x = y = b.param(dxir.f32[2])
        for _ in range(length):
            y = ops.add(y, x)
        program = dxir.lower(b.build(y))
        program.serialize()

    build(1000)
    small = min(_seconds(lambda: build(5_000)) for _ in range(3))
    large = _seconds(lambda: build(100_000))
    assert large < 20 * small * 3  # quadratic would be 400 times


def test_what_mlir_refuses_is_told_in_its_words_at_the_users_line() -> None:
    b = dxir.Builder()
    x = b.param(dxir.f32[3])
    sizes = np.array([0, 0], np.int32)
    f = b.build(ops.dynamic_broadcast_in_dim(x, sizes, shape=(2, 3), dims=(1,)))
    with pytest.raises(LoweringError, match=r"output shape \[0, 0\] is incompatible") as error:
        dxir.lower(f)
    assert str(error.value.where).startswith(f"{__file__}:")


def test_big_endian_arrays_keep_their_values() -> None:
    b = dxir.Builder()
    x = b.param(dxir.f32[2])
    config = {"table": np.array([1, 2], ">i4")}
    f = b.build(ops.custom_call((x,), call_target_name="k", types=(x.type,), backend_config=config))
    assert "dense<[1, 2]> : tensor<2xi32>" in dxir.lower(f).text()
