"""What composites that say their layout should compute, from what they say alone."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import dxir

Array = np.ndarray[Any, Any]
Dims = list[str]
"""The letters of each dimension: several for one made of several, none for one of size 1."""


def texts(*types: dxir.TensorType) -> tuple[str, ...]:
    """Types of tensors as MLIR writes them."""
    return tuple([f"tensor<{'x'.join(map(str, (*t.shape, t.dtype)))}>" for t in types])


def read(text: str) -> tuple[list[Dims], Dims]:
    """The dimensions of the operands and of the result that a layout names."""
    operands, result = text.split("->")
    return [_dims(operand) for operand in operands.split(",")], _dims(result)


def _dims(text: str) -> Dims:
    found = re.findall(r"\(([a-zA-Z]+)\)|([a-zA-Z1])", text)
    return [(group or letter).replace("1", "") for group, letter in found]


def sizes_of(operands: Sequence[Dims], arrays: Sequence[Array]) -> dict[str, int]:
    """The size of each letter, as far as letters that stand alone tell it."""
    found = {"p": 2}
    pairs = [pair for dims, a in zip(operands, arrays, strict=True)
             for pair in zip(dims, a.shape, strict=True)]  # fmt: skip
    for letters, size in sorted(pairs, key=lambda pair: len(pair[0])):
        unknown = [letter for letter in letters if letter not in found]
        known = math.prod(found[letter] for letter in letters if letter in found)
        for letter in unknown[1:]:
            found[letter] = 1
        if unknown:
            found[unknown[0]] = size // known
        assert math.prod(found[letter] for letter in letters) == size
    return found


def spread(array: Array, dims: Dims, letters: str, sizes: dict[str, int]) -> Array:
    """An array with a dimension for each of these letters, of size 1 where it has none of it."""
    own = "".join(dims)
    wide = array.astype(np.float64) if array.dtype != np.bool_ else array
    wide = wide.reshape([sizes[letter] for letter in own])
    order = sorted(range(len(own)), key=lambda i: letters.index(own[i]))
    shape = [sizes[letter] if letter in own else 1 for letter in letters]
    return wide.transpose(order).reshape(shape)


def packed(array: Array, letters: str, result: Dims, sizes: dict[str, int]) -> Array:
    """An array with these letters in the layout of a result."""
    flat = "".join(result)
    array = np.broadcast_to(array, [sizes[letter] for letter in letters])
    array = array.transpose([letters.index(letter) for letter in flat])
    return array.reshape([math.prod(sizes[letter] for letter in dim) for dim in result])


def product(a: tuple[Array, str], b: tuple[Array, str], letters: str) -> Array:
    """The product of two arrays, summed over what is in no letter of the result."""
    return np.asarray(np.einsum(f"{a[1]},{b[1]}->{letters}", a[0], b[0]))


def attention(said: dict[str, Any], given: dict[str, Array]) -> Array:
    """The attention that attributes tell of."""
    operands, result = read(said["layout"])
    sizes = sizes_of(operands, list(given.values()))
    dims = dict(zip(given, operands, strict=True))
    flat = {name: "".join(d) for name, d in dims.items()}
    values = {n: spread(a, dims[n], flat[n], sizes) for n, a in given.items()}
    letters = "".join(sorted((set(flat["q"]) | set(flat["k"])) - {"d"} - {"t"})) + "t"
    with np.errstate(all="ignore"):
        scores = product((values["q"], flat["q"]), (values["k"], flat["k"]), letters)
        scores = scores * said["scale"]
        if "bias" in given:
            scores = scores + spread(given["bias"], dims["bias"], letters, sizes)
        if said.get("mask") == "added":
            scores = scores + spread(given["mask"], dims["mask"], letters, sizes)
        elif "mask" in given:
            seen = spread(given["mask"], dims["mask"], letters, sizes)
            scores = np.where(seen == (said["mask"] == "seen"), scores, -1e30)
        if said["causal"] and "s" in letters:
            triangle = np.tri(sizes["s"], sizes["t"], dtype=np.bool_)
            seen = spread(triangle, ["s", "t"], letters, sizes)
            scores = np.where(seen, scores, -1e30)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = weights / weights.sum(axis=-1, keepdims=True)
    out = "".join(result)
    return packed(product((weights, letters), (values["v"], flat["v"]), out), out, result, sizes)


def rope(said: dict[str, Any], given: dict[str, Array]) -> Array:
    """The turned value that attributes tell of."""
    operands, result = read(said["layout"])
    sizes = sizes_of(operands, list(given.values()))
    dims = dict(zip(given, operands, strict=True))
    letters = "".join(sorted(set("".join(dims["x"])) - {"p"})) + "p"
    x, cos, sin = (spread(a, dims[n], letters, sizes) for n, a in given.items())
    turned = np.stack([-x[..., 1], x[..., 0]], axis=-1)
    return packed(x * cos + turned * sin, letters, result, sizes)


def _logistic(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-x)))


def _gelu(said: dict[str, Any]) -> Callable[[Array], Array]:
    if said["approximate"] == "tanh":
        return lambda x: x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return lambda x: x / 2 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def activation(said: dict[str, Any]) -> Callable[[Array], Array]:
    """The activation that attributes tell of."""
    name = said.get("activation", "")
    slope, alpha = said.get("negative_slope", 0), said.get("alpha", 1)
    known: dict[str, Callable[[Array], Array]] = {
        "": lambda x: x,
        "relu": lambda x: np.maximum(x, 0),
        "relu6": lambda x: np.clip(x, 0, 6),
        "leaky_relu": lambda x: np.where(x > 0, x, slope * x),
        "elu": lambda x: np.where(x > 0, x, alpha * np.expm1(x)),
        "tanh": np.tanh,
        "logistic": _logistic,
        "silu": lambda x: x * _logistic(x),
        "quick_gelu": lambda x: x * _logistic(1.702 * x),
        "softplus": lambda x: np.logaddexp(x, 0),
    }
    return _gelu(said) if name == "gelu" else known[name]


def layers(said: dict[str, Any], given: dict[str, Array]) -> Array:
    """The linear, gated or feed-forward layer that attributes tell of."""
    operands, result = read(said["layout"])
    sizes = sizes_of(operands, list(given.values()))
    dims = dict(zip(given, operands, strict=True))
    values = {n: spread(a, dims[n], "".join(dims[n]), sizes) for n, a in given.items()}
    flat = {name: "".join(d) for name, d in dims.items()}

    def dense(x: tuple[Array, str], w: str, bias: str) -> tuple[Array, str]:
        shared = set(x[1]) & set(flat[w])
        letters = "".join(a for a in x[1] + flat[w] if a not in shared)
        made = product(x, (values[w], flat[w]), letters)
        if bias in given:
            made = made + spread(given[bias], dims[bias], letters, sizes)
        return made, letters

    x, act = (values["x"], flat["x"]), activation(said)
    if "w" in given and "fused" not in said:
        made, letters = dense(x, "w", "bias")
        if "residual" in given:
            made = made + spread(given["residual"], dims["residual"], letters, sizes)
        return packed(act(made), letters, result, sizes)
    if "fused" in said:
        both, letters = dense(x, "w", "bias")
        first, second = (np.take(both, i, letters.index("p")) for i in (0, 1))
        gate, up = (first, second) if said["fused"] == "first" else (second, first)
        hidden = act(gate) * up, letters.replace("p", "")
    else:
        up, letters = dense(x, "w_up", "bias_up")
        gated = "w_gate" in given
        hidden = (act(dense(x, "w_gate", "bias_gate")[0]) * up if gated else act(up)), letters
    if "w_down" in given:
        hidden = dense(hidden, "w_down", "bias_down")
    made, letters = hidden
    if "residual" in given:
        made = made + spread(given["residual"], dims["residual"], letters, sizes)
    return packed(made, letters, result, sizes)


_GATED = ("x", "w_gate", "w_up", "w", "bias_gate", "bias_up", "bias")
KNOWN: dict[str, tuple[Callable[..., Array], tuple[str, ...]]] = {
    "dxir.attention": (attention, ("q", "k", "v", "mask", "bias")),
    "dxir.rope": (rope, ("x", "cos", "sin")),
    "dxir.linear": (layers, ("x", "w", "bias", "residual")),
    "dxir.swiglu": (layers, _GATED),
    "dxir.transformer_mlp": (layers, (*_GATED, "w_down", "bias_down", "residual")),
}


def disagreement(node: Any) -> str | None:
    """How far a composite is from what its attributes say; None where they agree."""
    name = str(node.attrs["composite_name"])
    if name not in KNOWN:
        return None
    meant, names = KNOWN[name]
    said = dict(node.attrs["composite_attributes"])
    if name == "dxir.swiglu":
        said["activation"] = "silu"
    there = said.get("operand_segments", (1,) * len(names))
    names = tuple(n for n, is_there in zip(names, there, strict=True) if is_there)
    generator = np.random.default_rng(1)
    samples = {v: _sample(v.tensor, generator) for v in dict.fromkeys(node.operands)}
    given = {n: samples[v] for n, v in zip(names, node.operands, strict=True)}
    if "mask" in given and said["mask"] != "added":
        given["mask"] = _mask(given["mask"], said)
    results = dxir.evaluate(node.attrs["decomposition"], *given.values())
    found = np.asarray(results[0] if isinstance(results, tuple) else results)
    wanted = meant(said, given)
    if found.shape != wanted.shape:
        return f"{name} gives {found.shape}, and says {wanted.shape}"
    narrow = any(a.dtype.itemsize < 4 for a in given.values() if a.dtype != np.bool_)
    largest = np.max(np.abs(wanted), initial=1.0)
    gap = float(np.max(np.abs(found.astype(np.float64) - wanted), initial=0.0) / largest)
    return None if gap <= (5e-2 if narrow else 1e-5) else f"{name} is {gap} off {said}"


def _sample(type: dxir.TensorType, generator: Any) -> Array:
    values = generator.normal(size=type.static_shape)
    if not type.primitive.is_float:
        values = generator.random(size=type.static_shape) < 0.7
    return np.asarray(values).astype(type.primitive.numpy)


def _mask(mask: Array, said: dict[str, Any]) -> Array:
    """A mask by which each query sees a key: the first, which is later than none."""
    mask = mask.copy()
    mask[..., 0] = said["mask"] == "seen"
    return mask
