"""The text of a program after propagation, without what tells of propagation."""

from __future__ import annotations

from dxir.mlir import IrAttribute, IrOperation, ir
from dxir.program import Program
from dxir.reading import attribute, attribute_names, walk
from dxir.sharding_report.edges import NOTES
from dxir.sharding_report.layouts import entries

_ELEMENTS = 16


def text_of(program: Program) -> str:
    """The text, large constants left out."""
    copy = program.clone()

    def visit(op: IrOperation) -> None:
        for name in attribute_names(op):
            if NOTES.fullmatch(name):
                del op.attributes[name]
        if op.name == "func.func":
            for which in ("arg_attrs", "res_attrs"):
                given = attribute(op, which)
                if given is not None:
                    op.attributes[which] = _without(given, op.context)

    walk(copy.module, visit)
    return copy.text(elide_above=_ELEMENTS)


def _without(given: IrAttribute, context: ir.Context) -> ir.ArrayAttr:
    kept = [
        {name: value for name, value in entries(each).items() if not NOTES.fullmatch(name)}
        for each in ir.ArrayAttr(given)
    ]
    return ir.ArrayAttr.get([ir.DictAttr.get(each, context) for each in kept], context)
