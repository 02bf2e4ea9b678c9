"""The base classes of elementwise ops, with what all their derivatives and batches share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from dxir import checks, ops
from dxir.derivatives import Cotangent, is_zeros, mask_of, unbroadcast
from dxir.errors import DTypeError
from dxir.graph import Value
from dxir.op import Op, Primitive
from dxir.types import QuantizedType, TensorType, broadcast_shapes

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Linear:
    """A derivative as what it does to a tangent, and to a cotangent.

    It is `safe` if it is finite wherever the result is, whatever the op's `singular` says.
    """

    function: Callable[[Value], Value]
    safe: bool = False

    @staticmethod
    def over(divisor: Value) -> Linear:
        """The derivative `1 / divisor`."""
        return Linear(lambda t: ops.div(t, divisor), safe=bool(uniform_number(divisor)))


def _times(factor: Value) -> Callable[[Value], Value]:
    return lambda t: ops.mul(t, factor)


Partial = Callable[[], Value] | Linear | None
IDENTITY = Linear(lambda t: t)


class Broadcasting(Op):
    """Base of the ops whose operands broadcast and have one element type.

    `accepts` lists the kinds of element types; Python scalars take the type of the other operand.
    """

    accepts: ClassVar[str] = "int uint float complex"
    quantizable: ClassVar[bool] = False
    quantizable_by_axis: ClassVar[bool] = False
    partials: ClassVar[Callable[..., Sequence[Partial]]]
    """`partials(self, y)`: for each operand the derivative of the result `y` by it.

    A function that makes it, called only if it is needed, or a Linear; None is for zero. The vjp
    and the jvp follow.
    """
    singular: ClassVar[bool] = False  # whether they can be infinite or NaN, see `guarded`

    def infer(self) -> TensorType:
        return self.result_type(self.joined(self.operands))

    def joined(self, operands: Sequence[Value]) -> TensorType:
        """The type that operands of one element type broadcast to."""
        only = operands[0].type
        for value in operands:
            if value.type is not only:
                break
        else:  # one type object for all, as it is mostly
            if type(only) is TensorType:
                if only.dtype.kind not in self.accepts:
                    self._check_kind(operands[0])
                return only
        first = operands[0].tensor
        shape = first.shape
        names = first.axis_names
        for value in operands[1:]:
            other = value.tensor
            if other.dtype is not first.dtype and other.dtype != first.dtype:
                checks.same_dtype(operands)
            if other.shape is not shape:
                shape = broadcast_shapes(shape, other.shape)
                if names is None or len(names) != len(shape):
                    names = other.axis_names
        if first.dtype.kind not in self.accepts:
            self._check_kind(operands[0])
        if shape is first.shape and names is first.axis_names:
            return first
        if names is not None and len(names) != len(shape):
            names = None
        if names is None:
            return TensorType.shared(shape, first.dtype)
        return TensorType(shape, first.dtype, names)

    def _check_kind(self, operand: Value) -> None:
        dtype = operand.tensor.dtype
        if not (self.quantizable and isinstance(dtype, QuantizedType)):
            checks.kind(operand, self.accepts)
        elif dtype.axis is not None and not self.quantizable_by_axis:
            raise DTypeError(
                f"{operand.type} has a scale for each index along axis {dtype.axis}",
                hint="here only one scale for the whole tensor is taken: dequantize first",
            )

    def result_type(self, operands: TensorType) -> TensorType:
        """The result type, given the operands' common type."""
        return operands

    def coerce(self, position: int, given: Any) -> Value:
        """Python scalars become constants of the type of the first operand that has one."""
        if not isinstance(given, (bool, int, float, complex)):
            return super().coerce(position, given)
        given_so_far: Sequence[Any] = self.operands
        like = next((v for v in given_so_far if isinstance(v, Value)), None)
        if like is None:
            return super().coerce(position, given)
        checks.represents(like.tensor.primitive, given)
        return ops.full_like(like, value=given)

    def stretched(self, *operands: Value) -> tuple[Value, ...]:
        """The operands in the shape they broadcast to, each stretched once, for an `expand`."""
        type = self.results[0].tensor
        if not type.is_static:
            return operands
        return tuple([ops.broadcast_to(v, shape=type.static_shape) for v in operands])

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "partials" in cls.__dict__:
            if "vjp" not in cls.__dict__:
                cls.vjp = Broadcasting._vjp_of_partials
            if "jvp" not in cls.__dict__:
                cls.jvp = Broadcasting._jvp_of_partials

    def _vjp_of_partials(self, g: Value, y: Value) -> tuple[Cotangent, ...]:
        found: list[Cotangent] = []
        for operand, partial in zip(self.operands, self.partials(y), strict=True):
            if partial is None:
                found.append(None)
                continue

            def pulled(operand: Value = operand, partial: Partial = partial) -> Value:
                return unbroadcast(self._applied(operand, partial, g), operand.tensor)

            found.append(pulled)
        return tuple(found)

    def _jvp_of_partials(self, tangents: Sequence[Value | None], y: Value) -> Value | None:
        total: Value | None = None
        for i, partial in enumerate(self.partials(y)):
            tangent = tangents[i]
            if tangent is None or partial is None:
                continue
            part = self.widened(self._applied(self.operands[i], partial, tangent), y)
            total = part if total is None else ops.add(total, part)
        return total

    def _applied(self, operand: Value, partial: Partial, t: Value) -> Value:
        if partial is IDENTITY:
            return t
        assert partial is not None
        if not has_select(t):
            return partial.function(t) if isinstance(partial, Linear) else ops.mul(t, partial())
        if isinstance(partial, Linear):
            function, singular = partial.function, self.singular and not partial.safe
        else:
            factor = partial()
            function = _times(factor)
            singular = self.singular or may_be_infinite(factor)
        if singular:
            return guarded(t, function)
        # Where several operands get cotangents, a mask in front of each would cost an op.
        alone = all(v is operand or is_constant(v) for v in self.operands)
        return masked(t, function) if alone else function(t)

    def widened(self, tangent: Value, y: Value) -> Value:
        """A tangent in the shape of the result."""
        if tangent.shape == y.shape:
            return tangent
        wide: Value = ops.broadcast_to(tangent, shape=y.tensor.static_shape)
        return wide

    def batch(self, batch: Batch) -> Value:
        """The op on operands of aligned axes, the batch in front of those of the longest shape."""
        rank = max([v.rank for v in self.operands])
        result: Value = batch.rebuild([
            aligned(value, rank) if flag else value
            for value, flag in zip(batch.operands, batch.batched, strict=True)
        ])  # fmt: skip
        return result


