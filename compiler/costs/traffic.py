"""The bytes that each op reads and writes, by its name.

Every op reads all of its operands from memory and writes all of its results there, as if nothing
were fused, but for those here. What only looks at the same bytes in another shape moves none;
XLA counts a reshape until it has made a bitcast of it.
"""

from __future__ import annotations

from collections.abc import Callable

from dxir.costs.asked import Asked, Traffic

Formula = Callable[[Asked], Traffic]


def _nothing(_: Asked) -> Traffic:
    return Traffic()


def _part(asked: Asked) -> Traffic:
    """As many bytes as are written, and the indices: of the operand only these are touched."""
    indices = sum([asked.sizes.bytes(type) for type in asked.operands[1:]])
    return Traffic(asked.written + indices, asked.written)


def _update(asked: Asked) -> Traffic:
    """The update is read and written, in place, and the indices are read."""
    update = asked.operand_bytes(1)
    indices = sum([asked.sizes.bytes(type) for type in asked.operands[2:]])
    return Traffic(update + indices, update)


def _scatter(asked: Asked) -> Traffic:
    """Indices, updates and what they fall on are read; that is written, in place."""
    count = len(asked.results)
    updates = sum([asked.sizes.bytes(type) for type in asked.operands[count + 1 :]])
    return Traffic(2 * updates + asked.operand_bytes(count), updates)


def _triangular_solve(asked: Asked) -> Traffic:
    """Of the matrix half is read."""
    return Traffic(asked.operand_bytes(0) // 2 + asked.operand_bytes(1), asked.written)


def _cholesky(asked: Asked) -> Traffic:
    """Half of the matrix is read, half of the result written."""
    return Traffic(asked.operand_bytes(0) // 2, asked.written // 2)


FORMULAS: dict[str, Formula] = {
    **dict.fromkeys(
        (
            "after_all", "bitcast_convert", "constant", "constant_like", "create_token",
            "dynamic_reshape", "get_dimension_size", "get_tuple_element", "optimization_barrier",
            "partition_id", "replica_id", "reshape", "return", "set_dimension_size", "tuple",
        ),
        _nothing,
    ),
    **dict.fromkeys(
        ("dynamic_gather", "dynamic_slice", "gather", "real_dynamic_slice", "slice",
         "torch_index_select"),
        _part,
    ),
    "cholesky": _cholesky,
    "dynamic_update_slice": _update,
    "scatter": _scatter,
    "triangular_solve": _triangular_solve,
}  # fmt: skip


def traffic_of(name: str, asked: Asked) -> Traffic:
    """The bytes that an op reads and writes; UnknownSize where these are not known."""
    formula = FORMULAS.get(name)
    if formula is not None:
        return formula(asked)
    return Traffic(asked.read, asked.written)
