"""Steps of optimization: `params, state = adam(params, gradients, state, learning_rate=...)`.

Parameters, gradients and what a state holds are containers of arrays. Integers, booleans and None
among the parameters pass through, as do parameters whose gradient is None. Steps are computed, and
states kept, in f32 for narrower parameters, which are rounded once. A learning rate is a number,
an array of no axes, or a schedule: a function of the number of steps taken before.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np

from dxir import ops
from dxir.errors import AttributeValueError, DTypeError, OperandError, ShapeError
from dxir.locations import caller_location
from dxir.nn.parameters import is_array
from dxir.numpy.arguments import public
from dxir.numpy.promotion import array_of, as_type
from dxir.tracing.arrays import Array
from dxir.tracing.trees import flatten, leaves_like, map_leaves, spread_prefix
from dxir.types import DType

Params = TypeVar("Params")


class SgdState(NamedTuple):
    """How many steps were taken."""

    step: Any


class MomentumState(NamedTuple):
    """How many steps were taken, and the running sum of gradients."""

    step: Any
    velocity: Any


class AdamState(NamedTuple):
    """How many steps were taken, and running means of gradients and of their squares."""

    step: Any
    mean: Any
    square: Any


class LionState(NamedTuple):
    """How many steps were taken, and a running mean of gradients."""

    step: Any
    mean: Any


class RmspropState(NamedTuple):
    """How many steps were taken, and a running mean of squared gradients."""

    step: Any
    square: Any


def trained(leaf: Any) -> bool:
    """Whether a leaf of parameters is one that optimizers change; complex ones are refused."""
    if not is_array(leaf):
        return False
    dtype = array_of(leaf).dtype
    if dtype.is_complex:
        raise DTypeError(
            f"a parameter of type {array_of(leaf).type} is complex",
            where=caller_location(),
            hint="keep its real and imaginary parts as two parameters",
        )
    return bool(dtype.is_float)


def _start() -> Array:
    return Array(np.zeros((), np.int32))


def _zeros(params: Any) -> Any:
    """Zeros for each parameter that is trained, None for others."""

    def made(leaf: Any) -> Array | None:
        if not trained(leaf):
            return None
        x = array_of(leaf)
        wide = x.dtype.accumulator
        if not x.is_traced:
            return Array(np.zeros(x.shape, wide.numpy))
        return ops.full_like(as_type(x, wide), value=0)

    return map_leaves(made, params)


@public
def init_sgd(params: Any) -> SgdState:
    """The state of `sgd` before the first step."""
    _zeros(params)
    return SgdState(_start())


@public
def init_momentum(params: Any) -> MomentumState:
    """The state of `momentum` before the first step."""
    return MomentumState(_start(), _zeros(params))


@public
def init_adam(params: Any) -> AdamState:
    """The state of `adam` and `adamw` before the first step."""
    return AdamState(_start(), _zeros(params), _zeros(params))


init_adamw = init_adam


@public
def init_lion(params: Any) -> LionState:
    """The state of `lion` before the first step."""
    return LionState(_start(), _zeros(params))


@public
def init_rmsprop(params: Any) -> RmspropState:
    """The state of `rmsprop` before the first step."""
    return RmspropState(_start(), _zeros(params))


Rate = float | Array | Callable[[Array], Any]


class _Step:
    """One step of an optimizer on all parameters."""

    def __init__(
        self, name: str, state: Any, kind: type[tuple[Any, ...]], learning_rate: Rate
    ) -> None:
        if not isinstance(state, kind):
            raise OperandError(
                f"nn.{name} takes its {kind.__name__}, not {type(state).__name__}",
                where=caller_location(),
                hint=f"nn.init_{name}(params) makes the first one",
            )
        self.name = name
        self.before = array_of(state[0])
        self.number = self.before + 1
        self._given = learning_rate(self.before) if callable(learning_rate) else learning_rate
        self._rate = array_of(self._given)
        if self._rate.shape or not (self._rate.dtype.is_float or self._rate.weak):
            raise OperandError(
                f"the learning rate of nn.{name} is {self._rate.type}, not one float",
                where=caller_location(),
            )

    def rate(self, dtype: DType) -> Array:
        """The learning rate, in the type that a parameter is computed in."""
        if isinstance(self._given, (int, float)):
            return Array(np.asarray(self._given, dtype.numpy))
        return as_type(self._rate, dtype)

    def unbiased(self, decay: float, dtype: DType) -> Array:
        """`1 - decay^n` at step n, by which running means that began with 0 are divided."""
        if not decay:
            return Array(np.ones((), dtype.numpy))
        return ops.neg(ops.expm1(as_type(self.number, dtype) * math.log(decay)))

    def run(self, rule: Callable[..., Any], params: Any, gradients: Any, *kept: Any) -> list[Any]:
        """The new parameters and the new trees of the state, by a rule for one parameter.

        `rule(i, p, g, *kept)` gives the new `p` and the new `kept` of leaf `i`; all are wide.
        """
        leaves, tree = flatten(params)
        given = leaves_like(gradients, tree, f"gradients of nn.{self.name}")
        held = [leaves_like(k, tree, f"the state of nn.{self.name}") for k in kept]
        columns: list[list[Any]] = [[] for _ in range(1 + len(kept))]
        for i, (path, p, g, *h) in enumerate(zip(tree.paths(), leaves, given, *held, strict=True)):
            row = [p, *h]
            if g is not None and trained(p):
                row = self._moved(functools.partial(rule, i), path, array_of(p), g, h)
            for column, x in zip(columns, row, strict=True):
                column.append(x)
        return [tree.build(c) for c in columns]

    def _moved(
        self, rule: Callable[..., Any], path: str, p: Array, given: Any, held: list[Any]
    ) -> list[Any]:
        g = array_of(given)
        wide = p.dtype.accumulator
        if g.shape != p.shape or not g.dtype.is_float:
            raise ShapeError(
                f"the gradient of params{path} has type {g.type}, but the parameter {p.type}",
                where=caller_location(),
            )
        if any(h is None or array_of(h).shape != p.shape for h in held):
            raise ShapeError(
                f"the state of nn.{self.name} does not fit params{path}, of type {p.type}",
                where=caller_location(),
                hint=f"nn.init_{self.name}(params) makes one for these parameters",
            )
        kept = [as_type(array_of(h), wide) for h in held]
        new, *rest = rule(as_type(p, wide), as_type(g, wide), *kept)
        return [as_type(new, p.dtype), *rest]


def _between(value: Any, what: str) -> float:
    if not isinstance(value, (int, float)) or not 0 <= value < 1:
        raise AttributeValueError(
            f"{what} is {value!r}, but must be a number from 0 up to 1", where=caller_location()
        )
    return float(value)


@public
def sgd(
    params: Params, gradients: Any, state: SgdState, *, learning_rate: Rate = 1e-2
) -> tuple[Params, SgdState]:
    """A step against the gradient: `p - rate g`."""
    step = _Step("sgd", state, SgdState, learning_rate)

    def rule(_: int, p: Array, g: Array) -> Any:
        return (p - step.rate(p.dtype) * g,)

    (found,) = step.run(rule, params, gradients)
    return found, SgdState(step.number)


@public
def momentum(
    params: Params,
    gradients: Any,
    state: MomentumState,
    *,
    learning_rate: Rate = 1e-2,
    decay: float = 0.9,
    nesterov: bool = False,
) -> tuple[Params, MomentumState]:
    """A step against the running sum of gradients `v = decay v + g`.

    With `nesterov` it is against `decay v + g` of the new v (Sutskever et al., 2013).
    """
    step = _Step("momentum", state, MomentumState, learning_rate)
    keep = _between(decay, "decay")

    def rule(_: int, p: Array, g: Array, v: Array) -> Any:
        v = v * keep + g
        return p - step.rate(p.dtype) * (v * keep + g if nesterov else v), v

    found, velocity = step.run(rule, params, gradients, state.velocity)
    return found, MomentumState(step.number, velocity)


@public
def adam(
    params: Params,
    gradients: Any,
    state: AdamState,
    *,
    learning_rate: Rate = 1e-3,
    b1: float = 0.9,
    b2: float = 0.999,
    epsilon: float = 1e-8,
) -> tuple[Params, AdamState]:
    """A step against the mean gradient over the root of the mean square (Kingma and Ba, 2015).

    The means decay by `b1` and `b2` and are freed of their bias towards 0.
    """
    step = _Step("adam", state, AdamState, learning_rate)
    rule = _adam_rule(step, b1, b2, epsilon)
    found, mean, square = step.run(rule, params, gradients, state.mean, state.square)
    return found, AdamState(step.number, mean, square)


@public
def adamw(
    params: Params,
    gradients: Any,
    state: AdamState,
    *,
    learning_rate: Rate = 1e-3,
    b1: float = 0.9,
    b2: float = 0.999,
    epsilon: float = 1e-8,
    weight_decay: float = 1e-2,
    mask: Any = None,
) -> tuple[Params, AdamState]:
    """Adam, and parameters made smaller by `rate * weight_decay` (Loshchilov and Hutter, 2019).

    `mask` says which ones: a function of a parameter, as `lambda p: len(p.shape) > 1`, or booleans
    in the containers of the parameters, one of which may stand for all that is in a container.
    """
    step = _Step("adamw", state, AdamState, learning_rate)
    adam_rule = _adam_rule(step, b1, b2, epsilon)
    shrinks = _masked(params, mask)

    def rule(i: int, p: Array, g: Array, *kept: Array) -> Any:
        moved, *rest = adam_rule(i, p, g, *kept)
        if shrinks[i]:
            moved = moved - step.rate(p.dtype) * p * weight_decay
        return moved, *rest

    found, mean, square = step.run(rule, params, gradients, state.mean, state.square)
    return found, AdamState(step.number, mean, square)


def _adam_rule(step: _Step, b1: float, b2: float, epsilon: float) -> Callable[..., Any]:
    b1, b2 = _between(b1, "b1"), _between(b2, "b2")

    def rule(_: int, p: Array, g: Array, mean: Array, square: Array) -> Any:
        mean = mean * b1 + g * (1 - b1)
        square = square * b2 + g * g * (1 - b2)
        size = ops.sqrt(square / step.unbiased(b2, p.dtype)) + epsilon
        move = mean / step.unbiased(b1, p.dtype) / size
        return p - step.rate(p.dtype) * move, mean, square

    return rule


def _masked(params: Any, mask: Any) -> list[bool]:
    """For each leaf of the parameters, whether it is to be made smaller."""
    leaves, tree = flatten(params)
    if callable(mask):
        return [trained(p) and bool(mask(array_of(p))) for p in leaves]
    if mask is None:
        return [True] * len(leaves)
    found = spread_prefix(mask, tree, "the mask of nn.adamw")
    wrong = [m for m in found if not isinstance(m, (bool, np.bool_))]
    if wrong:
        raise OperandError(
            f"the mask of nn.adamw holds {wrong[0]!r}",
            where=caller_location(),
            hint="it holds True and False, or is a function of a parameter",
        )
    return [bool(m) for m in found]


@public
def lion(
    params: Params,
    gradients: Any,
    state: LionState,
    *,
    learning_rate: Rate = 1e-4,
    b1: float = 0.9,
    b2: float = 0.99,
    weight_decay: float = 0.0,
) -> tuple[Params, LionState]:
    """A step against the signs of a mean gradient (Chen et al., 2023)."""
    step = _Step("lion", state, LionState, learning_rate)
    near, far = _between(b1, "b1"), _between(b2, "b2")

    def rule(_: int, p: Array, g: Array, mean: Array) -> Any:
        move = ops.sign(mean * near + g * (1 - near))
        if weight_decay:
            move = move + p * weight_decay
        return p - step.rate(p.dtype) * move, mean * far + g * (1 - far)

    found, mean = step.run(rule, params, gradients, state.mean)
    return found, LionState(step.number, mean)


@public
def rmsprop(
    params: Params,
    gradients: Any,
    state: RmspropState,
    *,
    learning_rate: Rate = 1e-3,
    decay: float = 0.9,
    epsilon: float = 1e-8,
) -> tuple[Params, RmspropState]:
    """A step against the gradient over the root of its mean square (Tieleman and Hinton, 2012)."""
    step = _Step("rmsprop", state, RmspropState, learning_rate)
    keep = _between(decay, "decay")

    def rule(_: int, p: Array, g: Array, square: Array) -> Any:
        square = square * keep + g * g * (1 - keep)
        return p - step.rate(p.dtype) * g / (ops.sqrt(square) + epsilon), square

    found, square = step.run(rule, params, gradients, state.square)
    return found, RmspropState(step.number, square)
