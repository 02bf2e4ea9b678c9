"""Checks of the rules of an op against its own examples: what dxir's tests run, and yours can.

`check_derivatives` holds the jvp against central differences of the NumPy reference in f64, and
the vjp against the jvp; `check_second_order` the jvp of the vjp against differences of the vjp;
`check_batching` the batched op against a loop.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from dxir.derivatives import has_tangent
from dxir.errors import DxirError, TransformError
from dxir.evaluation import evaluate
from dxir.examples import Example, Sample, Sharded, Tolerance
from dxir.graph import Function, Module
from dxir.op import Op
from dxir.program import lower
from dxir.testing.op_checks import example_function, example_operands, operand_type, ordinary
from dxir.transforms import jvp_function, vjp_function, vmap_function
from dxir.transforms.forward import fields_of
from dxir.transforms.options import LoopOptions, using
from dxir.transforms.rules import By, Mode, resolve
from dxir.types import DType, TensorType, Type, c128, f64

Array = np.ndarray[Any, Any]
_SEED = 20261130
_STEP = 1e-5
_RATIO = 1.7  # of the two steps; no whole number, as jumps within one may be twice those of half
_WIDE = {"float": f64, "complex": c128}
_CONVENTIONS = frozenset(("reduce_precision",))  # their derivatives are agreed on, not found


_BOUNDED = LoopOptions(max_trip_count=16)  # the loops of examples take their bounds as inputs


def widened_example(example: Example) -> Example:
    """The example with operands of f64 and c128 in place of narrower floats."""

    def wide(given: Any) -> Any:
        if isinstance(given, (tuple, list)):
            return type(given)(map(wide, given))
        if isinstance(given, Sample):
            return Sample(wide(given.type), given.low, given.high)
        if isinstance(given, Sharded):
            return Sharded(wide(given.type), given.sharding)
        if isinstance(given, TensorType) and isinstance(given.dtype, DType):
            kind = _WIDE.get(given.dtype.kind)
            return given if kind is None else given.with_dtype(kind)
        return given

    changed = {name: wide(value) for name, value in example.arguments.items()}
    return Example(hostile=example.hostile, runs=example.runs, **changed)


def derivative_function(cls: type[Op], example: Example) -> tuple[Function, Sequence[Any]]:
    """The function of an example, in f64 where the op can be, and its operands as given."""
    for candidate in (widened_example(example), example):
        try:
            return example_function(cls, candidate), example_operands(cls, candidate)
        except DxirError:
            if candidate is example:
                raise
    raise AssertionError


def has_derivative(function: Function) -> bool:
    """Whether results with tangents may depend on parameters with tangents."""
    return any(map(has_tangent, function.param_types)) and any(
        map(has_tangent, function.result_types)
    )


@using(_BOUNDED)
def check_derivatives(cls: type[Op], example: Example) -> None:
    """Assert that jvp and vjp are those of the reference; or that there are none, as declared."""
    function, operands = derivative_function(cls, example)
    if not has_derivative(function):
        return
    by = resolve(function.nodes[-1], Mode.REVERSE).by
    if by is By.UNDEFINED:
        for transform in (vjp_function, jvp_function):
            try:
                transform(function)
            except TransformError:
                continue
            raise AssertionError(f"{cls.op} has a derivative that is declared undefined")
        return
    vjp, jvp = vjp_function(function, value=False), jvp_function(function, value=False)
    for made in (vjp, jvp):
        lower(Module([made])).verify()
    if not example.runs or by is By.ZERO or cls.op in _CONVENTIONS:
        return
    found = _finite_point(function, operands)
    if found is None:
        return
    rng, arguments = found
    what = f"{cls.op}{example!r}"
    tangents, cotangents = _directions(cls, function, rng)
    pushed = _evaluated(jvp, [*arguments, *tangents])
    pulled = _evaluated(vjp, [*arguments, *cotangents])
    wrt = [i for i, t in enumerate(function.param_types) if has_tangent(t)]
    outputs = [i for i, t in enumerate(function.result_types) if has_tangent(t)]
    exact = _is_exact(function)
    one, other = _dot(cotangents, pushed), _dot(pulled, tangents)
    if not np.isfinite([one, other]).any():
        return  # a factor of a singular matrix, say, has no derivative
    size = _size(cotangents, pushed) + _size(pulled, tangents)
    units = 1e-9 if exact else 0.05
    assert abs(one - other) <= units * (size + 1e-6), (
        f"{what}: the vjp gives {other}, the jvp {one} for the same directions"
    )
    if not exact:
        return
    differences = _differences(
        lambda moved: [_evaluated(function, moved)[i] for i in outputs], arguments, wrt, tangents
    )
    _assert_near(pushed, differences, f"{what}, jvp")


@using(_BOUNDED)
def check_second_order(cls: type[Op], example: Example) -> None:
    """Assert that the jvp of the vjp is what differences of the vjp are."""
    function, operands = derivative_function(cls, example)
    by = resolve(function.nodes[-1], Mode.REVERSE).by
    if not has_derivative(function) or by in (By.UNDEFINED, By.ZERO):
        return
    vjp = vjp_function(function, value=False)
    wrt = [i for i, t in enumerate(function.param_types) if has_tangent(t)]
    moved = jvp_function(vjp, wrt, value=False)
    lower(Module([moved])).verify()
    if not example.runs or not _is_exact(function) or cls.op in _CONVENTIONS:
        return
    found = _finite_point(function, operands)
    if found is None:
        return
    rng, arguments = found
    tangents, cotangents = _directions(cls, function, rng)
    given = [*arguments, *cotangents]
    pushed = _evaluated(moved, [*given, *tangents])
    differences = _differences(lambda at: _evaluated(vjp, at), given, wrt, tangents)
    _assert_near(pushed, differences, f"{cls.op}{example!r}, second order")


def _finite_point(
    function: Function, operands: Sequence[Any]
) -> tuple[np.random.Generator, list[Array]] | None:
    """Arguments at which, and a step around which, all results are finite."""
    for attempt, change in enumerate(_DOMAINS):
        rng = np.random.default_rng(_SEED + attempt)
        arguments = [_moved(ordinary(g, rng), g, change) for g in operands]
        results = _evaluated(function, arguments)
        if all(np.isfinite(_plain(r)).all() for r in results):
            return rng, arguments
    return None


_DOMAINS: tuple[Callable[[Array], Array], ...] = (
    lambda x: x,
    lambda x: np.abs(x) + 0.25,
    lambda x: np.tanh(x) * 0.8,
    lambda x: np.abs(x) + 1.25,
)


def _moved(data: Array, given: Any, change: Callable[[Array], Array]) -> Array:
    if isinstance(given, (np.ndarray, np.generic, Sample)) or not has_tangent(operand_type(given)):
        return data
    return np.asarray(change(_plain(data))).astype(data.dtype)


def _directions(
    cls: type[Op], function: Function, rng: np.random.Generator
) -> tuple[list[Array], list[Array]]:
    def random(types: Sequence[Any]) -> list[Array]:
        return [ordinary(t, rng) for t in types if has_tangent(t)]

    tangents = random(function.param_types)
    for i in fields_of(function.nodes[-1], cls.hermitian):  # type: ignore[arg-type]
        tangents[i] = tangents[i] + tangents[i].conj().swapaxes(-1, -2)
    return tangents, random(function.result_types)


def _evaluated(function: Function, arguments: Sequence[Array]) -> list[Array]:
    results = evaluate(function, *arguments)
    return list(results) if isinstance(results, tuple) else [results]


def _differences(
    f: Callable[[list[Array]], list[Array]],
    arguments: Sequence[Array],
    wrt: Sequence[int],
    tangents: Sequence[Array],
) -> list[Array]:
    """Central differences, by Richardson's extrapolation of two steps."""

    def at(step: float) -> list[Array]:
        moved = list(arguments)
        for i, tangent in zip(wrt, tangents, strict=True):
            moved[i] = np.asarray(moved[i] + step * tangent)
        return f(moved)

    def central(step: float) -> list[Array]:
        ahead, behind = at(step), at(-step)
        return [(a - b) / (2 * step) for a, b in zip(ahead, behind, strict=True)]

    coarse, fine = central(_RATIO * _STEP), central(_STEP)
    return [_extrapolated(a, b) for a, b in zip(coarse, fine, strict=True)]


