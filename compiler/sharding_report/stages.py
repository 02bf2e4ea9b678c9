"""A program before and after propagation, and with its collectives."""

from __future__ import annotations

from dataclasses import dataclass

from dxir.diagnostics import Diagnostic
from dxir.errors import PassError
from dxir.program import Program

_ORIGINS = "dxir-propagate{origins=true}"
_CHLO = "func.func(chlo-legalize-to-stablehlo)"
_PLAIN = "dxir-propagate"
_COLLECTIVES = "dxir-insert-collectives"


@dataclass(frozen=True, slots=True)
class Stages:
    """The program as it came, with all shardings, and with its collectives.

    `told` is what propagation had to say. `missing` says why collectives could not be put in, where
    that is so; `inserted` has then only those that were there.
    """

    given: Program
    propagated: Program
    inserted: Program
    told: tuple[Diagnostic, ...]
    missing: str | None = None


def stages_of(program: Program) -> Stages:
    """Run propagation and the insertion of collectives. Raises PassError.

    Composites and CHLO are expanded first, as dxir-partition does, and XLA: Shardy has no rules for
    them, and as they are they would be gathered.
    """
    program = program.decompose().run_passes(_CHLO)
    before = program.diagnostics
    extra: tuple[Diagnostic, ...] = ()
    try:
        propagated = program.run_passes(_ORIGINS)
    except PassError as error:
        propagated = program.run_passes(_PLAIN)
        message = "where shardings come from is not told: " + error.message
        extra = (Diagnostic("warning", message, error.where),)
    missing: str | None = None
    try:
        inserted = propagated.run_passes(_COLLECTIVES)
    except PassError as error:
        inserted, missing = propagated, error.message
        extra += (Diagnostic("warning", f"collectives are not told: {missing}", error.where),)
    told = [d for d in inserted.diagnostics if d not in before]
    return Stages(program, propagated, inserted, (*extra, *told), missing)
