"""The decoder layer and its gradient on 8 devices, with every collective computed by hand."""

from __future__ import annotations

import importlib.util
import json
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.graph import Function
from dxir.runtime.backends import runner
from dxir.sharding import Mesh, Sharding
from dxir.transforms import grad_function

ROOT = Path(__file__).parents[2]
CASE: dict[str, Any] = json.loads((ROOT / "examples" / "cases" / "llama_decoder.json").read_text())
SIZES: dict[str, int] = CASE["configs"]["tiny"]
PARAMS: list[tuple[str, str]] = CASE["params"]
T, D, F, V = (SIZES[name] for name in "TDFV")
FLOAT = 4
WEIGHTS = {"q_w": D * D, "k_w": D * D, "v_w": D * D, "out_w": D * D} | {
    "gate_w": D * F, "up_w": D * F, "down_w": F * D, "lm_head_w": D * V
}  # fmt: skip

Array = np.ndarray[Any, Any]
Axes = tuple[str | None, ...]
Collective = tuple[str, tuple[str, ...], int]
"""The kind, the axes, and the elements that a device has of the operand."""

DATA, MODEL = "data", "model"
SEQUENCE: dict[str, Axes] = dict.fromkeys(
    ("x_in", "labels", "theta", "eps_attn", "eps_mlp"), (DATA, None)
)
MEGATRON: dict[str, Axes] = {
    **dict.fromkeys(("q_w", "k_w", "v_w", "gate_w", "up_w", "lm_head_w"), (None, MODEL)),
    **dict.fromkeys(("out_w", "down_w"), (MODEL, None)),
    **dict.fromkeys(("theta", "labels"), (None, MODEL)),
}
STORED: dict[str, Axes] = {
    name: tuple(DATA if axis is None else axis for axis in MEGATRON[name]) for name in WEIGHTS
}


@dataclass(frozen=True)
class Case:
    """A mesh, how the parameters lie on it, and how the weights are used."""

    mesh: Mesh
    given: dict[str, Axes]
    forward: list[Collective]
    backward: list[Collective]
    used: dict[str, Axes] = field(default_factory=dict)

    def shardings(self) -> list[Sharding]:
        return [Sharding(self.mesh, *self.given.get(n, (None, None))) for n, _ in PARAMS]


