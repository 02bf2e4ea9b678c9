"""What tests of transforms are made of: functions, arrays, and what comes of both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dxir.evaluation import evaluate
from dxir.graph import Function, Node, walk
from dxir.op import trace
from dxir.transforms import grad_function, jvp_function
from dxir.types import TensorType, Type

Array = np.ndarray[Any, Any]
Build = Callable[..., Any]


def array(values: Any) -> Array:
    """An array of f32."""
    return np.asarray(values, np.float32)


def normal(*shape: int, seed: int = 3) -> Array:
    """An array of f32 of this shape, the same one each time."""
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def function_of(build: Build, *given: Any, name: str = "main", public: bool = True) -> Function:
    """The function that `build` describes, of parameters of these types, or of such arrays."""
    types = [g if isinstance(g, Type) else TensorType.of_array(np.asarray(g)) for g in given]
    return trace(build, Function(name, types, public=public))


def private(build: Build, *given: Any, name: str) -> Function:
    """The same, to be called by others only."""
    return function_of(build, *given, name=name, public=False)


def values(function: Function, *arguments: Any) -> list[Array]:
    """The results by the reference of each op."""
    found = evaluate(function, *arguments)
    return [np.asarray(v) for v in (found if isinstance(found, tuple) else (found,))]


def gradients(build: Build, *arrays: Any) -> list[Array]:
    """Those of the sum of the results, by all arguments."""
    return values(grad_function(function_of(build, *arrays)), *arrays)


def gradient(build: Build, *arrays: Any) -> Any:
    """The gradient of the sum of the results: by one argument, or all that have one, as a tuple."""
    with np.errstate(all="ignore"):
        found = gradients(build, *arrays)
    return found[0] if len(found) == 1 else tuple(found)


def pushed(build: Build, arrays: Sequence[Any], tangents: Sequence[Any]) -> Array:
    """The tangent of the first result."""
    with np.errstate(all="ignore"):
        return values(jvp_function(function_of(build, *arrays), value=False), *arrays, *tangents)[0]


def near(found: Any, wanted: Any, limit: float = 2e-4) -> None:
    """Assert that arrays agree."""
    np.testing.assert_allclose(np.asarray(found), np.asarray(wanted), limit, limit)


def made_of(function: Function) -> list[str]:
    """The ops of a function, in order, without constants."""
    return [n.op for n in function.nodes if n.op != "constant"]


def op_names(function: Function) -> list[str]:
    """The ops of a function and of its regions."""
    return [n.op for n in walk(function)]


def nodes(function: Function, op: str) -> list[Node]:
    """The nodes of an op, in regions, too."""
    return [n for n in walk(function) if n.op == op]
