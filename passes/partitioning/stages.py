"""Shardy's pipelines as the passes they are made of, and running these on a module in place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dxir.diagnostics import collecting, error_from
from dxir.errors import PassError
from dxir.mlir import ir, passmanager
from dxir.pipeline.base import MODULE

PIPELINE = "sdy-propagation-pipeline"
CONSTRAINTS_END = "func.func(sdy-sharding-constraint-to-reshard)"
DROP_UNDIVIDED = "sdy-update-non-divisible-input-output-shardings"
USER_PRIORITY = "sdy-user-priority-propagate"

# Written by the pipeline only when it dumps modules; no name of it can be parsed.
_UNPARSED = "sdy-save-module"
# MLIR prints the list of its patterns in a way that it does not read.
_CANONICALIZE = "canonicalize{enable-patterns=sdy-collective}"
_DEBUG = re.compile(r"\b((?:sink-)?debug-[a-z-]+)=false")
_ORIGINS = re.compile(r"\b((?:sink-)?debug-sharding-origins)=true")
_APPLY = "sdy-apply-sharding-constraints"
_HINTS = (
    ("static shape", "give its sizes first: Program.specialize, or the pass dxir-specialize"),
    ("tuples", "pass the parts of a tuple one by one"),
    ("same shape for groupId", "values of a sharding group have one shape: use another group"),
    ("unreduced axis", "sdy.reshard it to a sharding without unreduced axes before this op"),
    ("data_flow_edge", "write an sdy.named_computation as a function that is called"),
    ("single-device sharding", "leave the sharding out, or state one over all devices"),
)
_OF_NEWER = "func.func(sdy-verify-unreduced-axes)"


def pipeline_passes(name: str, context: ir.Context) -> list[str]:
    """The passes that one of Shardy's pipelines comes to on this jaxlib, in order, as text."""
    printed = str(passmanager.PassManager.parse(f"{MODULE}({name})", context))
    inner = printed[len(MODULE) + 1 : -1]
    found: list[str] = []
    for part in _split(inner):
        if part.startswith("canonicalize{"):
            found.append(_CANONICALIZE)
        elif part != _UNPARSED:
            found.append(part)
    return found


def with_origins(passes: Sequence[str]) -> list[str]:
    """The passes, told to write down where shardings come from."""
    # This one ends the process over loops and calls when it is told to. (0.10.2, 0.12.0.1)
    return [text if text.startswith(_APPLY) else _DEBUG.sub(r"\1=true", text) for text in passes]


def without_sources(passes: Sequence[str]) -> list[str]:
    """Passes that write down through what shardings came, and no more where they come from."""
    return [_ORIGINS.sub(r"\1=false", text) for text in passes]


def ends_over_named(passes: Sequence[str]) -> bool:
    """Whether origins end the process on named computations with shardings. (0.10.2)"""
    return _OF_NEWER not in passes


def _split(text: str) -> list[str]:
    """The text cut at the commas that are in no brackets."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        if letter in "({":
            depth += 1
        elif letter in ")}":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]


def run_native(
    module: ir.Module, passes: Sequence[str], failed: str, *, verify: bool = True
) -> None:
    """Run native passes on a module in place; PassError, that starts with `failed`, if one fails.

    Without `verify`, the module is not verified between them.
    """
    context = module.context
    with collecting(context) as found:
        try:
            manager = passmanager.PassManager.parse(f"{MODULE}({','.join(passes)})", context)
            manager.enable_verifier(verify)
            manager.run(module.operation)
        except ir.MLIRError:
            error = error_from(PassError, found, "Shardy gave no reason")
            if error.hint is None:
                error.hint = next((hint for text, hint in _HINTS if text in error.message), None)
            error.message = f"{failed}: {error.message}"
            raise error from None
