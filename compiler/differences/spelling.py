"""What may differ between two programs that are the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dxir.differences.pairing import Pairs
from dxir.mlir import IrOperation, ir
from dxir.reading import function_name, functions, ops_below

_MOST = 4


def spelling_of(a: ir.Module, b: ir.Module, pairs: Pairs, *, same: bool) -> tuple[str, ...]:
    """What differs of the same functions; of programs that are the same, everything that does."""
    found = [*_names(pairs), *_order(a, b, pairs)]
    if not same:
        return tuple(found)
    if _text(a, places=True) == _text(b, places=True):
        return ()
    if _text(a) == _text(b):
        return ("locations",)
    sides = [{function_name(f): f for f in functions(module)} for module in (a, b)]
    if any(_ops(sides[0], x) != _ops(sides[1], y) for x, y in pairs):
        found.append("the order of ops that do not depend on each other")
    return tuple(found or ["how attributes, meshes or places are written"])


def _names(pairs: Pairs) -> Iterator[str]:
    renamed = [f"@{x} is @{y}" for x, y in pairs if x != y]
    if renamed:
        more = len(renamed) - _MOST
        yield (
            "names of functions: "
            + ", ".join(renamed[:_MOST])
            + (f" and {more} more" if more > 0 else "")
        )


def _order(a: ir.Module, b: ir.Module, pairs: Pairs) -> Iterator[str]:
    names = dict(pairs)
    first = [names[name] for f in functions(a) if (name := function_name(f)) in names]
    kept = set(first)
    if first != [name for f in functions(b) if (name := function_name(f)) in kept]:
        yield "the order of functions"


def _text(module: ir.Module, *, places: bool = False) -> bytes:
    text = module.operation.get_asm(
        binary=True, enable_debug_info=places, assume_verified=True, print_generic_op_form=True
    )
    assert isinstance(text, bytes)
    return text


def _ops(side: Mapping[str, IrOperation], name: str) -> list[str]:
    """The names of a function's ops, in order; none of what is no function."""
    return [op.name for op in ops_below(side[name])] if name in side else []
