"""Parts of arrays by index."""

from __future__ import annotations

from typing import Any

from dxir import ops
from dxir.tracing.arrays import Array


def getitem(x: Array, index: Any) -> Array:
    """`x[index]`."""
    found: Array = ops.getitem(x, index)
    return found
