"""Shapes changed, and arrays put together and taken apart, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dxir.numpy as xp
from dxir.errors import AttributeValueError, OperandError, ShapeError

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
M = np.arange(6, dtype=np.int32).reshape(2, 3)
E = np.zeros((0, 3), np.float32)


@pytest.mark.parametrize(
    ("function", "judge", "arrays"),
    [
        (lambda a: xp.reshape(a, (4, -1)), lambda a: a.reshape(4, -1), (X,)),
        (lambda a: a.reshape(6, 4), lambda a: a.reshape(6, 4), (X,)),
        (lambda a: a.reshape((3, 0, 5)), lambda a: a.reshape(3, 0, 5), (E,)),
        (lambda a: xp.reshape(a, ()), lambda a: a.reshape(()), (np.ones((1, 1)),)),
        (lambda a: xp.permute_dims(a, (2, 0, -2)), lambda a: a.transpose(2, 0, 1), (X,)),
        (lambda a: a.transpose(), lambda a: a.transpose(), (X,)),
        (lambda a: a.transpose(1, 0, 2), lambda a: a.transpose(1, 0, 2), (X,)),
        (lambda a: a.mT, lambda a: a.mT, (X,)),
        (lambda a: a.T, lambda a: a.T, (M,)),
        (lambda a: xp.swapaxes(a, 0, -1), lambda a: a.swapaxes(0, -1), (X,)),
        (lambda a: xp.moveaxis(a, 0, -1), lambda a: np.moveaxis(a, 0, -1), (X,)),
        (lambda a: xp.moveaxis(a, (0, 1), (2, 0)), lambda a: np.moveaxis(a, (0, 1), (2, 0)), (X,)),
        (lambda a: xp.expand_dims(a, axis=1), lambda a: np.expand_dims(a, 1), (X,)),
        (lambda a: xp.expand_dims(a, axis=(0, -1)), lambda a: a[None, ..., None], (X,)),
        (lambda a: xp.squeeze(a, 1), lambda a: a.squeeze(1), (X[:, :1],)),
        (lambda a: a.squeeze(), lambda a: a.squeeze(), (X[:1, :1],)),
        (lambda a: xp.flip(a), np.flip, (X,)),
        (lambda a: xp.flip(a, axis=(0, -1)), lambda a: np.flip(a, (0, -1)), (X,)),
        (lambda a: xp.roll(a, 2), lambda a: np.roll(a, 2), (X,)),
        (lambda a: xp.roll(a, -5, axis=1), lambda a: np.roll(a, -5, 1), (X,)),
        (lambda a: xp.roll(a, (1, 2), axis=(0, 2)), lambda a: np.roll(a, (1, 2), (0, 2)), (X,)),
        (lambda a: xp.roll(a, 1, axis=0), lambda a: np.roll(a, 1, 0), (E,)),
        (lambda a: xp.tile(a, (2, 3)), lambda a: np.tile(a, (2, 3)), (M,)),
        (lambda a: xp.tile(a, 2), lambda a: np.tile(a, 2), (X,)),
        (lambda a: xp.tile(a, (2, 1, 2)), lambda a: np.tile(a, (2, 1, 2)), (M,)),
        (lambda a: xp.tile(a, (0, 1)), lambda a: np.tile(a, (0, 1)), (M,)),
        (lambda a: xp.repeat(a, 3), lambda a: np.repeat(a, 3), (M,)),
        (lambda a: xp.repeat(a, 2, axis=-1), lambda a: np.repeat(a, 2, -1), (M,)),
        (lambda a: xp.repeat(a, [2, 0, 1], axis=1), lambda a: np.repeat(a, [2, 0, 1], 1), (M,)),
        (lambda a: xp.repeat(a, [0, 0], axis=0), lambda a: np.repeat(a, [0, 0], 0), (M,)),
        (lambda a, b: xp.concat([a, b]), lambda a, b: np.concatenate([a, b]), (M, M)),
        (lambda a, b: xp.concat([a, b], axis=None), lambda a, b: np.r_[a.ravel(), b.ravel()],
         (M, M[0])),
        (lambda a, b: xp.concatenate((a, b), axis=1), lambda a, b: np.hstack((a, b)), (M, M)),
        (lambda a, b: xp.stack([a, b], axis=-1), lambda a, b: np.stack([a, b], -1), (M, M)),
        (lambda a: xp.unstack(a, axis=1), lambda a: np.unstack(a, axis=1), (M,)),
        (lambda a: xp.split(a, 2, axis=2), lambda a: np.split(a, 2, 2), (X,)),
        (lambda a: xp.split(a, [1, 3], axis=-1), lambda a: np.split(a, [1, 3], -1), (X,)),
        (lambda a: xp.broadcast_to(a, (4, 2, 3)), lambda a: np.broadcast_to(a, (4, 2, 3)), (M,)),
        (lambda a, b: xp.broadcast_arrays(a, b), np.broadcast_arrays, (M, X[:, :1, :3])),
        (lambda a: a.ravel(), lambda a: a.ravel(), (X,)),
        (lambda a: a.flatten(), lambda a: a.flatten(), (np.float32(3),)),
        (lambda a: xp.pad(a, 1), lambda a: np.pad(a, 1), (M,)),
        (lambda a: xp.pad(a, ((1, 0), (2, 3)), constant_values=7),
         lambda a: np.pad(a, ((1, 0), (2, 3)), constant_values=7), (M,)),
        (lambda a: xp.pad(a, ((0, 0), (1, 2)), "edge"),
         lambda a: np.pad(a, ((0, 0), (1, 2)), "edge"), (M,)),
        (lambda a: xp.pad(a, 1, "reflect"), lambda a: np.pad(a, 1, "reflect"), (X,)),
        (lambda a: xp.pad(a, 2, "symmetric"), lambda a: np.pad(a, 2, "symmetric"), (X,)),
        (lambda a: xp.pad(a, 3, "wrap"), lambda a: np.pad(a, 3, "wrap"), (X,)),
    ],
)  # fmt: skip
def test_shapes_are_changed_as_by_numpy(run: Any, function: Any, judge: Any, arrays: Any) -> None:
    found, wanted = run(function, *arrays), judge(*arrays)
    if not isinstance(found, tuple):
        found, wanted = (found,), (wanted,)
    for a, b in zip(found, wanted, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)
        assert a.shape == b.shape


def test_parts_are_brought_to_one_element_type(run: Any) -> None:
    found = run(lambda a, b: xp.concat([a, b]), np.array([1], np.int8), np.array([2.5], np.float32))
    assert found.dtype == np.float32
    found = run(lambda a: xp.stack([a, 1, 2.5]), np.float32(3))
    np.testing.assert_array_equal(found, np.array([3, 1, 2.5], np.float32))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: xp.ones(3).T, ShapeError, r"x\.T is of matrices"),
        (lambda: xp.ones((2, 3)).reshape(4), ShapeError, "which do not fill shape"),
        (lambda: xp.ones((2, 3)).reshape(-1, -1), AttributeValueError, "more than one -1"),
        (lambda: xp.concat([xp.ones(2), xp.ones((2, 2))]), ShapeError, "concat"),
        (lambda: xp.concat([]), OperandError, "concat needs an array"),
        (lambda: xp.concat([xp.ones(())]), ShapeError, "concat takes no scalars"),
        (lambda: xp.stack(3), OperandError, "stack takes a tuple or list of arrays, not int"),
        (lambda: xp.stack([xp.ones(2), xp.ones(3)]), ShapeError, "stack takes arrays of one shape"),
        (lambda: xp.split(xp.ones(5), 2), ShapeError, "cannot be cut in 2 equal parts"),
        (lambda: xp.squeeze(xp.ones((2, 1)), 0), ShapeError, "has not size 1"),
        (lambda: xp.moveaxis(xp.ones((2, 1)), (0, 1), 0), ShapeError, "2 axes go to 1 places"),
        (lambda: xp.permute_dims(xp.ones((2, 1)), (0, 0)), ShapeError, "no order of the 2 axes"),
        (
            lambda: xp.broadcast_to(xp.ones(3), (2, 2)),
            ShapeError,
            "broadcast",
        ),
        (lambda: xp.flip(xp.ones(3), axis=1), ShapeError, "axis 1 is out of range"),
        (lambda: xp.expand_dims(xp.ones(3), axis=2), IndexError, "axis 2 is out of range"),
        (lambda: xp.flip(xp.ones((3, 2)), axis=(0, 0)), ShapeError, "names an axis twice"),
        (lambda: xp.pad(xp.ones(3), 1, "mean"), AttributeValueError, "no mode 'mean'"),
        (lambda: xp.repeat(xp.ones(3), -1), AttributeValueError, "-1 times"),
        (lambda: xp.roll(xp.ones(3), (1, 2)), ShapeError, "2 shifts are given"),
        (lambda: xp.roll(xp.ones(3), 1.5), AttributeValueError, "shift must be an integer"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(call: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message) as refused:
        call()
    assert __file__ in str(refused.value)
