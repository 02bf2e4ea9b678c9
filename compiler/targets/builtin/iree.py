"""What the targets that IREE compiles for have in common, as measured with IREE 3.13."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from dxir.mlir import IrOperation, ir, stablehlo
from dxir.reading import is_dynamic
from dxir.targets.acceptance import STABLEHLO, Accepts, Limit, Refusal
from dxir.targets.later import later
from dxir.targets.policies import Constants

if TYPE_CHECKING:
    from dxir.runtime.executable import Executable
    from dxir.targets.record import Source

_NO_LOWERING = Refusal("IREE 3.13 has no lowering of it")
_NOT_LOWERED = (
    *("after_all", "async_done", "async_start", "create_token", "custom_call", "dynamic_conv"),
    *("dynamic_gather", "dynamic_pad", "get_tuple_element", "infeed", "outfeed", "recv", "send"),
    *("tuple", "uniform_dequantize", "uniform_quantize"),
)
_EXPANDED = ("batch_norm_grad", "cholesky", "triangular_solve")  # by dxir-expand-ops
_ONE_DEVICE = Refusal("the devices of IREE 3.13 that run here have no collectives")
_COLLECTIVES = (
    *("all_gather", "all_reduce", "all_to_all", "collective_broadcast", "collective_permute"),
    *("collective_reduce", "reduce_scatter"),
)
_NO_TYPE = Refusal("signatures of IREE 3.13 cannot have it", "convert it to a wider type")
_NOT_IN_SIGNATURES = ("f4e2m1fn", "f6e2m3fn", "f6e3m2fn", "f8e3m4", "f8e4m3", "f8e4m3b11fnuz")

# IREE links no C library: what of f64 it does not compute itself, it calls there in vain.
_CALLS = {
    "f64": ("atan2", "cbrt", "cosine", "remainder", "sine", "tan", "tanh"),
    "complex<f64>": (
        *("atan2", "cosine", "exponential", "exponential_minus_one", "log", "log_plus_one"),
        *("logistic", "power", "rsqrt", "sine", "sqrt", "tan", "tanh"),
    ),
}
_NO_COMPLEX = ("cbrt", "remainder")
_CALLING = sorted({name for names in _CALLS.values() for name in names} | set(_NO_COMPLEX))


def _unlinked(op: IrOperation) -> Refusal | None:
    """Refuse what IREE has no function for, of the element type."""
    element = _element(op)
    name = op.name.partition(".")[2]
    if name in _CALLS.get(element, ()):
        return Refusal(
            f"IREE 3.13 has no {element} function for it",
            "convert its operands to " + element.replace("f64", "f32"),
        )
    if name == "atan2" and element == "f32":
        return Refusal("it is off by up to 4e-6 of its size", doubtful=True)
    return _NO_LOWERING if name in _NO_COMPLEX and element.startswith("complex") else None


def _element(op: IrOperation) -> str:
    type = op.operands[0].type
    return str(type.element_type if isinstance(type, ir.RankedTensorType) else type)


def _unguarded(why: str) -> Limit:
    """Doubt an op of unknown sizes, which the passes leave as it is."""

    def limit(op: IrOperation) -> Refusal | None:
        if any(is_dynamic(v.type) for v in (*op.operands, *op.results)):
            return Refusal(why, "dxir-specialize makes sizes known", doubtful=True)
        return None

    return limit


def _scatter(op: IrOperation) -> Refusal | None:
    """Refuse scatters of several operands, and updates whose windows are not their last axes."""
    if len(op.results) > 1:
        return Refusal("IREE 3.13 scatters into one operand only", "scatter into each by itself")
    numbers = stablehlo.ScatterDimensionNumbers(op.attributes["scatter_dimension_numbers"])
    window = list(numbers.update_window_dims)
    rank = ir.RankedTensorType(op.operands[2].type).rank
    if window != list(range(rank - len(window), rank)):
        return Refusal(
            "IREE 3.13 has a lowering of windows along the last axes of the updates only",
            "transpose the updates before",
        )
    return _OPEN_SCATTER(op)


_OPEN_SCATTER = _unguarded("updates out of range are written to other places")


def _left(_: IrOperation) -> Refusal:
    return Refusal(
        "IREE 3.13 has a lowering of few forms of it, and this one was not expanded",
        "its regions are to be elementwise, its window small (see dxir-expand-select-and-scatter)",
    )


ACCEPTS = Accepts(
    dialects=STABLEHLO | {"util"},  # what dxir-externalize-constants writes is of the latter
    refused_ops={
        **{f"stablehlo.{name}": _NO_LOWERING for name in (*_NOT_LOWERED, *_EXPANDED)},
        **{f"stablehlo.{name}": _ONE_DEVICE for name in _COLLECTIVES},
    },
    limits={
        **{f"stablehlo.{name}": _unlinked for name in _CALLING},
        "stablehlo.convert": _unguarded("floats that an integer does not hold do not saturate"),
        "stablehlo.gather": _unguarded("it does not clamp start indices that are out of range"),
        "stablehlo.scatter": _scatter,
        "stablehlo.select_and_scatter": _left,
    },
    refused_types=dict.fromkeys(_NOT_IN_SIGNATURES, _NO_TYPE),
)

# Shardy's ops are refused in every form; CHLO is what artifacts cannot hold.
PROGRAM_PASSES = (
    "dxir-strip-sharding",
    "chlo-pre-serialization-pipeline",
    "dxir-specialize{partial=true}",
    "dxir-expand-ops",
    "dxir-stabilize-sort",
    "dxir-expand-select-and-scatter",
    "dxir-bound-indices",
    "dxir-guard-arithmetic",
)

CONSTANTS = Constants(1 << 20, form="iree", format="irpa", scope="model")

FLAGS: dict[str, str | int | bool] = {
    "iree-input-type": "auto",
    "iree-input-demote-f64-to-f32": False,
}
NEEDS = "IREE's compiler and runtime: pip install 'dxir[iree]'"


def _installed() -> bool:
    try:
        return all(find_spec(f"iree.{part}") is not None for part in ("compiler", "runtime"))
    except ModuleNotFoundError:
        return False


def compiled_by(name: str) -> Callable[[Source], Executable] | None:
    """The function of that name that compiles; None where IREE is not installed."""
    return later("dxir.runtime.iree.compiling", name) if _installed() else None
