"""Checks made results of `main`, so that what they compare can be compared outside.

The inputs reach the ops of the program through barriers: a compiler that knew them would compute
the results itself, in another way than what it compiles.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from dxir.call_graph import reached
from dxir.check_dialect import PREFIX
from dxir.diagnostics import where_of
from dxir.editing import retype
from dxir.effects import callees_below
from dxir.errors import DxirError, EvaluationError, TargetError
from dxir.mlir import IrOperation, IrValue, TypeCache, clone_module, decode_type, ir
from dxir.program import Program
from dxir.reading import (
    attribute,
    function_name,
    functions,
    is_public,
    ops_below,
    signature,
    target_of,
    terminator,
)
from dxir.runtime.check_calls import (
    SERIALIZED,
    Check,
    check_of,
    is_check,
    refuse_malformed,
    taken_out,
)
from dxir.runtime.interpreter.preparing import make_main
from dxir.structure import preflight
from dxir.types import QuantizedType, TensorType

_CALLS = ("stablehlo.custom_call",)
_NUMBER = "dxir.check_number"
_MADE_FOR_RESULTS = ("tf.aliasing_output", "jax.buffer_donor")
_WITH_SIZES = frozenset(
    f"stablehlo.{name}"
    for name in (
        *("dynamic_broadcast_in_dim", "dynamic_conv", "dynamic_gather", "dynamic_iota"),
        *("dynamic_pad", "dynamic_reshape", "real_dynamic_slice", "rng"),
    )
)
"""Ops whose operands after the first are sizes, which compilers have to know."""


def carries_checks(program: Program) -> bool:
    """Whether a program has an op that compares values, in any of its functions."""
    return any(map(is_check, ops_below(program.module.operation, _CALLS)))


def entries(program: Program) -> tuple[str, ...]:
    """The functions to be run for the checks that a program carries.

    That is `main` if it has or reaches checks; otherwise each public function that does and takes
    no parameters, as in the tests of StableHLO's interpreter. Raises EvaluationError when there is
    none, and for a custom call with the name of a check that it is not.
    """
    module = program.module
    known = {function_name(f): f for f in functions(module)}
    own = {name for name, function in known.items() if _checks_in(function)}
    calls = {name: callees_below(function) for name, function in known.items()}
    carriers = [
        name
        for name, function in known.items()
        if is_public(function) and own.intersection(reached(lambda n: calls.get(n, ()), [name]))
    ]
    if "main" in carriers:
        return ("main",)
    closed = tuple(name for name in carriers if not signature(known[name]).inputs)
    if closed or len(carriers) == 1:
        return closed or tuple(carriers)
    raise EvaluationError(
        "no function that can be run as it is comes to a check",
        where=where_of(known[next(iter(own))].location) if own else None,
        hint="checks are run from a public @main, or from public functions without parameters",
    )


def _checks_in(function: IrOperation) -> list[IrOperation]:
    calls = ops_below(function, _CALLS)
    for op in calls:
        refuse_malformed(op)
    return list(filter(is_check, calls))


def outlined(program: Program, entry: str = "main") -> tuple[Program, tuple[Check, ...]]:
    """A copy of a program whose `main` returns what the checks compare, and these checks.

    `main` is the function `entry`. Its results are, for each check in the order in which they come,
    what was computed and what is expected, real values for quantized ones; it has no others. A
    check in a function that is called twice is there twice, as one object. Functions with checks
    are inlined, and those that are not called are gone.

    Raises TargetError for a check in a loop or branch, and for one of what a probe of the
    interpreter wrote down.
    """
    module = clone_module(program.module)
    main = next(f for f in functions(module) if function_name(f) == entry)
    make_main(module, main)
    preflight(module)
    _hide(module)
    checks: list[Check] = []
    for op in filter(is_check, ops_below(module.operation, _CALLS)):
        number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64, module.context), len(checks))
        op.attributes[_NUMBER] = number
        checks.append(check_of(op))
    _hold_back(main)
    inline = "inline{default-pipeline=}," if any(map(_checks_in, _others(module))) else ""
    copy = Program(module, diagnostics=program.diagnostics).run_passes(f"{inline}symbol-dce")
    main = next(f for f in functions(copy.module) if function_name(f) == "main")
    ops = list(filter(is_check, ops_below(copy.module.operation, _CALLS)))
    found = tuple(checks[ir.IntegerAttr(op.attributes[_NUMBER]).value] for op in ops)
    for op in ops:
        _refuse_misplaced(op, main)
    _return(main, ops)
    return Program(copy.module, diagnostics=copy.diagnostics), found


def _others(module: ir.Module) -> list[IrOperation]:
    return [f for f in functions(module) if function_name(f) != "main"]


def _hide(module: ir.Module) -> None:
    """Make every function but `main` private, so that it goes when nobody calls it."""
    for function in _others(module):
        function.attributes["sym_visibility"] = ir.StringAttr.get("private", module.context)


def _refuse_misplaced(op: IrOperation, main: IrOperation) -> None:
    name, where = target_of(op), where_of(op.location)
    if name == PREFIX + SERIALIZED:
        raise TargetError(
            f"{name} compares with what a probe wrote down, which only the interpreter does",
            where=where,
            hint="run the program on the backend interpreter",
        )
    parent = op.parent
    around = op if parent is None else parent.operation
    if around == main and len(main.regions[0].blocks) == 1:
        return
    hint = "let the values be results of it, and compare these"
    if around.name == "stablehlo.while":
        hint = f"run the program on the backend interpreter, or {hint}"
    elif around == main:
        hint = "write the branches between its blocks as stablehlo.if and stablehlo.while"
    elif around.name == "func.func":
        hint = "run dxir-decompose on it first, if the function is what a composite is made of"
    place = f"@{function_name(around)}" if around.name == "func.func" else around.name
    raise TargetError(
        f"{name} is inside of {place}: of a compiled program only what `main` itself compares at "
        "its end is seen",
        where=where,
        hint=hint,
    )


def _hold_back(main: IrOperation) -> None:
    """Put barriers behind the inputs: what functions without parameters give, or else constants.

    Where there are other inputs, constants are part of what is tested. Held back as well, they
    would make other code of it, on which XLA can compile for ever (random numbers on 0.12).
    """
    ops = [op.operation for op in main.regions[0].blocks[0].operations]
    uses = {op: _uses_of_input(op) for op in ops}
    if len(signature(main).inputs) or any(uses[op] for op in ops if op.name == "func.call"):
        uses = {op: found for op, found in uses.items() if op.name == "func.call"}
    for op, after in itertools.pairwise(ops):
        made: dict[int, IrValue] = {}
        for use in uses.get(op, ()):
            owner, index = use.owner.operation, use.operand_number
            value = owner.operands[index]
            if not _is_static(value):
                continue
            number = ir.OpResult(value).result_number
            if number not in made:
                made[number] = _barrier(value, ir.InsertionPoint(after), op)
            owner.operands[index] = made[number]


def _uses_of_input(op: IrOperation) -> list[ir.OpOperand]:
    """Where what an op gives is taken as an input of a test, if it can be one."""
    if op.name == "stablehlo.constant":
        return [use for use in op.results[0].uses if _can_wait(use)]
    if op.name == "func.call" and not len(op.operands):
        return [use for result in op.results for use in result.uses if not _is_compared(use)]
    return []


def _is_compared(use: ir.OpOperand) -> bool:
    return is_check(use.owner.operation)


def _can_wait(use: ir.OpOperand) -> bool:
    """Whether an op takes a constant as data, and not as a size, an index or a first value."""
    owner = use.owner.operation
    parent = owner.parent
    if _is_compared(use) or parent is None or parent.operation.name != "func.func":
        return False
    if owner.name in _WITH_SIZES:
        return use.operand_number == 0 and owner.name != "stablehlo.dynamic_iota"
    tensors = [v.type for v in owner.operands if isinstance(v.type, ir.RankedTensorType)]
    own = owner.operands[use.operand_number].type
    return (isinstance(own, ir.RankedTensorType) and own.rank > 0) or not any(
        type.rank for type in tensors
    )


def _is_static(value: IrValue) -> bool:
    return isinstance(value.type, ir.RankedTensorType) and value.type.has_static_shape


def _barrier(value: IrValue, at: ir.InsertionPoint, op: IrOperation) -> IrValue:
    made = ir.Operation.create(
        "stablehlo.optimization_barrier",
        results=[value.type],
        operands=[value],
        ip=at,
        loc=op.location,
    )
    return made.results[0]


def _return(main: IrOperation, ops: Sequence[IrOperation]) -> None:
    """Have `main` return what the checks compare, instead of the checks and its own results."""
    block = main.regions[0].blocks[0]
    values: list[IrValue] = []
    for op in ops:
        at = ir.InsertionPoint(op)
        values += [_real(value, at, op) for value in taken_out(op, at)]
        op.erase()
    end = terminator(block)
    at = ir.InsertionPoint(end)
    ir.Operation.create("func.return", operands=values, ip=at, loc=end.location)
    end.erase()
    if attribute(main, "res_attrs") is not None:
        del main.attributes["res_attrs"]
    given = attribute(main, "arg_attrs")
    if isinstance(given, ir.ArrayAttr):
        kept = [_without_donation(ir.DictAttr(one)) for one in given]
        main.attributes["arg_attrs"] = ir.ArrayAttr.get(kept, main.context)
    retype(main)


def _without_donation(attributes: ir.DictAttr) -> ir.DictAttr:
    entries = [attributes[index] for index in range(len(attributes))]
    kept = {e.name: e.attr for e in entries if e.name not in _MADE_FOR_RESULTS}
    return ir.DictAttr.get(kept, attributes.context)


def _real(value: IrValue, at: ir.InsertionPoint, op: IrOperation) -> IrValue:
    """The value, of a quantized type as the number that it stands for."""
    try:
        type = decode_type(value.type)
    except DxirError:  # the target tells
        return value
    if not isinstance(type, TensorType) or not isinstance(type.dtype, QuantizedType):
        return value
    like = ir.RankedTensorType(value.type)
    with op.location:
        element = TypeCache.of(op.context).element(type.dtype.expressed)
        real = ir.RankedTensorType.get(like.shape, element, like.encoding)
    return ir.Operation.create(
        "stablehlo.uniform_dequantize", results=[real], operands=[value], ip=at, loc=op.location
    ).results[0]
