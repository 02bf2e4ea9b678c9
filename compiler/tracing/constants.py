"""Arrays of numbers as constants of the graphs that they are used in, once in each."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np

from dxir import ops
from dxir.graph import Function, Region, Value, building


def constant_in(root: Region, region: Region, numbers: Any, array: np.ndarray[Any, Any]) -> Value:
    """The constant of these numbers in a region of the function `root`, made unless it is there.

    `numbers` are what is told by identity, `array` what they are.
    """
    # By their id, which is theirs as long as they are kept, and by what they are: NumPy arrays that
    # a function captures come here as another copy each time.
    known: dict[Any, tuple[Any, Value]] = root.constants if isinstance(root, Function) else {}
    keys: list[Any] = [id(numbers)]
    if region is root:
        keys.append(_digest(array))
    for key in keys:
        found = known.get(key)
        if found is not None and found[1].region is region:
            return found[1]
    with building(region):
        made: Value = ops.constant(array)
    known.update(dict.fromkeys(keys, (numbers, made)))
    return made


def _digest(array: np.ndarray[Any, Any]) -> tuple[Any, ...]:
    data = np.ascontiguousarray(array).view(np.uint8) if array.size else np.empty(0, np.uint8)
    return array.dtype, array.shape, blake2b(data.data).digest()