def data_parallel(d: int) -> Case:
    """Rows of the sequence are divided: every device needs all keys and values."""
    keys = values = ("all_gather", (DATA,), T // d * D)
    key_gradient = value_gradient = ("all_reduce", (DATA,), T * D)
    return Case(
        Mesh("mesh", {DATA: d}),
        SEQUENCE,
        [keys, values, ("all_reduce", (DATA,), 1)],
        [
            *[("all_reduce", (DATA,), size) for size in WEIGHTS.values()],
            *(keys, values, key_gradient, value_gradient),
        ],
    )


def tensor_parallel(m: int) -> Case:
    """Columns of a block's first weights and rows of its last are divided, as in Megatron.

    The layer has one head, so the scores are partial sums, too.
    """
    over = (MODEL,)
    hidden, scores, row = ("all_reduce", over, T * D), ("all_reduce", over, T * T), T
    return Case(
        Mesh("mesh", {MODEL: m}),
        MEGATRON,
        [
            *(scores, hidden, hidden),  # attention, its output, the output of the MLP
            *[("all_reduce", over, row)] * 2,  # the largest logit and the sum, for softmax
            ("all_reduce", over, 1),
        ],
        [
            *(("all_reduce", over, row), hidden),  # of softmax, of the hidden state at the logits
            *[hidden] * 2,  # through gate and up
            *(scores, hidden, hidden, hidden),  # through q, k and v
        ],
    )


def both(d: int, m: int) -> Case:
    """Rows over data, and weights over model, which are stored over data, too, until used."""
    over = (MODEL,)
    hidden, scores = ("all_reduce", over, T // d * D), ("all_reduce", over, T // d * T)
    row = ("all_reduce", over, T // d)
    keys = values = ("all_gather", (DATA,), T // d * D // m)
    key_gradient = value_gradient = ("all_reduce", (DATA,), T * D // m)
    gathers = [("all_gather", (DATA,), size // m // d) for size in WEIGHTS.values()]
    return Case(
        Mesh("mesh", {DATA: d, MODEL: m}),
        {**SEQUENCE, "theta": (DATA, MODEL), "labels": (DATA, MODEL), **STORED},
        [
            *gathers,
            *(keys, values, scores, hidden, hidden, row, row),
            ("all_reduce", (DATA, MODEL), 1),
        ],
        [
            *(row, hidden, hidden, hidden, scores, hidden, hidden, hidden),
            *(keys, values, key_gradient, value_gradient),
            *[("all_reduce", (DATA,), size // m) for size in WEIGHTS.values()],
        ],
        {name: MEGATRON[name] for name in WEIGHTS},
    )


CASES = {"data": data_parallel(8), "tensor": tensor_parallel(8), "both": both(4, 2)}
cases = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


@cache
def demo() -> Any:
    """The example that builds the layer."""
    path = ROOT / "examples" / "llama_decoder.py"
    spec = importlib.util.spec_from_file_location("llama_decoder", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def single() -> tuple[list[Array], list[Array]]:
    """The arguments, and the loss and gradients on one device."""
    arrays = demo().decoder_inputs(SIZES, PARAMS)
    made = grad_function(demo().decoder_layer(SIZES, PARAMS), value=True, name="main")
    return arrays, [np.asarray(r) for r in dxir.compile(made)(*arrays)]


def layer(case: Case) -> Function:
    """The layer with parameters that lie as the case says."""
    inner = demo().decoder_layer(SIZES, PARAMS)
    if not case.used:
        inner.param_shardings = case.shardings()
        return inner
    inner.name = "layer"
    inner.public = False
    b = dxir.Builder("main")
    given = []
    for param, (name, _), sharding in zip(inner.params, PARAMS, case.shardings(), strict=True):
        value = b.param(param.type, name=name, sharding=sharding)
        if name in case.used:
            value = ops.sharding_constraint(value, Sharding(case.mesh, *case.used[name]))
        given.append(value)
    return b.build(ops.call(inner, *given))


def gradient(case: Case) -> Function:
    """The loss and its gradients, which lie as the parameters do."""
    made = grad_function(layer(case), value=True, name="main")
    made.result_shardings = [Sharding(case.mesh), *case.shardings()]
    return made


def counted(collectives: list[Collective]) -> Counter[Collective]:
    return Counter((kind, axes, count * FLOAT) for kind, axes, count in collectives)


def inserted(program: dxir.Program) -> Counter[Collective]:
    """The collectives that the report tells: kind, axes, and bytes of a device's operand."""
    found: Counter[Collective] = Counter()
    for one in dxir.explain_sharding(program).collectives:
        if one.kind == "all_slice":  # a device keeps a part of what it has, and sends nothing
            assert one.sent == 0
            continue
        assert one.axes is not None
        assert one.operand_bytes is not None
        found[one.kind, tuple(axis.name for axis in one.axes), one.operand_bytes] += 1
    return found


def sent(collectives: list[Collective], mesh: Mesh) -> float:
    """The bytes that each device sends in rings."""
    total = 0.0
    for kind, axes, elements in collectives:
        n = prod(map(mesh.axis_size, axes))
        total += elements * FLOAT * (2 * (n - 1) / n if kind == "all_reduce" else n - 1)
    return total


_HLO = re.compile(r"= (\(.*?\)|\S+) (all-reduce|all-gather|reduce-scatter|all-to-all)(?:-start)?\(")


def compiled_bytes(text: str) -> Counter[str]:
    """The bytes of the results of each kind of collective in what XLA made."""
    found: Counter[str] = Counter()
    for types, kind in _HLO.findall(text):
        for shape in re.findall(r"f32\[([0-9,]*)\]", types):
            found[kind] += FLOAT * prod(int(size) for size in shape.split(",") if size)
    return found


@cases
def test_the_collectives_of_the_layer_are_those_computed_by_hand(case: Case) -> None:
    program = dxir.lower(layer(case))
    assert inserted(program) == counted(case.forward)
    told = [one.sent for one in dxir.explain_sharding(program).collectives]
    assert sum(filter(None, told)) == pytest.approx(sent(case.forward, case.mesh), abs=len(told))


@cases
def test_the_collectives_of_its_gradient_are_those_computed_by_hand(case: Case) -> None:
    program = dxir.lower(gradient(case))
    assert inserted(program) == counted([*case.forward, *case.backward])


@pytest.mark.slow
@cases
def test_the_loss_and_its_gradients_are_those_of_one_device(case: Case) -> None:
    arrays, wanted = single()
    run = dxir.compile(gradient(case), devices=8)
    given = [np.asarray(r) for r in run.run(arrays)]
    for name, mine, one in zip(("loss", *dict(PARAMS)), given, wanted, strict=True):
        assert np.abs(mine - one).max() <= 1e-5 * np.abs(one).max(), name
    by_hand = counted([*case.forward, *case.backward])
    found = compiled_bytes(run.optimized_text())
    reduced = sum(n * size for (kind, _, size), n in by_hand.items() if kind == "all_reduce")
    # XLA sums over one axis of a mesh after the other.
    reduced += sum(
        n * size * (len(axes) - 1) for (kind, axes, size), n in by_hand.items() if len(axes) > 1
    )
    assert found["all-reduce"] == reduced
    gathered = [
        sum(
            n * size * prod(map(case.mesh.axis_size, axes))
            for (kind, axes, size), n in counted(collectives).items()
            if kind == "all_gather"
        )
        for collectives in (case.forward, case.forward + case.backward)
    ]
    # What was gathered on the way forward is kept for the way back, or gathered again.
    assert gathered[0] <= found["all-gather"] <= gathered[1]
    assert set(found) <= {"all-reduce", "all-gather"}


@cases
def test_the_program_of_one_device_gives_the_same_on_all_of_them(case: Case) -> None:
    arrays, wanted = single()
    given = runner(dxir.lower(gradient(case)), "xla-cpu-partitioned")(arrays)
    for name, mine, one in zip(("loss", *dict(PARAMS)), given, wanted, strict=True):
        assert np.abs(mine - one).max() <= 1e-5 * np.abs(one).max(), name
