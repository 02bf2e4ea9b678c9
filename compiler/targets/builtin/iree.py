"""What the targets that IREE compiles for have in common, as measured with IREE 3.13."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from dxir.mlir import IrOperation, ir
from dxir.reading import attribute
from dxir.targets.acceptance import Accepts, Refusal
from dxir.targets.later import later
from dxir.targets.policies import Constants

if TYPE_CHECKING:
    from dxir.runtime.executable import Executable
    from dxir.targets.record import Source

_NO_LOWERING = Refusal("IREE 3.13 has no lowering of it")
_NOT_LOWERED = (
    *("after_all", "async_done", "async_start", "collective_broadcast", "collective_reduce"),
    *("collective_broadcast", "collective_reduce", "create_token", "custom_call"),
    *("dynamic_conv", "dynamic_gather", "dynamic_pad", "get_tuple_element", "infeed"),
    *("outfeed", "recv", "send", "tuple"),
)
_NO_TYPE = Refusal("signatures of IREE 3.13 cannot have it", "convert it to a wider type")
_NOT_IN_SIGNATURES = ("f4e2m1fn", "f6e2m3fn", "f6e3m2fn", "f8e3m4", "f8e4m3", "f8e4m3b11fnuz")


def _gather(_: IrOperation) -> Refusal:
    return Refusal("it does not clamp start indices that are out of range", doubtful=True)


def _scatter(_: IrOperation) -> Refusal:
    return Refusal("updates out of range are written to other places", doubtful=True)


def _select_and_scatter(op: IrOperation) -> Refusal | None:
    """Refuse windows that overlap or leave gaps, and padding."""
    rank = len(ir.RankedTensorType(op.operands[0].type).shape)
    window, strides = (
        list(given) if isinstance(given, ir.DenseI64ArrayAttr) else [1] * rank
        for given in (attribute(op, "window_dimensions"), attribute(op, "window_strides"))
    )
    padding = attribute(op, "padding")
    padded = isinstance(padding, ir.DenseIntElementsAttr) and np.asarray(padding).any()
    if window == strides and not padded:
        return None
    return Refusal("IREE 3.13 has a lowering of it for windows side by side only, without padding")


def _power(_: IrOperation) -> Refusal:
    return Refusal("it computes exp(y * log(x)), which is NaN for negative x", doubtful=True)


def _convert(op: IrOperation) -> Refusal | None:
    """Doubt floats as integers."""
    kinds = [v.type for v in (op.operands[0], op.results[0])]
    source, target = [t.element_type if isinstance(t, ir.RankedTensorType) else t for t in kinds]
    if isinstance(target, ir.IntegerType) and isinstance(source, ir.FloatType):
        return Refusal("numbers that the integer type does not hold do not saturate", doubtful=True)
    return None


ACCEPTS = Accepts(
    refused_ops={f"stablehlo.{name}": _NO_LOWERING for name in _NOT_LOWERED},
    limits={
        "stablehlo.convert": _convert,
        "stablehlo.gather": _gather,
        "stablehlo.power": _power,
        "stablehlo.scatter": _scatter,
        "stablehlo.select_and_scatter": _select_and_scatter,
    },
    refused_types=dict.fromkeys(_NOT_IN_SIGNATURES, _NO_TYPE),
    changed_types={
        "f64": "f32, in signatures, too, unless iree-input-demote-f64-to-f32 is switched off"
    },
)

# Shardy's ops are refused in every form; CHLO is what artifacts cannot hold.
PROGRAM_PASSES = (
    "dxir-strip-sharding",
    "chlo-pre-serialization-pipeline",
    "dxir-specialize{partial=true}",
    "dxir-expand-ops",
    "dxir-expand-select-and-scatter",
    "dxir-bound-indices",
    "dxir-guard-arithmetic",
)

CONSTANTS = Constants(1 << 20, form="iree", format="irpa", scope="model")

FLAGS: dict[str, str | int | bool] = {
    "iree-input-type": "auto",
    "iree-input-demote-f64-to-f32": False,
}
NEEDS = "IREE, which is not installed here: pip install 'dxir[iree]'"


def _installed() -> bool:
    try:
        return all(find_spec(f"iree.{part}") is not None for part in ("compiler", "runtime"))
    except ModuleNotFoundError:
        return False


def compiled_by(name: str) -> Callable[[Source], Executable] | None:
    """The function of that name that compiles; None where IREE is not installed."""
    return later("dxir.runtime.iree.compiling", name) if _installed() else None
