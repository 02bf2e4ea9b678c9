"""A small GPT learns to write sonnets, letter by letter, and then writes.

    python examples/gpt.py [--steps 800] [--letters 600] [--temperature 0.6]

The model is plain functions on dictionaries of arrays. One jitted function takes a step of AdamW.
Another one takes letters and draws the next, with the keys and values of those before in a cache of
fixed size: it is compiled once for one letter, whatever its position, and once for each length of
what goes in at once. The defaults take about a minute on two cores.

The text is thirty of Shakespeare's sonnets (1609) in the modern spelling of later editions.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

import dxir
from dxir import nn, random

TEXT = Path(__file__).parent / "data" / "sonnets.txt"
ROPE_BASE = 10_000.0
Params = dict[str, Any]
Array = dxir.Array


def init_gpt(key: Any, letters: int, width: int, layers: int, heads: int) -> Params:
    first, *keys = random.split(key, 1 + layers)
    return {
        "embedding": nn.init_embedding(first, letters, width),
        "blocks": [
            nn.init_transformer_block(
                k,
                width,
                heads,
                norm="rms_norm",
                feed_forward="swiglu",
                hidden=3 * width,
                bias=False,
            )
            for k in keys
        ],
        "norm": nn.init_rms_norm(width),
    }


def gpt(params: Params, ids: Any) -> Array:
    """For each letter of `ids` `[batch, n]` the logits of the next one."""
    x = nn.embedding(params["embedding"], ids)
    for block in params["blocks"]:
        x = nn.transformer_block(block, x, causal=True, rope_base=ROPE_BASE)
    return nn.attend(params["embedding"], nn.rms_norm(params["norm"], x))


def gpt_from(
    params: Params, ids: Any, position: Any, caches: Sequence[nn.KVCache]
) -> tuple[Array, list[nn.KVCache]]:
    """The same for letters from a position on, given what the caches have of those before."""
    x = nn.embedding(params["embedding"], ids)
    new: list[nn.KVCache] = []
    for block, cache in zip(params["blocks"], caches, strict=True):
        x, cache = nn.transformer_block(
            block, x, rope_base=ROPE_BASE, cache=cache, position=position
        )
        new.append(cache)
    return nn.attend(params["embedding"], nn.rms_norm(params["norm"], x)), new


def loss(params: Params, text: Any) -> Array:
    """The mean cross-entropy of each letter of `text` `[batch, n]`, in nats, given those before."""
    return nn.cross_entropy(gpt(params, text[:, :-1]), text[:, 1:])


def training_step(steps: int) -> Any:
    """`(params, state, text) -> (params, state, loss)`, compiled when it is called."""
    rate = nn.schedules.warmup_cosine(4e-3, min(50, steps // 2), steps, end=4e-4)

    @dxir.jit(donate=("params", "state"))
    def step(params: Params, state: nn.AdamState, text: Any) -> tuple[Params, nn.AdamState, Array]:
        value, gradients = dxir.value_and_grad(loss)(params, text)
        gradients = nn.clip_by_global_norm(gradients, 1.0)
        params, state = nn.adamw(
            params, gradients, state, learning_rate=rate, b2=0.99, weight_decay=0.1,
            mask=lambda p: len(p.shape) > 1,
        )  # fmt: skip
        return params, state, value

    return step


@dxir.jit(donate="caches")
def next_letter(
    params: Params, ids: Any, position: Any, caches: Any, key: Any, temperature: Any
) -> tuple[Array, Array, Any, Array]:
    """Draw the letter after `ids` `[1, n]`; with it the next position, caches and key."""
    logits, caches = gpt_from(params, ids, position, caches)
    now, later = random.split(key)
    letter = random.categorical(now, logits[:, -1] / temperature)
    return letter[:, None], position + ids.shape[1], caches, later


def write(
    params: Params, start: NDArray[np.int32], room: int, seed: int, temperature: float
) -> Iterator[int]:
    """Letters after `start`, without end; what is further back than the room is forgotten."""
    key, text = random.key(seed), list(start)
    while True:
        recent = np.array([text[-max(1, room // 2) :]], np.int32)  # goes in at once
        caches = [nn.init_kv_cache(b["attention"], 1, room) for b in params["blocks"]]
        ids: Any = recent
        position: Any = np.int32(0)
        for _ in range(room - recent.size + 1):
            ids, position, caches, key = next_letter(
                params, ids, position, caches, key, np.float32(temperature)
            )
            text.append(int(ids[0, 0]))
            yield text[-1]


def train(params: Params, data: NDArray[np.int32], options: Any, console: Console) -> Any:
    """The trained parameters, and the losses on the way."""
    step = training_step(options.steps)
    rng, state, losses = np.random.default_rng(options.seed), nn.init_adamw(params), []
    columns = (BarColumn(), TextColumn("loss {task.fields[loss]:.3f}"), TimeRemainingColumn())
    with Progress(TextColumn("training"), *columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=options.steps, loss=np.log(data.max() + 1))
        for _ in range(options.steps):
            places = rng.integers(0, data.size - options.context, (options.batch, 1))
            text = data[places + np.arange(options.context + 1)]
            params, state, value = step(params, state, text)
            losses.append(float(value))
            progress.update(task, advance=1, loss=losses[-1])
    return params, losses


def plot(losses: Sequence[float], width: int = 60, height: int = 8) -> str:
    """The losses as a curve of dots, each the mean of some steps."""
    means = [float(np.mean(part)) for part in np.array_split(losses, min(width, len(losses)))]
    low, high = min(means), max(means)
    step = max(high - low, 1e-9) / (height - 1)
    rows = [round((mean - low) / step) for mean in means]
    lines = [
        f"{low + step * i:6.2f} ┤" + "".join("•" if row == i else " " for row in rows)
        for i in reversed(range(height))
    ]
    last = f"1{len(losses):>{max(len(means) - 1, 1)}}"
    return "\n".join([*lines, f"{'':7}└{'─' * len(means)}", f"{'':8}{last}"])


def positive(text: str) -> int:
    """A whole number above 0."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")
    return int(text)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for name, default, said in (
        ("steps", 800, "of training"),
        ("batch", 12, "pieces of text in a step"),
        ("context", 96, "letters of a piece, and room of the cache"),
        ("width", 96, "numbers that stand for a letter"),
        ("layers", 3, "of the network"),
        ("heads", 4, "of attention; they divide the width"),
        ("letters", 600, "to write at the end"),
    ):
        parser.add_argument(f"--{name}", type=positive, default=default, help=said)
    parser.add_argument("--temperature", type=float, default=0.6, help="low is cautious")
    parser.add_argument("--seed", type=int, default=0, help="of all random numbers")
    options = parser.parse_args()
    if options.width % (2 * options.heads):
        parser.error("--width is a multiple of twice --heads, since rope turns pairs of numbers")
    if options.context > (most := len(TEXT.read_text("utf-8")) - 1):
        parser.error(f"--context is at most {most}: the text has one letter more")
    return options


