"""Tensors written out as text: `[[1, 2], [3, 4]]`, MLIR's `dense<...>`, what dxir-run prints."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dxir.arithmetic import finfo
from dxir.elements import elements_of_bytes
from dxir.errors import ArgumentError, DxirError
from dxir.runtime.arguments import Parameter, fits
from dxir.types import DType, QuantizedType, TensorType, shape_text

Array = np.ndarray[Any, Any]

_DENSE = re.compile(r"dense<([^>]*)>(?:\s*:\s*(tensor<.*>))?", re.DOTALL)
_PRINTED = re.compile(r"(tensor<[^{]*>)\s*\{(.*)\}", re.DOTALL)
_TYPE = re.compile(r"tensor<((?:(?:\d+|\?)x)*)([A-Za-z]\w*(?:<\w+>)?)>")
_RAW = re.compile(r'"0x([0-9A-Fa-f]*)"')
_TOKEN = re.compile(
    r"\s*(?:([\[\](),])|([-+]?(?:0x[0-9A-Fa-f]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
    r"|(?:nan|inf|infinity|true|false)\b)))",
    re.IGNORECASE,
)
_START = re.compile(
    r"\s*(?:[\[(]|dense<|tensor<|[-+]?(?:\d|\.\d|(?:nan|inf|infinity|true|false)\s*$))",
    re.IGNORECASE,
)
_MOST_RANK = 64
_SHOWN = 40


def is_literal(text: str) -> bool:
    """Whether text begins as a tensor does that is written out."""
    return _START.match(text) is not None


def literal(text: str, parameter: Parameter) -> Array:
    """The array that text means for a parameter; one number stands for all elements.

    Decimal numbers are rounded to the element type, hexadecimal ones are bits. Raises ArgumentError
    for text that is no tensor, or one of another type.
    """
    body, type = _parts(text.strip(), parameter)
    raw = _RAW.fullmatch(body)
    if raw is not None:
        return _of_bytes(raw[1], type, parameter)
    shape, tokens = _Reader(body, type, parameter).read()
    dtype = element_type(type)
    values = _converted(tokens, dtype, parameter)
    if shape == () and type.is_static:
        return np.full(type.static_shape, values[0], values.dtype)
    if not tokens and type.is_static and type.size == 0:
        return values.reshape(type.static_shape)
    if not fits(shape, type):
        raise ArgumentError(
            f"{parameter} takes {type}, not {_shown(text)} of shape {shape_text(shape)}"
        )
    return values.reshape(shape)


def element_type(type: TensorType) -> DType:
    """The type of what is handed over for an element: of quantized ones, what is stored."""
    return type.dtype.storage if isinstance(type.dtype, QuantizedType) else type.dtype


def _parts(text: str, parameter: Parameter) -> tuple[str, TensorType]:
    """What a literal says of elements, and the type to read it in."""
    dense = _DENSE.fullmatch(text)
    printed = None if dense is not None else _PRINTED.fullmatch(text)
    if dense is None and printed is None:
        return text, parameter.type
    if dense is not None:
        body, written = dense[1].strip(), dense[2]
    else:
        assert printed is not None
        body, written = printed[2].strip(), printed[1]
    if written is None:
        return body, parameter.type
    type = _type(written, parameter)
    wanted = parameter.type
    if type.dtype != element_type(wanted) or not fits(type.static_shape, wanted):
        raise ArgumentError(f"{parameter} takes {wanted}, not {_shown(written)}")
    return body, type


def _type(text: str, parameter: Parameter) -> TensorType:
    found = _TYPE.fullmatch(text.strip())
    try:
        if found is None or "?" in found[1]:
            raise ValueError
        return TensorType([int(d) for d in found[1].split("x")[:-1]], DType.of(found[2]))
    except (ValueError, DxirError):
        raise ArgumentError(
            f"{parameter} is given a literal of type {_shown(text)}, which is no tensor type of "
            "known size",
            hint=f"leave the type out: it is read as {parameter.type}",
        ) from None


def _of_bytes(digits: str, type: TensorType, parameter: Parameter) -> Array:
    try:
        data = bytes.fromhex(digits)
        found = elements_of_bytes(data, element_type(type))
        if found.size == 1:
            return np.full(type.static_shape, found[0], found.dtype)
        return found.reshape(type.static_shape)
    except (ValueError, DxirError):
        raise ArgumentError(
            f"{parameter} takes {type}, not {len(digits) // 2} bytes of data"
        ) from None


class _Reader:
    """Reads nested lists without recursion, so that their depth does no harm."""

    def __init__(self, text: str, type: TensorType, parameter: Parameter) -> None:
        self.text, self.parameter = text, parameter
        self.is_complex = element_type(type).is_complex
        self.rank = type.rank
        self.open: list[tuple[str, int]] = []  # what is open, and how many it has so far
        self.shape: list[int | None] = []
        self.numbers: list[str] = []
        self.needs_comma = False

    def read(self) -> tuple[tuple[int, ...], list[str]]:
        """The shape and the numbers in order; of complex ones, both parts."""
        done = False
        for mark, number in self._tokens():
            if done:
                raise self._wrong("it goes on after its end")
            if mark in ("[", "("):
                self._begin(mark)
                continue
            if mark == ",":
                if not self.needs_comma or not self.open:
                    raise self._wrong("a comma is out of place")
                self.needs_comma = False
                continue
            if mark:
                self._end(mark)
            else:
                self._number(number)
            done = not self.open
        if not done:
            raise self._wrong("it ends too early" if self.text.strip() else "it is empty")
        return tuple(n or 0 for n in self.shape), self.numbers

    def _tokens(self) -> Iterator[tuple[str, str]]:
        at, end = 0, len(self.text.rstrip())
        while at < end:
            found = _TOKEN.match(self.text, at)
            if found is None:
                raise self._wrong(f"{_shown(self.text[at:].lstrip())} is no number")
            yield found[1] or "", found[2] or ""
            at = found.end()

    def _begin(self, mark: str) -> None:
        if self.needs_comma:
            raise self._wrong("a comma is missing")
        if any(m == "(" for m, _ in self.open) or (mark == "(" and not self.is_complex):
            raise self._wrong("( ) are for the parts of a complex number")
        if len(self.open) >= _MOST_RANK:
            raise self._wrong("it is nested too deep")
        if self._is_pair(mark):
            mark = "("
        elif len(self.open) == len(self.shape):
            self.shape.append(None)
        self.open.append((mark, 0))

    def _is_pair(self, mark: str) -> bool:
        """Whether a bracket is that of a complex number, which dxir prints as a list of two."""
        return mark == "(" or (self.is_complex and len(self.open) == self.rank)

    def _end(self, mark: str) -> None:
        if not self.open or (self.open[-1][1] and not self.needs_comma):
            raise self._wrong(f"{mark} is out of place")
        opened, count = self.open.pop()
        if opened == "(" and count != 2:
            raise self._wrong("a complex number has two parts")
        if opened != "(":
            if mark == ")":
                raise self._wrong(") is out of place")
            depth = len(self.open)
            known = self.shape[depth]
            if known is not None and known != count:
                raise self._wrong("the inner lists have different lengths")
            self.shape[depth] = count
        self._count()

    def _number(self, number: str) -> None:
        if self.needs_comma:
            raise self._wrong("a comma is missing")
        within = self.open and self.open[-1][0] == "("
        if not within and len(self.open) != len(self.shape):
            raise self._wrong("the inner lists have different depths")
        self.numbers.append(number)
        if self.is_complex and not within:
            self.numbers.append("0")
        self._count()

    def _count(self) -> None:
        if self.open:
            mark, count = self.open[-1]
            self.open[-1] = (mark, count + 1)
        self.needs_comma = True

    def _wrong(self, what: str) -> ArgumentError:
        return ArgumentError(
            f"{self.parameter} is given {_shown(self.text)}, which is no tensor: {what}",
            hint="write [[1, 2], [3, 4]], one number for all elements, or name a file",
        )


def _converted(tokens: Sequence[str], dtype: DType, parameter: Parameter) -> Array:
    if dtype.is_complex:
        return _converted(tokens, dtype.real, parameter).view(dtype.numpy)
    if dtype.is_float:
        return _floats(tokens, dtype, parameter)
    numbers = [_whole(token, dtype, parameter) for token in tokens]
    kind: Any = np.uint64 if dtype.is_unsigned or dtype.is_bool else np.int64
    return np.array(numbers, kind).astype(dtype.numpy)


def _whole(token: str, dtype: DType, parameter: Parameter) -> int:
    lowered = token.lower()
    if lowered in ("true", "false"):
        if not dtype.is_bool:
            raise _unfit(token, dtype, parameter)
        return int(lowered == "true")
    try:
        number = int(token, 16 if "0x" in lowered else 10)
    except ValueError:
        raise _unfit(token, dtype, parameter) from None
    is_signed = not dtype.is_unsigned and not dtype.is_bool
    least = -(1 << (dtype.bits - 1)) if is_signed else 0
    if "0x" in lowered and is_signed and 0 <= number < 1 << dtype.bits:
        return number - ((number >> (dtype.bits - 1)) << dtype.bits)
    if not least <= number < least + (1 << dtype.bits):
        raise _unfit(token, dtype, parameter)
    return number


def _floats(tokens: Sequence[str], dtype: DType, parameter: Parameter) -> Array:
    for token in tokens:
        if token.lower() in ("true", "false"):
            raise _unfit(token, dtype, parameter)
    # 1 stands for what is given by its bits.
    wide = np.array([1.0 if "x" in t.lower() else float(t) for t in tokens], np.float64)
    with np.errstate(all="ignore"):
        found = wide.astype(dtype.numpy)
        back = found.astype(np.float64)
    same = (np.isnan(wide) == np.isnan(back)) & (np.isinf(wide) == np.isinf(back))
    same &= np.isfinite(wide) | np.array(["n" in t.lower() for t in tokens], bool)
    same &= np.isnan(wide) | (np.signbit(wide) == np.signbit(back)) | (back == 0)
    if dtype.bits < 8:  # there is no infinity to round to
        same &= np.abs(wide) <= float(finfo(dtype).max)
    if not same.all():
        raise _unfit(tokens[int(np.argmin(same))], dtype, parameter)
    bits = found.view(f"u{dtype.numpy.itemsize}")
    for position, token in enumerate(tokens):
        if "x" in token.lower():
            given = int(token, 16)
            if not 0 <= given < 1 << dtype.bits:
                raise _unfit(token, dtype, parameter)
            bits[position] = given
    return found


def _unfit(token: str, dtype: DType, parameter: Parameter) -> ArgumentError:
    return ArgumentError(f"{parameter} takes {parameter.type}, and {_shown(token)} is no {dtype}")


def _shown(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
