"""Layouts: which dimension of an array of images or of a kernel holds what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from dxir.errors import AttributeValueError, ShapeError
from dxir.types import Dimension, TensorType


class Layout(NamedTuple):
    """Where an array of a convolution holds its two special dimensions and the spatial ones.

    `first` is the batch dimension (of a kernel: its input features), `second` the features (of a
    kernel: its output features).
    """

    first: int
    second: int
    spatial: tuple[int, ...]

    def check(self, type: TensorType, what: str) -> None:
        """Raise ShapeError unless the numbers name each dimension of `type` once."""
        named = [self.first, self.second, *self.spatial]
        if sorted(named) != list(range(type.rank)):
            raise ShapeError(
                f"the dimension numbers of the {what} are {named}, but it has type {type}",
                hint="they must name each of its dimensions once",
            )

    def sizes(self, type: TensorType) -> tuple[Dimension, ...]:
        """The spatial sizes."""
        return tuple([type.shape[i] for i in self.spatial])

    def order(self) -> tuple[int, ...]:
        """The permutation to first, second, spatial."""
        return (self.first, self.second, *self.spatial)


def dimension_numbers(layouts: str | Sequence[str]) -> dict[str, Any]:
    """The nine attributes of `convolution` for layouts such as "NHWC,HWIO,NHWC".

    N is the batch and C the features of the input and result, I and O the input and output
    features of the kernel; all other letters are spatial, in the order the kernel has them.
    """
    text = layouts if isinstance(layouts, str) else ",".join(layouts)
    parts = [p.strip() for p in text.replace("->", ",").split(",")]
    lhs, rhs, out = parts if len(parts) == 3 else ("", "", "")
    spatial = [c for c in rhs if c not in "OI"]
    wanted = (sorted(["N", "C", *spatial]), sorted(["O", "I", *spatial]))
    good = sorted(lhs) == wanted[0] == sorted(out) and sorted(rhs) == wanted[1]
    if not good or len(set(rhs)) != len(rhs):
        raise AttributeValueError(
            f"dimension_numbers {layouts!r} are not the layouts of a convolution",
            hint='write input, kernel and result as in "NHWC,HWIO,NHWC", each letter once',
        )
    return {
        "input_batch_dimension": lhs.index("N"),
        "input_feature_dimension": lhs.index("C"),
        "input_spatial_dimensions": tuple(lhs.index(c) for c in spatial),
        "kernel_input_feature_dimension": rhs.index("I"),
        "kernel_output_feature_dimension": rhs.index("O"),
        "kernel_spatial_dimensions": tuple(rhs.index(c) for c in spatial),
        "output_batch_dimension": out.index("N"),
        "output_feature_dimension": out.index("C"),
        "output_spatial_dimensions": tuple(out.index(c) for c in spatial),
    }


def image_layout(given: str | None, rank: int) -> str:
    """A layout such as "NCHW" of an array of this rank; the batch and features come first."""
    layout = "NC" + "DHW"[-(rank - 2) :] if given is None and 2 < rank <= 5 else given
    if layout is None:
        layout = "NC" + "".join(chr(ord("0") + i) for i in range(rank - 2))
    good = len(layout) == rank and len(set(layout)) == rank and {"N", "C"} <= set(layout)
    if not good:
        raise AttributeValueError(
            f"dimension_numbers {layout!r} is not a layout of {rank} dimensions",
            hint='write N for the batch, C for the features and one more letter each, as in "NHWC"',
        )
    return layout


def spatial_axes(layout: str) -> tuple[int, ...]:
    """The axes that are neither the batch nor the features."""
    return tuple(i for i, letter in enumerate(layout) if letter not in "NC")
