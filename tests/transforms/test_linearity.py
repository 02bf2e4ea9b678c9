"""Rules of custom_jvp: reverse mode refuses tangents that are not linear in those given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import f32, ops
from dxir.errors import TransformError

X = np.arange(1, 4, dtype=np.float32)


def gradient(tangent: Callable[[Any, Any], Any]) -> dxir.Function:
    """The gradient of a sine whose tangent is this, of the primal and the tangent."""

    def sine(x: Any) -> Any:
        return ops.sin(x)

    wave: Any = dxir.custom_jvp(sine)
    wave.defjvp(lambda primals, given: (ops.sin(primals[0]), tangent(primals[0], given[0])))
    return dxir.build_function(
        lambda x: dxir.grad(lambda v: ops.sum(wave(v)))(x), f32[3], name="main"
    )


@pytest.mark.parametrize(
    "tangent",
    [
        lambda x, t: t * t,
        lambda x, t: ops.sin(t) * x,
        lambda x, t: ops.select(t > 0.0, t, t * 2.0),
        lambda x, t: ops.softmax(t),
    ],
)
def test_a_tangent_that_is_not_linear_is_refused(tangent: Callable[[Any, Any], Any]) -> None:
    with pytest.raises(TransformError, match=r"the jvp of .*sine.* is not linear in the tangents"):
        gradient(tangent)


@pytest.mark.parametrize("tangent", [lambda x, t: ops.cos(x), lambda x, t: x])
def test_a_tangent_made_of_primals_alone_is_refused(tangent: Callable[[Any, Any], Any]) -> None:
    with pytest.raises(
        TransformError, match=r"the jvp of .*sine.* does not depend on the tangents"
    ):
        gradient(tangent)


@pytest.mark.parametrize(
    ("tangent", "wanted"),
    [
        (lambda x, t: ops.cos(x) * t + t, np.cos(X) + 1),
        (lambda x, t: ops.select(x > 1.5, t, ops.full_like(t, value=0)), np.float32([0, 1, 1])),
        (lambda x, t: ops.fori_loop(0, 3, lambda i, v: v * x, (t,))[0], X**3),
        (lambda x, t: ops.full_like(x, value=0), np.zeros(3)),
        (lambda x, t: ops.constant(np.zeros(3, np.float32)), np.zeros(3)),
        (lambda x, t: ops.cumsum(t, axis=0), np.float32([3, 2, 1])),
        (lambda x, t: dxir.jvp(ops.sin, (x,), (t,))[1], np.cos(X)),
    ],
)
def test_tangents_that_are_linear_and_those_that_are_zeros_are_taken(
    tangent: Callable[[Any, Any], Any], wanted: Any
) -> None:
    np.testing.assert_allclose(dxir.evaluate(gradient(tangent), X), wanted, rtol=1e-6)


def test_a_tangent_of_an_argument_that_is_not_asked_for_is_no_fault() -> None:
    both: Any = dxir.custom_jvp(lambda x, y: (ops.sin(x), ops.sin(y)))
    both.defjvp(
        lambda p, t: (
            (ops.sin(p[0]), ops.sin(p[1])),
            (ops.cos(p[0]) * t[0], ops.cos(p[1]) * t[1]),
        )
    )

    def loss(x: Any, y: Any) -> Any:
        a, b = both(x, y)
        return ops.sum(a) + ops.sum(b)

    function = dxir.build_function(
        lambda x: dxir.vmap(lambda v: dxir.grad(loss)(v, x))(ops.broadcast_in_dim(
            x, shape=(2, 3), dims=(1,)
        )), f32[3], name="main",
    )  # fmt: skip
    np.testing.assert_allclose(dxir.evaluate(function, X), [np.cos(X)] * 2, rtol=1e-6)
