"""The base of operations that dxir reads and writes, but states in other words itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from dxir.graph import Function, Value
from dxir.op import Primitive, trace
from dxir.transforms.batching import Unbatched
from dxir.transforms.reverse import replaced

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch
    from dxir.transforms.forward import Forward
    from dxir.transforms.reverse import Pull, Reverse


class Restated(Primitive):
    """Base of operations of other producers that are differentiated and batched in dxir's words.

    `restated(self, *operands)` makes the same value with other ops.
    """

    restated: ClassVar[Callable[..., Value]]

    def pullback(self, sweep: Reverse) -> tuple[Sequence[Value], Pull]:
        return sweep.inlined(self._in_other_words(), self.operands), replaced

    def pushforward(self, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
        return sweep.inlined(self._in_other_words(), self.operands)

    def batch(self, batch: Batch) -> list[Any]:
        body = self._in_other_words()
        found = batch.run(body, batch.operands, batch.batched)
        return [value if flag else Unbatched(value) for value, flag in found]

    def _in_other_words(self) -> Function:
        function = Function(self.op, [v.type for v in self.operands], public=False)
        if self.regions:
            function.parent = self.regions[0].parent  # what they capture stays usable
        return trace(self.restated, function)
