"""Arguments to try a program on: the same from the same seed."""

from __future__ import annotations

import numpy as np

from dxir import random_arrays
from dxir.errors import ArgumentError
from dxir.mlir import decode_type
from dxir.program import Program
from dxir.random_arrays import Array
from dxir.reading import function_name, functions, signature
from dxir.types import DType, TensorType


def arguments_for(program: Program, seed: int, *, hostile: bool = False) -> list[Array]:
    """An array for each parameter of the `main` of a program.

    They hold everyday numbers, or, `hostile`, NaN, infinities, zeros and extremes in random places.
    A dimension without a size has 3. Raises GraphError for a program without a main, and
    ArgumentError for a parameter that is no tensor, or a quantized one.
    """
    entry = next(f for f in functions(program.module) if function_name(f) == program.main)
    make = random_arrays.hostile if hostile else random_arrays.ordinary
    found: list[Array] = []
    for index, each in enumerate(signature(entry).inputs):
        type = decode_type(each)
        if not isinstance(type, TensorType) or not isinstance(type.dtype, DType):
            raise ArgumentError(
                f"there are no arguments to make for parameter {index}, of type {type}",
                hint="make it inside the program, from a tensor",
            )
        found.append(make(type, np.random.default_rng((seed, index))))
    return found
