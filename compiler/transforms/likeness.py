"""Functions like another one: what is said of its parameters and results goes over if it holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dxir.graph import Function
from dxir.transforms.batching import batched_sharding
from dxir.types import Type

__all__ = ["function_like", "results_like"]

# They speak of results, or of the layout of the axes, of the function that they were written for.
_NOT_CARRIED = frozenset({"tf.aliasing_output", "mhlo.layout_mode"})
_OF_SHAPES = frozenset({"dxir.dims"})

Axes = Sequence[int | None]


def function_like(
    function: Function,
    name: str,
    types: Sequence[Type] | None = None,
    *,
    public: bool | None = None,
    axes: Axes | None = None,
) -> Function:
    """An open function of `types`, of which the first parameters are those of another one.

    By default it has no others. `axes` has the axis of a batch that is put into each, or None.
    """
    made = Function(
        name,
        function.param_types if types is None else types,
        public=function.public if public is None else public,
        location=function.location,
    )
    for i, (old, new) in enumerate(zip(function.params, made.params, strict=False)):
        axis = None if axes is None else axes[i]
        new.name = old.name
        made.param_locations[i] = function.param_locations[i]
        made.param_shardings[i] = batched_sharding(function.param_shardings[i], axis)
        said = function.param_annotations[i]
        made.param_annotations[i] = _carried(said, same=old.type == new.type)
    return made


def results_like(function: Function, made: Function, axes: Axes | None = None) -> None:
    """Say of the first results of `made`, which are those of `function`, what is said of these."""
    for i, (old, new) in enumerate(zip(function.results, made.results, strict=False)):
        axis = None if axes is None else axes[i]
        made.result_shardings[i] = batched_sharding(function.result_shardings[i], axis)
        said = function.result_annotations[i]
        made.result_annotations[i] = _carried(said, same=old.type == new.type)


def _carried(said: dict[str, Any], *, same: bool) -> dict[str, Any]:
    without = _NOT_CARRIED if same else _NOT_CARRIED | _OF_SHAPES
    return {name: value for name, value in said.items() if name not in without}
