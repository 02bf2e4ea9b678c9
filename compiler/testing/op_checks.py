"""Checks of an op against its own examples: what dxir's tests run, and what yours can.

`check_types` compares the inferred, the lowered and the reference type of an example;
`check_values` compares the compiled program with the NumPy reference on ordinary and hostile data.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dxir import random_arrays
from dxir.arithmetic import finfo
from dxir.evaluation import evaluate
from dxir.examples import Example, Sample, Sharded, Tolerance
from dxir.graph import Function, Module, Value
from dxir.op import Op
from dxir.types import Dim, DType, TensorType, Type

Array = np.ndarray[Any, Any]
_SEED = 20240229


def example_function(cls: type[Op], example: Example, name: str = "main") -> Function:
    """A function of the example's operands that returns all results of the op."""
    function = Function(name)

    def param(given: Any, label: str) -> Any:
        type = operand_type(given)
        value = Value(type, None, len(function.params), function, label)
        function.params += (value,)
        function.param_shardings.append(given.sharding if isinstance(given, Sharded) else None)
        function.param_annotations.append({})
        function.param_locations.append(None)
        return value

    arguments = dict(example.arguments)
    for field in cls.fields:
        given = arguments.get(field.name)
        if given is None or field.kind not in ("operand", "optional", "variadic"):
            continue
        if field.kind == "variadic":
            arguments[field.name] = [param(g, f"{field.name}_{i}") for i, g in enumerate(given)]
        else:
            arguments[field.name] = param(given, field.name)
    from dxir.op import trace

    trace(lambda *_: cls.build(**arguments), function)
    return function


def operand_type(given: Any) -> Type:
    """The type of an operand as an Example gives it."""
    if isinstance(given, (Sample, Sharded)):
        return given.type
    if isinstance(given, np.ndarray | np.generic):
        return TensorType.of_array(np.asarray(given))
    type: Type = given
    return type


def example_operands(cls: type[Op], example: Example) -> list[Any]:
    """The operands of an example, in order, flattened."""
    found: list[Any] = []
    for field in cls.fields:
        given = example.arguments.get(field.name)
        if given is None or field.kind not in ("operand", "optional", "variadic"):
            continue
        found += list(given) if field.kind == "variadic" else [given]
    return found


def ordinary(given: Any, rng: np.random.Generator) -> Array:
    """Everyday data for an operand."""
    if isinstance(given, np.ndarray | np.generic):
        return np.asarray(given)
    if isinstance(given, Sample):
        return random_arrays.ordinary(given.type, rng, given.low, given.high)
    return random_arrays.ordinary(given, rng)


def hostile(given: Any, rng: np.random.Generator) -> Array:
    """NaN, infinities, signed zeros, subnormals and extremes, in random places."""
    if not isinstance(given, TensorType) or not isinstance(given.dtype, DType):
        return ordinary(given, rng)
    return random_arrays.hostile(given, rng)


def datasets(cls: type[Op], example: Example, count: int = 2) -> Iterator[tuple[str, list[Array]]]:
    """Named sets of arguments: some ordinary, and hostile ones where the example allows."""
    rng = np.random.default_rng(_SEED)
    operands = example_operands(cls, example)
    for i in range(count):
        yield f"ordinary {i}", [ordinary(g, rng) for g in operands]
    if example.hostile:
        for i in range(count):
            yield f"hostile {i}", [hostile(g, rng) for g in operands]


def available(cls: type[Op]) -> bool:
    """Whether the StableHLO of this jaxlib has the operation that the op becomes."""
    from dxir.mlir import shared_context

    return cls.mlir is None or bool(shared_context().is_registered_operation(cls.mlir))


