"""What a call of a transformed function is given besides values, checked."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from dxir.derivatives import has_tangent, zeros
from dxir.errors import TransformError
from dxir.graph import Value
from dxir.locations import caller_location
from dxir.tracing.calls import Call, as_value, name_of
from dxir.tracing.trees import Tree, leaves_like
from dxir.transforms.options import LoopOptions, current_options, using
from dxir.transforms.positions import Wrt, positions
from dxir.types import TensorType, Type

_Transform = TypeVar("_Transform", bound=Callable[..., Any])
_JAX = {
    "argnums": "it is called wrt here",
    "argnum": "it is called wrt here",
    "axis_name": "batches have no names here; collectives speak of processes, or of mesh axes",
    "spmd_axis_name": "the axis of a batch is not split here",
    "holomorphic": "vjp and jvp take complex numbers as they are",
    "allow_int": "integers have no derivatives here: leave them out of wrt",
    "reduce_axes": "sum what is to be summed",
}


def explained(transform: _Transform) -> _Transform:
    """A transform that refuses options it does not have, and knows what those of JAX are here."""
    known = [n for n, p in inspect.signature(transform).parameters.items()
             if p.kind is not p.VAR_POSITIONAL]  # fmt: skip

    @functools.wraps(transform)
    def call(*args: Any, **kwargs: Any) -> Any:
        for name in kwargs:
            if name not in known:
                raise TransformError(
                    f"{transform.__name__} has no option {name!r}",
                    where=caller_location(),
                    hint=_JAX.get(name) or f"it has {', '.join(known[1:])}",
                )
        return transform(*args, **kwargs)

    return call  # type: ignore[return-value]


def named(made: Callable[..., Any], function: Any, what: str) -> Callable[..., Any]:
    """A function that was made of another one, with a name that says so."""
    made.__name__ = made.__qualname__ = f"{name_of(function)}_{what}"
    made.__doc__ = f"The {what} of {name_of(function)}."
    made.__wrapped__ = function  # type: ignore[attr-defined]  # inspect reads the signature there
    return made


def any_leaves(call: Call, wrt: Wrt) -> tuple[list[int], Tree]:
    """The leaves of all arguments, or of those named, whatever their types."""
    if wrt is not None:
        return positions(call, wrt)
    found = [call.argument_leaves(i) for i in range(call.count)]
    return [i for leaves, _ in found for i in leaves], Tree(tuple, tuple([t for _, t in found]))


def seeds(
    given: Any, tree: Tree, types: Sequence[Type], active: Sequence[int], what: str
) -> list[Value]:
    """The cotangents or tangents of those leaves that have any, zeros for None."""
    leaves = leaves_like(given, tree, what)
    found = [checked_seed(g, t, f"one of {what}") for g, t in zip(leaves, types, strict=True)]
    chosen = [(found[i], types[i]) for i in active]
    return [zeros(type) if value is None else value for value, type in chosen]


def checked_seed(given: Any, type: Type, what: str) -> Value | None:
    """A cotangent or tangent that a caller gave for a value of a type; None for zero."""
    if given is None:
        return None
    value = as_value(given, what)
    if not isinstance(type, TensorType) or not has_tangent(type):
        raise TransformError(
            f"{what} is given for a value of type {type}, which has none",
            where=caller_location(),
            hint="give None for it",
        )
    if (value.shape, value.dtype) != (type.shape, type.dtype):
        raise TransformError(
            f"{what} has type {value.type}, but belongs to a value of type {type}",
            where=caller_location(),
        )
    return value


def by(options: LoopOptions | None) -> AbstractContextManager[None]:
    """Have reverse mode go by options inside; None leaves things as they are around."""
    return using(current_options() if options is None else options)


def check_aux(name: str, out: Tree, has_aux: bool) -> None:
    """Raise unless a function returns a pair, where it must."""
    if has_aux and not (out.kind is tuple and len(out.children) == 2):
        raise TransformError(
            f"{name} returns {out}, and has_aux needs a pair",
            where=caller_location(),
            hint="return the loss and what is passed on: return loss, aux",
        )


def refuse_aux(given: bool, what: str) -> None:
    """Raise for `has_aux` beside a Function."""
    if given:
        raise TransformError(
            f"{what}: has_aux is for Python functions",
            where=caller_location(),
            hint="a Function says by `outputs` which results are derived",
        )


def refuse_primals(given: Sequence[Any], what: str) -> None:
    """Raise for values beside a Function."""
    if given:
        raise TransformError(
            f"{what} of a dxir.Function is a Function, and takes no values",
            where=caller_location(),
            hint=f"call what it gives: dxir.ops.call(dxir.{what}(f), x, ...)",
        )


def refuse_names(what: str, **given: Any) -> None:
    """Raise for options of Functions beside a Python function."""
    for key, value in given.items():
        if value is not None:
            raise TransformError(
                f"{what}: {key} is for a dxir.Function",
                where=caller_location(),
                hint="of a Python function, derive another one that returns what is meant",
            )
