"""The gradients of the decoder layer: those that are given, and JAX's for every parameter."""

from __future__ import annotations

import importlib.util
import json
from functools import cache
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import dxir
from dxir.graph import Function
from dxir.transforms import grad_function, jvp_function, vjp_function

ROOT = Path(__file__).parents[2]
CASE: dict[str, Any] = json.loads((ROOT / "examples" / "cases" / "llama_decoder.json").read_text())
NAMES = [name for name, _ in CASE["params"]]
EXPECTED = CASE["expected"]["tiny"]
Array = np.ndarray[Any, Any]


@cache
def decoder() -> tuple[Function, list[Array]]:
    """The layer as the example builds it, and the inputs that the case describes."""
    path = ROOT / "examples" / "llama_decoder.py"
    spec = importlib.util.spec_from_file_location("llama_decoder", path)
    assert spec is not None
    assert spec.loader is not None
    demo = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(demo)
    sizes, params = CASE["configs"]["tiny"], CASE["params"]
    return demo.decoder_layer(sizes, params), demo.decoder_inputs(sizes, params)


def by_jax(x: Any, labels: Any, theta: Any, *rest: Any) -> Any:
    q_w, k_w, v_w, out_w, gate_w, up_w, down_w, head, eps_attn, eps_mlp = rest

    def norm(y: Any, eps: Any) -> Any:
        return y * jax.lax.rsqrt(jnp.mean(y * y, axis=1, keepdims=True) + eps)

    n = norm(x, eps_attn)
    q = (n @ q_w) * jnp.cos(theta) - theta * jnp.sin(theta)
    x = x + (jax.nn.softmax(q @ (n @ k_w).T) @ (n @ v_w)) @ out_w
    n = norm(x, eps_mlp)
    x = x + (jax.nn.silu(n @ gate_w) * (n @ up_w)) @ down_w
    return jnp.sum(labels * jnp.log(jax.nn.softmax(x @ head)))


@cache
def found() -> tuple[float, dict[str, Array]]:
    """The loss and the gradients by name, compiled."""
    function, arrays = decoder()
    made = grad_function(function, value=True, name="main")
    loss, *gradients = dxir.compile(made)(*arrays)
    return float(loss), dict(zip(NAMES, map(np.asarray, gradients), strict=True))


def test_the_loss_and_its_gradients_are_those_that_are_given() -> None:
    loss, gradients = found()
    np.testing.assert_allclose(loss, EXPECTED["loss_f64"], rtol=EXPECTED["rtol_f32"])
    assert len(gradients) == 13
    for name, stated in EXPECTED["grad_l2"].items():
        length = np.linalg.norm(gradients[name].astype(np.float64))
        np.testing.assert_allclose(length, stated, rtol=1e-5, err_msg=name)
    for name, stated in EXPECTED["grad_00"].items():
        first = gradients[name].reshape(-1)[0]
        np.testing.assert_allclose(first, stated, rtol=1e-4, err_msg=name)


def test_every_gradient_is_that_of_jax() -> None:
    _, arrays = decoder()
    loss, gradients = found()
    value, wanted = jax.jit(jax.value_and_grad(by_jax, argnums=tuple(range(13))))(*arrays)
    np.testing.assert_allclose(loss, value, rtol=1e-6)
    for (name, gradient), theirs in zip(gradients.items(), wanted, strict=True):
        scale = float(np.abs(theirs).max())
        np.testing.assert_allclose(gradient, theirs, rtol=1e-4, atol=2e-6 * scale, err_msg=name)


def test_the_reference_gives_the_same_gradients() -> None:
    function, arrays = decoder()
    loss, gradients = found()
    value, *wanted = dxir.evaluate(grad_function(function, value=True), *arrays)
    np.testing.assert_allclose(loss, value, rtol=1e-6)
    for (name, gradient), exact in zip(gradients.items(), wanted, strict=True):
        scale = float(np.abs(exact).max())
        np.testing.assert_allclose(gradient, exact, rtol=1e-4, atol=2e-6 * scale, err_msg=name)


def test_a_hessian_vector_product_is_that_of_jax() -> None:
    function, arrays = decoder()
    rng = np.random.default_rng(0)
    wrt = [NAMES.index(n) for n in ("q_w", "k_w", "gate_w")]
    tangents = [rng.normal(size=arrays[i].shape).astype(np.float32) for i in wrt]
    made = jvp_function(grad_function(function, wrt), wrt, value=False)
    results = dxir.compile(made)(*arrays, *tangents)

    def gradient(*moved: Any) -> Any:
        given = list(arrays)
        for i, value in zip(wrt, moved, strict=True):
            given[i] = value
        return jax.grad(by_jax, argnums=tuple(wrt))(*given)

    at = tuple(arrays[i] for i in wrt)
    wanted = jax.jit(lambda p, t: jax.jvp(gradient, p, t)[1])(at, tuple(tangents))
    for mine, theirs in zip(results, wanted, strict=True):
        scale = float(np.abs(theirs).max())
        np.testing.assert_allclose(np.asarray(mine), theirs, rtol=1e-3, atol=2e-5 * scale)


def counted(program: dxir.Program) -> dict[str, int]:
    simple = program.decompose().run_passes("inline,canonicalize,cse,symbol-dce")
    counts = simple.op_counts(nested=False)
    return {k: n for k, n in counts.items() if not k.startswith("func.") and "constant" not in k}


def test_the_gradient_takes_fewer_operations_than_that_of_jax() -> None:
    function, arrays = decoder()
    mine = counted(dxir.lower(grad_function(function, value=True)))
    gradient = jax.value_and_grad(by_jax, argnums=tuple(range(13)))
    other = counted(dxir.load(jax.jit(gradient).lower(*arrays).as_text()))
    assert sum(mine.values()) < sum(other.values()), (mine, other)
    assert mine["stablehlo.dot_general"] <= other["stablehlo.dot_general"]
    assert "stablehlo.transpose" not in mine or mine["stablehlo.transpose"] <= 2


def test_composites_stay_in_the_forward_part_of_the_gradient() -> None:
    made = vjp_function(decoder()[0])
    names = [n.op for n in made.nodes]
    assert names.count("softmax") == 2
    assert names.count("silu") == 1
