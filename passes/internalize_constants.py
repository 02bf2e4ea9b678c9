"""Bring constants back from an archive, whatever `dxir-externalize-constants` put in their place.

Everything is read and checked against its digest before the module is touched. A constant that was
a parameter comes back in the region it was in, as far as its uses allow; one that was a resource
comes back as a dense constant. The parameter vanishes, and the operand of every call with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dxir.constants import stored_as
from dxir.diagnostics import where_of
from dxir.editing import replace_with
from dxir.errors import PassError, RaisingError
from dxir.mlir import (
    IrAttribute,
    IrLocation,
    IrOperation,
    IrType,
    IrValue,
    TypeCache,
    decode_type,
    dense_elements,
    ir,
    sdy,
)
from dxir.parameters import (
    Uses,
    drop_parameters,
    parameter_attribute,
    parameter_attribute_names,
    uses_of_functions,
    with_operands,
)
from dxir.passes.externalize_constants import (
    DEPTH,
    DIGEST,
    exported_sharding,
    with_exported_sharding,
)
from dxir.pipeline.base import Pass, option
from dxir.reading import (
    SHARDING,
    attribute,
    attributes_of,
    function_name,
    functions,
    has_body,
    symbol,
    target_of,
    walk,
)
from dxir.types import TensorType
from dxir.weights import CONSTANT, PREFIX, Archive

_DIGEST = re.compile(rf"{PREFIX}[0-9a-f]{{64}}")
_PARAMETER = re.compile(rf'^#flow\.parameter\.named<(?:.*::)?"({_DIGEST.pattern})"> : ', re.DOTALL)
_SHARDING_TEXT = re.compile(r"#sdy\.sharding<(.*)>", re.DOTALL)
_CUSTOM_CALL = frozenset(
    {
        "call_target_name",
        "api_version",
        "backend_config",
        "has_side_effect",
        "called_computations",
        "operand_layouts",
        "result_layouts",
        "output_operand_aliases",
    }
)


class InternalizeConstants(Pass, name="dxir-internalize-constants"):
    """Bring the constants of an archive back into the module, each checked against its digest."""

    file: str = option("the archive to read; must be given", default="")

    def check(self) -> None:
        if not self.file:
            raise PassError(
                "no file to read the constants from",
                hint="write dxir-internalize-constants{file=weights.safetensors}",
            )

    def run(self, module: ir.Module) -> bool:
        found = _Found(module)
        references = found.references
        if not references:
            return False
        for name in found.parameters:
            _check_calls(name, found)
        with module.context:
            values = self._values(references, TypeCache.of(module.context))
            _restore_parameters(found, values)
            _restore_ops(found, values)
        self.count("constants restored", len(references))
        return True

    def _values(
        self, references: Sequence[_Reference], types: TypeCache
    ) -> dict[tuple[str, IrType], IrAttribute]:
        """The value of each constant that is referred to."""
        values: dict[tuple[str, IrType], IrAttribute] = {}
        with Archive(self.file) as archive:
            for reference in references:
                if reference.key in values:
                    continue
                self.budget.check_time()
                where = where_of(reference.location)
                type = _tensor(reference)
                array = archive.read(reference.digest, stored_as(type), type.static_shape, where)
                values[reference.key] = dense_elements(array, type, types)
        return values


@dataclass(frozen=True, slots=True)
class _Reference:
    """What stands for a constant: a parameter of a function (`position`), or an op."""

    digest: str
    type: IrType
    location: IrLocation
    op: IrOperation
    position: int = -1

    @property
    def key(self) -> tuple[str, IrType]:
        return self.digest, self.type


def _tensor(reference: _Reference) -> TensorType:
    try:
        type = decode_type(reference.type)
    except RaisingError as error:
        raise PassError(error.message, where=where_of(reference.location)) from None
    if not isinstance(type, TensorType) or not type.is_static:
        raise PassError(
            f"the constant {reference.digest} is of type {reference.type}, which no constant has",
            where=where_of(reference.location),
        )
    return type


def _digest(value: IrAttribute | None, location: IrLocation) -> str:
    if isinstance(value, ir.StringAttr) and _DIGEST.fullmatch(value.value):
        return value.value
    raise PassError(
        f"{CONSTANT} is {value}, which names no constant",
        where=where_of(location),
        hint=f'it is "{PREFIX}" and 64 hexadecimal digits',
    )


@dataclass(slots=True)
class _Found:
    """Everything in a module that stands for a constant."""

    module: ir.Module
    uses: Uses = field(init=False)
    parameters: dict[str, list[_Reference]] = field(init=False)
    ops: list[_Reference] = field(init=False)
    globals: dict[str, tuple[str, IrOperation]] = field(init=False)

    def __post_init__(self) -> None:
        self.parameters = {
            function_name(function): given
            for function in functions(self.module)
            if (given := list(_parameters(function)))
        }
        self.uses = uses_of_functions(self.module) if self.parameters else Uses({})
        self.globals = dict(_globals(self.module))
        self.ops = []
        walk(self.module, self._visit)

    @property
    def references(self) -> list[_Reference]:
        return [r for given in self.parameters.values() for r in given] + self.ops

    def _visit(self, op: IrOperation) -> None:
        digest: str | None = None
        if op.name == "stablehlo.custom_call":
            if target_of(op) == CONSTANT:
                digest = _custom_call_digest(op)
        elif op.name == "util.global.load":
            named = self.globals.get(symbol(op, "global") or "")
            digest = None if named is None else named[0]
        if digest is not None:
            self.ops.append(_Reference(digest, op.results[0].type, op.location, op))


def _parameters(function: IrOperation) -> Iterator[_Reference]:
    if not has_body(function) or attribute(function, "arg_attrs") is None:
        return
    for position, argument in enumerate(function.regions[0].blocks[0].arguments):
        value = parameter_attribute(function, position, CONSTANT)
        if value is not None:
            location = argument.location
            digest = _digest(value, location)
            yield _Reference(digest, argument.type, location, function, position)


def _custom_call_digest(op: IrOperation) -> str:
    config = attribute(op, "backend_config")
    if len(op.operands) or len(op.results) != 1 or not isinstance(config, ir.DictAttr):
        raise PassError(
            f"a call of @{CONSTANT} with {len(op.operands)} operands and {len(op.results)} results "
            "is no constant",
            where=where_of(op.location),
            hint="it has none, one result, and backend_config = {digest = ...}",
        )
    return _digest(_entry(config, DIGEST), op.location)


def _entry(dictionary: ir.DictAttr, name: str) -> IrAttribute | None:
    present = name in dictionary
    return dictionary[name] if present else None


def _globals(module: ir.Module) -> Iterator[tuple[str, tuple[str, IrOperation]]]:
    for view in module.body.operations:
        op = view.operation
        if op.name == "util.global":
            match = _PARAMETER.match(str(attribute(op, "initial_value")))
            name = attribute(op, "sym_name")
            if match and isinstance(name, ir.StringAttr):
                yield name.value, (match[1], op)


_Values = dict[tuple[str, IrType], IrAttribute]


def _restore_ops(found: _Found, values: _Values) -> None:
    for reference in found.ops:
        op = reference.op
        dropped = _CUSTOM_CALL if op.name == "stablehlo.custom_call" else {"global"}
        kept = attributes_of(op, without=dropped)
        constant = _constant(values[reference.key], kept, reference, ir.InsertionPoint(op))
        replace_with(op, [constant])
    if not found.globals:
        return
    loaded: set[str] = set()
    walk(found.module, lambda op: loaded.update((symbol(op, "global") or "",)))
    for name, (_, op) in found.globals.items():
        if name not in loaded:
            op.erase()


def _constant(
    value: IrAttribute,
    attributes: dict[str, IrAttribute],
    reference: _Reference,
    at: ir.InsertionPoint,
) -> IrValue:
    made = ir.Operation.create(
        "stablehlo.constant",
        results=[reference.type],
        attributes={"value": value, **attributes},
        loc=reference.location,
        ip=at,
    )
    return made.results[0]


def _restore_parameters(found: _Found, values: _Values) -> None:
    for calls in found.uses.calls.values():
        for callee, call in calls:
            given = found.parameters.get(callee)
            if given:
                gone = {reference.position for reference in given}
                with_operands(call, [i for i in range(len(call.operands)) if i not in gone])
    for name, given in found.parameters.items():
        function = found.uses.functions[name]
        arguments = function.regions[0].blocks[0].arguments
        # Each goes to the start of its block, so that the first goes last.
        for reference in reversed(given):
            argument = arguments[reference.position]
            block = _block_of(argument, function, reference.position)
            if block is not None:
                attributes = _attributes(function, reference.position)
                at = ir.InsertionPoint.at_block_begin(block)
                constant = _constant(values[reference.key], attributes, reference, at)
                argument.replace_all_uses_with(constant)
        drop_parameters(function, {reference.position for reference in given})


def _check_calls(name: str, found: _Found) -> None:
    """Refuse calls that give another value for a parameter that stands for a constant."""
    function = found.uses.functions[name]
    if name in found.uses.otherwise:
        raise PassError(
            f"@{name} has a constant as parameter, and is referred to by more than calls",
            where=where_of(function.location),
            hint="bring the constants back before a pass makes such a reference",
        )
    for caller, calls in found.uses.calls.items():
        passed = {r.position: r.digest for r in found.parameters.get(caller, ())}
        for callee, call in calls:
            for reference in found.parameters[name] if callee == name else ():
                operand = call.operands[reference.position]
                if not isinstance(operand, ir.BlockArgument) or (
                    operand.owner != found.uses.functions[caller].regions[0].blocks[0]
                    or passed.get(operand.arg_number) != reference.digest
                ):
                    raise PassError(
                        f"the call of @{name} gives another value for the constant "
                        f"{reference.digest}",
                        where=where_of(call.location),
                        hint=f"drop {CONSTANT} from the parameter if it is no longer a constant",
                    )


def _attributes(function: IrOperation, position: int) -> dict[str, IrAttribute]:
    found: dict[str, IrAttribute] = {}
    for name in parameter_attribute_names(function, position):
        value = parameter_attribute(function, position, name)
        if value is None or name in (CONSTANT, DEPTH):
            continue
        found[name] = _of_result(name, value)
    return found


def _of_result(name: str, value: IrAttribute) -> IrAttribute:
    """What a parameter's attribute is on an op: one sharding for each result."""
    if name == SHARDING:
        return sdy.TensorShardingPerValueAttr.get([sdy.TensorShardingAttr(value)])
    text = exported_sharding(name, value)
    match = None if text is None else _SHARDING_TEXT.fullmatch(text)
    if match is None:
        return value
    return with_exported_sharding(value, f"#sdy.sharding_per_value<[<{match[1]}>]>")


def _block_of(argument: IrValue, function: IrOperation, position: int) -> ir.Block | None:
    """The block for the constant: as deep as it was, and around all its uses. None without uses."""
    deepest = parameter_attribute(function, position, DEPTH)
    depth = deepest.value if isinstance(deepest, ir.IntegerAttr) else 0
    common: list[ir.Block] | None = None
    for use in argument.uses:
        path = _blocks(use.owner.operation, function)
        if common is None:
            common = path
        else:
            same = [a for a, b in zip(common, path, strict=False) if a == b]
            common = common[: len(same)]
    if common is None:
        return None
    entry = function.regions[0].blocks[0]
    if not common or depth <= 0:
        return entry
    return common[min(depth, len(common) - 1)]


def _blocks(op: IrOperation, function: IrOperation) -> list[ir.Block]:
    """The blocks around an op, from that of the function's body to the op's own."""
    found: list[ir.Block] = []
    while op != function:
        found.append(op.block)
        parent = op.parent
        assert parent is not None
        op = parent.operation
    return found[::-1]
