"""Which ops of a program may compute in a narrow float type, and which must not."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Literal

from dxir.errors import PassError
from dxir.mlir import IrOperation, ir
from dxir.reading import attribute_text

OpClass = Literal["allow", "follow", "deny"]

CONTRACTIONS = frozenset(
    f"stablehlo.{name}" for name in ("convolution", "dot", "dot_general", "dynamic_conv")
)
"""Ops that multiply narrow operands and add up in f32: their result type stays f32."""

MOVEMENT = frozenset(
    f"stablehlo.{name}"
    for name in (
        "broadcast", "broadcast_in_dim", "concatenate", "dynamic_broadcast_in_dim",
        "dynamic_gather", "dynamic_pad", "dynamic_reshape", "dynamic_slice",
        "dynamic_update_slice", "gather", "pad", "real_dynamic_slice", "reshape", "reverse",
        "select", "slice", "transpose",
    )
) | {"sdy.propagation_barrier", "sdy.reshard", "sdy.sharding_constraint"}  # fmt: skip
"""Ops that move elements without computing: exact in any type."""

_ARITHMETIC = frozenset(
    f"stablehlo.{name}"
    for name in (
        "abs", "add", "clamp", "divide", "logistic", "maximum", "minimum", "multiply", "negate",
        "sign", "subtract", "tanh",
    )
)  # fmt: skip

# Their regions or what they call compute on elements of the operands' type.
_FIXED = frozenset(
    f"stablehlo.{name}"
    for name in (
        "all_reduce", "case", "composite", "constant", "convert", "custom_call", "if", "iota",
        "map", "reduce", "reduce_scatter", "reduce_window", "return", "scatter",
        "select_and_scatter", "sort", "while",
    )
) | {"func.call", "func.return", "func.func"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Policy:
    """The classes of ops: those always narrow, those as narrow as their operands, the rest f32."""

    allow: frozenset[str]
    follow: frozenset[str]
    deny: frozenset[str]

    def class_of(self, name: str) -> OpClass:
        """The class of the ops of that name."""
        if name in self.allow:
            return "allow"
        return "follow" if name in self.follow else "deny"

    def keeps_composite(self, name: str) -> bool:
        """Whether composites of that name are left alone, their decompositions too."""
        return name in self.deny


def make_policy(
    allow: tuple[str, ...], follow: tuple[str, ...], deny: tuple[str, ...], context: ir.Context
) -> Policy:
    """The default classes, with the ops given moved to others; PassError for one that cannot be."""
    given = {
        "allow": frozenset(_full_name(name, context) for name in allow),
        "follow": frozenset(_full_name(name, context) for name in follow),
        "deny": frozenset(_full_name(name, context) for name in deny),
    }
    for first, second in (("allow", "follow"), ("allow", "deny"), ("follow", "deny")):
        for name in sorted(given[first] & given[second]):
            raise PassError(f"{name} is in {first} and in {second}", hint="an op has one class")
    for kind in ("allow", "follow"):
        for name in sorted(given[kind] & _FIXED):
            raise PassError(
                f"{name} cannot be in {kind}: what it holds or calls is typed on its own",
                hint="deny, allow and follow name ops that compute from their operands alone; "
                "composites may be denied by name",
            )
    named = given["allow"] | given["follow"] | given["deny"]
    return Policy(
        (CONTRACTIONS - named) | given["allow"],
        ((MOVEMENT | _ARITHMETIC) - named) | given["follow"],
        given["deny"],
    )


def _full_name(name: str, context: ir.Context) -> str:
    """An op's name with its dialect; names with a dot may also be those of composites."""
    full = name if "." in name else f"stablehlo.{name}"
    if full.partition(".")[0] in ("stablehlo", "chlo") and not context.is_registered_operation(
        full
    ):
        known = sorted(CONTRACTIONS | MOVEMENT | _ARITHMETIC)
        near = difflib.get_close_matches(full, known, n=2)
        raise PassError(
            f"there is no op called {full}",
            hint=f"did you mean {' or '.join(near)}?" if near else "name ops as StableHLO does",
        )
    return full


def reason_to_keep(op: IrOperation) -> str | None:
    """Why a contraction stays in f32: it says how precise it must be."""
    attributes = op.attributes
    if "algorithm" in attributes:
        return "it names its algorithm"
    if "precision_config" in attributes and "HIGH" in attribute_text(
        attributes["precision_config"]
    ):
        return "it asks for a precision above the default"
    return None


def is_accurate(op: IrOperation) -> bool:
    """Whether an op says how accurate its results in f32 must be."""
    name = "result_accuracy"
    attributes = op.attributes
    return name in attributes and "DEFAULT" not in attribute_text(attributes[name])