def _extrapolated(coarse: Array, fine: Array) -> Array:
    """NaN where the two steps disagree, as they do near a pole or a jump."""
    with np.errstate(all="ignore"):
        apart = np.abs(fine - coarse) > 1e-5 * (1 + np.abs(fine))
        return np.asarray(np.where(apart, np.nan, (_RATIO**2 * fine - coarse) / (_RATIO**2 - 1)))


def _assert_near(found: Sequence[Array], wanted: Sequence[Array], what: str) -> None:
    for i, (f, w) in enumerate(zip(found, wanted, strict=True)):
        known = np.where(np.isfinite(w), np.abs(w), 0)
        scale = 1 + known + (known.max() if w.size else 0)
        with np.errstate(all="ignore"):
            bad = ~(np.abs(f - w) <= 2e-6 * scale) & np.isfinite(w)
        if bad.any():
            at = tuple(int(k) for k in np.argwhere(bad)[0])
            raise AssertionError(
                f"{what} {i}: element {at} is {f[at]}, differences give {w[at]} "
                f"({int(bad.sum())} of {bad.size} elements differ)"
            )


def _plain(array: Array) -> Array:
    if array.dtype.kind in "fc":
        return array
    return array.astype(np.float64)


def _is_exact(function: Function) -> bool:
    """Whether everything with tangents is in f64: some ops give results narrower than operands."""
    types = (*function.param_types, *function.result_types)
    return all(not has_tangent(t) or _is_wide(t) for t in types)


