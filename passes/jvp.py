"""JVP: `dxir-differentiate{mode=forward}`, under a shorter name.

@f_jvp(inputs..., tangents of wrt...) -> (results... if value, tangents of outputs...)

The new function carries the same `dxir.made_by`, so that each pass finds what the other one made.
"""

from __future__ import annotations

from dxir.mlir import ir
from dxir.passes.derivation.beside import Beside
from dxir.passes.differentiate import FUNCTION, RENAME_TO, Differentiate
from dxir.pipeline.base import Pass, option


class Jvp(Pass, name="dxir-jvp"):
    """Put a function that pushes tangents forward beside one, with its results."""

    function: str = option(FUNCTION, default="")
    wrt: tuple[int, ...] = option(
        "positions of the inputs with tangents; all that can have some without it", default=()
    )
    outputs: tuple[int, ...] = option(
        "positions of the results whose tangents are given; all that have some without it",
        default=(),
    )
    value: bool = option("whether the results of the function are given, too", default=True)
    rename_to: str = option(RENAME_TO, default="")

    def run(self, module: ir.Module) -> bool:
        same = Differentiate(
            function=self.function,
            wrt=self.wrt,
            outputs=self.outputs,
            mode="forward",
            value=self.value,
            rename_to=self.rename_to,
        )
        return same.put_beside(Beside(self, module, self.function, self.rename_to, str(same)))
