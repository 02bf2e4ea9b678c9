"""Golden files: arguments of a program, and the results that it is to give for them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dxir.diagnostics import node_name_of
from dxir.errors import ArtifactError
from dxir.mlir import decode_type
from dxir.program import Program
from dxir.reading import function_name, functions, signature
from dxir.tensor_files import TensorFile, as_type, read_npy, write_npz, write_safetensors
from dxir.types import DType, TensorType, Type

Array = np.ndarray[Any, Any]

PARAMETER, RESULT = "arg{}", "result{}"
"""What arrays are called, by their number; a parameter may be called by its name, too."""

_REMAKE = "where the module is meant so, dxir-run --golden=FILE writes it anew"


def write_golden(path: str, arguments: Sequence[Any], results: Sequence[Any]) -> None:
    """Write arguments and results into one .npz or .safetensors file.

    ArtifactError for what files do not hold (a token, a tuple), and when the system refuses.
    """
    arrays: dict[str, Array] = {}
    for form, given in ((PARAMETER, arguments), (RESULT, results)):
        for number, each in enumerate(given):
            if each is None or isinstance(each, tuple):
                raise ArtifactError(
                    f"{form.format(number)} is a {'token' if each is None else 'tuple'}, which "
                    "files do not hold",
                    where=path,
                    hint="leave it out of what main takes and gives",
                )
            arrays[form.format(number)] = np.asarray(each)
    write = write_safetensors if path.lower().endswith(".safetensors") else write_npz
    write(path, arrays)


def read_golden(path: str, program: Program) -> tuple[list[Array], list[Array]]:
    """The arguments and results of a file, or a folder of .npy files, for the `main` of a program.

    ArtifactError where it has not exactly the arrays that `main` takes and gives, each of its type.
    """
    arrays = dict(_arrays(path))
    main = next(f for f in functions(program.module) if function_name(f) == "main")
    type = signature(main)
    names = [node_name_of(a.location) for a in main.regions[0].blocks[0].arguments]
    found: list[list[Array]] = []
    for form, types in ((PARAMETER, type.inputs), (RESULT, type.results)):
        row: list[Array] = []
        for number, each in enumerate(types):
            called = [form.format(number)]
            if form == PARAMETER and names[number]:
                called.append(str(names[number]))
            name = next((n for n in called if n in arrays), None)
            if name is None:
                raise ArtifactError(
                    f"it has no array {' or '.join(called)}, of type {each}",
                    where=path,
                    hint=_REMAKE if not arrays else f"it has {', '.join(list(arrays)[:8])}",
                )
            row.append(_fitted(arrays.pop(name), decode_type(each), name, path))
        found.append(row)
    if arrays:
        raise ArtifactError(
            f"main has nothing for its {', '.join(list(arrays)[:8])}", where=path, hint=_REMAKE
        )
    return found[0], found[1]


def _fitted(array: Array, type: Type, name: str, path: str) -> Array:
    if not isinstance(type, TensorType):
        raise ArtifactError(f"{name} is of {type}, which files do not hold", where=path)
    dtype = type.dtype if isinstance(type.dtype, DType) else type.dtype.storage
    found, _ = as_type(array, dtype)
    same = found.dtype == dtype.numpy and len(found.shape) == type.rank
    if not same or any(
        isinstance(size, int) and size != given
        for size, given in zip(type.shape, found.shape, strict=True)
    ):
        raise ArtifactError(
            f"{name} is {array.dtype.name}{list(array.shape)}, and {type} in the module",
            where=path,
            hint=_REMAKE,
        )
    return found


def _arrays(path: str) -> Iterable[tuple[str, Array]]:
    if os.path.isdir(path):
        for each in sorted(Path(path).glob("*.npy")):
            yield each.stem, read_npy(str(each))
        return
    with TensorFile(path) as file:
        for name in file.names:
            yield name, file.read(name)
