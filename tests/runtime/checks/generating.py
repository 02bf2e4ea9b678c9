"""Files that carry their own checks, in the form of OpenXLA's test data, of the ops' examples."""

from __future__ import annotations

import itertools
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import dxir
from dxir import ops
from dxir.arithmetic import finfo
from dxir.evaluation import evaluate
from dxir.graph import Function, Value
from dxir.op import REGISTRY
from dxir.testing.op_checks import available, datasets, example_function, flush_subnormals, hostile
from dxir.types import ALL_DTYPES, DType, TensorType

Array = np.ndarray[Any, Any]

_LISTED = 24  # elements; more are written as one string of hexadecimal digits
_DIGITS = {"f64": 52, "f32": 23, "bf16": 7, "f16": 10}
_UNREADABLE = re.compile(r"tensor<\?|x\?|_slice %arg\d+, , sizes")
"""Sizes that are not known; and slices of scalars, which MLIR prints as it cannot read them."""

_MAIN = re.compile(
    r"  func\.func (?:public )?@main\((?P<parameters>.*)\) -> (?P<results>.*) \{\n"
    r"(?P<body>(?:    .*\n)*?)"
    r"    return(?: (?P<returned>.*) : .*)?\n  \}\n"
)


@dataclass(frozen=True)
class Case:
    """A program on inputs, with what it shall give and how near that has to be."""

    name: str
    program: str
    inputs: tuple[Array, ...]
    expected: tuple[Array, ...]
    checks: tuple[str, ...]

    def text(self) -> str:
        """The file."""
        found = _MAIN.search(self.program)
        assert found, self.program
        given = [f"%in#{i}" for i in range(len(self.inputs))]
        body = found["body"]
        for index in range(len(self.inputs)):
            body = re.sub(rf"%arg{index}\b", f"%in#{index}", body)
        returned = (found["returned"] or "").split(", ")
        returned = [re.sub(r"%arg(\d+)\b", r"%in#\1", value) for value in returned]
        types = [_type(a) for a in self.expected]
        lines = [
            "  func.func public @main() {",
            *(
                [f"    %in:{len(given)} = call @inputs() : () -> ({_types(self.inputs)})"]
                * bool(given)
            ),
            f"    %out:{len(types)} = call @expected() : () -> ({', '.join(types)})",
            body.rstrip("\n"),
            *(
                f"    {check.format(actual=value, expected=f'%out#{i}', type=type)}"
                for i, (check, value, type) in enumerate(
                    zip(self.checks, returned, types, strict=True)
                )
            ),
            "    return",
            "  }",
            _constants("inputs", self.inputs),
            _constants("expected", self.expected),
        ]
        whole = "\n".join(line for line in lines if line) + "\n"
        return self.program[: found.start()] + whole + self.program[found.end() :]


def _constants(name: str, arrays: Sequence[Array]) -> str:
    lines = [f"  func.func private @{name}() -> ({_types(arrays)}) {{"]
    lines += [
        f"    %c{i} = stablehlo.constant dense<{literal(a)}> : {_type(a)}"
        for i, a in enumerate(arrays)
    ]
    values = ", ".join(f"%c{i}" for i in range(len(arrays)))
    lines.append(f"    return {values} : {_types(arrays)}" if arrays else "    return")
    return "\n".join([*lines, "  }"])


def _types(arrays: Sequence[Array]) -> str:
    return ", ".join(map(_type, arrays))


def _type(array: Array) -> str:
    sizes = "".join(f"{size}x" for size in array.shape)
    return f"tensor<{sizes}{DType.of(array.dtype).mlir}>"


def literal(array: Array) -> str:
    """The elements as MLIR writes them between the brackets of `dense`."""
    dtype = DType.of(array.dtype)
    if array.size > _LISTED and dtype.bits >= 8:
        return f'"0x{np.ascontiguousarray(array).tobytes().hex().upper()}"'

    def listed(part: Any) -> str:
        if isinstance(part, list):
            return f"[{', '.join(map(listed, part))}]"
        return str(part)

    if not array.size:
        return ""
    texts = np.empty(array.shape, object)
    for index in np.ndindex(array.shape):
        texts[index] = _element(array[index], dtype)
    return listed(texts.tolist())


def _element(value: Any, dtype: DType) -> str:
    if dtype.is_complex:
        return f"({_element(value.real, dtype.real)}, {_element(value.imag, dtype.real)})"
    if dtype.is_bool:
        return str(bool(value)).lower()
    if not dtype.is_float:
        return str(int(value))
    if np.isfinite(value):
        return f"{float(value):.17e}"
    raw = np.asarray(value).view(f"u{np.asarray(value).dtype.itemsize}")
    return f"0x{int(raw):0{max(dtype.bits // 4, 1)}X}"


def plain(check: str) -> str:
    """The custom call of a check, as OpenXLA's test data has it."""
    return (
        f"stablehlo.custom_call @check.{check}({{actual}}, {{expected}}) "
        "{{has_side_effect = true}} : ({type}, {type}) -> ()"
    )


def close(ulps: int) -> str:
    """The check of the check dialect that two values are so near."""
    return (
        f"check.expect_close {{actual}}, {{expected}}, max_ulp_difference = {ulps} : "
        "{type}, {type}"
    )


def almost(tolerance: float) -> str:
    """The check of the check dialect that two values are not farther apart."""
    return (
        f"check.expect_almost_eq {{actual}}, {{expected}}, tolerance = {tolerance:.6e} : {{type}}"
    )


