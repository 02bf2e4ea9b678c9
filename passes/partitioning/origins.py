"""Where the shardings of ops with regions come from, in a form that can be read again."""

from __future__ import annotations

from dxir.mlir import IrAttribute, IrOperation, ir, sdy
from dxir.reading import SHARDING, attribute, attribute_text, walk

ORIGIN_NAME = "sdy.sharding_origin_name"
"""The attribute of the constraints and manual computations that origins name."""

ORIGIN_PLACES = "dxir.sharding_origin_places"
"""The attribute of a module that has the places of those that are gone, by name."""

_ORIGINS = ("sdy.result_sharding_origins", "sdy.block_arg_sharding_origins")
_EDGES = ("sdy.result_propagation_edges", "sdy.block_arg_propagation_edges")
_ORIGIN = "sdy.sharding_origins"
_EMPTY_EDGES = "#sdy.propagation_edges<[]>"  # which is printed, and cannot be read


def align_origins(module: ir.Module) -> None:
    """Have the lists of origins and edges on ops with regions one entry for every value.

    Shardy leaves out the values without any on jaxlib 0.10, and writes what it does not read on
    0.12. An entry without any is `{}`; with one, a list of edges is called `dxir.` instead of
    `sdy.`, as Shardy does not let it be in its own.
    """

    def visit(op: IrOperation) -> None:
        for key in (*_ORIGINS, *_EDGES):
            given = attribute(op, key)
            if isinstance(given, ir.ArrayAttr):
                _align(op, key, list(given))

    walk(module, visit)


def has_origins(module: ir.Module) -> bool:
    """Whether the module says already where its shardings come from."""
    found: list[bool] = []

    def visit(op: IrOperation) -> ir.WalkResult | None:
        keys = (_ORIGIN, *_ORIGINS)
        if any(key in op.attributes for key in keys) or _ORIGIN in _said_of_values(op):
            found.append(True)
            return ir.WalkResult.INTERRUPT
        return None

    walk(module, visit)
    return bool(found)


def _said_of_values(op: IrOperation) -> str:
    """What a function says of its parameters and results, as text; empty for other ops."""
    if op.name != "func.func":
        return ""
    given = (attribute(op, key) for key in ("arg_attrs", "res_attrs"))
    return " ".join(attribute_text(one) for one in given if one is not None)


def _align(op: IrOperation, key: str, entries: list[IrAttribute]) -> None:
    nothing = ir.DictAttr.get({}, op.context)
    entries = [nothing if attribute_text(e) == _EMPTY_EDGES else e for e in entries]
    flat = "result" in key or not len(op.regions)  # as of an optimization_barrier
    values = op.results if flat else op.regions[0].blocks[0].arguments
    if entries and len(entries) != len(values):
        split = _split_values(op)
        left = iter(entries)
        told = "result" in key and split.count(True) == len(entries)
        entries = [next(left) if told and is_split else nothing for is_split in split]
    del op.attributes[key]
    if entries:
        name = key.replace("sdy.", "dxir.") if key in _EDGES and nothing in entries else key
        op.attributes[name] = ir.ArrayAttr.get(entries, op.context)


def _split_values(op: IrOperation) -> list[bool]:
    """Which results are split over any axis."""
    given = attribute(op, SHARDING)
    if given is None or not sdy.TensorShardingPerValueAttr.isinstance(given):
        return []
    return ['"' in attribute_text(s) for s in sdy.TensorShardingPerValueAttr(given).shardings]
