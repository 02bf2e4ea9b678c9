"""What the `main` of a program takes and gives, as far as a runtime of XLA's can."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from dxir.diagnostics import node_name_of, where_of
from dxir.errors import DxirError, TargetError
from dxir.mlir import decode_type, ir
from dxir.reading import attribute, function_name, functions, signature
from dxir.runtime.donation import check_donations
from dxir.runtime.sizes import MOST_BYTES, MOST_MEMORY, bytes_of
from dxir.types import TensorType


@dataclass(frozen=True, slots=True)
class Entry:
    """The signature of a program's `main`; `names` are its parameters' where they have one."""

    parameters: tuple[TensorType, ...]
    results: tuple[TensorType, ...]
    names: tuple[str | None, ...]


def entry_of(module: ir.Module, target: str) -> Entry:
    """The signature of a verified module's `main`, for that target.

    Raises TargetError for what is no tensor of known size, VerificationError for donations that
    cannot be.
    """
    main = next(f for f in functions(module) if function_name(f) == "main")
    type = signature(main)
    arguments: list[Any] = list(cast(Any, main).regions[0].blocks[0].arguments)
    names = tuple(node_name_of(a.location) for a in arguments)
    where = where_of(main.location)
    places = [where_of(a.location) or where for a in arguments]
    parameters = tuple(
        _tensor(t, f"parameter {i}" + (f" ({name})" if name else ""), place, target)
        for i, (t, name, place) in enumerate(zip(type.inputs, names, places, strict=True))
    )
    results = tuple(_tensor(t, f"result {i}", where, target) for i, t in enumerate(type.results))
    check_donations(attribute(main, "arg_attrs"), parameters, results, places)
    _refuse_unaddressable(parameters, results, where)
    return Entry(parameters, results, names)


def _refuse_unaddressable(
    parameters: Sequence[TensorType], results: Sequence[TensorType], where: str | None
) -> None:
    total = sum(map(bytes_of, (*parameters, *results)))
    if total > MOST_MEMORY:
        raise TargetError(
            f"the parameters and results of main have {total:.1e} bytes together; a process "
            f"addresses {MOST_MEMORY:.1e}",
            where=where,
            hint="shard the program, or compile it for smaller sizes",
        )


def tensor_type(type: ir.Type, what: str, where: str | None, target: str) -> TensorType:
    """The type of a parameter or result, of any sizes; TargetError for what is no tensor."""
    try:
        found = decode_type(type)
    except DxirError as error:
        raise TargetError(f"{what}: {error.message}", where=where) from None
    if not isinstance(found, TensorType):
        raise TargetError(
            f"{what} has type {found}; {target} takes and gives tensors only",
            where=where,
            hint="make tokens inside the program, and pass the parts of a tuple one by one",
        )
    return found


def _tensor(type: ir.Type, what: str, where: str | None, target: str) -> TensorType:
    found = tensor_type(type, f"{what} of main", where, target)
    if not found.is_static:
        raise TargetError(
            f"{what} of main has type {found}, whose size is unknown",
            where=where,
            hint="build it with the sizes it is to run with; dxir.evaluate takes any size",
        )
    if found.dtype.bits == 6 and found.size == 0:  # XLA makes it a constant, see `_constant`
        problem = f"{what} of main has type {found}, which {target} cannot hold"
        raise TargetError(problem, where=where)
    if found.dtype.kind == "quantized":
        raise TargetError(
            f"{what} of main has type {found}; {target} runs no quantized types",
            where=where,
            hint="run stablehlo-legalize-quant-to-math on the program before",
        )
    if bytes_of(found) > MOST_BYTES:
        raise TargetError(
            f"{what} of main has type {found}, which has more than 2^60 bytes", where=where
        )
    return found