def _rule(units: float, inputs: Sequence[Array], expected: Array) -> str | None:
    """The check for a result: exact where values are only moved, otherwise by the op's policy."""
    dtype = DType.of(expected.dtype)
    if not (dtype.is_float or dtype.is_complex):
        return plain("expect_eq")
    parts = np.abs(_parts(expected).astype(np.float64))
    if _is_moved(inputs, expected) and not np.isnan(parts).any():
        return plain("expect_eq")
    if dtype.real.name not in _DIGITS:
        return close(1)
    if units <= 3:
        return plain("expect_close")
    largest = float(parts[np.isfinite(parts)].max(initial=0))
    if largest >= 1e4:
        return close(int(units))
    tolerance = units * 2.0 ** -_DIGITS[dtype.real.name] * (1 + largest)
    # Numbers of different signs are never almost equal, and rounding leaves either sign near 0.
    near_zero = units > 8 and bool((parts <= tolerance).any())
    return None if near_zero else almost(tolerance)


def _parts(array: Array) -> Array:
    """The numbers of an array; the parts of complex ones."""
    return np.stack([array.real, array.imag]) if array.dtype.kind == "c" else array


def _is_moved(inputs: Sequence[Array], expected: Array) -> bool:
    known = {
        value.tobytes() for a in inputs if a.dtype == expected.dtype for value in a.reshape(-1)
    }
    return all(value.tobytes() in known for value in expected.reshape(-1))


def _has_subnormals(arrays: Sequence[Array]) -> bool:
    """Whether a backend that flushes them may give something else."""
    for array in arrays:
        if array.dtype.kind == "c" or (
            DType.of(array.dtype).is_float and DType.of(array.dtype).bits >= 16
        ):
            parts = _parts(array)
            wide = np.abs(parts.astype(np.float64))
            if ((wide > 0) & (wide < float(finfo(DType.of(parts.dtype)).tiny))).any():
                return True
    return False


def case_of(
    label: str, function: Function, arguments: Sequence[Array], units: float = 8
) -> Case | None:
    """The case of a function on inputs; None where there is none that all backends agree on.

    `units` in the last place are what its results may be off.
    """
    arguments = [np.asarray(flush_subnormals(a)) for a in arguments]
    raw = evaluate(function, *arguments)
    expected = [np.asarray(a) for a in (raw if isinstance(raw, tuple) else (raw,))]
    program = dxir.lower(function).text()
    if not expected or _has_subnormals([*arguments, *expected]) or _UNREADABLE.search(program):
        return None
    rules = [_rule(units, arguments, array) for array in expected]
    found = tuple(rule for rule in rules if rule is not None)
    if len(found) < len(rules):
        return None
    return Case(label, program, tuple(arguments), tuple(expected), found)


def example_cases(limit: int | None = None) -> Iterator[Case]:
    """Cases of all ops, of the first `limit` examples of each: on ordinary and hostile inputs."""
    ops.names()
    for name, cls in sorted(REGISTRY.items()):
        if not available(cls):
            continue
        for i, example in enumerate(itertools.islice(cls.examples, limit)):
            function = example_function(cls, example)
            runs = example.runs and all(isinstance(t, TensorType) for t in function.result_types)
            label = f"{cls.family}-{name}-{i}"
            found = dict(datasets(cls, example, 1)) if runs else {}
            hostile = zlib.crc32(label.encode()) % 2 == 1 and "hostile 0" in found
            arguments = found.get("hostile 0" if hostile else "ordinary 0")
            case = arguments and case_of(label, function, arguments, cls.tolerance)
            if case:
                yield case


def type_cases() -> Iterator[Case]:
    """For each element type, a case of ops that take any."""
    for dtype in ALL_DTYPES:
        data = every_value(dtype)
        b = dxir.Builder("main")
        x = b.param(dtype[data.shape], name="x")
        made = [make(x) for make in _ANY_TYPE]
        if _computes(dtype):
            made += [make(x) for make in _ARITHMETIC]
        if dtype.bits > 2:  # XLA on the CPU does not join narrower ones
            made.append(ops.concat([x, x], axis=1))
        case = case_of(dtype.name, b.build(*made), [data])
        assert case is not None, dtype
        yield case


def _computes(dtype: DType) -> bool:
    """Whether backends add and order values of the type as its reference does."""
    return not dtype.is_bool and not dtype.is_complex and not (dtype.is_float and dtype.bits < 8)


def every_value(dtype: DType, shape: tuple[int, ...] = (4, 8)) -> Array:
    """Extremes, infinities, NaN and small numbers of an element type; no subnormals."""
    data = hostile(TensorType(shape, dtype), np.random.default_rng(dtype.bits))
    if dtype.is_complex:
        data.real, data.imag = flush_subnormals(data.real), flush_subnormals(data.imag)
    return np.asarray(flush_subnormals(data))


_ANY_TYPE: tuple[Callable[[Value], Value], ...] = (
    lambda x: ops.reverse(x, axes=(0, 1)),
    ops.transpose,
    lambda x: ops.slice(x, starts=(1, 2), limits=(3, 8), strides=(1, 3)),
    lambda x: ops.compare(x, ops.reverse(x, axes=(1,)), direction="NE"),
    lambda x: ops.select(ops.compare(x, x, direction="EQ"), x, ops.reverse(x, axes=(0,))),
)
_ARITHMETIC: tuple[Callable[[Value], Value], ...] = (
    lambda x: ops.add(x, ops.reverse(x, axes=(1,))),
    lambda x: ops.max(x, ops.reverse(x, axes=(1,))),
)
