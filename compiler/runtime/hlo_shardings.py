"""Shardings in HLO's words, `mhlo.sharding`, which XLA's older partitioner reads.

Its newer one, Shardy, reads those of the `sdy` dialect, or what artifacts have in their place
(`xla.sdy.*` in `mhlo.frontend_attributes`, with `mhlo.sharding` beside it for others to read).
Given HLO's alone, it leaves them out (0.10), or ends the process (0.12).
"""

from __future__ import annotations

from typing import Any

from dxir.decoding import keys
from dxir.diagnostics import where_of
from dxir.errors import TargetError
from dxir.mlir import IrAttribute, IrOperation, ir
from dxir.reading import SHARDING, attribute, walk
from dxir.runtime import pjrt

HLO_SHARDING = "mhlo.sharding"
_FRONTEND = "mhlo.frontend_attributes"
_SHARDYS = "xla.sdy."


class Said:
    """Where a module has shardings of either kind first, and what is not written as HLO does."""

    def __init__(self, module: ir.Module) -> None:
        self.hlo: IrOperation | None = None
        self.shardy: IrOperation | None = None
        self.unreadable: list[tuple[IrOperation, str]] = []
        self._known: dict[IrAttribute, bool] = {}
        walk(module, self._visit)

    def _visit(self, op: IrOperation) -> None:
        if op.name.startswith("sdy."):
            self.shardy = self.shardy or (None if op.name == "sdy.mesh" else op)
            return
        self._note(op, op.attributes)
        if op.name == "func.func":
            for name in ("arg_attrs", "res_attrs"):
                given = attribute(op, name)
                for entry in given if isinstance(given, ir.ArrayAttr) else ():
                    self._note(op, ir.DictAttr(entry))

    def _note(self, op: IrOperation, marks: Any) -> None:
        frontend = marks[_FRONTEND] if _FRONTEND in marks else ()  # noqa: SIM401  it has no get
        if SHARDING in marks or any(name.startswith(_SHARDYS) for name in keys(frontend)):
            self.shardy = self.shardy or op
        elif HLO_SHARDING in marks:
            self.hlo = self.hlo or op
            self._check_readable(op, marks[HLO_SHARDING])

    def _check_readable(self, op: IrOperation, given: IrAttribute) -> None:
        """Note what XLA would ignore, or end on."""
        text = str(given.value) if isinstance(given, ir.StringAttr) else str(given)
        if given not in self._known:
            self._known[given] = pjrt.is_hlo_sharding(text)
        if not self._known[given]:
            self.unreadable.append((op, text))


def only_hlo_shardings(module: ir.Module) -> bool:
    """Whether the older partitioner is to read the shardings of a module.

    TargetError for a module that has shardings of both kinds, of which either would lose some.
    """
    said = Said(module)
    if said.unreadable:
        op, text = said.unreadable[0]
        raise TargetError(
            f"the sharding {text!r} of {op.name} is not written as HLO writes shardings",
            where=where_of(op.location),
            hint=f"correct {HLO_SHARDING}, or leave it out: the partitioner chooses then",
        )
    if said.hlo is not None and said.shardy is not None:
        raise TargetError(
            f"{said.hlo.name} has a sharding in HLO's words ({HLO_SHARDING}), and "
            f"{said.shardy.name} one of Shardy's: no partitioner reads both",
            where=where_of(said.hlo.location),
            hint="state all of them in one way: #sdy.sharding<@mesh, [...]>",
        )
    return said.hlo is not None
