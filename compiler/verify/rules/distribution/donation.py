"""Parameters whose memory no result can take, or two results take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dxir.diagnostics import node_name_of
from dxir.errors import DxirError
from dxir.mesh_layout import local_shape
from dxir.mlir import IrLocation, IrType, decode_type, ir
from dxir.reading import SHARDING, attribute, has_body, signature
from dxir.runtime.donation import ALIASING, DONOR
from dxir.sharding import Mesh
from dxir.sharding_codec import decode_sharding
from dxir.types import TensorType
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class Donation(Rule, id="distribution-donation", severity="error"):
    """A parameter is donated to a result that is not there, has another size, or is taken.

    `tf.aliasing_output` says which result takes over the memory of a parameter. XLA stops compiling
    where it cannot, with a message about layouts; other plugins read past the end. A result of
    another type with as many bytes runs on XLA, and is a warning. `jax.buffer_donor` leaves the
    choice to the compiler; where no result has the size, the array is lost for nothing: a note.
    """

    remedy = "set tf.aliasing_output to the number of a result of the same type, or remove it"
    faulty = """\
func.func @main(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<2xf32> {
  %0 = stablehlo.slice %a [0:2] : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
    fixed = """\
func.func @main(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32> {
  %0 = stablehlo.negate %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        main = subject.functions.get("main")
        if main is None or not (subject.may_say(ALIASING) or subject.may_say(DONOR)):
            return
        type = signature(main)
        marks = _marks(attribute(main, "arg_attrs"), len(type.inputs))
        results = [
            _Value.of(i, t, m, subject.meshes)
            for i, (t, m) in enumerate(
                zip(
                    type.results,
                    _marks(attribute(main, "res_attrs"), len(type.results)),
                    strict=True,
                )
            )
        ]
        places = (
            [argument.location for argument in main.regions[0].blocks[0].arguments]
            if has_body(main)
            else [main.location] * len(type.inputs)
        )
        takers: dict[int, str] = {}
        donors: list[tuple[_Value, IrLocation]] = []
        for i, (given, mark, place) in enumerate(zip(type.inputs, marks, places, strict=True)):
            parameter = _Value.of(i, given, mark, subject.meshes, place)
            if ALIASING in mark:
                yield from self._aliased(parameter, mark[ALIASING], results, takers, place, subject)
                if DONOR in mark:
                    yield self.found(
                        f"{parameter} has {ALIASING} and {DONOR}: it can be donated once",
                        place,
                        subject,
                        hint=f"leave {DONOR} out; XLA stops over it from jaxlib 0.12 on",
                    )
            elif DONOR in mark:
                donors.append((parameter, place))
        yield from self._useless(donors, results, takers, subject)

    def _aliased(
        self,
        parameter: _Value,
        index: Any,
        results: list[_Value],
        takers: dict[int, str],
        place: IrLocation,
        subject: Subject,
    ) -> Iterator[Finding]:
        number = int(index.value) if isinstance(index, ir.IntegerAttr) else -1
        donated = f"{parameter} is donated to result {number}"
        if not 0 <= number < len(results):
            count = f"{len(results)} result{'s' * (len(results) != 1)}"
            yield self.found(f"{donated}, and main has {count}", place, subject)
            return
        result = results[number]
        if number in takers:
            yield self.found(f"{donated}, and so is {takers[number]}", place, subject)
        takers.setdefault(number, str(parameter))
        if None in (parameter.bytes, result.bytes):
            return
        if parameter.bytes != result.bytes:
            yield self.found(
                f"{donated}, which is {result.type}: of another size",
                place,
                subject,
                numbers={"parameter": parameter.bytes or 0, "result": result.bytes or 0},
            )
        elif parameter.local != result.local and None not in (parameter.local, result.local):
            yield self.found(
                f"{donated}, and a device holds {parameter.local} bytes of the one and "
                f"{result.local} of the other",
                place,
                subject,
                hint="give both the same sharding, or remove tf.aliasing_output",
            )
        elif parameter.type != result.type:
            yield self.found(
                f"{donated}, which is {result.type}: of the same size, and of another type",
                place,
                subject,
                severity="warning",
            )

    def _useless(
        self,
        donors: list[tuple[_Value, IrLocation]],
        results: list[_Value],
        takers: dict[int, str],
        subject: Subject,
    ) -> Iterator[Finding]:
        free = [result.bytes for i, result in enumerate(results) if i not in takers]
        for parameter, place in donors:
            if parameter.bytes is None or None in free:
                continue
            if parameter.bytes in free:
                free.remove(parameter.bytes)
                continue
            yield self.found(
                f"{parameter} is donated ({DONOR}), and no result that is left has its size",
                place,
                subject,
                hint="do not donate it: its array stays valid then",
                severity="note",
            )


@dataclass(frozen=True, slots=True)
class _Value:
    """A parameter or a result: its bytes in all, and those of a device, where they are known."""

    name: str
    type: str
    bytes: int | None
    local: int | None

    @classmethod
    def of(
        cls,
        index: int,
        given: IrType,
        mark: Any,
        meshes: dict[str, Mesh],
        place: IrLocation | None = None,
    ) -> _Value:
        called = None if place is None else node_name_of(place)
        name = f"parameter {index}" + (f" ({called})" if called else "")
        whole, local = _bytes(given), None
        if SHARDING in mark:
            local = _bytes(given, mark[SHARDING], meshes)
        return cls(name, str(given), whole, local)

    def __str__(self) -> str:
        return f"{self.name} of main, {self.type},"


def _bytes(
    given: IrType, sharding: Any = None, meshes: dict[str, Mesh] | None = None
) -> int | None:
    """The bytes of a value, or of a device's part of it; None where they are not known."""
    from dxir.costs.sizes import bytes_of

    try:
        type = decode_type(given)
        if sharding is not None and isinstance(type, TensorType):
            found = decode_sharding(sharding, (meshes or {}).__getitem__)
            type = type.with_shape(local_shape(type.shape, found))
        return bytes_of(type)
    except (DxirError, KeyError):
        return None


def _marks(attributes: Any, count: int) -> list[Any]:
    if not isinstance(attributes, ir.ArrayAttr):
        return [{}] * count
    return [ir.DictAttr(entry) for entry in attributes]