def _is_wide(type: Type) -> bool:
    return isinstance(type, TensorType) and type.dtype.name in ("f64", "c128")


def _dot(one: Sequence[Array], other: Sequence[Array]) -> float:
    # The real part: as functions of real numbers, transposes are told by it.
    parts = [np.sum(_plain(a) * _plain(b)).real for a, b in zip(one, other, strict=True)]
    return float(np.sum(parts))


def _size(one: Sequence[Array], other: Sequence[Array]) -> float:
    parts = [np.sum(np.abs(_plain(a) * _plain(b))) for a, b in zip(one, other, strict=True)]
    return float(np.sum(parts))


def check_batching(cls: type[Op], example: Example, size: int = 3) -> None:
    """Assert that a batch gives what a loop gives, for every choice of batched operands."""
    function = example_function(cls, example)
    operands = example_operands(cls, example)
    if not function.params or not _all_tensors(function):
        return
    if resolve(function.nodes[-1], Mode.BATCHING).by is By.UNDEFINED:
        try:
            vmap_function(function, axis_size=size)
        except TransformError:
            return
        raise AssertionError(f"{cls.op} has a batched form that is declared undefined")
    rng = np.random.default_rng(_SEED)
    for axes, out in _axes(function, rng):
        made = vmap_function(function, axes, out, axis_size=size)
        lower(Module([made])).verify()
        if example.runs:
            _check_batch(function, made, operands, axes, out, size, rng, f"{cls.op}{example!r}")


def _all_tensors(function: Function) -> bool:
    types = (*function.param_types, *function.result_types)
    return all(isinstance(t, TensorType) and t.is_static for t in types)


def _axes(
    function: Function, rng: np.random.Generator
) -> Iterator[tuple[tuple[int | None, ...], tuple[int, ...]]]:
    count = len(function.params)
    choices = list(itertools.product((0, None), repeat=count))[:-1]
    zero = tuple(0 for _ in function.results)
    for chosen in choices[:8]:
        yield chosen, zero
    for turn in range(1, 1 + max([p.rank for p in function.params])):  # every axis of each
        yield (
            tuple((p.rank + turn) % (p.rank + 1) for p in function.params),
            tuple(int(rng.integers(0, r.rank + 1)) for r in function.results),
        )


def _check_batch(
    function: Function,
    made: Function,
    operands: Sequence[Any],
    axes: tuple[int | None, ...],
    out: tuple[int, ...],
    size: int,
    rng: np.random.Generator,
    what: str,
) -> None:
    sets = [[ordinary(g, rng) for g in operands] for _ in range(size)]
    shared = [a is None for a in axes]
    for one in sets[1:]:
        one[:] = [f if s else o for f, o, s in zip(sets[0], one, shared, strict=True)]
    stacked = [
        sets[0][i] if axis is None else np.stack([s[i] for s in sets], axis)
        for i, axis in enumerate(axes)
    ]
    found = _evaluated(made, stacked)
    wanted = [_evaluated(function, s) for s in sets]
    for k, result in enumerate(found):
        loop = np.stack([w[k] for w in wanted], out[k])
        assert result.shape == loop.shape, f"{what}, in_axes {axes}: result {k} is {result.shape}"
        type = function.results[k].type
        assert isinstance(type, TensorType)
        tolerance = Tolerance.of(type.primitive, 64)
        a, b = _plain(result), _plain(loop)
        with np.errstate(all="ignore"):
            limit = tolerance.absolute + tolerance.relative * np.abs(b)
            good = (a == b) | (np.isnan(a) & np.isnan(b)) | (np.abs(a - b) <= limit)
        assert good.all(), f"{what}, in_axes {axes}: result {k} is {result}, a loop gives {loop}"
