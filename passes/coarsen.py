"""Make a composite of each match that `dxir-recognize` marked.

The ops of a match move into a private function, the composite's decomposition; nothing is lost or
made up: `dxir-decompose` gives back the program. Values inside that others use are further results
of the composite. Constants that others use, too, are copied into the decomposition, and the copies
say so (`dxir.shared`). Matches of the same ops share one decomposition, whose places in the source
are those of the first. All marks are gone afterwards.

Marks may be set by hand: `dxir.pattern = "acme.block", dxir.match_id = 0` on ops of one block makes
them the composite `acme.block`. Where marked ops cannot be one op (others in between need a value
from inside and give one to it, or have effects as they have), a warning says so, and they stay as
they are.
"""

from __future__ import annotations

from dxir.effects import effectful_functions
from dxir.marks import MARKS, MATCH_ID, marked
from dxir.mlir import IrOperation, ir
from dxir.passes.coarsening.group import group_of
from dxir.passes.coarsening.outline import Outlining
from dxir.pipeline.base import Pass, option


class Coarsen(Pass, name="dxir-coarsen"):
    """Outline marked matches into composites."""

    patterns: tuple[str, ...] = option("the patterns to outline; all unless given", default=())

    def run(self, module: ir.Module) -> bool:
        groups = marked(module, MATCH_ID)
        outlining = Outlining(module)
        absent = set(self.patterns)
        for ops in groups.values():
            group = group_of(ops, lambda: effectful_functions(module))
            if not isinstance(group, str):
                absent.discard(group.pattern)
            if isinstance(group, str):
                self.warn(f"marked ops stay as they are: {group}", ops[-1])
            elif not self.patterns or group.pattern in self.patterns:
                # Its ops may be gone then, where an equal decomposition serves for theirs.
                outlining.outline(group)
                self.count("composites made")
                continue
            for op in ops:
                _unmark(op)
        for name in sorted(absent):
            self.warn(f"patterns names {name!r}, but nothing is marked so", code="UNKNOWN_NAME")
        return bool(groups)


def _unmark(op: IrOperation) -> None:
    for name in MARKS:
        if name in op.attributes:
            del op.attributes[name]
