"""Products over axes by a tree of halves, and their cotangents, in which nothing is divided."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dxir import ops
from dxir.dialects.fold_trees import every
from dxir.graph import Value

Levels = list[tuple[Value, Value]]


class ProductTree:
    """The product of `x` over `axes`, as `result`; `cotangent` sends one of it back.

    Halves are multiplied with each other until one element is left; one that is missing is 1.
    """

    def __init__(self, x: Value, axes: Sequence[int]) -> None:
        self._shape = shape = x.tensor.static_shape
        kept = [i for i in range(x.rank) if i not in axes]
        self._order = [*axes, *kept]
        self._count = int(np.prod([shape[i] for i in axes], dtype=np.int64))
        self._rest = tuple([shape[i] for i in kept])
        self._levels: Levels = []
        self._axis = axes[0] if len(axes) == 1 else 0
        value = x if len(axes) == 1 else self._laid(x)
        self._padded = 1 << max(self._count - 1, 0).bit_length()
        if self._padded != self._count:
            edge = [self._padded - self._count if i == self._axis else 0 for i in range(value.rank)]
            one = ops.constant(np.ones((), x.tensor.primitive.numpy))
            value = ops.pad(value, one, low=[0] * value.rank, high=edge)
        count = self._padded
        while count > 1:
            parts = (every(value, self._axis, 0, count // 2, 1),
                     every(value, self._axis, count // 2, count, 1))  # fmt: skip
            self._levels.append(parts)
            value, count = ops.mul(*parts), count // 2
        self.result: Value = ops.reshape(value, shape=self._rest)

    def _laid(self, x: Value) -> Value:
        if self._order != list(range(x.rank)):
            x = ops.transpose(x, permutation=self._order)
        return ops.reshape(x, shape=(self._count, *self._rest))

    def cotangent(self, g: Value) -> Value:
        """The cotangent of `x`, given that of the result: `g` times the product of the others."""
        single = len(self._order) - len(self._rest) == 1
        axis = self._axis
        g = ops.reshape(g, shape=(*self._rest[:axis], 1, *self._rest[axis:]))
        for a, b in reversed(self._levels):
            g = ops.concat([ops.mul(g, b), ops.mul(g, a)], axis=axis)
        if self._padded != self._count:
            g = every(g, axis, 0, self._count, 1)
        if single:
            return g
        g = ops.reshape(g, shape=[self._shape[i] for i in self._order])
        back = [self._order.index(i) for i in range(len(self._order))]
        return g if back == sorted(back) else ops.transpose(g, permutation=back)
