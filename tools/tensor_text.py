"""Tensors as stablehlo-translate prints them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dxir.check_dialect import split_entries
from dxir.mlir import TypeCache, dense_elements, shared_context
from dxir.runtime.interpreter.running import Result
from dxir.types import DType, TensorType

Array = np.ndarray[Any, Any]

_EDGE = 3  # elements shown at each end of a dimension of what is shown in part
_AT_ONCE = 64  # MLIR prints constants of more than 100 elements as hexadecimal


def result_text(result: Result, most: int | None = None) -> str:
    """A result of a program: a tensor, a token or a tuple of these; `most` as for `tensor_text`."""
    if result is None:
        return "token"
    if isinstance(result, tuple):
        return "tuple {\n" + "".join(result_text(part, most) + "\n" for part in result) + "}"
    return tensor_text(result, most)


def tensor_text(array: Array, most: int | None = None) -> str:
    """The type and, in braces, the elements of a tensor.

    Of one with more than `most` elements, only those at both ends of each dimension.
    """
    dtype = DType.of(array.dtype)
    sizes = "".join(f"{size}x" for size in array.shape)
    parts: list[str] = []
    left_out = [False] * array.ndim
    if most is not None and array.size > most:
        left_out = [size > 2 * _EDGE for size in array.shape]
        for axis, is_cut in enumerate(left_out):
            if is_cut:
                ends = np.r_[:_EDGE, array.shape[axis] - _EDGE : array.shape[axis]]
                array = array.take(ends, axis)
    _print(array.shape, (), _elements(array, dtype), 1, parts, left_out)
    return f"tensor<{sizes}{dtype.mlir}> {{{''.join(parts)}}}"


def _print(
    shape: tuple[int, ...],
    index: tuple[int, ...],
    elements: Iterator[str],
    indent: int,
    parts: list[str],
    left_out: list[bool],
) -> None:
    last = not index or index[-1] == shape[len(index) - 1] - 1
    if len(index) == len(shape):
        parts.append(next(elements) + ("" if last else ", "))
        return
    parts.append("\n" + "  " * indent + "[")
    for position in range(shape[len(index)]):
        if position == _EDGE and left_out[len(index)]:
            innermost = len(index) == len(shape) - 1
            parts.append("..., " if innermost else "\n" + "  " * (indent + 1) + "...,")
        _print(shape, (*index, position), elements, indent + 1, parts, left_out)
    parts.append("]" + ("\n" + "  " * (indent - 1) if last else ","))


def _elements(array: Array, dtype: DType) -> Iterator[str]:
    """The elements in order, each as MLIR prints an attribute of its type."""
    if dtype.is_complex:
        whole = np.ascontiguousarray(array)
        numbers = _elements(whole.view(dtype.real.numpy), dtype.real)
        for real in numbers:
            yield f"[{real}, {next(numbers)}]"
        return
    if dtype.is_bool or dtype.is_integer:
        for number in array.reshape(-1).tolist():
            yield str(number).lower() if dtype.is_bool else str(int(number))
        return
    types = TypeCache.of(shared_context())
    flat = array.reshape(-1)
    for start in range(0, flat.size, _AT_ONCE):
        part = flat[start : start + _AT_ONCE]
        with types.context:
            text = str(dense_elements(part, TensorType(part.shape, dtype), types))
        body = text[len("dense<") : text.rindex("> : ")]
        tokens = split_entries(body[1:-1]) if body.startswith("[") else [body]
        # One element stands for all of them if they are the same.
        yield from tokens if len(tokens) == part.size else tokens * part.size
