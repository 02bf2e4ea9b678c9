"""Whole Jacobians and Hessians: products with every vector of a basis, in one batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

from dxir import ops
from dxir.derivatives import has_tangent, zeros
from dxir.errors import TransformError
from dxir.graph import Function, Value, building
from dxir.locations import caller_location
from dxir.making import inline
from dxir.sharding import DimSharding, Sharding
from dxir.tracing.calls import Call, Placing, check_function
from dxir.transforms.batching import Batching, spread
from dxir.transforms.calling import by, explained, named, refuse_names
from dxir.transforms.functions import (
    check_batching,
    checked_outputs,
    checked_wrt,
    closed,
    grad_function,
    jvp_function,
    vjp_function,
    without_dead_nodes,
)
from dxir.transforms.gradients import grad
from dxir.transforms.likeness import function_like
from dxir.transforms.options import LoopOptions
from dxir.transforms.positions import Wrt, positions
from dxir.transforms.products import jvp
from dxir.transforms.rule_errors import STATIC
from dxir.types import DType, TensorType

Python = Callable[..., Any]
Mode = Literal["forward", "reverse"]


@overload
def jacfwd(
    function: Function, wrt: Wrt = None, *, outputs: Wrt = None, name: str | None = None
) -> Function: ...
@overload
def jacfwd(function: Python, wrt: Wrt = None) -> Python: ...
@explained
def jacfwd(function: Any, wrt: Wrt = None, *, outputs: Wrt = None, name: str | None = None) -> Any:
    """The Jacobian by forward mode: best where there are fewer inputs than results.

    Of a Function: `f_jacfwd(inputs...)` with one result for each of `outputs` and, for each of
    these, of `wrt`: the axes of the result, then those of the input. Of a Python function: one that
    gives, in the containers of its result, for each leaf the containers of the argument `wrt`, the
    first unless named, or a tuple of these for several.
    """
    return _jacobian(function, wrt, outputs, name, "forward")


@overload
def jacrev(
    function: Function,
    wrt: Wrt = None,
    *,
    outputs: Wrt = None,
    options: LoopOptions | None = None,
    name: str | None = None,
) -> Function: ...
@overload
def jacrev(function: Python, wrt: Wrt = None, *, options: LoopOptions | None = None) -> Python: ...
@explained
def jacrev(
    function: Any,
    wrt: Wrt = None,
    *,
    outputs: Wrt = None,
    options: LoopOptions | None = None,
    name: str | None = None,
) -> Any:
    """The Jacobian by reverse mode, as `jacfwd` gives it: best where results are fewer.

    `options` say how loops are gone through.
    """
    return _jacobian(function, wrt, outputs, name, "reverse", options)


@overload
def hessian(
    function: Function,
    wrt: Wrt = None,
    *,
    outputs: Wrt = None,
    options: LoopOptions | None = None,
    name: str | None = None,
) -> Function: ...
@overload
def hessian(function: Python, wrt: Wrt = None, *, options: LoopOptions | None = None) -> Python: ...
@explained
def hessian(
    function: Any,
    wrt: Wrt = None,
    *,
    outputs: Wrt = None,
    options: LoopOptions | None = None,
    name: str | None = None,
) -> Any:
    """The second derivatives: `jacfwd` of `jacrev`.

    Of a Function, one result for each of `outputs`, of `wrt` and of `wrt` again. `options` say how
    loops are gone through.
    """
    if isinstance(function, Function):
        wrt = checked_wrt(function, wrt)
        name = name or f"{function.name}_hessian"
        return jacfwd(jacrev(function, wrt, outputs=outputs, options=options), wrt, name=name)
    check_function(function, "hessian")
    refuse_names("hessian", outputs=outputs, name=name)
    return named(jacfwd(jacrev(function, wrt, options=options), wrt), function, "hessian")


@overload
def hvp(
    function: Function,
    *,
    wrt: Wrt = None,
    outputs: Wrt = None,
    options: LoopOptions | None = None,
    name: str | None = None,
) -> Function: ...
@overload
def hvp(
    function: Python,
    primals: Sequence[Any],
    tangents: Sequence[Any],
    *,
    options: LoopOptions | None = None,
) -> tuple[Any, ...]: ...
@explained
def hvp(
    function: Any,
    primals: Sequence[Any] | None = None,
    tangents: Sequence[Any] | None = None,
    *,
    wrt: Wrt = None,
    outputs: Wrt = None,
    options: LoopOptions | None = None,
    name: str | None = None,
) -> Any:
    """The Hessian times a vector, without the Hessian: forward mode over the gradient.

    Of a Function: `f_hvp(inputs..., vectors like wrt...) -> products like wrt...`. Of a Python
    function that returns one real number, its arguments and vectors like them: a tuple of the
    products. Arguments whose vector is None are constants, with None for the product.
    `options` say how loops are gone through.
    """
    if isinstance(function, Function):
        wrt = checked_wrt(function, wrt)
        with by(options):
            gradient = grad_function(function, wrt, outputs)
        name = name or f"{function.name}_hvp"
        return jvp_function(gradient, wrt, value=False, name=name)
    check_function(function, "hvp")
    refuse_names("hvp", outputs=outputs, name=name, wrt=wrt)
    which = tuple([i for i, t in enumerate(tangents or ()) if t is not None])
    if not which or primals is None or tangents is None:
        raise TransformError(
            "hvp: there is no vector to multiply",
            where=caller_location(),
            hint="give a tuple with one vector, or None, for each argument",
        )
    _, products = jvp(grad(function, which, options=options), primals, tangents)
    found = dict(zip(which, products, strict=True))
    return tuple([found.get(i) for i in range(len(tangents))])


def _jacobian(
    function: Any,
    wrt: Wrt,
    outputs: Wrt,
    name: str | None,
    mode: Mode,
    options: LoopOptions | None = None,
) -> Any:
    what = "jacfwd" if mode == "forward" else "jacrev"
    if isinstance(function, Function):
        with by(options):
            return _of_function(function, wrt, outputs, name or f"{function.name}_{what}", mode)
    check_function(function, what)
    refuse_names(what, outputs=outputs, name=name)

    def jacobian(*args: Any, **kwargs: Any) -> Any:
        call = Call(function, args, kwargs)
        which, tree = positions(call, 0 if wrt is None else wrt)
        traced = call.trace()
        whole, outside = closed(traced.region, call.name)
        every = list(range(len(whole.results)))
        for i in every:
            if not has_tangent(whole.results[i].type):
                raise TransformError(
                    f"{call.name} returns {whole.results[i].type}, which has no derivative",
                    where=caller_location(),
                    hint="return only what is to be derived",
                )
        with Placing(call.home) as placing, by(options):
            blocks = _blocks(whole, [*call.leaves, *outside], which, every, mode)
            placing.results += blocks.values()
        rows = [tree.build([blocks[i, j] for j in which]) for i in every]
        return traced.out.build(rows)

    return named(jacobian, function, what)


def _of_function(function: Function, wrt: Wrt, outputs: Wrt, name: str, mode: Mode) -> Function:
    which, rows = checked_wrt(function, wrt), checked_outputs(function, outputs)
    made = function_like(function, name)
    with building(made):
        blocks = _blocks(function, made.params, which, rows, mode)
        made.seal([blocks[i, j] for i in rows for j in which])
    made.result_shardings[:] = [_block_sharding(function, i, j) for i in rows for j in which]
    return without_dead_nodes(made)


def _block_sharding(function: Function, output: int, wrt: int) -> Sharding | None:
    """A block is split as its result, and along the axes of the input as that by what is left."""
    row, column = function.result_shardings[output], function.param_shardings[wrt]
    first = row or column
    if first is None or first.mesh.is_single_device:
        return first
    dims = [DimSharding()] * function.results[output].rank if row is None else list(row.dims)
    used = {axis.name for dim in dims for axis in dim.axes}
    if (
        column is None
        or column.mesh != first.mesh
        or any(axis.name in used for dim in column.dims for axis in dim.axes)
    ):
        return Sharding(first.mesh, *dims, *[DimSharding()] * function.params[wrt].rank)
    return Sharding(first.mesh, *dims, *column.dims)


def _blocks(
    function: Function,
    arguments: Sequence[Value],
    wrt: Sequence[int],
    outputs: Sequence[int],
    mode: Mode,
) -> dict[tuple[int, int], Value]:
    """The derivative of each output by each input, put down here."""
    for kind, values in (("result", {i: function.results[i] for i in outputs}),
                         ("parameter", {i: function.params[i] for i in wrt})):  # fmt: skip
        for i, value in values.items():
            if not value.tensor.is_static:
                raise TransformError(
                    f"{kind} {i} of {function.name} is {value.type}, whose dynamic dimensions "
                    "leave the sizes of its Jacobian open",
                    where=function.location or caller_location(),
                    hint=STATIC,
                )
            if value.tensor.primitive.is_complex:
                raise TransformError(
                    f"a {kind} of {function.name} is {value.type}, and a Jacobian has one number "
                    "for each pair of real ones",
                    where=caller_location(),
                    hint="use vjp or jvp, or take the real and the imaginary part apart",
                )
    forward = mode == "forward"
    found: dict[tuple[int, int], Value] = {}
    for seeded in wrt if forward else outputs:
        if forward:
            joint = jvp_function(function, (seeded,), outputs, value=False)
            like = function.params[seeded].tensor
        else:
            joint = vjp_function(function, wrt, (seeded,), value=False)
            like = function.results[seeded].tensor
        blocks = _on_basis(joint, arguments, like)
        for other, block in zip(outputs if forward else wrt, blocks, strict=True):
            found[(other, seeded) if forward else (seeded, other)] = (
                _last(block, like) if forward else _first(block, like)
            )
    return found


def _on_basis(joint: Function, arguments: Sequence[Value], like: TensorType) -> list[Value]:
    """The results of a function whose last parameter is each vector of the basis in turn."""
    flags = [False] * len(arguments) + [True]
    check_batching(joint, flags)
    size = like.size
    if not size:
        return [zeros(v.tensor.with_shape((0, *v.shape))) for v in joint.results]
    if size == 1:  # the basis has one vector, and a batch of it is no batch
        one = ops.full(shape=like.static_shape, value=1, dtype=like.dtype)
        return [spread(v, 1) for v in inline(joint, [*arguments, one])]
    basis = _basis(like)
    found = Batching(size).run(joint, [*arguments, basis], flags)
    return [value if batched else spread(value, size) for value, batched in found]


def _basis(like: TensorType) -> Value:
    """Every vector of the standard basis of a type, along a new axis 0."""
    size = like.size
    rows = ops.iota(shape=(size, size), axis=0, dtype=DType.of("i32"))
    columns = ops.iota(shape=(size, size), axis=1, dtype=DType.of("i32"))
    eye = ops.convert(ops.compare(rows, columns, direction="EQ"), dtype=like.dtype)
    return ops.reshape(eye, shape=(size, *like.static_shape))


def _first(block: Value, like: TensorType) -> Value:
    """The axes of `like` in place of axis 0."""
    rest = block.tensor.static_shape[1:]
    return ops.reshape(block, shape=(*like.static_shape, *rest))


def _last(block: Value, like: TensorType) -> Value:
    """The axes of `like` behind the others, in place of axis 0."""
    rest = block.tensor.static_shape[1:]
    if like.size != 1 and rest:
        block = ops.transpose(block, permutation=(*range(1, block.rank), 0))
    return ops.reshape(block, shape=(*rest, *like.static_shape))
