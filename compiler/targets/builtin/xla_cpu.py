"""The target `xla-cpu`: XLA on the processors of this machine, through PJRT.

Its limits are what XLA's compiler, or programs made by it, were seen to end the process over, never
to end, or to compute wrongly.
"""

from dataclasses import replace
from fnmatch import fnmatchcase

import numpy as np

from dxir.mlir import IrOperation, IrType, ir
from dxir.reading import attribute, target_of
from dxir.targets.acceptance import Limit, Refusal
from dxir.targets.builtin import xla
from dxir.targets.later import later
from dxir.targets.record import Target
from dxir.targets.registry import register_target

SAFE_CALLS = frozenset(
    ("Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape", "annotate_device_placement")
)
"""Custom calls that XLA drops, or takes with any types."""

_TYPED_CALLS = (
    *("Eigh", "ProductOfElementaryHouseholderReflectors", "Qr"),
    *("SetBound", "SliceToDynamic", "TopK", "__onednn$*"),
)


def _never_ends(_: IrOperation) -> Refusal:
    return Refusal("nobody is at the other end, and it would wait forever")


def _transfer(_: IrOperation) -> Refusal:
    return Refusal("it has no transfers between devices or with the host")


def _custom_call(op: IrOperation) -> Refusal | None:
    target = target_of(op)
    if "python_cpu_callback" in target:
        return Refusal(f"@{target} needs a Python function, which compile() does not take")
    if any(fnmatchcase(target, name) for name in _TYPED_CALLS):
        return Refusal(f"@{target} is XLA's own, for certain types only", doubtful=True)
    return None


def _collective(op: IrOperation) -> Refusal | None:
    """Refuse groups of several devices, which a program on one silently does nothing for."""
    groups = attribute(op, "replica_groups")
    if isinstance(groups, ir.DenseIntElementsAttr):
        members = np.asarray(groups)
        if members.size == 0 or members.shape[-1] == 1:
            return None
        return _several(f"groups of {members.shape[-1]} devices")
    return None if groups is None else _several("groups along the axes of a mesh")


def _all_to_all(op: IrOperation) -> Refusal | None:
    """Refuse several operands: in HLO these are what goes to each device, not tensors to split."""
    groups = attribute(op, "replica_groups")
    alone = isinstance(groups, ir.DenseIntElementsAttr) and np.asarray(groups).shape[-1] == 1
    if len(op.operands) > 1 and not alone:
        return Refusal("it sends each of several operands to one device", "make one for each")
    return _collective(op)


def _permute(op: IrOperation) -> Refusal | None:
    pairs = attribute(op, "source_target_pairs")
    if isinstance(pairs, ir.DenseIntElementsAttr) and np.asarray(pairs).any():
        return _several("devices other than 0")
    return None


def _manual(op: IrOperation) -> Refusal | None:
    axes = attribute(op, "manual_axes")
    return _several("the shards of a mesh") if axes is not None and '"' in str(axes) else None


def _several(what: str) -> Refusal:
    return Refusal(
        f"it works on {what}, and the program runs on one device",
        "compile it for several: dxir.compile(program, devices=8)",
        on_one_device=True,
    )


def _constant(op: IrOperation) -> Refusal | None:
    """Refuse constants of 6-bit floats, on which XLA ends the process."""
    if any(_element(result.type).startswith("f6E") for result in op.results):
        return Refusal("it makes constants of 6-bit floats", "pass them as parameters")
    return None


def _count_bits(op: IrOperation) -> Refusal | None:
    """Refuse to count the bits of narrow signed integers: XLA counts those of their byte."""
    if _element(op.operands[0].type) in ("i2", "i4"):
        return Refusal("it counts copies of the sign bit of narrow integers", "convert it first")
    return None


def _sort(op: IrOperation) -> Refusal | None:
    """Refuse to sort 2-bit integers, which XLA leaves in another order."""
    if any(_element(o.type) in ("i2", "ui2") for o in op.operands):
        return Refusal("it sorts no 2-bit integers", "convert them first")
    return None


def _concatenate(op: IrOperation) -> Refusal | None:
    """Refuse to join tensors of 2-bit integers, on which XLA ends the process."""
    if len(op.operands) > 1 and _element(op.results[0].type) in ("i2", "ui2"):
        return Refusal("it joins no tensors of 2-bit integers", "convert them first")
    return None


def _bitcast(op: IrOperation) -> Refusal | None:
    """Refuse booleans made of bits: in XLA each is a byte, and the shape another."""
    kinds = [_element(v.type) for v in (op.operands[0], op.results[0])]
    if "i1" in kinds and kinds[0] != kinds[1]:
        return Refusal("it holds each boolean in a byte", "shift and mask the bits instead")
    return None


def _convert(op: IrOperation) -> Refusal | None:
    """Refuse 4-bit floats as integers: XLA takes their largest number, 6, for infinity."""
    source, target = (_element(v.type) for v in (op.operands[0], op.results[0]))
    if source == "f4E2M1FN" and target.lstrip("u").startswith("i"):
        return Refusal("it makes 6 the largest integer", "convert to f32 first")
    return None


def _element(type: IrType) -> str:
    return str(type.element_type if isinstance(type, ir.RankedTensorType) else type)


_LIMITS: dict[str, Limit] = {
    "stablehlo.infeed": _never_ends,
    "stablehlo.outfeed": _never_ends,
    "stablehlo.send": _transfer,
    "stablehlo.recv": _transfer,
    "stablehlo.custom_call": _custom_call,
    "stablehlo.all_gather": _collective,
    "stablehlo.all_reduce": _collective,
    "stablehlo.all_to_all": _all_to_all,
    "stablehlo.collective_broadcast": _collective,
    "stablehlo.reduce_scatter": _collective,
    "stablehlo.collective_permute": _permute,
    "sdy.manual_computation": _manual,
    "stablehlo.popcnt": _count_bits,
    "stablehlo.sort": _sort,
    "stablehlo.concatenate": _concatenate,
    "stablehlo.bitcast_convert": _bitcast,
    "stablehlo.convert": _convert,
    "stablehlo.constant": _constant,
    "sdy.constant": _constant,
    "chlo.*": _constant,
}

XLA_CPU = register_target(
    Target(
        "xla-cpu",
        "XLA on the processors of this machine, through PJRT",
        later("dxir.runtime.cpu", "compile_source"),
        accepts=replace(
            xla.ACCEPTS,
            limits=_LIMITS,
            calls=(*xla.ACCEPTS.calls, *_TYPED_CALLS),
            other_calls=Refusal(
                "no implementation is registered in this process",
                "use the composite it stands for, or register an implementation with XLA",
            ),
        ),
        program_passes=xla.PROGRAM_PASSES,
        examine=later("dxir.runtime.cpu", "examine_module"),
        has_call=later("dxir.runtime.pjrt", "is_registered"),
    )
)
