"""A network for IREE, with its weights in files beside it.

    python examples/iree_weights.py [--layers 2] [--width 768] [--out DIR]

Constants of 1 MiB and more go to an archive, each once, under the digest of what it holds: to a
.irpa file for IREE, whose program names them as parameters, and to a safetensors file for everybody
else, where they are arguments of plain StableHLO. Where IREE is installed (`pip install
'dxir[iree]'`) the program runs there, too; otherwise the files are for a machine that has it.
"""

from __future__ import annotations

import argparse
import importlib
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import dxir
from dxir import f32, ops
from dxir.compiling import Prepared

Array = NDArray[np.float32]
ROWS = 4


def network(layers: int, width: int) -> dxir.Function:
    """Layers with a matrix each, and one that all of them share: the archive holds it once."""
    rng = np.random.default_rng(0)
    matrices = rng.normal(0, width**-0.5, (layers + 1, width, width)).astype(np.float32)
    b = dxir.Builder("main")
    x = b.param(f32[ROWS, width], name="x")
    hidden = x
    for matrix in matrices[1:]:
        hidden = ops.tanh(ops.tanh(hidden @ matrices[0]) @ matrix)
    return b.build(ops.softmax(hidden))


def for_iree(function: dxir.Function, out: Path) -> Prepared:
    """Write what IREE's compiler takes, and the archive."""
    archive = out / "weights.irpa"
    archive.unlink(missing_ok=True)
    prepared = dxir.prepare(function, "iree-cpu", archive=archive)
    (out / "model.mlir").write_bytes(prepared.data())
    return prepared


def commands(prepared: Prepared, out: Path) -> list[str]:
    """What compiles and runs it by IREE's own tools."""
    vmfb, output = out / "model.vmfb", out / "output.npy"
    flags = [f"--{name}={str(value).lower()}" for name, value in prepared.flags.items()]
    return [
        shlex.join(["iree-compile", str(out / "model.mlir"), *flags, "-o", str(vmfb)]),
        shlex.join([
            "iree-run-module", f"--module={vmfb}", f"--parameters=model={out / 'weights.irpa'}",
            "--device=local-task", "--function=main", f"--input=@{out / 'input.npy'}",
            f"--output=@{output}",
        ]),
    ]  # fmt: skip


def for_others(function: dxir.Function, x: Array, out: Path) -> Array:
    """Write plain StableHLO and a safetensors file; gives what that computes, read again."""
    archive = out / "weights.safetensors"
    archive.unlink(missing_ok=True)
    slim = dxir.lower(function).run_passes(
        f'cse,dxir-externalize-constants{{file="{archive}" min-bytes=1048576}}'
    )
    (out / "model.mlirbc").write_bytes(slim.serialize("1.0.0", expand=True))
    again = dxir.load(out / "model.mlirbc")
    return np.asarray(dxir.compile(again)(*again.call_arguments(archive, x)))


def on_iree(prepared: Prepared, x: Array, out: Path) -> Array:
    """What IREE computes."""
    flags = {"parameters": str(out / "weights.irpa")}
    return np.asarray(dxir.compile(prepared.program, "iree-cpu", flags=flags)(x))


def is_installed(package: str) -> bool:
    try:
        importlib.import_module(package)
    except ImportError:
        return False
    return True


def number(smallest: int, largest: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not text.isdecimal() or not smallest <= int(text) <= largest:
            raise argparse.ArgumentTypeError(f"{text!r} is not in {smallest}..{largest}")
        return int(text)

    return parse


def folder(text: str) -> Path:
    """A folder that files can be put in; it is made where there is none."""
    try:
        Path(text).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{text!r} cannot be a folder: {error.strerror}") from None
    return Path(text)


def main() -> int:
    parser = argparse.ArgumentParser(description="Export a network with external weights.")
    parser.add_argument("--layers", type=number(1, 8), default=2)
    parser.add_argument("--width", type=number(512, 2048), default=768)
    parser.add_argument("--out", type=folder, default="out/iree", help="where files go")
    options = parser.parse_args()
    out, console = options.out, Console()
    function = network(options.layers, options.width)
    x = np.random.default_rng(1).normal(size=(ROWS, options.width)).astype(np.float32)
    np.save(out / "input.npy", x)

    (out / "whole.mlirbc").write_bytes(dxir.lower(function).serialize("1.0.0", expand=True))
    prepared = for_iree(function, out)
    expected = np.asarray(dxir.compile(function)(x))
    found = {"StableHLO with safetensors, on XLA": for_others(function, x, out)}
    if is_installed("iree.compiler") and is_installed("iree.runtime"):
        found["IREE with .irpa"] = on_iree(prepared, x, out)

    files = Table("file", "bytes", "what is in it")
    for name, told in {
        "whole.mlirbc": "everything, weights included, for StableHLO 1.0.0",
        "model.mlirbc": "the same without weights, which are arguments",
        "weights.safetensors": "the weights for it",
        "model.mlir": "the program for IREE, which names parameters",
        "weights.irpa": "the parameters",
    }.items():
        files.add_row(name, f"{(out / name).stat().st_size:,}", told)
    console.print(files)
    agrees = True
    for name, result in found.items():
        error = float(np.abs(result - expected).max() / expected.max())
        agrees &= error < 1e-4
        console.print(f"{name}: off from the whole program by {error:.1e}")
    if len(found) == 1:
        console.print("IREE is not installed here (pip install 'dxir\\[iree]'): it did not run.")
    console.print("By IREE's own tools:")
    for command in commands(prepared, out):
        console.print(command, soft_wrap=True, highlight=False)
    return 0 if agrees else 1


if __name__ == "__main__":
    sys.exit(main())
