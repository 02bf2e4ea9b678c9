"""The error function and its complement: as ops of CHLO, and as the polynomials made of these.

StableHLO has neither. Front ends that export to StableHLO alone (`jax.export` does) write out the
polynomials of `chlo-legalize-to-stablehlo`, of 40 to 140 ops, one for f32 and narrower floats and
one for f64. They are read off that pass here, so that they are what it writes. Where one stands
alone it becomes a composite of the name that `chlo-legalize-to-stablehlo` knows the function by.
"""

from __future__ import annotations

import functools

from dxir import ops
from dxir.artifact import legalize_chlo
from dxir.graph import Function, Module, building
from dxir.locations import NOWHERE, at
from dxir.lowering import lower_module
from dxir.passes.patterns.blocks import unary
from dxir.pattern import Either, Pattern, Rule, Var
from dxir.pattern.expansion import Formula, read_formula
from dxir.pattern.spelled import Spelled
from dxir.types import f32, f64


def erf(x: Pattern) -> Pattern:
    """The error function of a value."""
    return Either(unary("erf", "chlo")(x), *(Spelled(f, x) for f in _formulas("erf")))


def erfc(x: Pattern) -> Pattern:
    """One minus the error function of a value."""
    return Either(unary("erfc", "chlo")(x), *(Spelled(f, x) for f in _formulas("erfc")))


@functools.cache
def _formulas(name: str) -> tuple[Formula, ...]:
    found: list[Formula] = []
    for dtype in (f32, f64):
        function = Function("main", [dtype[2]])
        with building(function), at(NOWHERE):
            function.seal((getattr(ops, name)(function.params[0]),))
        module = lower_module(Module([function]))
        legalize_chlo(module)
        found.append(read_formula(module, "main", ("x",)))
    return tuple(found)


RULES = tuple(
    Rule(
        name,
        tuple([Spelled(formula, Var("x")) for formula in _formulas(name)]),
        operands=("x",),
        composite=f"chlo.{name}",
    )
    for name in ("erf", "erfc")
)
