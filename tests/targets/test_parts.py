"""Composites inside of others: a target keeps or calls the parts of what it does not take whole."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.targets import Target, keep_only, registry
from dxir.targets.kernels import KernelDescriptor, register_kernel, unregister_kernel

PLAIN = Target("parts-plain", "keeps nothing")
KEEPS = Target("parts-keeps", "keeps a gelu", granularity=keep_only("dxir.gelu"))


@pytest.fixture(autouse=True)
def _targets(monkeypatch: pytest.MonkeyPatch) -> None:
    for target in (PLAIN, KEEPS):
        monkeypatch.setitem(registry._targets, target.name, target)


@pytest.fixture
def _kernel() -> Iterator[None]:
    kernel = KernelDescriptor(composite="dxir.softmax", call_target="acme_softmax")
    register_kernel(PLAIN.name, kernel)
    yield
    unregister_kernel(PLAIN.name, kernel)


def attention() -> dxir.Program:
    b = dxir.Builder("main")
    q, k, v = (b.param(dxir.f32[2, 4, 8]) for _ in range(3))
    return dxir.lower(b.build(ops.scaled_dot_product_attention(q, k, v))).decompose()


def perceptron() -> dxir.Program:
    b = dxir.Builder("main")
    x = b.param(dxir.f32[4, 8])
    w, bias, v = b.param(dxir.f32[8, 16]), b.param(dxir.f32[16]), b.param(dxir.f32[16, 8])
    hidden = ops.gelu(ops.add(ops.matmul(x, w), bias))
    return dxir.lower(b.build(ops.matmul(hidden, v))).decompose()


@pytest.mark.usefixtures("_kernel")
def test_the_softmax_kernel_is_called_in_an_attention_that_is_expanded() -> None:
    prepared = attention().run_passes(PLAIN.pipeline)
    assert prepared.op_counts()["stablehlo.custom_call"] == 1
    assert "stablehlo.composite" not in prepared.op_counts()
    assert "acme_softmax" in str(prepared)


def test_a_target_keeps_the_gelu_of_a_perceptron() -> None:
    program = perceptron()
    kept = program.run_passes(KEEPS.pipeline)
    assert kept.op_counts()["stablehlo.composite"] == 1
    assert 'stablehlo.composite "dxir.gelu"' in str(kept)
    given = [np.random.default_rng(i).normal(size=p) for i, p in enumerate(((4, 8), (8, 16)))]
    given += [np.zeros(16), np.random.default_rng(9).normal(size=(16, 8))]
    arguments = [g.astype(np.float32) for g in given]
    a, b = (np.asarray(dxir.compile(p)(*arguments)) for p in (program, kept))
    assert a.tobytes() == b.tobytes()


@pytest.mark.parametrize("make", [attention, perceptron])
def test_with_nothing_kept_the_program_is_what_it_was(make: object) -> None:
    assert callable(make)
    program = make()
    assert program.run_passes(PLAIN.pipeline).fingerprint() == program.fingerprint()


@pytest.mark.parametrize("make", [attention, perceptron])
def test_looking_inside_comes_to_rest(make: object) -> None:
    assert callable(make)
    inside = "dxir-recognize{nested=true},dxir-coarsen"
    rested = make().run_passes("dxir-recognize,dxir-coarsen")
    for _ in range(4):
        rested = rested.run_passes(inside)
    assert str(rested.run_passes(inside)) == str(rested)


def test_an_mlp_whose_gelu_is_legalized_no_longer_says_that_it_is_exact() -> None:
    inside = ["dxir-recognize{nested=true},dxir-coarsen"] * 2
    text = ",".join(["dxir-recognize,dxir-coarsen", *inside])
    exact = perceptron().run_passes(text)
    assert str(exact).count('approximate = "none"') >= 3
    changed = exact.run_passes("dxir-legalize-gelu")
    assert 'approximate = "none"' not in str(changed)
    assert 'stablehlo.composite "dxir.transformer_mlp"' in str(changed)
    assert len(changed.approximations()) == 1