class Elementwise(Broadcasting, Primitive):
    """Base of the elementwise ops that are one operation of StableHLO or CHLO.

    Operands named in `scalars` stay scalars, where the operation takes them so.
    """

    broadcasts: ClassVar[bool] = True
    scalars: ClassVar[tuple[int, ...]] = ()


def scaled(t: Value, factor: Value) -> Value:
    """A cotangent or tangent times a derivative; zero where it is masked to zero, see `masked`."""
    return masked(t, lambda inner: ops.mul(inner, factor))


def masked(t: Value, function: Callable[[Value], Value]) -> Value:
    """A linear, elementwise function of `t`, done only to what of it is not masked to zero.

    So `select(p, sqrt(x), 0)` has the derivative 0 where `p` is false, whatever sqrt's is there:
    `select(p, g, 0) * d` is written `select(p, g * d, 0)`, which costs no more.
    """
    mask = mask_of(t)
    if mask is None:
        return function(t)
    pred, inner, chosen = mask
    found = masked(inner, function)
    kept: Value = ops.select(pred, found, 0) if chosen else ops.select(pred, 0, found)
    return kept


def guarded(t: Value, function: Callable[[Value], Value]) -> Value:
    """`masked`, for a function that may be infinite: masks further up are put on the result.

    They show through arithmetic on `t`. What is beyond a reduction or a product is not seen: sum
    or multiply what has been selected, instead of selecting from the sums.
    """

    def inside(inner: Value) -> Value:
        found = function(inner)
        for pred, chosen in _masks_behind(inner, [_FAR]):
            found = ops.select(pred, found, 0) if chosen else ops.select(pred, 0, found)
        return found

    return masked(t, inside)


