"""Making a node: operands checked, regions traced, types inferred, errors put in context."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from dxir.errors import AttributeValueError, DxirError, GraphError, OperandError
from dxir.graph import Node, Region, Value, building, current_region, place
from dxir.locations import Location, at, caller_location, given_location
from dxir.misuse import MISSING, number_hint, refuse_missing
from dxir.naming import checked_name
from dxir.partition_spec import P, rank_of, resolved
from dxir.sharding import Sharding
from dxir.types import TensorType, Type

_MAX_DEPTH = 200  # MLIR recurses over nested regions and ends the process near 1000
_DEEP = 30
_RECURSION_LIMIT = 1000 + 20 * _MAX_DEPTH

_Traced = TypeVar("_Traced", bound=Region)

_MISTAKES = (TypeError, ValueError, ArithmeticError, LookupError, AttributeError)

constant_of: Callable[[Any], Value]


def set_constant(function: Callable[[Any], Value]) -> None:
    """Name the function that turns an array into a value; called by the op layer."""
    global constant_of
    constant_of = function


class ArrayHandling(NamedTuple):
    """How ops take arrays in place of values; said by the layer that has arrays."""

    kind: type
    finish: Callable[[Any], Any]
    taking: Callable[[Callable[..., Any]], Callable[..., Any]]


_arrays: ArrayHandling | None = None


def set_array_handling(handling: ArrayHandling) -> None:
    """Say how ops take arrays; called by the layer that has them."""
    global _arrays
    _arrays = handling


def taking_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function on values that takes arrays, too, where there are any."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if _arrays is None:
            return function(*args, **kwargs)
        return _arrays.taking(function)(*args, **kwargs)

    return call


class _BodyFailure(Exception):
    """Carries what a region's function raised past the handling of an op's own mistakes."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error


def finish(node: Any) -> Any:
    """Check a node whose operands and attributes are set, infer its results and place it."""
    if node.location is None:
        node.location = caller_location(3)  # itself, this, and the op's own function
    elif node.location.__class__ is not Location:
        _refuse_location(node)
    try:
        for value in node.operands:
            if value.__class__ is not Value:
                if _arrays is not None and any(isinstance(v, _arrays.kind) for v in node.operands):
                    return _arrays.finish(node)
                _coerce_operands(node)
                break
        if node.name is not None:
            checked_name(node.name, "the name of a node", AttributeValueError)
        node.prepare()
        if node.regions:
            _trace_regions(node)
        types = node.infer()
        if types.__class__ is TensorType:
            result = Value(types, node, 0, None, node.name)
            node.results = (result,)
            if node.sharding is not None:
                _check_sharding(node)
            if node.expansion is not None:
                _check_expansion(node)
            place(node)
            if result.region is None and (node.regions or node.has_side_effect):
                _settle(node)
            return result
        return _finish_results(node, types)
    except DxirError as error:
        raise _in_context(node, error) from error.__cause__
    except _BodyFailure as failure:
        raise failure.error from None  # the user's own, at the user's own line
    except _MISTAKES as error:
        raise _unforeseen(node, error) from error


def _finish_results(node: Any, types: Any) -> Any:
    single = isinstance(types, Type)
    all_types: Sequence[Type] = (types,) if single else tuple(types)
    node.results = tuple([Value(t, node, i, None, node.name) for i, t in enumerate(all_types)])
    if node.sharding is not None:
        _check_sharding(node)
    if node.expansion is not None:
        _check_expansion(node)
    place(node)
    if current_region() is None and not any(v.region is not None for v in node.operands):
        _settle(node)
    return node.results[0] if single else node.results


def _settle(node: Any) -> None:
    """Put a node that its operands tie to no function where its regions' captured values are."""
    for nested in node.regions:
        if nested.parent is not None:
            with building(nested.parent):
                place(node)
            return
    if node.has_side_effect:
        raise GraphError(
            f"{node.op} has a side effect, but nothing says which function it belongs to",
            hint="make it inside `with Builder(...)`, or give it a token of the function",
        )


