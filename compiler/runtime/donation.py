"""Parameters whose memory a program takes over, checked before anything is compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from dxir.diagnostics import where_of
from dxir.errors import ArgumentError, VerificationError
from dxir.mlir import IrAttribute, ir
from dxir.reading import attribute, function_name, functions
from dxir.types import DType, TensorType

ALIASING = "tf.aliasing_output"
DONOR = "jax.buffer_donor"


def check_donations(
    attributes: IrAttribute | None,
    parameters: Sequence[TensorType],
    results: Sequence[TensorType],
    places: Sequence[str | None],
) -> None:
    """Refuse `tf.aliasing_output` where the result is not there, is larger or smaller, or taken.

    Raises VerificationError at one of `places`, which the parameters have.
    """
    takers: dict[int, int] = {}
    for i, given in enumerate(attributes if isinstance(attributes, ir.ArrayAttr) else ()):
        if not isinstance(given, ir.DictAttr) or ALIASING not in given:
            continue
        index = given[ALIASING]
        output = index.value if isinstance(index, ir.IntegerAttr) else -1
        donated = f"parameter {i} of main, {parameters[i]}, is donated to result {output}"
        if not 0 <= output < len(results):
            problem = f"{donated}, and main has {len(results)} results"
        elif _bits(parameters[i]) != _bits(results[output]):
            problem = f"{donated}, which is {results[output]}: of another size"
        elif output in takers:
            problem = f"{donated}, and so is parameter {takers[output]}"
        else:
            takers[output] = i
            continue
        raise VerificationError(
            problem,
            where=places[i],
            hint="set tf.aliasing_output to the number of a result of the same type, or remove it",
        )


def _bits(type: TensorType) -> int:
    assert isinstance(type.dtype, DType)
    return type.size * type.dtype.bits


def donate(
    module: ir.Module,
    given: Sequence[int],
    parameters: Sequence[TensorType],
    results: Sequence[TensorType],
    *,
    partitioned: bool,
) -> None:
    """Mark these parameters of `main` as donated, in place.

    Each gets a result of its own type, which is to take its memory; where the program is
    `partitioned`, whose results lie as parameters do is for the partitioner to find out. Raises
    ArgumentError for a parameter that is not there, or that no result can take the memory of.
    """
    main = next(f for f in functions(module) if function_name(f) == "main")
    marks = _marks(attribute(main, "arg_attrs"), len(parameters))
    taken = {entry[ALIASING].value for entry in marks if ALIASING in entry}
    where = where_of(main.location)
    for number in dict.fromkeys(given):
        if not 0 <= number < len(parameters):
            raise ArgumentError(
                f"parameter {number} is to be donated, and main has {len(parameters)}",
                where=where,
                hint="donate= takes the numbers of parameters, from 0",
            )
        if ALIASING in marks[number]:
            continue
        fits = [i for i, type in enumerate(results) if type == parameters[number]]
        free = [i for i in fits if i not in taken]
        if not free:
            why = "the results of its type take that of others" if fits else "none has its type"
            raise ArgumentError(
                f"parameter {number}, {parameters[number]}, is donated, and no result can take its "
                f"memory: {why}",
                where=where,
                hint="leave it out of donate=; its array stays valid then",
            )
        taken.add(free[0])
        with main.context:
            if partitioned:
                marks[number][DONOR] = ir.BoolAttr.get(True)
            else:
                i32 = ir.IntegerType.get_signless(32)
                marks[number][ALIASING] = ir.IntegerAttr.get(i32, free[0])
    with main.context:
        main.attributes["arg_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get(m) for m in marks])


def _marks(attributes: Any, count: int) -> list[dict[str, Any]]:
    if not isinstance(attributes, ir.ArrayAttr):
        return [{} for _ in range(count)]
    found: list[dict[str, Any]] = []
    for entry in attributes:
        entries = cast(Any, ir.DictAttr(entry))
        found.append({entries[i].name: entries[i].attr for i in range(len(entries))})
    return found
