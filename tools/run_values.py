"""What one `--arg` of dxir-run stands for: a file, text, or elements that are made up."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from dxir import random_arrays
from dxir.arithmetic import finfo
from dxir.errors import ArgumentError, DxirError
from dxir.runtime.arguments import Parameter, host_array
from dxir.tensor_files import ENDINGS, TensorFile, as_type, read_npy
from dxir.tools.run_literals import element_type, is_literal, literal
from dxir.types import Dim, DType, TensorType, f8e8m0fnu

Array = np.ndarray[Any, Any]

_FILE = re.compile(
    rf"(.+({'|'.join(map(re.escape, ENDINGS))}))(?::(.*))?", re.IGNORECASE | re.DOTALL
)
_MADE = re.compile(r"(random|ordinary|hostile|iota|zeros|ones)(?::(.*))?", re.DOTALL)
_OPTIONS = {
    "random": ("seed", "low", "high", "shape"),
    "ordinary": ("seed", "shape"),
    "hostile": ("seed", "shape"),
}
_TRIED = {"ordinary": random_arrays.ordinary, "hostile": random_arrays.hostile}
"""What dxir-verify and others try programs on: the same from the same seed as there."""
_MOST_TEXT_BYTES = 1 << 28
_MOST_SHOWN = 60
_SPAN = 10  # of integers that are made up

FORMS = "a file (.npy, .npz:name, .safetensors:name, @text), [1, 2], random, iota, zeros or ones"
"""What an argument can be, for messages."""

Told = Callable[[str], None]


def value_of(text: str, parameter: Parameter, sizes: Mapping[str, int], told: Told) -> Array:
    """The array that an argument is, of the parameter's type.

    `sizes` are those of named dimensions, as far as they are known; `told` is called with what
    deserves a note. Raises ArgumentError or ArtifactError for what is no such array.
    """
    made = _MADE.fullmatch(text)
    if made is not None:
        return _made(made[1], made[2], parameter, sizes)
    file = _FILE.fullmatch(text)
    if file is not None:
        return fitted(
            _of_file(file[1], file[2].lower(), file[3], parameter), parameter, file[1], told
        )
    if text.startswith("@") or text.lower().endswith(".txt"):
        return literal(_text_of(text.removeprefix("@"), parameter), parameter)
    if not is_literal(text):
        _refuse(text, parameter)
    return literal(text, parameter)


def _refuse(text: str, parameter: Parameter) -> NoReturn:
    shown = text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."
    hint = f"it can be {FORMS}"
    if Path(text[:4096].replace("\0", "")).is_file():
        hint = f"the name of the file does not end as it should: {', '.join(ENDINGS)}"
    raise ArgumentError(f"{parameter} is given '{shown}', which is no argument", hint=hint)


def fitted(array: Array, parameter: Parameter, source: str, told: Told) -> Array:
    """An array of a file as one of the parameter's type; ArgumentError when it is none."""
    type = parameter.type
    found, by_bits = as_type(array, element_type(type))
    if by_bits:
        told(
            f"{source}: the elements, {array.dtype.name}, are taken for the bits of "
            f"{element_type(type)}, as {parameter} has"
        )
    plain = Parameter(parameter.index, parameter.name, TensorType(type.shape, element_type(type)))
    try:
        return host_array(found, plain)
    except ArgumentError as error:
        raise ArgumentError(error.message, where=source, hint=error.hint) from None


def _of_file(path: str, ending: str, name: str | None, parameter: Parameter) -> Array:
    if ending == ".npy":
        if name is not None:
            raise ArgumentError(
                f"{parameter} is given '{path}:{name}', but a .npy file holds one array",
                hint=f"leave ':{name}' out",
            )
        return read_npy(path)
    with TensorFile(path) as file:
        if name is None and len(file.names) == 1:
            return file.read(file.names[0])
        if name not in file.names:
            problem = f"has no array '{name}'" if name is not None else "holds several arrays"
            listed = ", ".join(file.names[:8]) + (", ..." if len(file.names) > 8 else "")
            raise ArgumentError(
                f"{parameter}: the file {problem}" if file.names else f"{parameter}: it is empty",
                where=path,
                hint=f"write {path}:NAME; it has {listed}" if file.names else None,
            )
        return file.read(name)


def _text_of(path: str, parameter: Parameter) -> str:
    try:
        place = Path(path)
        if place.is_dir() or (place.is_file() and place.stat().st_size > _MOST_TEXT_BYTES):
            kind = "a folder" if place.is_dir() else "too large for text"
            raise ArgumentError(f"{parameter}: this is {kind}", where=path)
        return place.read_text("utf-8")
    except UnicodeDecodeError as error:
        said = f"byte {error.start} is not UTF-8"
        raise ArgumentError(f"{parameter}: the text cannot be read: {said}", where=path) from None
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or str(error)
        raise ArgumentError(f"{parameter}: the text cannot be read: {said}", where=path) from None


def _made(kind: str, options: str | None, parameter: Parameter, sizes: Mapping[str, int]) -> Array:
    given = _options(kind, options or "", parameter)
    type, dtype = parameter.type, element_type(parameter.type)
    if kind in _TRIED and not type.is_static:
        unknown = random_arrays.UNKNOWN_SIZE
        sizes = {d.name: sizes.get(d.name, unknown) for d in type.shape if isinstance(d, Dim)}
    shape = _shape(given.get("shape"), parameter, sizes)
    if type.is_static:
        shape = type.static_shape
    try:
        if kind == "random":
            return _random(shape, dtype, given, parameter)
        if kind in _TRIED:
            generator = np.random.default_rng((_seed(given, parameter), parameter.index))
            return _TRIED[kind](TensorType(shape, dtype), generator)
        if kind == "iota":
            return _iota(math.prod(shape), dtype).reshape(shape)
        if kind == "zeros" and dtype is f8e8m0fnu:
            raise ValueError("it has no 0")
        return np.full(shape, kind == "ones", dtype.numpy)
    except (MemoryError, ValueError) as error:
        raise ArgumentError(f"{parameter}: {type} cannot be made: {error}") from None


