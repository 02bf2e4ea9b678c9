"""Programs made at random: what is found in them is there, and nothing changes."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops

from .meaning import composites_of, disagreement

ROWS, COLUMNS = 4, 6
NUMBERS = (0.5, 1.0, 2.0, 3.0, 6.0, math.sqrt(0.5), 0.044715, 1e-5, 1.702, 1 / 6, 1 / 4, -1.0)
UNARY = ("exp", "log", "tanh", "sigmoid", "rsqrt", "sqrt", "neg", "abs", "erf", "erfc", "log1p")
BINARY = ("add", "sub", "mul", "div", "max", "min")


class Maker:
    """A program of ops that patterns are made of, with the habits of front ends."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.builder = dxir.Builder("main")
        self.values = [self.builder.param(dxir.f32[ROWS, COLUMNS]) for _ in range(2)]

    def value(self) -> Any:
        """One of the values so far, the last ones more often."""
        place = int(len(self.values) * self.random.random() ** 0.5)
        return self.values[min(place, len(self.values) - 1)]

    def step(self) -> Any:
        kind, x = self.random.random(), self.value()
        if kind < 0.3:
            return getattr(ops, self.random.choice(UNARY))(x)
        if kind < 0.55:
            return getattr(ops, self.random.choice(BINARY))(x, self.value())
        if kind < 0.75:
            op = getattr(ops, self.random.choice(BINARY))
            number = ops.full_like(x, value=self.random.choice(NUMBERS))
            return op(x, number) if self.random.random() < 0.7 else op(number, x)
        if kind < 0.92:
            reduce = self.random.choice((ops.sum, ops.reduce_max, ops.mean))
            return ops.broadcast_to(
                reduce(x, axes=(self.random.choice((0, 1)),), keepdims=True), shape=(ROWS, COLUMNS)
            )
        return ops.select(ops.compare(x, self.value(), direction="GT"), x, self.value())

    def fragment(self) -> Any:
        """The ops of something that has a name, perhaps with one of them changed."""
        x = self.value()
        axis = self.random.choice((0, 1))
        top = ops.reduce_max(x, axes=(axis,), keepdims=True)
        e = ops.exp(ops.sub(x, top))
        wrong = axis if self.random.random() < 0.5 else 1 - axis
        choice = self.random.randrange(4)
        if choice == 0:
            return ops.div(e, ops.sum(e, axes=(wrong,), keepdims=True))
        if choice == 1:
            count = self.random.choice((ROWS, COLUMNS))
            mean = ops.div(ops.sum(ops.mul(x, x), axes=(axis,), keepdims=True), float(count))
            return ops.mul(x, ops.rsqrt(ops.add(mean, 1e-5)))
        if choice == 2:
            number = self.random.choice((math.sqrt(0.5), 0.5, 1.0))
            return ops.mul(ops.mul(x, 0.5), ops.add(ops.erf(ops.mul(x, number)), 1.0))
        return ops.mul(x, ops.sigmoid(self.random.choice((x, self.value()))))

    def program(self, steps: int) -> dxir.Program:
        for _ in range(steps):
            made = self.fragment() if self.random.random() < 0.25 else self.step()
            self.values.append(made)
        results = self.random.sample(self.values[2:], k=min(3, len(self.values) - 2))
        return dxir.lower(self.builder.build(*results)).decompose()


@pytest.mark.parametrize("seed", range(60))
def test_what_is_found_at_random_is_what_it_is_called(seed: int) -> None:
    program = Maker(seed).program(steps=18)
    coarse = program.run_passes("dxir-recognize,dxir-coarsen").verify()
    assert coarse.run_passes("dxir-decompose").fingerprint() == program.fingerprint()
    for node in composites_of(coarse):
        assert disagreement(node) is None


@pytest.mark.parametrize("seed", range(1000, 1012))
def test_composites_compute_the_same_bits(seed: int) -> None:
    program = Maker(seed).program(steps=14)
    coarse = program.run_passes("dxir-recognize,dxir-coarsen")
    given = [np.random.default_rng(seed + i).normal(size=(ROWS, COLUMNS)) for i in range(2)]
    arguments = [g.astype(np.float32) for g in given]
    before, after = (dxir.compile(p).run(arguments) for p in (program, coarse))
    for a, b in zip(before, after, strict=True):
        assert np.asarray(a).tobytes() == np.asarray(b).tobytes()
