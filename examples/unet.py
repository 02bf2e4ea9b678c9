"""A U-Net that predicts the noise in images, as diffusion models use it, and its loss.

    python examples/unet.py [--width 16] [--size 32] [--batch 2] [--out DIR]

Down through three sizes and up again, with skips between the same sizes, group norms, an embedding
of the time step and attention where the image is smallest. The weights are random. The forward
pass becomes an artifact for StableHLO 1.0.0 and runs; some steps of training go down its loss.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

import dxir
import dxir.numpy as xp
from dxir import nn, random

Params = dict[str, Any]
GROUPS = 4


def init_block(key: Any, inputs: int, outputs: int, time_width: int) -> Params:
    """Two convolutions with norms; the time is added between them."""
    keys = random.split(key, 4)
    params = {
        "norm1": nn.init_group_norm(inputs),
        "conv1": nn.init_conv(keys[0], inputs, outputs, 3),
        "time": nn.init_linear(keys[1], time_width, outputs),
        "norm2": nn.init_group_norm(outputs),
        "conv2": nn.init_conv(keys[2], outputs, outputs, 3),
    }
    if inputs != outputs:
        params["shortcut"] = nn.init_conv(keys[3], inputs, outputs, 1)
    return params


def block(params: Params, x: Any, time: Any) -> Any:
    h = nn.conv(params["conv1"], nn.silu(nn.group_norm(params["norm1"], x, GROUPS)))
    h = h + nn.linear(params["time"], nn.silu(time))[:, :, None, None]
    h = nn.conv(params["conv2"], nn.silu(nn.group_norm(params["norm2"], h, GROUPS)))
    return h + (nn.conv(params["shortcut"], x) if "shortcut" in params else x)


def attention(params: Params, x: Any) -> Any:
    """Every place of the image looks at all others."""
    n, c, h, w = x.shape
    normed = nn.group_norm(params["norm"], x, GROUPS)
    places = xp.matrix_transpose(xp.reshape(normed, (n, c, h * w)))
    seen = nn.attention(params["attention"], places)
    return x + xp.reshape(xp.matrix_transpose(seen), x.shape)


def init_unet(key: Any, width: int, channels: int = 3, levels: int = 3) -> Params:
    """Parameters of the network; level i has `width * 2^i` features."""
    first, last, middle, bottom, *keys = random.split(key, 6 + 4 * levels)
    widths = [width * 2**i for i in range(levels)]
    time_width = 4 * width
    above = [width, *widths[:-1]]
    return {
        "time1": nn.init_linear(keys[-2], width, time_width),
        "time2": nn.init_linear(keys[-1], time_width, time_width),
        "first": nn.init_conv(first, channels, width, 3),
        "down": [
            {
                "block": init_block(keys[4 * i], before, after, time_width),
                "half": nn.init_conv(keys[4 * i + 1], after, after, 3),
            }
            for i, (before, after) in enumerate(zip(above, widths, strict=True))
        ],
        "middle": init_block(middle, widths[-1], widths[-1], time_width),
        "attention": {
            "norm": nn.init_group_norm(widths[-1]),
            "attention": nn.init_attention(bottom, widths[-1], heads=2),
        },
        "up": [
            {
                "double": nn.init_conv_transpose(keys[4 * i + 2], below, below, 4),
                "block": init_block(keys[4 * i + 3], below + after, after, time_width),
            }
            for i, (below, after) in reversed(
                list(enumerate(zip([*widths[1:], widths[-1]], widths, strict=True)))
            )
        ],
        "norm": nn.init_group_norm(width),
        "last": nn.init_conv(last, width, channels, 3),
    }


def time_embedding(steps: Any, width: int) -> Any:
    """Sines and cosines of the time step, from fast to slow: `[n, width]`."""
    rates = np.exp(-np.log(10_000) * np.arange(width // 2) / (width // 2)).astype(np.float32)
    angles = xp.astype(steps, dxir.f32)[:, None] * rates
    return xp.concat([xp.sin(angles), xp.cos(angles)], axis=-1)


def unet(params: Params, images: Any, steps: Any) -> Any:
    """The noise in `images` `[n, channels, height, width]` at the time steps `[n]`."""
    width = params["norm"]["scale"].shape[0]
    time = nn.silu(nn.linear(params["time1"], time_embedding(steps, width)))
    time = nn.linear(params["time2"], time)
    x = nn.conv(params["first"], images)
    skips: list[Any] = []
    for level in params["down"]:
        x = block(level["block"], x, time)
        skips.append(x)
        x = nn.conv(level["half"], x, strides=2)
    x = attention(params["attention"], block(params["middle"], x, time))
    for level in params["up"]:
        x = nn.conv_transpose(level["double"], x, strides=2)
        x = block(level["block"], xp.concat([x, skips.pop()], axis=1), time)
    x = nn.silu(nn.group_norm(params["norm"], x, GROUPS))
    return nn.conv(params["last"], x)


def loss(params: Params, images: Any, steps: Any, noise: Any) -> Any:
    """How far the predicted noise is from the one that is in the images."""
    return nn.mse(unet(params, images, steps), noise)


@dxir.jit
def training_step(params: Params, state: Any, images: Any, steps: Any, noise: Any) -> Any:
    value, gradients = dxir.value_and_grad(loss)(params, images, steps, noise)
    params, state = nn.adam(params, gradients, state, learning_rate=1e-3)
    return params, state, value


def batch_of(rng: np.random.Generator, count: int, size: int) -> tuple[Any, Any, Any]:
    """Images of a soft disc with noise, the time steps, and the noise."""
    places = np.linspace(-1, 1, size)
    centers = rng.uniform(-0.5, 0.5, (2, count, 3, 1, 1))
    distance = np.hypot(places[:, None] - centers[0], places - centers[1])
    noise = rng.normal(size=distance.shape)
    steps = rng.integers(0, 1000, count)
    share = (np.cos(steps * np.pi / 2000) ** 2)[:, None, None, None]
    images = np.sqrt(share) * np.tanh(4 - 8 * distance) + np.sqrt(1 - share) * noise
    return images.astype(np.float32), steps.astype(np.int32), noise.astype(np.float32)


def ops_of(program: dxir.Program) -> str:
    """How many operations `main` has, and which composites there are."""
    names = Counter(re.findall(r'stablehlo.composite "dxir.(\w+)"', str(program)))
    told = ", ".join(f"{name} {n}" for name, n in names.most_common())
    return f"{len(program.raise_()['main'].nodes)} operations" + (f": {told}" if told else "")


def positive(text: str) -> int:
    """A whole number above 0."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")
    return int(text)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--width", type=positive, default=16, help="features at full size, in fours"
    )
    parser.add_argument("--size", type=positive, default=32, help="of the images, in eights")
    parser.add_argument("--batch", type=positive, default=2, help="images at once")
    parser.add_argument("--steps", type=positive, default=20, help="of training")
    parser.add_argument("--out", type=Path, default=Path("out"), help="where the artifact goes")
    options = parser.parse_args()
    if options.width % GROUPS or options.size % 8:
        parser.error("--width is a multiple of 4 for the group norms, --size of 8 to be halved")
    console, table = Console(), Table("U-Net", "what came out")
    params = init_unet(random.key(0), options.width)
    rng = np.random.default_rng(0)
    images, steps, _ = batch_of(rng, options.batch, options.size)
    table.add_row("parameters", f"{nn.count_parameters(params):,}")

    forward = dxir.jit(unet)
    program = forward.lower(params, images, steps)
    plain = program.decompose()
    table.add_row("as emitted", ops_of(program))
    table.add_row("decomposed", ops_of(plain))
    table.add_row("recognized", ops_of(plain.run_passes("dxir-composites")))
    artifact = program.serialize(version="1.0.0")
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "unet.mlirbc").write_bytes(artifact)
    table.add_row("StableHLO 1.0.0", f"{len(artifact):,} bytes in {options.out / 'unet.mlirbc'}")

    forward(params, images, steps).numpy()  # compiles
    start = time.perf_counter()
    predicted = forward(params, images, steps).numpy()
    spent = (time.perf_counter() - start) * 1e3
    table.add_row("forward", f"{predicted.shape} in {spent:.1f} ms")

    state, losses = nn.init_adam(params), []
    for _ in track(range(options.steps), "training", console=console, transient=True):
        data = batch_of(rng, options.batch, options.size)
        params, state, value = training_step(params, state, *data)
        losses.append(float(value))
    table.add_row("training", f"loss {losses[0]:.3f} -> {losses[-1]:.3f} in {len(losses)} steps")
    console.print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
