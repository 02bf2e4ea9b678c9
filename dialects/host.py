"""Custom calls: functions that only the target knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir import checks
from dxir.attributes import OutputOperandAlias, SymbolRef
from dxir.derivatives import Undefined
from dxir.dialects.control import one_or_all
from dxir.errors import (
    ArgumentError,
    AttributeValueError,
    EvaluationError,
    OperandError,
    ShapeError,
)
from dxir.examples import Example
from dxir.expressions import SHAPE_ASSERTION, assertion_text
from dxir.graph import Function, Value
from dxir.op import Primitive, attribute
from dxir.types import TensorType, TupleType, Type, bf16, f32, i32, token

if TYPE_CHECKING:
    from dxir.lowering import Emitter, IrValue

Array = np.ndarray[Any, Any]
_API_VERSIONS = (1, 2, 3, 4)
_TYPED_FFI = 4
_REGISTER = "tell its rules: dxir.register_rules(target, vjp=..., jvp=..., batch=...)"


def result_types_of(given: Any) -> tuple[Type, ...]:
    """Result types as a tuple; one type stands for itself."""
    types = (given,) if isinstance(given, Type) else tuple(given)
    for type in types:
        if not isinstance(type, Type):
            raise AttributeValueError(f"{type!r} is not a type", hint="use one such as f32[2, 3]")
    return types


class CustomCall(Primitive, name="custom_call", mlir="stablehlo.custom_call", rounding="moves"):
    """What the function `call_target_name` of the target gives on `inputs`, of result `types`.

    `backend_config` is a dictionary (then `api_version` is 4, the typed FFI) or a string. Layouts,
    given for all operands and all results or for none, list axes from minor to major;
    `result_tilings`, which need StableHLO 1.22 (jaxlib 0.12), the sizes of tiles. One result is
    given as it is, several as a tuple.
    """

    inputs: tuple[Value, ...]
    types: tuple[Type, ...]
    call_target_name: str = attribute("string")
    has_side_effect: bool | None = attribute("bool", default=None)  # type: ignore[assignment]  # StableHLO's name
    backend_config: str | Mapping[str, Any] | None = attribute("any", default=None)
    api_version: int | None = attribute("i32", default=None)
    called_computations: tuple[Function, ...] | None = attribute("functions", default=None)
    operand_layouts: tuple[tuple[int, ...], ...] | None = attribute("layouts", default=None)
    result_layouts: tuple[tuple[int, ...], ...] | None = attribute("layouts", default=None)
    output_operand_aliases: tuple[OutputOperandAlias, ...] | None = attribute(
        "output_operand_aliases", default=None
    )
    result_tilings: tuple[tuple[tuple[int, ...], ...], ...] | None = attribute(
        "tilings", default=None
    )

    examples = (
        Example(
            inputs=(f32[2, 3], i32[()]), types=(f32[2, 3],), call_target_name="my_kernel",
            backend_config={"axis": 1, "names": ("a", "b"), "table": np.arange(3), "on": True},
            runs=False,
        ),
        Example(
            inputs=(bf16[4],), types=(), call_target_name="report", has_side_effect=True,
            backend_config="text", api_version=2, runs=False,
        ),
        Example(
            inputs=(f32[2, 3], f32[4]), types=(f32[4], f32[2, 3], token), call_target_name="swap",
            operand_layouts=((0, 1), (0,)), result_layouts=((0,), (1, 0), ()),
            output_operand_aliases=(OutputOperandAlias((1,), 0), OutputOperandAlias((0,), 1)),
            runs=False,
        ),
    )  # fmt: skip
    named_by = "call_target_name"
    derivative = Undefined("what the target computes is not known", _REGISTER)
    unbatchable = Undefined("what the target computes is not known", _REGISTER)

    @classmethod
    def attributes_from_types(
        cls, operand_types: Sequence[Type], result_types: Sequence[Type]
    ) -> dict[str, Any]:
        """The result types."""
        return {"types": tuple(result_types)}

    def prepare(self) -> None:
        target: Any = self.call_target_name
        if not isinstance(target, str) or not target:
            raise AttributeValueError(f"{target!r} is not the name of a target")
        version, config = self.api_version, self.backend_config
        if isinstance(config, Mapping):
            config = checks.dictionary(config, "backend_config")
            version = _TYPED_FFI if version is None else version
        if version is not None and version not in _API_VERSIONS:
            raise AttributeValueError(
                f"api_version is {version}", hint=f"it must be one of {_API_VERSIONS}"
            )
        if config is not None and isinstance(config, str) == (version == _TYPED_FFI):
            raise AttributeValueError(
                f"backend_config {config!r} does not go with api_version {version}",
                hint="version 4 takes a dictionary, the others take a string",
            )
        self.update(
            types=result_types_of(self.types),
            backend_config=config,
            api_version=version,
            called_computations=_optional(self.called_computations),
            operand_layouts=layouts_of(self.operand_layouts),
            result_layouts=layouts_of(self.result_layouts),
            output_operand_aliases=_optional(self.output_operand_aliases),
            result_tilings=_tilings(self.result_tilings),
        )

    def infer(self) -> Type | tuple[Type, ...]:
        for function in self.called_computations or ():
            if not isinstance(function, Function):
                raise OperandError(f"called_computations holds {function!r}, which is no Function")
        if (self.operand_layouts is None) != (self.result_layouts is None):
            raise AttributeValueError(
                "layouts are given for only one of operands and results",
                hint="give operand_layouts and result_layouts, or neither",
            )
        operands = [v.type for v in self.inputs]
        check_layouts(self.operand_layouts, operands, "operand")
        check_layouts(self.result_layouts, _result_parts(self.types), "result")
        if self.result_tilings is not None:
            checks.length(self.result_tilings, len(_result_parts(self.types)), "result_tilings")
        for alias in self.output_operand_aliases or ():
            self._check_alias(alias, operands)
        return one_or_all(self.types)

    def _check_alias(self, alias: OutputOperandAlias, operands: Sequence[Type]) -> None:
        if not isinstance(alias, OutputOperandAlias):
            raise AttributeValueError(
                f"output_operand_aliases holds {alias!r}", hint="give a dxir.OutputOperandAlias"
            )
        if not 0 <= alias.operand_index < len(operands):
            raise AttributeValueError(
                f"{alias} names operand {alias.operand_index} of {len(operands)}"
            )
        whole = self.types[0] if len(self.types) == 1 else TupleType(self.types)
        result = _inside(whole, alias.output_tuple_indices, alias)
        operand = _inside(operands[alias.operand_index], alias.operand_tuple_indices, alias)
        if not checks.same_type(result, operand):
            raise ShapeError(f"{alias} shares the buffer of {operand} with a result of {result}")

    def lower(self, e: Emitter, *operands: IrValue) -> Sequence[IrValue]:
        attributes = e.declared_attributes(self)
        if self.called_computations is not None:
            symbols = tuple(SymbolRef(e.symbol_of(f)) for f in self.called_computations)
            attributes["called_computations"] = e.attribute("any", symbols)
        types = [r.type for r in self.results]
        return e.emit("stablehlo.custom_call", operands, types, attributes)

    def reference(self, *inputs: Any) -> Any:
        if self.call_target_name == SHAPE_ASSERTION and inputs and not self.types:
            return self._check_assertion(*inputs)
        raise EvaluationError(
            f"the custom call of {self.call_target_name!r} has no meaning without its target",
            hint="give it a meaning with dxir.ops.composite, whose decomposition is evaluated",
        )

    def _check_assertion(self, holds: Any, *sizes: Any) -> tuple[()]:
        if not holds:
            said = (self.annotations or {}).get("error_message")

            def value(number: int) -> object:
                return sizes[number].item() if number < len(sizes) else None

            raise ArgumentError(
                assertion_text(said if isinstance(said, str) else None, value),
                hint="the program asserts this of its shapes",
            )
        return ()


def _optional(given: Any) -> Any:
    return None if given is None else tuple(given)


def _tilings(given: Any) -> Any:
    return None if given is None else tuple(layouts_of(tiles) for tiles in given)


def layouts_of(given: Any) -> Any:
    """Layouts as tuples of integers; None stays None."""
    if given is None:
        return None
    return tuple(checks.integers(layout, "a layout") for layout in given)


def _result_parts(types: tuple[Type, ...]) -> tuple[Type, ...]:
    if len(types) == 1 and isinstance(types[0], TupleType):
        return types[0].types
    return types


def check_layouts(layouts: Any, types: Sequence[Type], what: str) -> None:
    """Raise unless there is one permutation of the axes for each of `types`, or no layout."""
    if layouts is None:
        return
    checks.length(layouts, len(types), f"{what}_layouts")
    for i, (layout, type) in enumerate(zip(layouts, types, strict=True)):
        if isinstance(type, TupleType):
            raise AttributeValueError(f"{what} {i} is a tuple, which has no layout")
        rank = type.rank if isinstance(type, TensorType) else 0
        if sorted(layout) != list(range(rank)):
            raise AttributeValueError(
                f"the layout {layout} of {what} {i} does not name each axis of {type} once"
            )


def _inside(type: Type, path: Sequence[int], alias: OutputOperandAlias) -> Type:
    for i in path:
        if not isinstance(type, TupleType) or not 0 <= i < len(type.types):
            raise AttributeValueError(f"{alias} has an index that leads nowhere in {type}")
        type = type.types[i]
    return type