def main() -> int:
    options, console = parse(), Console()
    text = TEXT.read_text("utf-8")
    letters = sorted(set(text))
    number = {letter: i for i, letter in enumerate(letters)}
    data = np.array([number[letter] for letter in text], np.int32)
    sizes = (len(letters), options.width, options.layers, options.heads)
    params = init_gpt(random.key(options.seed), *sizes)
    count, begun = nn.count_parameters(params), time.perf_counter()
    params, losses = train(params, data, options, console)
    trained = time.perf_counter() - begun
    console.print(plot(losses))

    start = np.array([number["\n"]] * 2, np.int32)
    written = write(params, start, options.context, options.seed, options.temperature)
    times = [time.perf_counter()]
    for letter in islice(written, options.letters):
        times.append(time.perf_counter())
        console.out(letters[letter], end="", highlight=False)
    console.print("\n")
    table = Table("GPT", "what came out")
    table.add_row("parameters", f"{count:,}")
    table.add_row("text", f"{data.size:,} letters, {len(letters)} different ones")
    speed = len(losses) * options.batch * options.context / trained
    table.add_row("training", f"{len(losses)} steps in {trained:.0f} s, {speed:,.0f} letters/s")
    table.add_row("loss", f"{losses[0]:.2f} -> {np.mean(losses[-20:]):.2f}")
    table.add_row("writing", f"{1 / np.median(np.diff(times)):,.0f} letters/s")
    console.print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