def _refuse_location(node: Any) -> None:
    given, node.location = node.location, None
    raise AttributeValueError(
        f"{node.op}: location is {given!r}",
        where=caller_location(),
        hint="it must be a dxir.Location(file, line)",
    )


def _in_context(node: Any, error: DxirError) -> DxirError:
    if error.where is None and node.location is not None:
        error.where = str(node.location)
    if not error.message.startswith(f"{node.op}: "):
        error.message = f"{node.op}: {error.message}"
    return error


def _unforeseen(node: Any, error: Exception) -> DxirError:
    """The error for an exception that an op did not mean to raise."""
    cls = node.__class__
    return AttributeValueError(
        f"{node.op}: cannot take {_given(node)}: {error}",
        where=node.location,
        hint=f"if it should, {cls.__module__}.{cls.__qualname__} has a mistake: see the "
        f"{type(error).__name__} that this comes from"
        if cls.foreign
        else None,
    )


def _given(node: Any) -> str:
    types = [str(getattr(v, "type", v)) for v in node.operands]
    attrs = [f"{k}={v!r}" for k, v in node.attrs.items()]
    return "(" + ", ".join(types + attrs) + ")"


def _coerce_operands(node: Any) -> None:
    given = node.operands
    for i, value in enumerate(given):
        if value is MISSING:
            refuse_missing(node.__class__, node.operand_name(i))
    with at(node.location):
        node.operands = tuple(
            [v if isinstance(v, Value) else node.coerce(i, v) for i, v in enumerate(given)]
        )


def _check_sharding(node: Any) -> None:
    given: Sharding | P | Sequence[Sharding | P | None] = node.sharding
    shardings = (given,) if isinstance(given, (Sharding, P)) else given
    if not isinstance(shardings, (tuple, list)) or not all(
        s is None or isinstance(s, (Sharding, P)) for s in shardings
    ):
        raise OperandError(
            f"sharding is {given!r}", hint="it must be a Sharding or a P, or one a result"
        )
    if len(shardings) != len(node.results):
        raise OperandError(f"{len(shardings)} shardings given for {len(node.results)} results")
    found: list[Sharding | None] = []
    for each, result in zip(shardings, node.results, strict=True):
        sharding = resolved(each, rank=rank_of(result), values=node.operands)
        if sharding is not None:
            sharding.check(result.type, "a result")
        found.append(sharding)
    node.sharding = tuple(found) if any(s is not None for s in found) else None


def _check_expansion(node: Any) -> None:
    """Expand at once where a type is dynamic or quantized: not every op in there takes those."""
    for value in node.operands:
        type = value.type
        if type.__class__ is TensorType and (type.dtype.kind == "quantized" or not type.is_static):
            node.expansion(node)
            return


def _trace_regions(node: Any) -> None:
    parent = current_region()
    if parent is None:
        parent = next((v.region for v in node.operands if v.region is not None), None)
    if parent is not None:
        _check_depth(parent.depth)
    params = node.region_params()
    if len(params) != len(node.regions):
        raise GraphError(f"{len(node.regions)} regions given for {len(params)}")
    try:
        node.regions = tuple(
            [_as_region(r, tuple(p), parent) for r, p in zip(node.regions, params, strict=True)]
        )
    except DxirError:
        raise
    except _MISTAKES as error:
        raise _BodyFailure(error) from error


def _check_depth(depth: int) -> None:
    if depth >= _MAX_DEPTH:
        raise GraphError(f"regions are nested more than {_MAX_DEPTH} deep")
    make_room(depth)


def make_room(depth: int) -> None:
    """Allow for the frames that so many levels of regions or calls take."""
    if depth >= _DEEP and sys.getrecursionlimit() < _RECURSION_LIMIT:
        # All that is done with them takes up to 15 Python frames a level, and no C stack.
        sys.setrecursionlimit(_RECURSION_LIMIT)


