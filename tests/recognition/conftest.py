"""What tests of patterns share: recognize a program, and prove that nothing else changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import dxir
from dxir.mlir import IrOperation
from dxir.reading import attribute, attribute_text, ops_below

HOSTILE = (np.nan, np.inf, -np.inf, -0.0, 0.0, 1e-30, -1e-30, 88.0, -88.0, 120.0, -120.0, 3.4e38)


class Found(NamedTuple):
    """A composite that stands for a match: its pattern, and its attributes as MLIR writes them."""

    pattern: str
    attributes: str
    operands: tuple[str, ...]
    """The types of its operands."""


def composites(program: dxir.Program) -> list[Found]:
    """The composites of a program, in order."""
    return composites_below(program.module.operation)


def composites_below(root: IrOperation) -> list[Found]:
    """The composites inside of an op, in order."""
    return [_found(op) for op in ops_below(root, ("stablehlo.composite",))]


def _found(op: IrOperation) -> Found:
    name, attributes = attribute(op, "name"), attribute(op, "composite_attributes")
    assert name is not None
    return Found(
        attribute_text(name).strip('"').removeprefix("dxir."),
        "" if attributes is None else attribute_text(attributes).strip("{}"),
        tuple([str(value.type) for value in op.operands]),
    )


def coarsened(program: dxir.Program) -> list[Found]:
    """The composites that recognition makes of a program, which are the program still.

    Values are the same bit for bit, also at numbers where formulas part, and without the composites
    the program is what it was.
    """
    coarse = program.run_passes("dxir-recognize,dxir-coarsen").verify()
    fine = coarse.run_passes("dxir-decompose")
    assert fine.fingerprint() == program.run_passes("dxir-decompose").fingerprint()
    again = coarse.run_passes("dxir-recognize,dxir-coarsen")
    assert again.fingerprint() == coarse.fingerprint()
    return composites(coarse)


@pytest.fixture
def recognize() -> Callable[[dxir.Program], list[Found]]:
    """The composites that recognition makes of a program; it stays the program."""
    return coarsened


def formula(make: Callable[[Any], Any], element: str = "f32") -> dxir.Program:
    """The program of a function of one tensor."""
    builder = dxir.Builder("main")
    x = builder.param(getattr(dxir, element)[4, 8], name="x")
    return dxir.lower(builder.build(make(x)))


def _check_values(program: dxir.Program) -> None:
    """Check that the composites compute what was there before, bit for bit."""
    x = np.random.default_rng(0).normal(size=32, scale=3).astype(np.float32)
    x[: len(HOSTILE)] = HOSTILE
    coarse = program.run_passes("dxir-recognize,dxir-coarsen")
    before, after = (dxir.compile(p)(x.reshape(4, 8)) for p in (program, coarse))
    assert np.asarray(before).tobytes() == np.asarray(after).tobytes()


@pytest.fixture
def find() -> Callable[..., list[Found]]:
    """The composites that recognition makes of a function of one tensor; values stay the same."""

    def check(make: Callable[[Any], Any], element: str = "f32") -> list[Found]:
        program = formula(make, element)
        found = coarsened(program)
        if found and element == "f32":
            _check_values(program)
        return found

    return check


@pytest.fixture
def near_misses() -> Callable[..., list[str]]:
    """Why patterns do not fit a function of one tensor that nearly has their form."""

    def check(make: Callable[[Any], Any], pattern: str, element: str = "f32") -> list[str]:
        program = formula(make, element)
        program = program.run_passes(f"dxir-recognize{{patterns={pattern} near-misses=true}}")
        return [d.message for d in program.diagnostics]

    return check


def several(make: Callable[..., Any], *types: dxir.TensorType) -> dxir.Program:
    """The program of a function of tensors of these types, with one result or a tuple of them."""
    builder = dxir.Builder("main")
    made = make(*[builder.param(type, name=f"x{i}") for i, type in enumerate(types)])
    return dxir.lower(builder.build(*(made if isinstance(made, tuple) else (made,))))


def arguments(types: tuple[dxir.TensorType, ...], hostile: bool) -> list[np.ndarray[Any, Any]]:
    """Random arrays of these types, positive where they are narrower than the first."""
    generator = np.random.default_rng(0)
    found = []
    for type in types:
        x = generator.normal(size=type.static_shape, scale=2)
        if len(type.shape) < len(types[0].shape):
            x = np.abs(x) + 0.1
        elif hostile:
            x.reshape(-1)[: len(HOSTILE)] = HOSTILE[: x.size]
        with np.errstate(over="ignore"):
            found.append(x.astype(type.primitive.numpy))
    return found


@pytest.fixture
def find_in() -> Callable[..., list[Found]]:
    """The composites of a function of several tensors; values stay the same, bit for bit.

    Without `values` they are not compared: XLA computes with constants before it inlines.
    """

    def check(
        make: Callable[..., Any], *types: dxir.TensorType, values: bool = True
    ) -> list[Found]:
        program = several(make, *types)
        found = coarsened(program)
        if not values:
            return found
        coarse = program.run_passes("dxir-recognize,dxir-coarsen")
        before, after = dxir.compile(program), dxir.compile(coarse)
        for hostile in (False, True):
            given = arguments(types, hostile)
            for a, b in zip(_arrays(before(*given)), _arrays(after(*given)), strict=True):
                assert a.tobytes() == b.tobytes()
        return found

    return check


def _arrays(results: Any) -> list[np.ndarray[Any, Any]]:
    return [np.asarray(r) for r in (results if isinstance(results, tuple) else (results,))]


@pytest.fixture
def near_misses_in() -> Callable[..., list[str]]:
    """Why patterns do not fit a function of several tensors that nearly has their form."""

    def check(pattern: str, make: Callable[..., Any], *types: dxir.TensorType) -> list[str]:
        program = several(make, *types)
        program = program.run_passes(f"dxir-recognize{{patterns={pattern} near-misses=true}}")
        assert not composites(program.run_passes("dxir-coarsen"))
        return [d.message for d in program.diagnostics]

    return check
