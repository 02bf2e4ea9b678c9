"""Recurrent layers: cells that take one step, and loops of them over a sequence."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dxir import ops, random
from dxir.control_flow.loops import scan
from dxir.errors import OperandError, ShapeError
from dxir.locations import caller_location
from dxir.nn import initializers
from dxir.nn.initializers import Initializer, initialized
from dxir.nn.linear import product
from dxir.nn.parameters import Parameters, float_type, positive
from dxir.numpy.arguments import public
from dxir.numpy.promotion import array_of, as_type
from dxir.tracing.arrays import Array
from dxir.types import f32

_ORTHOGONAL = initializers.orthogonal()


class LstmState(NamedTuple):
    """What an LSTM gives out, and what it keeps to itself."""

    hidden: Any
    cell: Any


def _init(
    key: Any, inputs: int, hidden: int, gates: int, dtype: Any, kernel: Initializer
) -> dict[str, Array]:
    wanted = float_type(dtype)
    first, second = random.split(key)
    shape = (positive(inputs, "inputs"), gates * positive(hidden, "hidden"))
    states = [
        initialized(_ORTHOGONAL, k, (hidden, hidden), wanted) for k in random.split(second, gates)
    ]
    return {
        "input": initialized(kernel, first, shape, wanted, in_axes=(0,), out_axes=(1,)),
        "state": ops.concat(states, axis=1),
        "bias": initializers.zeros(key, shape[1:], wanted),
    }


@public
def init_gru(
    key: Any,
    inputs: int,
    hidden: int,
    *,
    dtype: Any = f32,
    kernel: Initializer = initializers.glorot_uniform,
) -> dict[str, Array]:
    """Parameters of `gru`: `input` `[inputs, 3 hidden]`, `state` `[hidden, 3 hidden]`, biases.

    The three parts are those of the reset gate, the update gate and the new state. `bias` belongs
    to the inputs, `state_bias` `[hidden]` to the state in the new state.
    """
    params = _init(key, inputs, hidden, 3, dtype, kernel)
    return {**params, "state_bias": initializers.zeros(key, (hidden,), float_type(dtype))}


@public
def gru_cell(params: Any, x: Any, state: Any) -> Array:
    """The next state of a gated recurrent unit (Cho et al., 2014), of inputs and the last state.

    `r` and `z` are the logistic of `x @ input + bias + state @ state kernel`, and the next state
    is `(1 - z) tanh(x @ input + bias + r (state @ state kernel + state_bias)) + z state`.
    """
    cell = _Gru(params)
    return cell.step(cell.inputs(array_of(x)), cell.checked(state))


class _Gru:
    """A gated recurrent unit with its parameters."""

    def __init__(self, params: Any) -> None:
        self._given = Parameters(params, "gru", "input state bias state_bias")
        self._input = self._given.array("input", "inputs", "3 * hidden")
        self._state = self._given.array("state", "hidden", self._input.shape[1])
        self._bias = self._given.array("bias", self._input.shape[1])
        self.hidden: int = self._state.shape[0]
        if self._state.shape[1] != 3 * self.hidden:
            raise _wrong_gates("gru", self._state, 3)
        self._state_bias = self._given.array("state_bias", self.hidden)

    def inputs(self, x: Array) -> Array:
        """What the inputs add to the gates."""
        self._given.check_input(x, 1, -1, self._input.shape[0], "input")
        found: Array = product(x, self._input) + self._bias
        return found

    def checked(self, state: Any) -> Array:
        """A state, whose size must fit."""
        found = array_of(state)
        self._given.check_input(found, 1, -1, self.hidden, "state")
        return found

    def step(self, gates: Array, state: Array) -> Array:
        of_state = product(state, self._state)
        reset, update = (
            ops.sigmoid(_part(gates, i, self.hidden) + _part(of_state, i, self.hidden))
            for i in (0, 1)
        )
        inner = _part(of_state, 2, self.hidden) + self._state_bias
        new = ops.tanh(_part(gates, 2, self.hidden) + reset * inner)
        return as_type(new + update * (state - new), state.dtype)


def _part(x: Array, i: int, size: int) -> Array:
    rank = len(x.shape)
    return ops.slice(
        x,
        starts=(*[0] * (rank - 1), i * size),
        limits=(*x.shape[:-1], (i + 1) * size),
    )


def _wrong_gates(layer: str, kernel: Array, gates: int) -> ShapeError:
    return ShapeError(
        f"parameter 'state' of nn.{layer} has type {kernel.type}, but its shape must be "
        f"[hidden, {gates} * hidden]",
        where=caller_location(),
        hint="the params may be those of another layer",
    )


@public
def gru(params: Any, x: Any, state: Any = None, *, reverse: bool = False) -> tuple[Array, Array]:
    """The states after each step over `x` `[*batch, time, inputs]`, and the last one.

    The states are `[*batch, time, hidden]`. It starts from zeros unless a state is given.
    """
    cell = _Gru(params)
    x = _sequence(x, "gru")
    first = _zeros(x, cell.hidden) if state is None else cell.checked(state)

    def step(state: Array, gates: Array) -> tuple[Array, Array]:
        new = cell.step(gates, state)
        return new, new

    last, states = scan(step, first, _time_first(cell.inputs(x)), reverse=reverse)
    return _time_last(states), last


def _sequence(given: Any, layer: str) -> Array:
    x = array_of(given)
    if len(x.shape) < 2:
        raise ShapeError(
            f"nn.{layer} takes an array of [..., time, inputs], not {x.type}",
            where=caller_location(),
            hint=f"nn.{layer}_cell takes a single step",
        )
    if not x.type.is_static:
        raise ShapeError(
            f"nn.{layer} is given {x.type}, and loops over sizes that are known",
            where=caller_location(),
            hint="give the sizes as numbers",
        )
    return x


def _zeros(x: Array, hidden: int) -> Array:
    return Array(np.zeros((*x.shape[:-2], hidden), x.dtype.numpy))


def _time_first(x: Array) -> Array:
    rank = len(x.shape)
    order = (rank - 2, *range(rank - 2), rank - 1)
    return ops.transpose(x, permutation=order)


def _time_last(x: Array) -> Array:
    rank = len(x.shape)
    order = (*range(1, rank - 1), 0, rank - 1)
    return ops.transpose(x, permutation=order)


@public
def init_lstm(
    key: Any,
    inputs: int,
    hidden: int,
    *,
    dtype: Any = f32,
    kernel: Initializer = initializers.glorot_uniform,
    forget_bias: float = 1.0,
) -> dict[str, Array]:
    """Parameters of `lstm`: `input` `[inputs, 4 hidden]`, `state` `[hidden, 4 hidden]`, `bias`.

    The four parts are those of the input gate, the forget gate, the new cell and the output gate.
    The biases of the forget gate start from `forget_bias`, so that much is kept at first.
    """
    params = _init(key, inputs, hidden, 4, dtype, kernel)
    bias = np.zeros(4 * hidden)
    bias[hidden : 2 * hidden] = forget_bias
    return {**params, "bias": Array(bias.astype(float_type(dtype).numpy))}


@public
def lstm_cell(params: Any, x: Any, state: LstmState) -> LstmState:
    """The next state of long short-term memory with a forget gate (Gers et al., 2000).

    Of the four parts `i, f, g, o` of `x @ input + hidden @ state + bias`, the next cell is
    `sigmoid(f) cell + sigmoid(i) tanh(g)`, and what is given out `sigmoid(o) tanh(cell)`.
    """
    cell = _Lstm(params)
    return cell.step(cell.inputs(array_of(x)), cell.checked(state))


class _Lstm:
    """Long short-term memory with its parameters."""

    def __init__(self, params: Any) -> None:
        self._given = Parameters(params, "lstm", "input state bias")
        self._input = self._given.array("input", "inputs", "4 * hidden")
        self._state = self._given.array("state", "hidden", self._input.shape[1])
        self._bias = self._given.array("bias", self._input.shape[1])
        self.hidden: int = self._state.shape[0]
        if self._state.shape[1] != 4 * self.hidden:
            raise _wrong_gates("lstm", self._state, 4)

    def inputs(self, x: Array) -> Array:
        """What the inputs add to the gates."""
        self._given.check_input(x, 1, -1, self._input.shape[0], "input")
        found: Array = product(x, self._input) + self._bias
        return found

    def checked(self, state: Any) -> LstmState:
        """A state, whose sizes must fit."""
        if not isinstance(state, LstmState):
            raise OperandError(
                f"the state of nn.lstm is an LstmState, not {type(state).__name__}",
                where=caller_location(),
                hint="nn.LstmState(hidden, cell)",
            )
        found = LstmState(*[array_of(s) for s in state])
        for part in found:
            self._given.check_input(part, 1, -1, self.hidden, "state")
        return found

    def step(self, gates: Array, state: LstmState) -> LstmState:
        gates = gates + product(state.hidden, self._state)
        come, keep, new, give = (_part(gates, i, self.hidden) for i in range(4))
        cell = ops.sigmoid(keep) * state.cell + ops.sigmoid(come) * ops.tanh(new)
        hidden = ops.sigmoid(give) * ops.tanh(cell)
        return LstmState(as_type(hidden, state.hidden.dtype), as_type(cell, state.cell.dtype))


@public
def lstm(
    params: Any, x: Any, state: LstmState | None = None, *, reverse: bool = False
) -> tuple[Array, LstmState]:
    """What is given out after each step over `x` `[*batch, time, inputs]`, and the last state.

    The former is `[*batch, time, hidden]`. It starts from zeros unless a state is given.
    """
    cell = _Lstm(params)
    x = _sequence(x, "lstm")
    zeros = _zeros(x, cell.hidden)
    first = LstmState(zeros, zeros) if state is None else cell.checked(state)

    def step(state: LstmState, gates: Array) -> tuple[LstmState, Array]:
        new = cell.step(gates, state)
        return new, new.hidden

    last, outputs = scan(step, first, _time_first(cell.inputs(x)), reverse=reverse)
    return _time_last(outputs), last