def check_types(cls: type[Op], example: Example) -> None:
    """Assert that the inferred, the lowered and the reference types agree."""
    from dxir.lowering import lower_module
    from dxir.mlir import decode_type, ir
    from dxir.reading import signature

    function = example_function(cls, example)
    module = lower_module(Module([function]))
    main = ir.SymbolTable(module.operation)["main"]
    lowered = tuple(decode_type(t) for t in signature(main.operation).results)
    for inferred, found in zip(function.result_types, lowered, strict=True):
        assert _fits(inferred, found), f"inferred {inferred}, lowered to {found}"
    if example.runs:
        for _, arguments in datasets(cls, example, 1):
            evaluate(function, *arguments)  # refuses results of another type


def _fits(inferred: Type, lowered: Type) -> bool:
    if not isinstance(inferred, TensorType) or not isinstance(lowered, TensorType):
        return inferred == lowered
    sizes = [-1 if isinstance(d, Dim) else d for d in inferred.shape]
    return inferred.dtype == lowered.dtype and sizes == [
        -1 if isinstance(d, Dim) else d for d in lowered.shape
    ]


def check_values(cls: type[Op], example: Example) -> None:
    """Assert that the compiled op gives what its reference gives, within the op's tolerance."""
    from dxir import compiling

    function = example_function(cls, example)
    if not example.runs or not all(isinstance(t, TensorType) for t in function.result_types):
        return
    executable = compiling.compile(function)
    for label, arguments in datasets(cls, example):
        results = executable(*arguments)
        found = results if isinstance(results, tuple) else (results,)
        wanted = _tuple(evaluate(function, *arguments))
        flushed = _tuple(evaluate(function, *[flush_subnormals(a) for a in arguments]))
        for i, (f, w, z) in enumerate(zip(found, wanted, flushed, strict=True)):
            tolerance = Tolerance.of(function.results[i].tensor.primitive, cls.tolerance)
            assert_agrees(
                np.asarray(f), w, z, tolerance, f"{cls.op}{example!r}, {label}, result {i}"
            )


def _tuple(results: Any) -> tuple[Any, ...]:
    return results if isinstance(results, tuple) else (results,)


def flush_subnormals(array: Any) -> Any:
    """Subnormal elements replaced by zeros of their sign: what XLA's CPU code computes with."""
    array = np.asarray(array)
    if array.dtype.kind == "c" or DType.of(array.dtype).kind != "float":
        return array
    tiny = float(finfo(DType.of(array.dtype)).tiny)
    wide = array.astype(np.float64)
    small = (np.abs(wide) < tiny) & (wide != 0)
    return (
        np.where(small, np.copysign(0.0, wide), wide).astype(array.dtype) if small.any() else array
    )


def assert_agrees(
    found: Array, wanted: Array, flushed: Array, tolerance: Tolerance, what: str
) -> None:
    """Assert that each element is near the wanted one, or the one of flushed subnormals."""
    assert found.dtype == wanted.dtype, f"{what}: {found.dtype} instead of {wanted.dtype}"
    assert found.shape == wanted.shape, f"{what}: {found.shape} instead of {wanted.shape}"
    good = _near(found, wanted, tolerance) | _near(found, flushed, tolerance)
    if not good.all():
        at = tuple(int(i) for i in np.argwhere(~good)[0])
        raise AssertionError(
            f"{what}: element {at} is {found[at]}, the reference gives {wanted[at]} "
            f"({int((~good).sum())} of {good.size} elements differ)"
        )


def _near(found: Array, wanted: Array, tolerance: Tolerance) -> Any:
    if found.dtype.kind == "c":
        return _near(found.real, wanted.real, tolerance) & _near(found.imag, wanted.imag, tolerance)
    if found.dtype.kind in "biu" or DType.of(found.dtype).is_integer:
        return np.asarray(found == wanted)
    a, b = found.astype(np.float64), wanted.astype(np.float64)
    with np.errstate(all="ignore"):
        close = np.abs(a - b) <= tolerance.absolute + tolerance.relative * np.abs(b)
    return (a == b) | (np.isnan(a) & np.isnan(b)) | (close & np.isfinite(b))
