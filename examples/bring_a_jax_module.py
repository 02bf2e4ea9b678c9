"""A module that JAX exported: checked, optimized, differentiated, batched, and shipped.

    python examples/bring_a_jax_module.py [--no-jax] [--out DIR]
    python examples/bring_a_jax_module.py --write MODULE.mlir

Where JAX is installed the module is exported anew, and what dxir makes of it is compared with what
JAX says. Without JAX it is the same module as it ships in `examples/data`, compared with itself.
It is a transformer block with a loss, of which nothing but StableHLO is known here.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import dxir
from dxir import Program
from dxir.verify import check_module

Array = NDArray[np.float32]
SHIPPED = Path(__file__).parent / "data" / "jax_block.mlir"
TOKENS, WIDTH, BATCH = 16, 32, 4
SHAPES = [
    (TOKENS, WIDTH), (TOKENS, WIDTH), (WIDTH, 3 * WIDTH), (WIDTH, WIDTH), (WIDTH, 4 * WIDTH),
    (4 * WIDTH, WIDTH),
]  # fmt: skip
TOLERANCE = 1e-4


def jax_loss(x: Any, y: Any, qkv: Any, out: Any, up: Any, down: Any) -> Any:
    """A transformer block and its squared error, as it stands in somebody's JAX code."""
    import jax
    import jax.numpy as jnp

    def norm(x: Any) -> Any:
        centered = x - jnp.mean(x, axis=-1, keepdims=True)
        return centered / jnp.sqrt(jnp.mean(centered**2, axis=-1, keepdims=True) + 1e-5)

    q, k, v = jnp.split(norm(x) @ qkv, 3, axis=-1)
    x = x + jax.nn.softmax(q @ k.T * WIDTH**-0.5, axis=-1) @ v @ out
    x = x + jax.nn.gelu(norm(x) @ up, approximate=False) @ down
    return jnp.mean((x - y) ** 2)


def exported() -> str:
    """The text of the module that JAX makes of it."""
    import jax
    from jax import export

    return str(export.export(jax.jit(jax_loss))(*inputs()).mlir_module())


def by_jax(arguments: list[Array], xs: Array, ys: Array) -> dict[str, list[Any]]:
    """What JAX finds for the loss, its gradient, and the losses of a batch."""
    import jax

    gradient = jax.jit(jax.grad(jax_loss, argnums=(2, 3, 4, 5)))
    batched = jax.jit(jax.vmap(jax_loss, in_axes=(0, 0, None, None, None, None)))
    return {
        "loss": [jax.jit(jax_loss)(*arguments)],
        "gradient": list(gradient(*arguments)),
        "batch": [batched(xs, ys, *arguments[2:])],
    }


class Steps:
    """What was done to the module, as lines of a table."""

    def __init__(self, arguments: list[Array], expected: dict[str, list[Any]]) -> None:
        self.arguments, self.expected = arguments, expected
        self.table = Table("step", "what came of it", "ops", "off from JAX")
        self.agrees = True

    def add(self, name: str, told: str, program: Program, what: str = "loss") -> None:
        """Run the program, and compare it with what JAX says of `what`."""
        batch = what == "batch"
        given = [*batches(), *self.arguments[2:]] if batch else self.arguments
        found = dxir.compile(program).run(given)
        off = "-"
        if self.expected:
            pairs = zip(found, self.expected[what], strict=True)
            error = max(map(difference, *zip(*pairs, strict=True)))
            self.agrees &= error <= TOLERANCE
            off = f"{error:.1e}"
        count = sum(program.op_counts().values())
        self.table.add_row(name, told, str(count), off)


def difference(found: Any, expected: Any) -> float:
    """How far two arrays are apart, as a part of the largest number in the second."""
    a, b = np.asarray(found, np.float64), np.asarray(expected, np.float64)
    return float(np.abs(a - b).max() / np.abs(b).max()) if a.shape == b.shape else np.inf


def inputs() -> list[Array]:
    """The arguments that everything is tried on."""
    rng = np.random.default_rng(0)
    return [(rng.normal(size=s) * (s[0] ** -0.5)).astype(np.float32) for s in SHAPES]


