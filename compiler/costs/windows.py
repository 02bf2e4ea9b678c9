"""The work of convolutions and of reductions over windows.

Only the positions of a window that fall on elements count, neither padding nor the zeros between
dilated elements, as in `GetConvolutionFlops` of XLA's `hlo_cost_analysis.cc`. XLA counts the
padding of other windows; here it is left out everywhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from dxir.costs.asked import Asked, Work
from dxir.costs.sizes import UnknownSize
from dxir.mlir import stablehlo

_MOST_POSITIONS = 1 << 24
_MOST_REACH = 1 << 62


@dataclass(frozen=True, slots=True)
class Span:
    """A window along one axis: `inputs` elements, a window of `size`, at `outputs` places."""

    inputs: int
    size: int
    outputs: int
    stride: int = 1
    padding: int = 0
    base_dilation: int = 1
    window_dilation: int = 1

    def positions(self) -> int:
        """How many pairs of a place and a position in the window fall on an element.

        At place `o` and position `k` it is the element `(o s + k w - p) / b`, where `b` divides
        that. For each `k` the places with a whole number stand in even steps: no loop over places.
        """
        if min(self.inputs, self.size, self.outputs) <= 0:
            return 0
        if self.size > self.outputs:  # places and positions may change sides
            return replace(
                self,
                size=self.outputs,
                outputs=self.size,
                stride=self.window_dilation,
                window_dilation=self.stride,
            ).positions()
        base, stride = self.base_dilation, self.stride
        reach = self.size * self.window_dilation + abs(self.padding)
        if self.size > _MOST_POSITIONS or max(self.inputs, stride, reach) * base > _MOST_REACH:
            raise UnknownSize("its windows are too large to be counted")
        k = np.arange(self.size, dtype=np.int64)
        offset = k * self.window_dilation - self.padding
        common = math.gcd(stride, base)
        period = base // common
        inverse = pow(stride // common, -1, period) if period > 1 else 0
        first = (-offset // common * inverse) % period  # the first place o >= 0 that b divides
        last = (self.inputs - 1) * base
        low = np.maximum(-(offset // stride), 0)  # o s + offset >= 0
        high = np.minimum((last - offset) // stride, self.outputs - 1)
        start = low + (first - low) % period
        count = np.where(high >= start, (high - start) // period + 1, 0)
        return int(np.where(offset % common == 0, count, 0).sum())


def convolution(asked: Asked) -> Work:
    """2 for each product of an element and a weight; 8, of complex numbers."""
    operand, weights, result = (
        asked.shape(type) for type in (asked.operands[0], asked.operands[1], asked.results[0])
    )
    dims = stablehlo.ConvDimensionNumbers(asked.needed("dimension_numbers"))
    groups = asked.integer("feature_group_count", 1)
    batches = asked.integer("batch_group_count", 1)
    rank = len(dims.input_spatial_dimensions)
    strides, padding = asked.integers("window_strides"), _padding(asked, rank)
    dilated = asked.integers("lhs_dilation"), asked.integers("rhs_dilation")
    spans = [
        Span(
            operand[dims.input_spatial_dimensions[i]],
            weights[dims.kernel_spatial_dimensions[i]],
            result[dims.output_spatial_dimensions[i]],
            strides[i] if strides else 1,
            padding[i],
            dilated[0][i] if dilated[0] else 1,
            dilated[1][i] if dilated[1] else 1,
        )
        for i in range(rank)
    ]
    products = (
        operand[dims.input_feature_dimension]
        // groups
        * result[dims.output_feature_dimension]
        * (operand[dims.input_batch_dimension] // batches)
        * math.prod([span.positions() for span in spans])
    )
    return Work((8 if asked.is_complex else 2) * products)


def _padding(asked: Asked, rank: int) -> list[int]:
    """The padding at the low end of each axis."""
    found = asked.integers("padding")
    return [0] * rank if found is None else found[::2]


def _windows(asked: Asked) -> tuple[int, int]:
    """How many windows there are, and the elements that all of them fall on."""
    shape = asked.shape(asked.operands[0])
    rank = len(shape)
    ones = [1] * rank
    sizes = asked.integers("window_dimensions") or ones
    strides = asked.integers("window_strides") or ones
    base = asked.integers("base_dilations") or ones
    window = asked.integers("window_dilations") or ones
    padding = _padding(asked, rank)
    high = (asked.integers("padding") or [0] * (2 * rank))[1::2]
    count = total = 1
    for i in range(rank):
        extent = (sizes[i] - 1) * window[i] + 1
        dilated = (shape[i] - 1) * base[i] + 1 if shape[i] else 0
        outputs = max((dilated + padding[i] + high[i] - extent) // strides[i] + 1, 0)
        count *= outputs
        total *= Span(
            shape[i], sizes[i], outputs, strides[i], padding[i], base[i], window[i]
        ).positions()
    return count, total


def reduce_window(asked: Asked) -> Work:
    """The reducer once for each element of a window but the first."""
    windows, elements = _windows(asked)
    return asked.region(0, max(elements - windows, 0))


def select_and_scatter(asked: Asked) -> Work:
    """The selector once for each element of a window but the first, then the scatter once."""
    windows, elements = _windows(asked)
    a = asked.region(0, max(elements - windows, 0))
    b = asked.region(1, asked.operand_elements(1))
    return Work(a.flops + b.flops, a.transcendentals + b.transcendentals)


def dot_general(asked: Asked) -> Work:
    """2 for each product, as `GetDotFlops` of XLA has it; 8, of complex numbers."""
    given = asked.needed("dot_dimension_numbers")
    dims = stablehlo.DotDimensionNumbers(given).lhs_contracting_dimensions
    shape = asked.shape(asked.operands[0])
    return _products(asked, math.prod([shape[i] for i in dims]))


def dot(asked: Asked) -> Work:
    """The last axis of the first operand is summed over."""
    shape = asked.shape(asked.operands[0])
    return _products(asked, shape[-1] if shape else 1)


def _products(asked: Asked, length: int) -> Work:
    return Work((8 if asked.is_complex else 2) * asked.elements * length)