def _as_region(given: Any, types: tuple[Type, ...], parent: Region | None) -> Region:
    if isinstance(given, Region):
        if given.param_types != types:
            raise GraphError(
                f"a region takes {given.param_types}, but gets {types}",
                hint="build its parameters with exactly the types the op gives it",
            )
        if not given.sealed:
            raise GraphError("a region is not finished", hint="seal it with its results first")
        return given
    if not callable(given):
        raise OperandError(
            f"a region must be a function of {len(types)} values, not {type(given).__name__}"
        )
    return trace(given, Region(types, parent))


def trace(function: Callable[..., Any], region: _Traced) -> _Traced:
    """Run `function` on the region's parameters, then seal the region with what it returns."""
    with building(region):
        try:
            results = function(*region.params)
        except TypeError:
            _check_arity(function, region)
            raise
        region.seal([v if isinstance(v, Value) else _returned(v) for v in several(results)])
    return region


def several(given: Any) -> tuple[Any, ...]:
    """What is given as it is where there is one, and as a tuple or list where there are more."""
    return tuple(given) if isinstance(given, (tuple, list)) else (given,)


def _check_arity(function: Callable[..., Any], region: Region) -> None:
    """Say what a region's function is called with, when that is what it does not take."""
    try:
        inspect.signature(function).bind(*region.params)
    except TypeError as error:
        types = ", ".join(map(str, region.param_types))
        raise OperandError(
            f"a region's function cannot take {len(region.params)} values: {error}",
            hint=f"it is called with values of types ({types})",
        ) from None
    except ValueError:  # a built-in function, whose parameters Python does not tell
        return


def inline(region: Region, arguments: Sequence[Value]) -> tuple[Value, ...]:
    """The results of `region` on `arguments`: its nodes copied to where ops are being made.

    What an `expand` uses to call a region of its op; captured values are used as they are.
    """
    values = dict(zip(region.params, arguments, strict=True))
    for node in region.nodes:
        place(copied(node, values))
    return tuple([values.get(r, r) for r in region.results])


def copied(node: Node, values: dict[Value, Value]) -> Any:
    """A copy of a node, not yet placed, that takes `values` for those that it uses.

    Its results are put into `values`, for the nodes that come after it. Without a location of its
    own, as in an expansion, it gets that of what is done here.
    """
    copy = node.__class__.__new__(node.__class__)
    copy.operands = tuple([values.get(v, v) for v in node.operands])
    copy.attrs, copy.segments, copy.name = node.attrs, node.segments, node.name
    copy.location = node.location or given_location()
    copy.sharding, copy.annotations = node.sharding, node.annotations
    copy.regions = tuple([_copied_region(r, values) for r in node.regions])
    copy.results = tuple([Value(r.type, copy, r.index, None, r.name) for r in node.results])
    values.update(zip(node.results, copy.results, strict=True))
    return copy


def copied_regions(
    regions: Sequence[Region], around: Mapping[Value, Value] | None = None
) -> tuple[Region, ...]:
    """Copies of regions, for another node in the region where ops are being made.

    `around` has what is taken in place of values that they capture.
    """
    return tuple([_copied_region(r, dict(around or {})) for r in regions])


def _copied_region(region: Region, values: dict[Value, Value]) -> Region:
    copy = Region(region.param_types, current_region())
    values.update(zip(region.params, copy.params, strict=True))
    with building(copy):
        for node in region.nodes:
            place(copied(node, values))
        copy.seal([values.get(r, r) for r in region.results])
    return copy


def unwrapped(given: Any) -> Any:
    """The value of an array, where there are any; anything else as it is."""
    return given.value() if _arrays is not None and isinstance(given, _arrays.kind) else given  # type: ignore[attr-defined]  # of a kind that a layer above has


def _returned(given: Any) -> Value:
    if isinstance(given, (np.ndarray, np.generic)):
        return constant_of(given)
    if _arrays is not None and isinstance(given, _arrays.kind):
        value: Value = given.value()  # type: ignore[attr-defined]  # of a kind that a layer above has
        return value
    raise OperandError(
        f"a function or region returned {type(given).__name__} ({given!r})",
        hint=number_hint(given)
        or "return values of the graph (or NumPy arrays), or a tuple of them",
    )
