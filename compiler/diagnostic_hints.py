"""What to do about a message of MLIR."""

from __future__ import annotations

import re

from dxir.operations import near_operations

_HINTS: tuple[tuple[str, str], ...] = (
    (r"[Dd]ialect `(check|interpreter)['`] ", "test files use it; dxir-opt reads them"),
    (
        r"[Dd]ialect `[\w.$?-]+['`] ",
        "dxir knows func, stablehlo, chlo, sdy, mhlo, vhlo, shape, arith and MLIR's core dialects; "
        "convert the module to StableHLO before, or keep such ops, in generic form and unchecked: "
        "allow_unregistered=True, --allow-unregistered-dialect",
    ),
    (
        r"created with unregistered dialect|parsed with an unregistered dialect",
        "convert the module to StableHLO before, or keep such ops unchecked: "
        "allow_unregistered=True, --allow-unregistered-dialect",
    ),
    (
        r"bytecode version \d+ is newer than",
        "a newer MLIR wrote the bytecode, or it is damaged: write a portable artifact instead, "
        "which older readers take (dxir-translate --serialize)",
    ),
    (r"attempting to parse \d+ bytes when only", "the file is cut off or damaged: write it again"),
    (
        r"dense array attribute|in property conversion: dense<",
        "the attribute is a dense array: older producers wrote dense<[1, 0]> : tensor<2xi64> where "
        "array<i64: 1, 0> stands now",
    ),
    (
        r"expects different type than prior uses",
        "an op's operand types are those of the values: give the type the value was defined with, "
        "or swap the operands",
    ),
    (
        r"inferred (type|shape)",
        "give the result the inferred type; it follows from operands and attributes",
    ),
    (
        r"operand\(s\), but decomposition has",
        "a composite passes exactly the parameters of its decomposition: pass captured values as "
        "operands, or make them constants inside it",
    ),
    (
        r"operand at index \d+ has type .* but decomposition",
        "a composite's operand types are the parameter types of its decomposition",
    ),
    (
        r"result\(s\), but decomposition has|result at index \d+ has type .* but decomposition",
        "a composite's results, and their types, are those of its decomposition",
    ),
    (r"does not reference a valid function", "add the function to the module, or fix its name"),
    (r"must be a valid namespaced op name", 'a composite is named "namespace.name", with a dot'),
    (
        r"expected to have a terminator|expects a non-empty block",
        "end the region with stablehlo.return",
    ),
    (
        r"block with no terminator",
        "end a function with func.return, a region of another op with stablehlo.return",
    ),
    (r"condition body returns a single", "end the condition in stablehlo.return of one tensor<i1>"),
    (r"expects parent op 'func.func'", "end a region inside an op with stablehlo.return"),
    (r"redefinition of symbol", "two functions or meshes have one name; rename one"),
    (r"redefinition of SSA value", "every value is defined once; rename one"),
    (r"use of undeclared SSA value", "define the value before it is used, in an enclosing region"),
    (r"unknown mesh", "add the sdy.mesh to the module"),
    (r"unknown axis name", "name an axis of the mesh, or add it to the mesh"),
    (r"duplicate axis ref", "an axis splits one dimension of a tensor; take it out of the others"),
    (r"sharding doesn't match tensor rank", "a sharding has one entry for each dimension"),
    (r"reduces inputs of different shapes", "make the shapes of all inputs equal"),
    (r"replica id #\d+|has replica_groups", "list every device from 0 on exactly once"),
    (r"expected to be promotable", "the body takes and gives scalars of the inputs' element type"),
    (r"_dim must be a valid index", "an axis is a number from 0 up to the rank, without the rank"),
    (r"requires attribute", "the attribute has no default; give it"),
    (
        r"number of output elements .* doesn't match",
        "a reshape keeps the number of elements; broadcast_in_dim repeats them",
    ),
    (
        r"requires (the same|compatible) (shape|types?|element type)",
        "StableHLO broadcasts nothing by itself: use broadcast_in_dim, and convert, before the op",
    ),
    (
        r"dimension sizes must match for lhs/rhs",
        "contract, or batch over, dimensions of one size; counted from 0",
    ),
    (r"must be a permutation of", "name every dimension exactly once"),
    (r"mismatched return types", "all branches give results of the same types"),
    (
        r"compatible with body block return types",
        "the body of a loop gives what it takes, of the same types",
    ),
    (
        r"(operand|result) #\d+ must be .* but got",
        "the op has no such element type or kind of tensor; convert the operand first",
    ),
)


_UNKNOWN_OP = re.compile(r"custom op '([^']+)' is unknown|unregistered operation '([^']+)' found")
_TRIED = re.compile(r"\(tried '([^']+)' as well\)")


def hint_for(message: str) -> str | None:
    """What to do about a message of MLIR, where that is known."""
    unknown = _UNKNOWN_OP.search(message)
    if unknown is not None:
        tried = _TRIED.search(message)
        near = near_operations(tried[1] if tried else unknown[1] or unknown[2])
        if near:
            return f"did you mean {' or '.join(near)}?"
        return "the op may be newer than this jaxlib, or misspelt"
    for pattern, hint in _HINTS:
        if re.search(pattern, message):
            return hint
    return None
