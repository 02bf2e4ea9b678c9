"""A scan in segments: states are kept between them, and what is in one is done again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dxir import ops
from dxir.graph import Region, Value, building, current_region
from dxir.making import inline

__all__ = ["RESIDUALS", "in_segments"]

RESIDUALS = "dxir.residuals"
"""The annotation of a scan that says what it keeps, whatever the options say."""


def in_segments(node: Any, count: int) -> Region:
    """A region that gives the results of a scan, as a scan over `count` segments of it."""
    region = Region((), current_region())
    with building(region):
        region.seal(_Segments(node, count).place())
    return region


class _Segments:
    def __init__(self, node: Any, count: int) -> None:
        self.node = node
        self.size = -(-node.length // count)
        self.whole = node.length // self.size
        self.left = node.length - self.whole * self.size

    def _scan(self, keep: str, *given: Any, length: int) -> tuple[Value, ...]:
        found: tuple[Value, ...] = ops.scan(*given, length=length, reverse=self.node.reverse)
        if found and found[0].producer is not None:
            found[0].producer.annotations = {RESIDUALS: keep}
        return found

    def place(self) -> list[Value]:
        """The scans, put down here, and the results."""
        node, carried = self.node, len(self.node.init)
        cut = self.whole * self.size
        # Those steps are left for the end that come last: with `reverse`, the first rows.
        main = (self.left, node.length) if node.reverse else (0, cut)
        rest = (0, self.left) if node.reverse else (cut, node.length)

        def step(*given: Value) -> Sequence[Value]:
            return inline(node.body, given)

        def segment(*given: Value) -> Sequence[Value]:
            return self._scan("stored", step, given[:carried], given[carried:], length=self.size)

        folded = [_split(_rows(x, *main), self.whole) for x in node.xs]
        found = self._scan("recomputed", segment, node.init, tuple(folded), length=self.whole)
        ys = [_joined(y) for y in found[carried:]]
        if not self.left:
            return [*found[:carried], *ys]
        last = tuple([_rows(x, *rest) for x in node.xs])
        end = self._scan("stored", step, found[:carried], last, length=self.left)
        pairs = zip(ys, end[carried:], strict=True)
        both = [ops.concat((b, a) if node.reverse else (a, b), axis=0) for a, b in pairs]
        return [*end[:carried], *both]


def _rows(x: Value, start: int, stop: int) -> Value:
    shape = x.tensor.static_shape
    if (start, stop) == (0, shape[0]):
        return x
    rest = [0] * (len(shape) - 1)
    found: Value = ops.slice(x, starts=(start, *rest), limits=(stop, *shape[1:]))
    return found


def _split(x: Value, count: int) -> Value:
    shape = x.tensor.static_shape
    found: Value = ops.reshape(x, shape=(count, shape[0] // count, *shape[1:]))
    return found


def _joined(y: Value) -> Value:
    shape = y.tensor.static_shape
    found: Value = ops.reshape(y, shape=(shape[0] * shape[1], *shape[2:]))
    return found
