"""What in a program was replaced by something that computes other numbers, as asked, on record.

An op that stands for another says so in `dxir.approximations`, a list of dictionaries that hold
`by`, `legalized_from`, `reason`, and as far as they are known `max_abs_error`, `max_rel_error` and
what else the pass has to say. What concerns all ops is on the module, in the same form.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from dxir.diagnostics import where_of
from dxir.mlir import IrAttribute, IrOperation, ir
from dxir.reading import attribute, attribute_text, function_around, function_name, walk

APPROXIMATIONS = "dxir.approximations"
"""The attribute of an op, or of the module, that holds the record."""

Detail = str | tuple[str, ...]

_NUMBERS = ("max_abs_error", "max_rel_error")
_TEXTS = ("by", "legalized_from", "reason")


@dataclass(frozen=True, slots=True)
class Approximation:
    """One replacement that changes numbers: `legalized_from` by what the op is now.

    `max_abs_error` and `max_rel_error` bound what it adds to the error, where that is known; what
    they hold for is part of the `reason`. `by` is the pass, `details` are other facts by name. Of
    one that was read from a program, `op`, `where` and `function` say what it is about: an op, its
    place in the user's source, and the function it is in (all None for the whole module).
    """

    legalized_from: str
    reason: str
    by: str
    max_abs_error: float | None = None
    max_rel_error: float | None = None
    details: Mapping[str, Detail] = field(default_factory=dict[str, Detail], hash=False)
    op: str | None = None
    where: str | None = None
    function: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The approximation as plain values, as JSON has them."""
        return {
            "legalized_from": self.legalized_from,
            "reason": self.reason,
            "by": self.by,
            "max_abs_error": self.max_abs_error,
            "max_rel_error": self.max_rel_error,
            "details": {n: v if isinstance(v, str) else list(v) for n, v in self.details.items()},
            "op": self.op,
            "where": self.where,
            "function": self.function,
        }


def record(op: ir.Module | IrOperation, approximation: Approximation) -> bool:
    """Write on an op, or the module, that it is an approximation; whether that is news.

    What is on record already stays.
    """
    operation = op.operation
    entry = record_attribute((approximation,), operation.context)
    before = attribute(operation, APPROXIMATIONS)
    merged = entry if before is None else merged_records(before, entry)
    if before is not None and before == merged:
        return False
    operation.attributes[APPROXIMATIONS] = merged
    return True


def record_attribute(approximations: Iterable[Approximation], context: ir.Context) -> IrAttribute:
    """The attribute that records approximations, for an op that is yet to be made."""
    return ir.ArrayAttr.get([_entry(a, context) for a in approximations], context)


def merged_records(first: IrAttribute, second: IrAttribute) -> IrAttribute:
    """The attribute with all that two of them record, each once.

    One that is no record is left out, unless both are: then it is the first.
    """
    if not isinstance(first, ir.ArrayAttr):
        return second if isinstance(second, ir.ArrayAttr) else first
    if not isinstance(second, ir.ArrayAttr):
        return first
    entries = _parts(first)
    news = [entry for entry in _parts(second) if entry not in entries]
    return ir.ArrayAttr.get([*entries, *news], first.context) if news else first


def copy_records(sources: Iterable[IrOperation], op: IrOperation) -> None:
    """Say of an op, too, what is on record of those whose work it does now."""
    for source in sources:
        given = attribute(source, APPROXIMATIONS)
        if given is not None:
            before = attribute(op, APPROXIMATIONS)
            found = given if before is None else merged_records(before, given)
            op.attributes[APPROXIMATIONS] = found


def recorded(op: ir.Module | IrOperation) -> tuple[Approximation, ...]:
    """What is on record of an op (or of the module), not of those in it, in order."""
    operation = op.operation
    found = attribute(operation, APPROXIMATIONS)
    if not isinstance(found, ir.ArrayAttr):
        return ()
    entries = [_read(entry) for entry in _parts(found) if isinstance(entry, ir.DictAttr)]
    if operation.name == "builtin.module":
        return tuple(entries)
    around = function_around(operation)
    name = None if around is None else function_name(around)
    where = where_of(operation.location)
    return tuple([replace(e, op=operation.name, where=where, function=name) for e in entries])


def approximations(module: ir.Module) -> tuple[Approximation, ...]:
    """All that is on record in a module: of the module itself first, then op by op."""
    found: list[Approximation] = []
    walk(module, lambda op: found.extend(recorded(op)))
    return tuple(found)


def _entry(approximation: Approximation, context: ir.Context) -> ir.DictAttr:
    entries: dict[str, IrAttribute] = {
        name: _detail(value, context) for name, value in approximation.details.items()
    }
    for name in _TEXTS:
        entries[name] = ir.StringAttr.get(getattr(approximation, name), context)
    for name in _NUMBERS:
        number: float | None = getattr(approximation, name)
        if number is not None:
            type = ir.Type.parse("f64", context)
            entries[name] = ir.FloatAttr.get(type, number, ir.Location.unknown(context))
    return ir.DictAttr.get(entries, context)


def _detail(value: Detail, context: ir.Context) -> IrAttribute:
    if isinstance(value, str):
        return ir.StringAttr.get(value, context)
    return ir.ArrayAttr.get([ir.StringAttr.get(part, context) for part in value], context)


def _read(entry: ir.DictAttr) -> Approximation:
    """What a dictionary records; others may have written it, so that anything may be missing."""
    texts: dict[str, str] = dict.fromkeys(_TEXTS, "?")
    numbers: dict[str, float] = {}
    details: dict[str, Detail] = {}
    for name in [entry[index].name for index in range(len(entry))]:
        try:
            value = entry[name]
        except TypeError:  # of a kind the bindings have no class for (complex)
            continue
        if name in _NUMBERS and isinstance(value, (ir.FloatAttr, ir.IntegerAttr)):
            numbers[name] = float(value.value)
        elif name in _TEXTS:
            texts[name] = _text(value)
        elif isinstance(value, ir.ArrayAttr):
            details[name] = tuple([_text(part) for part in _parts(value)])
        else:
            details[name] = _text(value)
    return Approximation(
        texts["legalized_from"],
        texts["reason"],
        texts["by"],
        numbers.get("max_abs_error"),
        numbers.get("max_rel_error"),
        details,
    )


def _parts(values: ir.ArrayAttr) -> list[IrAttribute]:
    """What a list holds, but for what the bindings have no class for."""
    found: list[IrAttribute] = []
    for index in range(len(values)):
        with suppress(TypeError):
            found.append(values[index])
    return found


def _text(value: IrAttribute) -> str:
    if isinstance(value, ir.StringAttr):
        with suppress(UnicodeError, RuntimeError):  # it is not UTF-8
            return str(value.value)
    return attribute_text(value)
