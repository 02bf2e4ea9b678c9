"""Rewriting one op of a module by passes, and nothing around it."""

from __future__ import annotations

from dxir.diagnostics import collecting
from dxir.mlir import IrAttribute, IrOperation, IrValue, ir, passmanager
from dxir.reading import annotations_of, maker_of, ops_below


def rewritten(op: IrOperation, pipeline: str) -> bool:
    """Put what passes make of an op in its place; whether they made anything of it.

    The passes see a module with a function of that op alone, without what other tools note at it;
    that goes to what gives its results. The op takes no values from outside but its operands.
    """
    said = annotations_of(op)
    notes = {name: note for name, note in said.items() if note is not None}
    if len(notes) < len(said):
        return False
    types = [value.type for value in op.operands]
    results = [value.type for value in op.results]
    with op.context, op.location:
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            signature = ir.TypeAttr.get(ir.FunctionType.get(types, results))
            attributes = {"sym_name": ir.StringAttr.get("main"), "function_type": signature}
            function = ir.Operation.create("func.func", attributes=attributes, regions=1)
        block = function.regions[0].blocks.append(*types)
        with ir.InsertionPoint(block):
            copy = op.clone()
            for name in notes:
                del copy.attributes[name]
            for index, argument in enumerate(block.arguments):
                copy.operands[index] = argument
            ir.Operation.create("func.return", operands=list(copy.results))
    name = op.name
    with collecting(op.context):
        try:
            passmanager.PassManager.parse(pipeline, op.context).run(module.operation)
        except ir.MLIRError:
            return False
    made = [view.operation for view in module.body.operations[0].regions[0].blocks[0].operations]
    if any(inner.name == name for inner in made):
        return False
    _put(made, module.body.operations[0].regions[0].blocks[0], op, notes)
    return True


def _put(
    made: list[IrOperation], block: ir.Block, op: IrOperation, notes: dict[str, IrAttribute]
) -> None:
    """Copy the ops of a block in front of an op, and have its users take what they give."""
    known: dict[IrValue, IrValue] = dict(zip(block.arguments, op.operands, strict=True))
    with ir.InsertionPoint(op):
        for one in made[:-1]:
            copy = one.clone()
            for inner in (copy, *ops_below(copy)):
                for index, value in enumerate(inner.operands):
                    if value in known:
                        inner.operands[index] = known[value]
            known.update(zip(one.results, copy.results, strict=True))
    for result, value in zip(op.results, made[-1].operands, strict=True):
        given = known.get(value, value)
        maker = None if value in block.arguments else maker_of(given)
        if maker is not None:
            for name, note in notes.items():
                maker.attributes[name] = note
        result.replace_all_uses_with(given)
    op.erase()
