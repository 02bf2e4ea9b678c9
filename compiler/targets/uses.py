"""Composites of a module as policies and kernels see them."""

from __future__ import annotations

from dxir.decoding import Decoder, entry, keys
from dxir.diagnostics import where_of
from dxir.mlir import IrOperation, ir
from dxir.reading import attribute
from dxir.targets.kernels import CompositeUse


def use_of(op: IrOperation, decoder: Decoder | None = None) -> CompositeUse:
    """What a `stablehlo.composite` op says; `decoder` remembers types and attributes.

    Raises RaisingError for a type that dxir has no word for.
    """
    decoder = decoder or Decoder(op.context, dict)
    name, version = attribute(op, "name"), attribute(op, "version")
    given = attribute(op, "composite_attributes")
    attributes = {
        key: decoder.attribute("any", entry(given, key))
        for key in (keys(given) if isinstance(given, ir.DictAttr) else ())
    }
    return CompositeUse(
        name.value if isinstance(name, ir.StringAttr) else "",
        tuple([decoder.type(v.type) for v in op.operands]),
        tuple([decoder.type(v.type) for v in op.results]),
        attributes,
        version.value if isinstance(version, ir.IntegerAttr) else 0,
        where_of(op.location),
        len(op.regions) > 0,
    )
