"""Whether a composite computes what its name says: its decomposition against the op so named."""

from __future__ import annotations

from typing import Any

import numpy as np

import dxir
from dxir import ops
from dxir.graph import Function
from dxir.op import REGISTRY

PREFIX = "dxir."


def composites_of(program: dxir.Program) -> list[Any]:
    """The composite nodes of a program, in all functions."""
    module = program.raise_()
    return [n for f in module.functions for n in _nodes(f) if n.op in ("composite",)]


def _nodes(region: Any) -> list[Any]:
    found: list[Any] = []
    for node in region.nodes:
        found.append(node)
        for inner in node.regions:
            found += _nodes(inner)
    return found


def named_op(node: Any) -> Any | None:
    """The call of the op that a composite is named after; None where there is no such op.

    Attributes that the op does not have tell of the form that was found, not of the meaning, but
    for one that tells of the sign.
    """
    name = str(node.attrs["composite_name"]).removeprefix(PREFIX)
    cls = REGISTRY.get(name)
    if cls is None:
        return None
    given = dict(node.attrs["composite_attributes"] or {})
    if "layout" in given and given["layout"] not in _CANONICAL:
        return None
    operands = [f.name for f in cls.fields if f.kind in ("operand", "optional")]
    names = given.get("operands")
    segments = given.get("operand_segments")
    if names is None and segments is not None:
        names = [n for n, s in zip(operands, segments, strict=True) if s]
    names = list(names or operands)[: len(node.operands)]
    if not set(names) <= set(operands) or len(names) != len(node.operands):
        return None
    fields = {f.name for f in cls.fields}
    attributes = {k: v for k, v in given.items() if k in fields}

    def call(*values: Any) -> Any:
        found = getattr(ops, name)(**dict(zip(names, values, strict=True)), **attributes)
        # A cross entropy may be taken as it is, where the op puts a minus before.
        return found if given.get("negated", True) else -found

    return call


_CANONICAL = frozenset(("bhsd,bhtd,bhte->bhse", "hsd,htd,hte->hse", "sd,td,te->se"))


def disagreement(node: Any, seed: int = 0) -> str | None:
    """How far a composite is from the op it is named after; None where they agree.

    Only the first result counts; further ones are values that others use, too.
    """
    call = named_op(node)
    if call is None:
        return None
    types = [v.tensor for v in node.operands]
    builder = dxir.Builder("main")
    params = [builder.param(t) for t in types]
    meant = builder.build(call(*params))
    decomposition: Function = node.attrs["decomposition"]
    generator = np.random.default_rng(seed)
    given = [_sample(t, generator, i) for i, t in enumerate(types)]
    found = _first(dxir.evaluate(decomposition, *given))
    wanted = _first(dxir.evaluate(meant, *given))
    if found.shape != wanted.shape or found.dtype != wanted.dtype:
        return f"{found.dtype}{found.shape} is not {wanted.dtype}{wanted.shape}"
    limit = 5e-2 if found.dtype.itemsize < 4 else 2e-3
    a, b = found.astype(np.float64), wanted.astype(np.float64)
    gap = float(np.max(np.abs(a - b) / (1 + np.abs(b)), initial=0.0))
    return None if gap <= limit else f"{node.attrs['composite_name']} is {gap} off"


def _first(results: Any) -> np.ndarray[Any, Any]:
    return np.asarray(results[0] if isinstance(results, tuple) else results)


def _sample(type: dxir.TensorType, generator: Any, position: int) -> np.ndarray[Any, Any]:
    dtype = type.primitive
    if dtype.is_float:
        values = generator.normal(size=type.static_shape)
        return (values if position == 0 else np.abs(values) + 0.1).astype(dtype.numpy)
    return generator.integers(0, 2, size=type.static_shape).astype(dtype.numpy)
