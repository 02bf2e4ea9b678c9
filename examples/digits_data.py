"""The handwritten digits that scikit-learn ships, and how well a network reads them.

1797 images of 8 x 8 pixels, with shades from 0 to 1, by 43 people (E. Alpaydin and C. Kaynak, 1998;
UCI Machine Learning Repository, CC BY 4.0). Nothing is downloaded.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.progress_bar import ProgressBar
from rich.table import Table

Images = NDArray[np.float32]
Labels = NDArray[np.int32]
TEST_SHARE = 0.25


class Digits(NamedTuple):
    """Images of digits: three of four to train with, the others to test with."""

    train_images: Images
    train_labels: Labels
    test_images: Images
    test_labels: Labels


def arguments(description: str, epochs: int) -> argparse.ArgumentParser:
    """The options of a training on the digits."""

    def at_least(least: int) -> Callable[[str], int]:
        def number(text: str) -> int:
            if not text.isdecimal() or int(text) < least:
                raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {least} on")
            return int(text)

        return number

    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--epochs", type=at_least(1), default=epochs, help="how often each image is seen"
    )
    parser.add_argument(
        "--seed", type=at_least(0), default=1, help="of the split, the start and the order"
    )
    return parser


def load(seed: int) -> Digits:
    """The digits, split at random but with as many of each digit in both parts."""
    try:
        datasets = importlib.import_module("sklearn.datasets")  # which has no types
    except ModuleNotFoundError as missing:
        raise SystemExit(
            f"error: the digits come with scikit-learn, which is not installed ({missing})\n"
            "  = hint: pip install scikit-learn"
        ) from None
    found = datasets.load_digits()
    images = (found.images / 16).astype(np.float32)
    labels = found.target.astype(np.int32)
    rng = np.random.default_rng(seed)
    test = np.zeros(len(labels), bool)
    for digit in range(10):
        places = rng.permutation(np.flatnonzero(labels == digit))
        test[places[: round(TEST_SHARE * len(places))]] = True
    return Digits(images[~test], labels[~test], images[test], labels[test])


def batches(count: int, size: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Numbers below `count` in random order, `size` at a time; what is left over is left out."""
    order = rng.permutation(count)
    for start in range(0, count - size + 1, size):
        yield order[start : start + size]


def progress(console: Console) -> Progress:
    """A bar for a task whose field `state` is shown beside it."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[state]}"),
        TimeElapsedColumn(),
        console=console,
    )


def sparkline(values: Sequence[float], console: Console, width: int = 60) -> str:
    """The logarithms of positive numbers as a line of bars, each the mean of some of them."""
    bars = "▁▂▃▄▅▆▇█" if console.encoding.startswith("utf") else "_.-=+*%#"
    parts = np.array_split(np.log(np.maximum(values, 1e-12)), min(width, len(values)))
    heights = np.array([part.mean() for part in parts])
    low, span = heights.min(), np.ptp(heights) or 1.0
    return "".join(bars[round(float((h - low) / span) * (len(bars) - 1))] for h in heights)


def report(answers: Any, labels: Labels, losses: Sequence[float], console: Console) -> float:
    """Print the course of the loss and how well each digit is read; gives the share read right."""
    found = np.asarray(answers)
    table = Table("digit", "images", "right", "", "read as something else", title="test images")
    for digit in range(10):
        own = found[labels == digit]
        wrong = [
            f"{count} as {d}" for d, count in enumerate(np.bincount(own)) if d != digit and count
        ]
        right = int((own == digit).sum())
        bar = ProgressBar(total=len(own), completed=right, width=20)
        table.add_row(
            str(digit), str(len(own)), f"{right / len(own):.1%}", bar, ", ".join(wrong) or "-"
        )
    accuracy = float((found == labels).mean())
    console.print(f"loss {losses[0]:.4f} {sparkline(losses, console)} {losses[-1]:.4f} (log scale)")
    console.print(table)
    console.print(f"{accuracy:.2%} of {len(labels)} test images are read right.")
    return accuracy