def batches() -> list[Array]:
    """Several inputs and answers."""
    rng = np.random.default_rng(1)
    return [rng.normal(size=(BATCH, TOKENS, WIDTH)).astype(np.float32) for _ in range(2)]


def bring(module: str, expected: dict[str, list[Any]], out: Path, console: Console) -> bool:
    """Do everything that is done; whether it agrees with JAX, where there is one."""
    program = dxir.load(module)
    steps = Steps(inputs(), expected)
    steps.add("load", "as JAX wrote it", program)

    report = check_module(program)
    for finding in report.findings:
        console.print(f"{finding.place}: {finding.severity}[{finding.rule}]: {finding.message}")
    console.print(f"dxir.verify: {len(report.findings)} findings")

    named = program.run_passes("inline,dxir-recognize,dxir-coarsen")
    nodes = named.raise_()["main"].nodes
    composites = Counter(n.attrs["composite_name"] for n in nodes if n.op == "composite")
    told = ", ".join(f"{n} {name.removeprefix('dxir.')}" for name, n in composites.items())
    steps.add("recognize", told, named)
    flat = "dxir-decompose,inline,symbol-dce,dxir-simplify,canonicalize,cse"
    steps.add("optimize", "expanded and simplified", named.run_passes(flat))

    derive = "dxir-differentiate{wrt=2,3,4,5 seed=one value=false rename-to=main}"
    before = program.run_passes(f"inline,{derive},{flat}")
    softmax = "dxir-recognize{patterns=softmax},dxir-coarsen"
    after = program.run_passes(f"inline,{softmax},{derive},{flat}")
    steps.add("differentiate", "op by op", before, "gradient")
    steps.add("differentiate", "softmax by its formula", after, "gradient")

    axes = f"in-axes=0,0,none,none,none,none size={BATCH}"
    batched = named.run_passes(f"dxir-vmap{{{axes} rename-to=main}},{flat}")
    steps.add("batch", f"of {BATCH} inputs", batched, "batch")

    for version in ("1.0.0", "12w"):
        path = out / f"jax_block_{version}.mlirbc"
        path.write_bytes(named.serialize(version, expand=True))
        told = f"{path.stat().st_size:,} bytes for {version}"
        steps.add("ship", told, dxir.load(path))
    console.print(steps.table)
    console.print(f"oldest possible: {named.minimum_version()}", soft_wrap=True)
    return steps.agrees


def is_there(package: str) -> bool:
    try:
        importlib.import_module(package)
    except ImportError:
        return False
    return True


def folder(text: str) -> Path:
    """A folder that files can be put in; it is made where there is none."""
    try:
        Path(text).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{text!r} cannot be a folder: {error.strerror}") from None
    return Path(text)


def main() -> int:
    parser = argparse.ArgumentParser(description="What dxir does with a module of JAX.")
    parser.add_argument("--no-jax", action="store_true", help="take the module that ships")
    parser.add_argument("--write", type=Path, metavar="FILE", help="export the module, and end")
    parser.add_argument("--out", type=folder, default="out", help="where artifacts go")
    options = parser.parse_args()
    has_jax = is_there("jax")
    if options.write is not None:
        if not has_jax:
            parser.error("--write exports from JAX, which is not installed: pip install jax")
        try:
            options.write.write_text(dxir.load(exported()).text(), "utf-8")  # without locations
        except OSError as error:
            parser.error(f"--write {options.write}: {error.strerror}")
        return 0
    console = Console()
    if has_jax and not options.no_jax:
        agrees = bring(exported(), by_jax(inputs(), *batches()), options.out, console)
        console.print("All agree with JAX." if agrees else "[red]They do not agree with JAX.[/]")
        return 0 if agrees else 1
    if not has_jax:
        console.print("JAX is not installed: the module that ships is taken, without a judge.")
    bring(SHIPPED.read_text("utf-8"), {}, options.out, console)
    return 0


if __name__ == "__main__":
    sys.exit(main())
