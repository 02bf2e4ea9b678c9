"""Small reads of MLIR operations that cannot end the process."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Container, Iterator
from typing import Any

from dxir.errors import ArgumentError
from dxir.locations import caller_location
from dxir.mlir import IrAttribute, IrOperation, IrType, IrValue, ir

SHARDING = "sdy.sharding"
"""The attribute that says how the results of an op, a parameter or a result are sharded."""

SHARDING_RULE = "sdy.sharding_rule"
"""The attribute that says how shardings pass through an op that Shardy does not know."""


def attribute(op: IrOperation, name: str) -> IrAttribute | None:
    """The attribute, or None: absent, or of a kind the bindings have no class for (complex)."""
    try:
        return op.attributes[name]
    except (KeyError, TypeError):
        return None


def attribute_names(op: IrOperation) -> list[str]:
    """The names of all attributes, inherent and discardable."""
    return [_name(entry) for entry in op.attributes]


def attributes_of(op: IrOperation, without: Container[str] = ()) -> dict[str, IrAttribute]:
    """All attributes but those named, and those that the bindings cannot hand out."""
    found = ((name, attribute(op, name)) for name in attribute_names(op) if name not in without)
    return {name: value for name, value in found if value is not None}


def _name(entry: Any) -> str:
    return entry if isinstance(entry, str) else str(entry.name)


def annotations_of(op: IrOperation) -> dict[str, IrAttribute | None]:
    """The attributes that are not part of what the op means: shardings, notes of other tools.

    None stands for one that the bindings cannot hand out.
    """
    names = attribute_names(op)
    if not names:
        return {}
    cls: Any = type(op.opview)
    declared = _declared(cls)
    return {name: attribute(op, name) for name in names if name not in declared}


@functools.cache
def _declared(cls: Any) -> frozenset[str]:
    """The attributes that are part of an op's meaning: its generated classes have them all."""
    classes = cls.__mro__[: cls.__mro__.index(ir.OpView)]
    names = {entry for generated in classes for entry in vars(generated)}
    return frozenset((*names, *(n.rstrip("_") for n in names), *_SEGMENTS))


_SEGMENTS = ("operandSegmentSizes", "resultSegmentSizes")


def same(a: IrAttribute | None, b: IrAttribute | None) -> bool:
    """Whether both are attributes, and equal; the bindings cannot compare one with None."""
    return a is not None and b is not None and a == b


def attribute_text(attribute: IrAttribute) -> str:
    """The attribute as MLIR prints it; what is not UTF-8 is shown as a replacement character."""
    try:
        return str(attribute)
    except (RuntimeError, UnicodeError):
        return "<an attribute that is not UTF-8>"


def text_without_names(op: IrOperation) -> bytes:
    """The attributes and types of an op as MLIR prints them, without the names of its values."""
    text = op.get_asm(
        binary=True, print_generic_op_form=True, skip_regions=True, assume_verified=True
    )
    assert isinstance(text, bytes)
    return text[text.index(b")") + 1 :]


def symbol(op: IrOperation, name: str) -> str | None:
    """The symbol that a reference attribute names, without the `@`; None when there is none."""
    found = attribute(op, name)
    if found is None or not isinstance(found, ir.FlatSymbolRefAttr):
        return None
    return str(found.value)


def functions(module: ir.Module) -> Iterator[IrOperation]:
    """Every `func.func` at the top level of a module."""
    for op in module.body.operations:
        if op.operation.name == "func.func":
            yield op.operation


def function_name(function: IrOperation) -> str:
    """The symbol name of a function."""
    found = attribute(function, "sym_name")
    return str(found.value) if isinstance(found, ir.StringAttr) else "?"


def is_public(function: IrOperation) -> bool:
    """Whether a function can be called from outside the module."""
    found = attribute(function, "sym_visibility")
    return not isinstance(found, ir.StringAttr) or found.value == "public"


def renamed(module: ir.Module, old: str, new: str) -> ir.Module:
    """The module, changed in place: the function has another name, in all that refer to it, too."""
    for function in functions(module):
        if function_name(function) == old:
            ir.SymbolTable.replace_all_symbol_uses(old, new, module.operation)
            function.attributes["sym_name"] = ir.StringAttr.get(new, module.context)
    return module


def has_body(function: IrOperation) -> bool:
    """Whether a function is more than a declaration."""
    return len(function.regions[0].blocks) > 0


def signature(function: IrOperation) -> ir.FunctionType:
    """The type of a function."""
    return ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)


def function_around(op: IrOperation) -> IrOperation | None:
    """The function that an op is, or is in; None outside of functions."""
    while op.name != "func.func":
        parent = op.parent
        if parent is None:
            return None
        op = parent.operation
    return op


