"""How the modules of the corpus are written: lowered by JAX, with a header that says what is there.

Each script beside this one holds the programs of one producer, and writes them to a folder:

    python tests/recognition/producers/flax_nnx.py tests/recognition/corpus

Run it in an environment with the producer in it; dxir is not needed. What a header expects is what
a person finds who reads the model, by the rules of `tests/recognition/corpus.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp

Counts = Mapping[str, int]
Tree = Any  # arrays, or their shapes, in any nesting
ANYTHING: Mapping[str, Counts] = {"": {}}
"""What is expected where it is not said."""


@dataclass(frozen=True)
class Case:
    """A program, and what there is to find in each function that it is lowered to."""

    name: str
    says: str
    program: Callable[..., Tree]
    arguments: Sequence[Tree]
    expect: Mapping[str, Counts] = field(default_factory=dict)
    # What may be found in a function as well, and is no mistake: readers would differ.
    may: Mapping[str, Counts] = field(default_factory=dict)

    def text(self, producer: str) -> str:
        """The module under its header."""
        # Shapes only: values that are not arguments would be constants in the text.
        arguments = jax.eval_shape(lambda: tuple(self.arguments))
        module = jax.jit(self.program).lower(*arguments).as_text()
        lines = [f"Producer: {producer}", f"Module: {self.says}"]
        if self.expect is ANYTHING:
            lines += ["EXPECT: anything"]
        else:
            lines += _lines("EXPECT", self.expect) or ["EXPECT: nothing"]
        lines += _lines("MAY", self.may)
        return "".join(f"// {line}\n" for line in lines) + "\n" + module


def _lines(word: str, functions: Mapping[str, Counts]) -> list[str]:
    return [
        f"{word} @{function.replace('|', '|@')}: "
        + " ".join(f"{pattern}={n}" for pattern, n in sorted(counts.items()))
        for function, counts in functions.items()
    ]


def main(**counts: int) -> dict[str, Counts]:
    """What is in the function that is called from outside."""
    return {"main": counts}


def at(function: str, **counts: int) -> dict[str, Counts]:
    """What is in another function; in any of several, with `|` between their names."""
    return {function: counts}


def f32(*shape: int) -> jax.Array:
    """An argument of this shape."""
    return jnp.zeros(shape, jnp.float32)


def bf16(*shape: int) -> jax.Array:
    """An argument of this shape, in bfloat16."""
    return jnp.zeros(shape, jnp.bfloat16)


def i8(*shape: int) -> jax.Array:
    """An argument of this shape, of 8-bit integers."""
    return jnp.zeros(shape, jnp.int8)


def i32(*shape: int) -> jax.Array:
    """An argument of this shape, of integers such as labels and token ids."""
    return jnp.zeros(shape, jnp.int32)


def boolean(*shape: int) -> jax.Array:
    """An argument of this shape: a mask, true where something may be seen."""
    return jnp.zeros(shape, jnp.bool_)


def write(folder: str, producer: str, cases: Sequence[Case]) -> None:
    """Write each case to a file of its own, in the folder of that name below the one asked for."""
    out = Path(sys.argv[1]) / folder
    out.mkdir(parents=True, exist_ok=True)
    for case in cases:
        (out / f"{case.name}.mlir").write_text(case.text(producer), encoding="utf-8")
    print(f"{out}: {len(cases)} modules")
