"""Files that carry their own checks, in the form of OpenXLA's test data, of the ops' examples."""

from __future__ import annotations

import itertools
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import dxir
from dxir import ops
from dxir.arithmetic import finfo
from dxir.errors import DxirError
from dxir.evaluation import evaluate
from dxir.examples import Example, Sample
from dxir.op import REGISTRY, Op
from dxir.testing import available, datasets, example_function, flush_subnormals
from dxir.types import ALL_DTYPES, DType, TensorType

Array = np.ndarray[Any, Any]

_LISTED = 24  # elements; more are written as one string of hexadecimal digits
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
            *([f"    %in:{len(given)} = call @inputs() : () -> ({_types(self.inputs)})"] * bool(given)),
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


def _rule(cls: type[Op], inputs: Sequence[Array], expected: Array) -> str:
    """The check for a result: exact where values are only moved, otherwise by the op's policy."""
    dtype = DType.of(expected.dtype)
    bare = "stablehlo.custom_call @check.{} ({{actual}}, {{expected}}) {{{{has_side_effect = true}}}}"
    bare += " : ({{type}}, {{type}}) -> ()"
    if not (dtype.is_float or dtype.is_complex):
        return bare.format("expect_eq").replace(" (", "(", 1)
    has_nan = bool(np.isnan(expected.astype(np.complex128 if dtype.is_complex else float)).any())
    if _is_moved(inputs, expected) and not has_nan:
        return bare.format("expect_eq").replace(" (", "(", 1)
    digits = {"f64": 52, "f32": 23, "bf16": 7, "f16": 10}.get(dtype.real.name)
    if digits is None:
        return "check.expect_close {actual}, {expected}, max_ulp_difference = 1 : {type}, {type}"
    if cls.tolerance <= 3:
        return bare.format("expect_close").replace(" (", "(", 1)
    wide = np.abs(_parts(expected).astype(np.float64))
    largest = float(wide[np.isfinite(wide)].max(initial=0))
    if largest < 1e4:
        tolerance = cls.tolerance * 2.0**-digits * (1 + largest)
        return f"check.expect_almost_eq {{actual}}, {{expected}}, tolerance = {tolerance:.6e} : {{type}}"
    return (
        f"check.expect_close {{actual}}, {{expected}}, max_ulp_difference = {cls.tolerance} "
        ": {type}, {type}"
    )


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


def example_case(cls: type[Op], example: Example, label: str, hostile: bool) -> Case | None:
    """The case of an example; None where there is none that every backend must agree on."""
    function = example_function(cls, example)
    if not example.runs or not all(isinstance(t, TensorType) for t in function.result_types):
        return None
    found = dict(datasets(cls, example, 1))
    arguments = found.get("hostile 0" if hostile else "ordinary 0") or found["ordinary 0"]
    arguments = [np.asarray(flush_subnormals(a)) for a in arguments]
    raw = evaluate(function, *arguments)
    expected = [np.asarray(a) for a in (raw if isinstance(raw, tuple) else (raw,))]
    if not expected or _has_subnormals([*arguments, *expected]):
        return None
    program = dxir.lower(function).text()
    if _MAIN.search(program) is None or "tensor<?" in program:
        return None
    rules = tuple(_rule(cls, arguments, array) for array in expected)
    return Case(label, program, tuple(arguments), tuple(expected), rules)


def example_cases(limit: int | None = None) -> Iterator[Case]:
    """Cases of all ops, of the first `limit` examples of each: on ordinary and hostile inputs."""
    ops.names()
    for name, cls in sorted(REGISTRY.items()):
        if not available(cls):
            continue
        for i, example in enumerate(itertools.islice(cls.examples, limit)):
            label = f"{cls.family}-{name}-{i}"
            case = example_case(cls, example, label, zlib.crc32(label.encode()) % 2 == 1)
            if case is not None:
                yield case
