"""Differentiate: a new function beside one, with its derivative.

    mode=reverse                  @f_vjp(inputs..., cotangents of outputs...)
                                      -> (results... if value, cotangents of wrt...)
    mode=reverse seed=one         @f_grad(inputs...) -> (results... if value, gradients of wrt...)
    mode=forward                  @f_jvp(inputs..., tangents of wrt...)
                                      -> (results... if value, tangents of outputs...)

`wrt` are positions of inputs, `outputs` those of results: all floats and complex numbers unless
named. With `seed=one` the gradient is that of the sum of all elements of the outputs. `loops` and
`max-trip-count` are for reverse mode; forward mode keeps nothing and needs no bound. The function
and what it calls are raised, differentiated and lowered; dead ops are gone and equal ones are one
in the new function. All else stays as it is: other functions, meshes, the attributes of arguments.
Shardings of inputs are those of their cotangents and tangents, too.

`rename-to=main` names the new function. A public function that has the name, the old one say, is
called `main_primal` then and is private: the module has one `@main`, which runtimes start at. The
new function carries `dxir.made_by`: run once more, the pass finds it and does nothing. Another
function of the name that it would have without `rename-to` is an error.

Every op on the way that has no derivative is named in one error, with its place. How loops are gone
through backwards: [derivatives.md](derivatives.md).
"""

from __future__ import annotations

from typing import Literal

from dxir.errors import PassError, TransformError
from dxir.graph import Function
from dxir.mlir import ir
from dxir.passes.derivation.beside import Beside
from dxir.pipeline.base import Pass, option
from dxir.transforms.functions import grad_function, jvp_function, vjp_function
from dxir.transforms.options import LoopOptions, using
from dxir.transforms.rules import Mode

FUNCTION = "the function; @main, or the only public one, without it"
RENAME_TO = "the name of the new function; main, to have it run"


class Differentiate(Pass, name="dxir-differentiate"):
    """Put the derivative of a function beside it, as a function."""

    function: str = option(FUNCTION, default="")
    wrt: tuple[int, ...] = option(
        "positions of the inputs to derive by; all that have derivatives without it", default=()
    )
    outputs: tuple[int, ...] = option(
        "positions of the results to derive; all that have derivatives without it", default=()
    )
    mode: Literal["reverse", "forward"] = option("the direction", default="reverse")
    value: bool = option("whether the results of the function are given, too", default=True)
    seed: Literal["cotangents", "one"] = option(
        "what comes from behind in reverse mode: more inputs, or ones", default="cotangents"
    )
    rename_to: str = option(RENAME_TO, default="")
    loops: str = option(
        "what loops keep for the way back: stored, recomputed, or the number of states",
        default="stored",
    )
    max_trip_count: int | None = option(
        "the most steps of loops whose number of steps is not known", default=None
    )

    def check(self) -> None:
        if self.mode == "forward" and self.seed == "one":
            raise PassError(
                "seed=one is for mode=reverse",
                hint="forward mode takes tangents: seed=cotangents is its default",
            )
        if self.mode == "forward" and self.options() != LoopOptions():
            raise PassError(
                "loops and max-trip-count are for mode=reverse",
                hint="forward mode keeps nothing of the steps and needs no bound: leave them out",
            )
        self.options()

    def options(self) -> LoopOptions:
        """How reverse mode goes through loops."""
        loops = int(self.loops) if self.loops.isdecimal() else self.loops
        try:
            return LoopOptions(loops=loops, max_trip_count=self.max_trip_count)
        except TransformError as error:
            raise PassError(error.message.replace("_", "-"), hint=error.hint) from None

    def run(self, module: ir.Module) -> bool:
        return self.put_beside(Beside(self, module, self.function, self.rename_to, str(self)))

    def put_beside(self, beside: Beside) -> bool:
        """Put the new function beside the old one; whether it is new."""
        mode = Mode.FORWARD if self.mode == "forward" else Mode.REVERSE
        return beside.add(self.suffix, self.derived, mode)

    @property
    def suffix(self) -> str:
        """What the new function is called behind the name of the old one."""
        if self.mode == "forward":
            return "jvp"
        return "grad" if self.seed == "one" else "vjp"

    def derived(self, function: Function, name: str) -> Function:
        """The new function."""
        wrt, outputs = self.wrt or None, self.outputs or None
        if self.mode == "forward":
            return jvp_function(function, wrt, outputs, value=self.value, name=name)
        with using(self.options()):
            if self.seed == "one":
                return grad_function(function, wrt, outputs, value=self.value, name=name)
            return vjp_function(function, wrt, outputs, value=self.value, name=name)
