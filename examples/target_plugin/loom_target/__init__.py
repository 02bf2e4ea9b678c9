"""Loom, an accelerator that nobody has built, as a target: what it takes, keeps, and runs."""

from __future__ import annotations

import dxir
from dxir.errors import TargetError
from dxir.mlir import IrOperation
from dxir.targets import Accepts, CompositeUse, Refusal, Source, Target, keep_where

from .assembler import OPS, Stream, assemble
from .machine import LoomExecutable

WIDEST_ROW = 1024


def has_softmax(use: CompositeUse) -> bool:
    """Whether the softmax unit computes a composite: along rows, of so many numbers at most."""
    (x,) = use.operand_types if len(use.operand_types) == 1 else (None,)
    if use.name != "dxir.softmax" or not isinstance(x, dxir.TensorType) or not x.is_static:
        return False
    plain = not use.attributes.get("masked") and "form" not in use.attributes
    return plain and use.attributes["axis"] == x.rank - 1 and x.static_shape[-1] <= WIDEST_ROW


def reduction(op: IrOperation) -> Refusal | None:
    """What is wrong with a reduction: the device folds by an addition or a maximum, only."""
    body = [inner.operation.name for inner in op.regions[0].blocks[0].operations]
    if body in (["stablehlo.add", "stablehlo.return"], ["stablehlo.maximum", "stablehlo.return"]):
        return None
    return Refusal("it reduces by add and by maximum only")


def stream_of(source: Source) -> Stream:
    """The instructions for a program; TargetError, at the user's line, for what cannot be."""
    program = source.program()
    for refusal in LOOM.check(program).refusals:
        hint = next((note.message for note in refusal.notes if note.where is None), None)
        raise TargetError(refusal.message, where=refusal.where, hint=hint)
    flags = {**LOOM.flags, **source.options.flags}
    if flags.keys() != LOOM.flags.keys():
        raise TargetError("loom has the flag memory-kib, and no other")
    stream = assemble(dxir.prepare(program, "loom").program.raise_()["main"])
    available = int(flags["memory-kib"]) * 1024
    if stream.bytes > available:
        raise TargetError(
            f"the program needs {stream.bytes:,} bytes, and loom has {available:,}",
            hint='a larger model of it is chosen by flags={"memory-kib": ...}',
        )
    return stream


LOOM = Target(
    "loom",
    "a made-up accelerator of 16-bit and 32-bit numbers with a unit for softmax",
    lambda source: LoomExecutable(stream_of(source)),
    accepts=Accepts(
        ops=OPS | {"stablehlo.return"},  # the end of what reduces
        limits={"stablehlo.reduce": reduction},
        element_types=frozenset(("bf16", "f32", "i1", "i32")),
        refused_types={"f64": Refusal("the device has no f64", "convert it to f32")},
        dynamic=False,
        other_calls=Refusal("the device calls nothing"),
    ),
    version="1.0.0",
    granularity=keep_where(has_softmax, f"dxir.softmax along rows of at most {WIDEST_ROW}"),
    program_passes=("chlo-legalize-to-stablehlo", "inline", "symbol-dce", "dxir-simplify", "cse"),
    flags={"memory-kib": 512},
)
