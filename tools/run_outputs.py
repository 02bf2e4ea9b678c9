"""The results of a run: as text, or in files."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from dxir.errors import DxirError
from dxir.mlir import ir
from dxir.program import Program
from dxir.reading import attribute, function_name, functions
from dxir.runtime.interpreter.running import Result
from dxir.tensor_files import Array, write_npy, write_npz, write_safetensors
from dxir.tools.tensor_text import result_text
from dxir.types import DType, TensorType
from dxir.whole_files import write_file

_INFO = "jax.result_info"
_ALL = "results"
_UNFIT = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST = 100
MOST_SHOWN = 1000
"""Of how many elements a result is still printed in full."""


def text_of(results: Sequence[Result], *, full: bool) -> str:
    """Results as `dxir-translate --interpret` prints them; large ones in part unless `full`."""
    most = None if full else MOST_SHOWN
    return "".join(result_text(r, most) + "\n" for r in results)


def type_text(result: Result) -> str:
    """The type of a result, as dxir writes it."""
    if result is None:
        return "token"
    if isinstance(result, tuple):
        return f"({', '.join(map(type_text, result))})"
    return repr(TensorType(result.shape, DType.of(result.dtype)))


def result_names(program: Program, count: int) -> list[str]:
    """Names for the results of `main` that files can have: those JAX gave them, or `result0`."""
    main = next((f for f in functions(program.module) if function_name(f) == "main"), None)
    given = None if main is None else attribute(main, "res_attrs")
    entries = list(given) if isinstance(given, ir.ArrayAttr) else []
    names: list[str] = []
    for number in range(count):
        entry = entries[number] if number < len(entries) else None
        info = entry[_INFO] if isinstance(entry, ir.DictAttr) and _INFO in entry else None
        told = info.value if isinstance(info, ir.StringAttr) else ""
        names.append(_UNFIT.sub("_", told).strip("._-")[:_LONGEST])
    # On some file systems `A` and `a` are one name.
    lowered = [name.lower() for name in names]
    is_usable = all(names) and len(set(lowered)) == len(names)
    return names if is_usable else [f"result{n}" for n in range(count)]


def write_results(
    folder: str, form: str, names: Sequence[str], results: Sequence[Result]
) -> list[str]:
    """Write results to files in a folder, which is made if it is not there; the file of each.

    Every file appears whole or not at all. Raises DxirError for what the system refuses, and for a
    token or tuple.
    """
    arrays: dict[str, Array] = {}
    for name, result in zip(names, results, strict=True):
        if result is None or isinstance(result, tuple):
            raise DxirError(
                f"{name} is a {'token' if result is None else 'tuple'}, which files do not hold",
                hint="leave --out away: it is printed then",
            )
        arrays[name] = np.asarray(result)
    place = _made(folder)
    if form in ("npz", "safetensors"):
        path = str(place / f"{_ALL}.{form}")
        (write_npz if form == "npz" else write_safetensors)(path, arrays)
        return [path] * len(arrays)
    files: list[str] = []
    for name, array in arrays.items():
        path = str(place / f"{name}.{'txt' if form == 'text' else form}")
        files.append(path)
        if form == "npy":
            write_npy(path, array)
        else:
            _write_text(path, text_of([array], full=True))
    return files


def _made(folder: str) -> Path:
    try:
        os.makedirs(folder, exist_ok=True)
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or error
        raise DxirError(f"--out: the folder cannot be made: {said}", where=folder) from None
    return Path(folder)


def _write_text(path: str, text: str) -> None:
    try:
        write_file(path, text.encode())
    except OSError as error:
        raise DxirError(
            f"the file cannot be written: {error.strerror or error}", where=path
        ) from None
