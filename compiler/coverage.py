"""Which operations of StableHLO, CHLO and Shardy the ops of dxir become.

The operations are asked of the bindings, and an op counts only when one of its examples, lowered,
holds the operation: the table cannot claim what is not so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dxir import ops
from dxir.errors import DxirError
from dxir.graph import Module
from dxir.lowering import lower_module
from dxir.mlir import ir
from dxir.op import REGISTRY, Op
from dxir.operations import operations
from dxir.reading import walk
from dxir.testing.op_checks import available, example_function

# StableHLO's RFC 20240512 (opset deprecations and cleanups) and the operations' own documentation.
DEPRECATED = {
    "stablehlo.broadcast": "not in the specification; broadcast_in_dim",
    "stablehlo.create_token": "not in the specification; after_all without inputs",
    "stablehlo.cross-replica-sum": "not in the specification, six months of notice; all_reduce",
    "stablehlo.dot": "not in the specification; dot_general",
    "stablehlo.einsum": "not in the specification, six months of notice; dot_general",
    "stablehlo.map": "unused, six months of notice; the ops of its body",
    "stablehlo.torch_index_select": "not in the specification, six months of notice; gather",
    "stablehlo.unary_einsum": "not in the specification; reduce and transpose",
}

# Operations that belong to no single op: they come with regions and with meshes.
STRUCTURE = {
    "stablehlo.return": "ends the regions of ops",
    "sdy.return": "ends the regions of manual_computation and named_computation",
    "sdy.mesh": "declares a mesh that shardings use",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One operation: `status` is covered, structure, deprecated or missing.

    `ops` are the dxir ops that become it. Those of a deprecated operation only read and write what
    other producers made.
    """

    operation: str
    status: str
    ops: tuple[str, ...]
    note: str = ""

    @property
    def dialect(self) -> str:
        return self.operation.partition(".")[0]


def emitted_by(cls: type[Op]) -> Iterator[list[str]]:
    """For each example of an op, the names of the operations that its lowering holds, in order."""
    if not available(cls):
        return
    for example in cls.examples:
        try:
            function = example_function(cls, example)
            module = lower_module(Module([function]))
        except DxirError:
            continue  # an op that does not lower covers nothing; its own tests say why
        yield names_in(module)


def names_in(module: ir.Module) -> list[str]:
    """The names of all operations in a module, each once, in the order of their first place."""
    found: dict[str, None] = {}

    walk(module, lambda op: found.setdefault(op.name))
    return list(found)


def coverage_table() -> tuple[Row, ...]:
    """A row for every operation of this jaxlib."""
    ops.names()
    wanted = set(operations())
    reached: dict[str, list[str]] = {name: [] for name in wanted}
    seen: set[str] = set()
    for name, cls in sorted(REGISTRY.items()):
        if cls.mlir not in wanted:
            continue
        for names in emitted_by(cls):
            seen.update(names)
            if cls.mlir in names:
                reached[cls.mlir].append(name)
                break
    open_ones = {n for n in wanted if not reached[n] and n not in STRUCTURE}
    if open_ones - set(DEPRECATED):
        _reach_by_others(open_ones, reached)
    return tuple(_row(name, reached[name], seen) for name in sorted(wanted))


def _reach_by_others(open_ones: Iterable[str], reached: dict[str, list[str]]) -> None:
    """Look for the open operations in what the other ops lower to."""
    for name, cls in sorted(REGISTRY.items()):
        found: set[str] = set().union(*emitted_by(cls))
        for operation in found.intersection(open_ones):
            reached[operation].append(name)


def _row(operation: str, reached: list[str], seen: set[str]) -> Row:
    if operation in DEPRECATED:
        return Row(operation, "deprecated", tuple(reached), DEPRECATED[operation])
    if operation in STRUCTURE:
        status = "structure" if operation in seen else "missing"
        return Row(operation, status, (), STRUCTURE[operation])
    return Row(operation, "covered" if reached else "missing", tuple(reached))


def is_complete(rows: Iterable[Row] | None = None) -> bool:
    """Whether no operation is missing that is not deprecated."""
    return all(row.status != "missing" for row in (coverage_table() if rows is None else rows))
