"""Programs that compute the same with and without the composites that recognition makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np

import dxir
from dxir.reading import function_name, functions

from .conftest import Found, coarsened, composites_below

HOSTILE = (np.nan, np.inf, -np.inf, -0.0, 0.0, 1e-30, 88.0, -88.0, 120.0, -120.0, 3.4e38)


def lowered(function: Callable[..., Any], *arguments: Any) -> dxir.Program:
    """The program that JAX lowers a function to."""
    return dxir.load(jax.jit(function, keep_unused=True).lower(*arguments).as_text())


def found(program: dxir.Program, *arguments: Any) -> list[Found]:
    """The composites in the main function, in order; with them it gives the same, bit for bit."""
    coarsened(program)
    coarse = program.run_passes("dxir-recognize,dxir-coarsen")
    before, after = dxir.compile(program)(*arguments), dxir.compile(coarse)(*arguments)
    for one, other in zip(_arrays(before), _arrays(after), strict=True):
        assert one.tobytes() == other.tobytes()
    (main,) = (f for f in functions(coarse.module) if function_name(f) == "main")
    return composites_below(main)


def found_in(function: Callable[..., Any], *arguments: Any) -> list[Found]:
    """The composites in what JAX lowers a function to."""
    return found(lowered(function, *arguments), *arguments)


def random(*shape: int, dtype: Any = np.float32, hostile: bool = False) -> Any:
    """Numbers of a normal distribution, the first of them hostile on demand."""
    x = np.random.default_rng(len(shape)).normal(size=shape, scale=2)
    if hostile:
        x.reshape(-1)[: len(HOSTILE)] = HOSTILE[: x.size]
    with np.errstate(over="ignore"):
        return x.astype(dtype)


def _arrays(results: Any) -> list[np.ndarray[Any, Any]]:
    return [np.asarray(r) for r in (results if isinstance(results, tuple) else (results,))]
