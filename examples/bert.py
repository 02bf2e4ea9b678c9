"""A BERT-style encoder, exported for batches of any size.

    python examples/bert.py [--width 128] [--layers 4] [--batch 2 5] [--out DIR]

Embeddings of tokens, positions and segments, layers that are normalized after each part, a mask for
padding, a pooled output, and a head that guesses masked words with the weights of the embedding.
The weights are random. The batch is a dimension with a name: one artifact for StableHLO 1.0.0 runs
for batches of several sizes. A table tells what recognition finds in its plain operations.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

import dxir
from dxir import nn, random

TEXT = Path(__file__).parent / "data" / "sonnets.txt"
PAD, START, END, MASK, FIRST = range(5)  # tokens with a meaning, and the first word
LENGTH = 24
EPSILON = 1e-12
Array = dxir.Array
Params = dict[str, Any]


class Batch(NamedTuple):
    """Pairs of lines: all `[n, LENGTH]`."""

    ids: Any  # of tokens
    segments: Any  # 0 for the first line, 1 for the second
    seen: Any  # false for padding


def init_bert(key: Any, words: int, width: int, layers: int, heads: int) -> Params:
    """Parameters; there are no more than LENGTH positions."""
    keys = random.split(key, 5)
    return {
        "token": nn.init_embedding(keys[0], words, width),
        "position": nn.init_embedding(keys[1], LENGTH, width),
        "segment": nn.init_embedding(keys[2], 2, width),
        "norm": nn.init_layer_norm(width),
        "layers": [init_layer(k, width, heads) for k in random.split(keys[3], layers)],
        "pooler": nn.init_linear(keys[4], width, width),
        "head": {
            "linear": nn.init_linear(random.fold_in(key, 5), width, width),
            "norm": nn.init_layer_norm(width),
            "bias": nn.initializers.zeros(key, (words,)),
        },
    }


def init_layer(key: Any, width: int, heads: int) -> Params:
    first, second = random.split(key)
    return {
        "attention": nn.init_attention(first, width, heads, bias=True),
        "norm1": nn.init_layer_norm(width),
        "mlp": nn.init_mlp(second, width, 4 * width),
        "norm2": nn.init_layer_norm(width),
    }


def norm(params: Params, x: Any) -> Array:
    return nn.layer_norm(params, x, epsilon=EPSILON)


def bert(params: Params, batch: Batch) -> tuple[Array, Array]:
    """A vector for each pair `[n, width]`, and logits of words `[n, LENGTH, words]`."""
    x = nn.embedding(params["token"], batch.ids) + nn.embedding(params["segment"], batch.segments)
    x = norm(params["norm"], x + params["position"]["table"])
    mask = batch.seen[:, None, None, :]
    for layer in params["layers"]:
        x = norm(layer["norm1"], x + nn.attention(layer["attention"], x, mask=mask))
        x = norm(layer["norm2"], x + nn.mlp(layer["mlp"], x))
    pooled = nn.tanh(nn.linear(params["pooler"], x[:, 0]))
    head = params["head"]
    guess = norm(head["norm"], nn.gelu(nn.linear(head["linear"], x)))
    return pooled, nn.attend(params["token"], guess) + head["bias"]


def pairs(text: str, rng: np.random.Generator, count: int) -> tuple[Batch, Any, int]:
    """Lines with the one after, some of whose words are masked; the words; how many there are."""
    lines = [re.findall(r"[a-z]+|[,.:;!?']", line.lower()) for line in text.splitlines() if line]
    number = {word: FIRST + i for i, word in enumerate(sorted({w for x in lines for w in x}))}
    ids = np.full((count, LENGTH), PAD, np.int32)
    segments = np.zeros((count, LENGTH), np.int32)
    for row, at in enumerate(rng.integers(0, len(lines) - 1, count)):
        first, second = ([number[w] for w in lines[i]] for i in (at, at + 1))
        tokens = [START, *first, END, *second, END][:LENGTH]
        ids[row, : len(tokens)] = tokens
        segments[row, len(first) + 2 : len(tokens)] = 1
    masked = (ids >= FIRST) & (rng.random(ids.shape) < 0.15)
    words = np.where(masked, ids, PAD)
    return Batch(np.where(masked, MASK, ids), segments, ids != PAD), words, FIRST + len(number)


def recognized(plain: dxir.Program) -> dict[str, dxir.Program]:
    """What recognition makes of plain operations: whole layers, or what these are made of."""
    parts = "dxir-recognize{without=linear,transformer_mlp},dxir-coarsen"
    return {
        "plain": plain,
        "with layers": plain.run_passes("dxir-recognize,dxir-coarsen"),
        "with parts of layers": plain.run_passes(parts),
    }


def composites(program: dxir.Program) -> Counter[str]:
    """How many times each composite is there."""
    return Counter(re.findall(r'stablehlo.composite "([\w.]+)"', str(program)))


def table_of(programs: dict[str, dxir.Program]) -> Table:
    table = Table("operations", *programs)
    counts = [composites(program) for program in programs.values()]
    for name in sorted(set().union(*counts)):
        table.add_row(name, *(str(count[name] or "") for count in counts))
    table.add_section()
    sizes = [len(program.raise_()["main"].nodes) for program in programs.values()]
    table.add_row("all in main", *map(str, sizes))
    return table


def positive(text: str) -> int:
    """A whole number above 0."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")
    return int(text)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--width", type=positive, default=128, help="numbers that stand for a token"
    )
    parser.add_argument("--layers", type=positive, default=4, help="of the encoder")
    parser.add_argument(
        "--heads", type=positive, default=4, help="of attention; they divide the width"
    )
    parser.add_argument(
        "--batch", type=positive, nargs="+", default=[2, 5], help="sizes of batches"
    )
    parser.add_argument("--out", type=Path, default=Path("out"), help="where the artifact goes")
    options = parser.parse_args()
    if options.width % options.heads:
        parser.error("--heads divide --width")
    console, rng, text = Console(), np.random.default_rng(0), TEXT.read_text("utf-8")
    batches = [pairs(text, rng, size) for size in options.batch]
    params = init_bert(random.key(0), batches[0][2], options.width, options.layers, options.heads)

    any_batch = Batch(*[t["batch", LENGTH] for t in (dxir.i32, dxir.i32, dxir.i1)])
    program = dxir.function(bert).lower(params, any_batch)
    artifact = program.serialize(version="1.0.0")
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / "bert.mlirbc"
    path.write_bytes(artifact)

    plain = program.specialize(dims={"batch": options.batch[0]}).decompose()
    console.print(table_of(recognized(plain)))

    run = dxir.compile(dxir.load(path))  # as another process would
    table = Table("BERT", "what came out")
    table.add_row("parameters", f"{nn.count_parameters(params):,}")
    table.add_row("StableHLO 1.0.0", f"{len(artifact):,} bytes in {path}, for any batch")
    for batch, words, _ in batches:
        leaves = dxir.tree.leaves((params, batch))
        np.asarray(run(*leaves)[0])  # compiles for this size
        start = time.perf_counter()
        pooled, logits = (np.asarray(x) for x in run(*leaves))
        spent = (time.perf_counter() - start) * 1e3
        loss = nn.cross_entropy(logits, words, ignore_index=PAD)
        told = f"pooled {pooled.shape}, loss of masked words {float(loss):.2f}, {spent:.1f} ms"
        table.add_row(f"batch of {len(words)}", told)
    console.print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