def terminator(block: ir.Block) -> IrOperation:
    """The last op of a block."""
    operations = block.operations
    return operations[len(operations) - 1].operation


def target_of(op: IrOperation) -> str:
    """What a custom call calls; empty for other ops."""
    if op.name not in ("stablehlo.custom_call", "mhlo.custom_call"):
        return ""
    target = attribute(op, "call_target_name")
    return str(target.value) if isinstance(target, ir.StringAttr) else ""


def maker_of(value: IrValue) -> IrOperation | None:
    """The op whose result a value is; None for an argument of a block."""
    owner = value.owner
    return None if isinstance(owner, ir.Block) else owner.operation


def is_used(value: IrValue) -> bool:
    """Whether any op takes the value."""
    return next(iter(value.uses), None) is not None


def is_dynamic(type: IrType) -> bool:
    """Whether a type has a dimension without a size; a tuple, when one of its types has."""
    if isinstance(type, ir.RankedTensorType):
        return not type.has_static_shape
    return isinstance(type, ir.TupleType) and any(
        is_dynamic(type.get_type(i)) for i in range(type.num_types)
    )


def walk(
    root: ir.Module | IrOperation, visit: Callable[[IrOperation], ir.WalkResult | None]
) -> None:
    """Call `visit` on an op and every op in it, outer before inner; an exception ends the walk.

    Where `visit` returns SKIP, what is in the op is left out; INTERRUPT ends the walk.
    """
    failed: list[BaseException] = []
    advance = ir.WalkResult.ADVANCE

    # Raised through the bindings, an exception becomes a RuntimeError with a traceback as its text.
    def one(op: IrOperation) -> ir.WalkResult:
        try:
            return visit(op) or advance
        except BaseException as error:  # noqa: BLE001  raised again below; C++ must not see it
            failed.append(error)
            return ir.WalkResult.INTERRUPT

    root.operation.walk(one, ir.WalkOrder.PRE_ORDER)
    if failed:
        raise failed[0]


def ops_below(root: IrOperation, names: Container[str] | None = None) -> list[IrOperation]:
    """The ops in an op, outer before inner; those of some names only, if given."""
    found: list[IrOperation] = []

    def visit(op: IrOperation) -> None:
        if names is None or op.name in names:
            found.append(op)

    walk(root, visit)
    return found[1:] if names is None else found


def in_block(op: IrOperation, block: ir.Block) -> IrOperation:
    """The op of a block that an op is, or is in; the last one for an op in a later block."""
    while op.block != block:
        parent = op.parent
        if parent is None:
            return block.operations[len(block.operations) - 1].operation
        op = parent.operation
    return op


def used_values(op: IrOperation) -> dict[IrValue, int]:
    """The values that an op and its regions take from outside of it, and how often, in order."""
    found: Counter[IrValue] = Counter(op.operands)
    if not len(op.regions):
        return found
    inside: set[IrValue] = set()

    def visit(nested: IrOperation) -> None:
        if nested != op:
            found.update(v for v in nested.operands if v not in inside)
            inside.update(nested.results)
        for region in nested.regions:
            for block in region.blocks:
                inside.update(block.arguments)

    walk(op, visit)
    return found


def op_counts(
    module: ir.Module, *, nested: bool = True, function: str | None = None
) -> dict[str, int]:
    """How many ops of each name the module has, sorted by name; of one function, in its body.

    Without the nested ones, only the ops of function bodies count, not those of their regions.
    """
    counts: Counter[str] = Counter()
    if nested and function is None:
        walk(module, lambda op: counts.update((op.name,)))
        counts["builtin.module"] -= 1
    else:
        for body in _bodies(module, function):
            if nested:
                counts.update([op.name for op in ops_below(body)])
                continue
            for block in body.regions[0].blocks:
                counts.update(op.operation.name for op in block.operations)
    return {name: counts[name] for name in sorted(counts) if counts[name]}


def _bodies(module: ir.Module, name: str | None) -> list[IrOperation]:
    """All functions, or that of a name."""
    found = list(functions(module))
    if name is None:
        return found
    named = [f for f in found if function_name(f) == name.removeprefix("@")]
    if not named:
        raise ArgumentError(
            f"there is no function @{name.removeprefix('@')}",
            where=caller_location(),
            hint=f"there are {', '.join(['@' + function_name(f) for f in found])}",
        )
    return named


def composite_counts(module: ir.Module) -> dict[str, int]:
    """How many composites of each name the module has, sorted by name."""
    found = ops_below(module.operation, ("stablehlo.composite",))
    counts = Counter([ir.StringAttr(op.attributes["name"]).value for op in found])
    return {name: counts[name] for name in sorted(counts)}
