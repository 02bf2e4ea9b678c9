"""Modules made by JAX: raised, lowered back, and judged by the NumPy references."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dxir.evaluation import evaluate
from dxir.fingerprint import fingerprint
from dxir.graph import Module
from dxir.lowering import lower_module
from dxir.mlir import ir, make_context
from dxir.raising import raise_module

jax = pytest.importorskip("jax")
jnp = jax.numpy
lax = jax.lax
RNG = np.random.default_rng(0)


def normal(*shape: int) -> Any:
    return RNG.standard_normal(shape).astype(np.float32)


def mlp(x: Any, w1: Any, b1: Any, w2: Any) -> Any:
    return jax.nn.softmax(jax.nn.gelu(x @ w1 + b1) @ w2)


def attention(q: Any, k: Any, v: Any) -> Any:
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / np.float32(2)
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(jnp.where(mask, scores, -jnp.inf)), v)


def convolution(x: Any, w: Any) -> Any:
    y = jax.nn.relu(lax.conv_general_dilated(x, w, (1, 1), "SAME"))
    return lax.reduce_window(y, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")


def scan(x: Any) -> Any:
    return lax.scan(lambda c, a: (c * 0.5 + a, jnp.sin(c)), jnp.zeros(x.shape[1:]), x)


def gradient(function: Callable[..., Any], *argnums: int) -> Callable[..., Any]:
    def loss(*arguments: Any) -> Any:
        leaves = jax.tree.leaves(function(*arguments))
        return sum((leaf * leaf).sum() for leaf in leaves)

    return jax.grad(loss, argnums=argnums or 0)


MLP = (normal(4, 8), normal(8, 16), normal(16), normal(16, 3))
QKV = (normal(1, 2, 5, 4), normal(1, 2, 5, 4), normal(1, 2, 5, 4))
IMAGE = (normal(1, 2, 6, 6), normal(3, 2, 3, 3))
ROWS = np.array([1, 4, 1], np.int32)
CASES: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "mlp": (mlp, MLP),
    "gradient of mlp": (gradient(mlp, 1, 2, 3), MLP),
    "attention": (attention, QKV),
    "gradient of attention": (gradient(attention, 0, 1, 2), QKV),
    "convolution": (convolution, IMAGE),
    "gradient of convolution": (gradient(convolution, 0, 1), IMAGE),
    "scan": (scan, (normal(5, 3),)),
    "gradient of scan": (gradient(scan), (normal(5, 3),)),
    "sort": (lambda x: (jnp.sort(x), jnp.argsort(x), lax.top_k(x, 2)), (normal(3, 5),)),
    "fft": (lambda x: jnp.abs(jnp.fft.fft(x)), (normal(8),)),
    "real fft": (lambda x: jnp.fft.irfft(jnp.fft.rfft(x)), (normal(8),)),
    "cond": (lambda x: lax.cond(x.sum() > 0, lambda y: y * 2, lambda y: y - 1, x), (normal(3),)),
    "switch": (
        lambda i, x: lax.switch(i, [jnp.abs, jnp.negative, jnp.sin], x),
        (np.int32(2), normal(3)),
    ),
    "while": (
        lambda x: lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, s[1] * x), (0, x)),
        (normal(3),),
    ),
    "gather": (lambda x, i: x[i], (normal(5, 3), ROWS)),
    "scatter": (lambda x, i, u: x.at[i].add(u), (normal(5, 3), ROWS, normal(3, 3))),
    "dynamic slices": (
        lambda x, i: lax.dynamic_update_slice(x, lax.dynamic_slice(x, (i, 0), (2, 3)) * 2, (0, 0)),
        (normal(5, 3), np.int32(1)),
    ),
    "random": (
        lambda k: jax.random.normal(jax.random.wrap_key_data(k), (3,)),
        (np.array([1, 2], np.uint32),),
    ),
    "cumulative": (lambda x: (jnp.cumsum(x), lax.cummax(x), jnp.cumprod(x)), (normal(6),)),
    "special functions": (lambda x: (lax.erf(x), lax.lgamma(x), lax.digamma(x)), (normal(6),)),
    "integers": (
        lambda x: (x // 3, x % 3, x >> 1, lax.population_count(x), lax.clz(x)),
        (np.arange(-4, 5, dtype=np.int32),),
    ),
    "bfloat16": (
        lambda x: x.astype(jnp.bfloat16) @ x.T.astype(jnp.bfloat16) + jnp.bfloat16(1.5),
        (normal(3, 4),),
    ),
    "complex": (
        lambda x: (x + 1j * np.arange(4).astype(np.complex64)).conj() * (2 - 1j),
        (normal(4),),
    ),
    "nested jit": (lambda x: jax.jit(jnp.sin)(x) + jax.jit(jnp.sin)(x + 1), (normal(4),)),
    "checkpoint": (
        jax.grad(lambda x: jax.checkpoint(lambda y: jnp.sin(jnp.sin(y)))(x).sum()),
        (normal(4),),
    ),
    "vmap": (jax.vmap(jnp.dot), (normal(3, 4), normal(3, 4))),
    "statistics": (lambda x: (jnp.argmax(x, 1), jnp.var(x, 0)), (normal(3, 4),)),
}


def raise_text(text: Any) -> tuple[ir.Module, Module]:
    module = ir.Module.parse(text, make_context())
    graph = raise_module(module)
    assert fingerprint(lower_module(graph)) == fingerprint(module)
    return module, graph


def lowered(function: Callable[..., Any], arguments: Any) -> str:
    module = jax.jit(function).trace(*arguments).lower().compiler_ir("stablehlo")
    text: str = module.operation.get_asm(enable_debug_info=True)
    return text


@pytest.mark.parametrize("name", CASES)
def test_a_module_of_jax_means_what_jax_computes(name: str) -> None:
    function, arguments = CASES[name]
    _, graph = raise_text(lowered(function, arguments))
    found = evaluate(graph, *[np.asarray(a) for a in arguments])
    wanted = [np.asarray(w) for w in jax.tree.leaves(jax.jit(function)(*arguments))]
    results = found if isinstance(found, tuple) else (found,)
    relative = 2e-2 if name == "bfloat16" else 5e-5
    for result, want in zip(results, wanted, strict=True):
        assert result.dtype == want.dtype
        kind = np.complex128 if want.dtype.kind == "c" else np.float64
        np.testing.assert_allclose(
            np.asarray(result).astype(kind), want.astype(kind), rtol=relative, atol=1e-5
        )


def test_custom_calls_of_jax_are_kept_with_all_they_carry() -> None:
    function = lambda x: jnp.linalg.cholesky(x @ x.T + 3 * jnp.eye(4))  # noqa: E731
    _, graph = raise_text(lowered(function, (normal(4, 4),)))
    (call,) = [n for f in graph.functions for n in f.nodes if n.op == "custom_call"]
    assert "potrf" in call.attrs["call_target_name"]
    assert call.annotations is not None
    assert "mhlo.backend_config" in call.annotations


def test_a_shard_map_is_a_manual_computation() -> None:
    partition = jax.sharding.PartitionSpec
    mesh = jax.sharding.AbstractMesh((2, 2), ("x", "y"))
    specs = (partition("x", "y"), partition("y", None))
    function = jax.shard_map(
        lambda a, b: lax.psum(a @ b, "y"), mesh=mesh, in_specs=specs, out_specs=partition("x", None)
    )
    arguments = [
        jax.ShapeDtypeStruct((4, 4), np.float32, sharding=jax.sharding.NamedSharding(mesh, s))
        for s in specs
    ]
    traced = jax.jit(function).trace(*arguments).lower(lowering_platforms=("cpu",))
    _, graph = raise_text(str(traced.compiler_ir("stablehlo")))
    nodes = [n for f in graph.functions for n in f.nodes]
    (node,) = [n for n in nodes if n.op == "manual_computation"]
    assert "all_reduce" in [n.op for n in node.regions[0].nodes]
    assert {m.axes for m in graph.meshes} == {(("x", 2), ("y", 2))}


def test_an_exported_module_with_a_symbolic_batch_keeps_its_unknown_dimension() -> None:
    from jax import export

    (batch,) = export.symbolic_shape("b")
    function = jax.jit(lambda x: jnp.tanh(x @ jnp.ones((4, 3))) + x.sum(1, keepdims=True))
    exported = export.export(function)(jax.ShapeDtypeStruct((batch, 4), jnp.float32))
    _, graph = raise_text(exported.mlir_module())
    assert str(graph["main"].params[0].type) == "f32[?, 4]"
    assert str(graph["main"].result_types[0]) == "f32[?, 3]"