def _options(kind: str, text: str, parameter: Parameter) -> dict[str, str]:
    known = _OPTIONS.get(kind, ("shape",))
    found: dict[str, str] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.partition("=")
        if name not in known or not equals or name in found:
            problem = "is given twice" if name in found else f"is no option of {kind}"
            raise ArgumentError(
                f"{parameter}: '{part}' {problem}",
                hint=f"write {kind}:{','.join(f'{n}=...' for n in known)}",
            )
        found[name] = value
    return found


def _shape(text: str | None, parameter: Parameter, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """The sizes of what is made up; those of the parameter where it has them."""
    rank = parameter.type.rank
    if text is not None:
        parts = [p for p in text.split("x") if p]
        if len(parts) != rank or not all(p.isascii() and p.isdecimal() for p in parts):
            raise ArgumentError(
                f"{parameter} takes {parameter.type}, and '{text}' is no shape for it",
                hint="write it as shape=2x3",
            )
        given = tuple(int(p) for p in parts)
    else:
        given = tuple(
            sizes.get(d.name, -1) if isinstance(d, Dim) else d for d in parameter.type.shape
        )
    for size, dimension in zip(given, parameter.type.shape, strict=True):
        if size < 0:
            raise ArgumentError(
                f"{parameter} takes {parameter.type}, and nothing tells the size of {dimension}",
                hint="give it: random:shape=2x3",
            )
        if isinstance(dimension, int) and dimension != size:
            raise ArgumentError(f"{parameter} takes {parameter.type}, not one of shape {text}")
    return given


def _iota(count: int, dtype: DType) -> Array:
    numbers = np.arange(count, dtype=np.int64)
    if dtype.is_bool:
        return np.asarray(numbers % 2 != 0)
    if dtype.bits <= 8:  # begin again where the type ends
        span = 1 << (dtype.bits - (not dtype.is_unsigned))
        if dtype.is_float:
            span = int(min(float(finfo(dtype).max), 1 << 20)) + 1
        numbers %= span
    if dtype is f8e8m0fnu:
        numbers = np.maximum(numbers, 1)
    return numbers.astype(dtype.numpy)


def _random(
    shape: tuple[int, ...], dtype: DType, given: Mapping[str, str], parameter: Parameter
) -> Array:
    # Parameters made from one seed are to differ from each other.
    generator = np.random.default_rng([_seed(given, parameter), parameter.index])
    if dtype.is_bool or dtype.is_integer:
        low, high = _range(given, dtype, parameter)
        kind: Any = np.uint64 if dtype.is_unsigned or dtype.is_bool else np.int64
        return np.asarray(generator.integers(low, high, shape, kind, endpoint=True)).astype(
            dtype.numpy
        )
    if dtype.is_complex:
        parts = _random((*shape, 2), dtype.real, given, parameter)
        return parts.view(dtype.numpy).reshape(shape)
    return _random_floats(generator, shape, dtype, given, parameter)


def _seed(given: Mapping[str, str], parameter: Parameter) -> int:
    seed: int = _number(given.get("seed", "0"), int, parameter)
    if seed < 0:
        raise ArgumentError(f"{parameter}: a seed is 0 or more, not {seed}")
    return seed


def _random_floats(
    generator: np.random.Generator,
    shape: tuple[int, ...],
    dtype: DType,
    given: Mapping[str, str],
    parameter: Parameter,
) -> Array:
    least = 2.0**-10 if dtype is f8e8m0fnu else -1.0  # which has neither 0 nor a sign
    low = _number(given.get("low", str(least)), float, parameter)
    high = _number(given.get("high", str(max(1.0, low + 1))), float, parameter)
    largest = float(finfo(dtype).max)
    smallest = float(finfo(dtype).min)
    if not (low <= high and smallest <= low and high <= largest):
        raise ArgumentError(
            f"{parameter}: there is no {dtype} from {low:g} to {high:g}",
            hint="low= and high= are finite, and not the wrong way round",
        )
    kind: Any = np.float64 if dtype.bits == 64 else np.float32
    numbers = np.asarray(generator.random(shape, kind))
    upper = numbers * kind(high)  # not with high - low, which may be too large a number
    numbers = (1 - numbers) * kind(low) + upper
    return np.asarray(np.clip(numbers, low, high)).astype(dtype.numpy, copy=False)


def _range(given: Mapping[str, str], dtype: DType, parameter: Parameter) -> tuple[int, int]:
    is_signed = not dtype.is_unsigned and not dtype.is_bool
    least = -(1 << (dtype.bits - 1)) if is_signed else 0
    most = least + (1 << dtype.bits) - 1
    low = _number(given.get("low", str(max(least, -_SPAN))), int, parameter)
    high = _number(given.get("high", str(min(most, max(_SPAN, low + _SPAN)))), int, parameter)
    if not least <= low <= high <= most:
        raise ArgumentError(
            f"{parameter}: there is no {dtype} from {low} to {high}",
            hint=f"{dtype} goes from {least} to {most}",
        )
    return low, high


def _number(text: str, kind: type[Any], parameter: Parameter) -> Any:
    try:
        return kind(text)
    except (ValueError, DxirError):
        raise ArgumentError(f"{parameter}: '{text[:_MOST_SHOWN]}' is no number for it") from None
