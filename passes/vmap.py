"""Vmap: a new function beside one, which does the same on a batch.

    dxir-vmap{function=f in-axes=0,none out-axes=0 size=8}      @f_vmap

`in-axes` has the axis of the batch in each input, `none` for one that is the same for the whole
batch; a single entry goes for all inputs. `out-axes` has where it is in the results; `none` is for
results that do not depend on the batch. Negative axes count from the end, the batch included. Ops
stay what they are where they can: composites are composites again. In shardings, the axis of the
batch is not split.

What becomes of the names of the functions, and what a second run does, is as for
`dxir-differentiate`.
"""

from __future__ import annotations

from collections.abc import Sequence

from dxir.errors import PassError
from dxir.graph import Function
from dxir.mlir import ir
from dxir.passes.derivation.beside import Beside
from dxir.passes.differentiate import FUNCTION, RENAME_TO
from dxir.pipeline.base import Pass, option
from dxir.transforms.functions import vmap_function
from dxir.transforms.rules import Mode

_NONE = "none"


class Vmap(Pass, name="dxir-vmap"):
    """Put a function beside one that does on a batch what that does."""

    function: str = option(FUNCTION, default="")
    in_axes: tuple[str, ...] = option(
        "the axis of the batch in each input, or none; one for all", default=("0",)
    )
    out_axes: tuple[str, ...] = option(
        "the axis of the batch in each result, or none; one for all", default=("0",)
    )
    size: int | None = option("the size of the batch, which must be given", default=None)
    rename_to: str = option(RENAME_TO, default="")

    def check(self) -> None:
        self.axes("in-axes", self.in_axes)
        self.axes("out-axes", self.out_axes)
        if self.size is not None and self.size < 0:
            raise PassError(f"size is {self.size}, and a batch has 0 elements or more")

    def axes(self, what: str, given: Sequence[str]) -> int | list[int | None] | None:
        """The axes as numbers; one alone goes for all."""
        found: list[int | None] = []
        for entry in given:
            try:
                found.append(None if entry == _NONE else int(entry))
            except ValueError:
                raise PassError(
                    f"{what} has the entry {entry!r}", hint=f"give numbers of axes, or {_NONE}"
                ) from None
        return found[0] if len(found) == 1 else found

    def run(self, module: ir.Module) -> bool:
        beside = Beside(self, module, self.function, self.rename_to, str(self))
        if self.size is None:
            raise PassError(
                "dxir-vmap needs the size of the batch",
                where=beside.where,
                hint="give size=8, say",
            )
        return beside.add("vmap", self.mapped, Mode.BATCHING)

    def mapped(self, function: Function, name: str) -> Function:
        """The new function."""
        ins = self.axes("in-axes", self.in_axes)
        outs = self.axes("out-axes", self.out_axes)
        return vmap_function(function, ins, outs, axis_size=self.size, name=name)