_FAR = 24  # values that are looked at for the masks of one
_CARRIED = frozenset(("neg", "mul", "div", "convert", "real", "imag", "conj"))
_JOINED = frozenset(("add", "sub", "select", "complex"))
Masks = dict[tuple[Value, bool], None]


def has_select(t: Value) -> bool:
    """Whether there may be a mask behind a value, which is mostly found out at once."""
    pending, left = [t], _FAR
    while pending and left:
        node = pending.pop().producer
        left -= 1
        if node is None:
            continue
        op = node.op
        if op == "select":
            return True
        if op in _CARRIED:
            pending.append(node.operands[0])
        elif op in _JOINED:
            pending += node.operands[-2:]
    return bool(pending)


def _masks_behind(t: Value, left: list[int]) -> Masks:
    """The masks that have made a value zero: what selects it or zeros, and on which side it is."""
    node = t.producer
    left[0] -= 1
    if node is None or left[0] < 0 or any(v.shape != t.shape for v in node.operands[:1]):
        return {}
    mask = mask_of(t)
    if mask is not None:
        return {(mask[0], mask[2]): None, **_masks_behind(mask[1], left)}
    if node.op in _CARRIED:
        return _masks_behind(node.operands[0], left)
    if node.op in _JOINED:
        sides = [v for v in node.operands[-2:] if not is_zeros(v)]
        found = [_masks_behind(v, left) for v in sides if v.shape == t.shape]
        if len(found) == len(sides) > 0:
            return {m: None for m in found[0] if all(m in f for f in found)}
    return {}


def may_be_infinite(value: Value) -> bool:
    """Whether a value comes by arithmetic from a function with poles, such as a logarithm."""
    pending, left = [value], 8
    while pending and left:
        left -= 1
        value = pending.pop()
        node = value.producer
        if not isinstance(node, Broadcasting):
            continue
        if node.op in ("div", "pow") and (uniform_number(node.operands[1]) or 0) > 0:
            pending.append(node.operands[0])
        elif node.singular:
            return True
        else:
            pending += node.operands
    return False


def is_constant(value: Value) -> bool:
    """Whether a value is a constant, or one that is broadcast."""
    node = value.producer
    while node is not None and node.op in ("broadcast_in_dim", "broadcast_to"):
        node = node.operands[0].producer
    return node is not None and node.op == "constant"


def uniform_number(value: Value) -> float | None:
    """The real number that a value is everywhere, if it is a constant splat of one."""
    node = value.producer
    while node is not None and node.op in ("broadcast_in_dim", "broadcast_to"):
        node = node.operands[0].producer
    if node is None or node.op != "constant":
        return None
    array = node.attrs["value"]
    if any(array.strides) or not array.size:
        return None
    number = complex(array.reshape(-1)[0])
    return number.real if number.imag == 0 else None


def aligned(value: Value, rank: int) -> Value:
    """A batched value with ones behind the batch, so that the batch meets no axis of others."""
    if value.rank == rank + 1:
        return value
    size, *rest = value.tensor.static_shape
    return ops.reshape(value, shape=(size, *[1] * (rank - len(rest)), *rest))


class Binary(Elementwise):
    """Base of the elementwise ops of two operands."""

    x: Value
    y: Value


class Arithmetic(Binary):
    """Base of the binary ops that quantized tensors have too."""

    quantizable: ClassVar[bool] = True
