"""What functions take and give: which parameters belong together, and what differs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from dxir.diagnostics import node_name_of
from dxir.differences.aligning import align
from dxir.differences.attributes import Same, attribute_changes, short, type_shown
from dxir.differences.records import Change
from dxir.mlir import IrAttribute, IrOperation, IrType, ir
from dxir.reading import attribute, attribute_text, has_body, signature

_PARTS = ("sym_name", "function_type", "arg_attrs", "res_attrs")


def parameter_pairs(a: IrOperation, b: IrOperation) -> dict[int, int]:
    """The numbers of the parameters that belong together: by type and name, then in order."""
    return dict(align(_parameter_keys(a, "a"), _parameter_keys(b, "b")))


def _parameter_keys(function: IrOperation, side: str) -> list[list[Hashable]]:
    types = list(signature(function).inputs)
    labels = _labels(function)
    both: list[Hashable] = [*zip(map(str, types), labels, strict=True)]
    own: list[Hashable] = [label or (side, i) for i, label in enumerate(labels)]
    plain: list[Hashable] = [str(type) for type in types]
    return [both, own, plain, [None] * len(types)]


def _labels(function: IrOperation) -> list[str]:
    """What front ends call the parameters; empty where they do not."""
    if not has_body(function):
        return [""] * len(signature(function).inputs)
    arguments = function.regions[0].blocks[0].arguments
    return [node_name_of(argument.location) or "" for argument in arguments]


def signature_changes(a: IrOperation, b: IrOperation, same: Same) -> list[Change]:
    """What differs of two functions beside their ops: parameters, results and attributes."""
    x, y = signature(a), signature(b)
    labels = _labels(a), _labels(b)
    results = align(_result_keys(x.results), _result_keys(y.results))
    found = _values("parameter", x.inputs, y.inputs, parameter_pairs(a, b), labels)
    found += _values("result", x.results, y.results, dict(results), ((), ()))
    for what, key, pairs in (
        ("parameter", "arg_attrs", parameter_pairs(a, b)),
        ("result", "res_attrs", dict(results)),
    ):
        for i, j in sorted(pairs.items()):
            found += _entries(f"{what} {j}", _dict(a, key, i), _dict(b, key, j), same)
    if has_body(a) != has_body(b):
        found.append(Change("body", *["yes" if has_body(f) else "no" for f in (a, b)]))
    return [*found, *attribute_changes(a, b, same, _PARTS)]


def _result_keys(types: Sequence[IrType]) -> list[list[Hashable]]:
    return [[str(type) for type in types], [None] * len(types)]


def _values(
    what: str,
    a: Sequence[IrType],
    b: Sequence[IrType],
    pairs: dict[int, int],
    labels: tuple[Sequence[str], Sequence[str]],
) -> list[Change]:
    """The parameters, or results, that only one side has, or that have another type."""

    def called(side: int, i: int) -> str:
        label = labels[side][i] if i < len(labels[side]) else ""
        return f"{what} {i}{f' ({label})' if label else ''}"

    found: list[Change] = []
    taken = set(pairs.values())
    for i in range(len(a)):
        j = pairs.get(i)
        if j is None:
            found.append(Change(called(0, i), type_shown(a[i]), None))
        elif str(a[i]) != str(b[j]):
            found.append(Change(called(1, j), type_shown(a[i]), type_shown(b[j])))
        elif i != j and len(a) == len(b):
            found.append(Change(f"place of {called(1, j)}", str(i), str(j)))
    found += [Change(called(1, j), None, type_shown(b[j])) for j in range(len(b)) if j not in taken]
    return found


def _dict(function: IrOperation, key: str, index: int) -> dict[str, IrAttribute]:
    """The attributes of a parameter or result."""
    given = attribute(function, key)
    if not isinstance(given, ir.ArrayAttr) or index >= len(given):
        return {}
    entry = ir.DictAttr(given[index])
    return {each.name: each.attr for each in (entry[i] for i in range(len(entry)))}


def _entries(
    what: str, a: dict[str, IrAttribute], b: dict[str, IrAttribute], same: Same
) -> list[Change]:
    found: list[Change] = []
    for name in sorted({*a, *b}):
        x = attribute_text(a[name]) if name in a else None
        y = attribute_text(b[name]) if name in b else None
        if x != y and not (x is not None and y is not None and same(x, y)):
            found.append(Change(f"{what} {name}", short(x), short(y)))
    return found
