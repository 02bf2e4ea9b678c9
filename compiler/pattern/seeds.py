"""Where to look for a pattern: the ops, seldom met, that every match of it has."""

from __future__ import annotations

from collections.abc import Sequence

Seeds = dict[str, int]
"""Ops, one of which is in every match, with how many ops of the pattern are above it at most.

A reduction is told apart by what it combines elements by: `reduce:add`.
"""

# How often ops are met in programs, roughly; what is not here is rare.
_COMMON = {
    "stablehlo.add": 9, "stablehlo.multiply": 9, "stablehlo.subtract": 7, "stablehlo.divide": 5,
    "stablehlo.convert": 8, "stablehlo.select": 4, "stablehlo.compare": 4, "stablehlo.slice": 5,
    "stablehlo.dot_general": 4, "stablehlo.maximum": 3, "reduce:add": 4, "reduce:maximum": 3,
    "stablehlo.negate": 4, "stablehlo.concatenate": 4,
}  # fmt: skip


def _commonness(seeds: Seeds) -> tuple[int, int]:
    return max(_COMMON.get(name, 1) for name in seeds), max(seeds.values())


def rarest(found: Sequence[Seeds | None]) -> Seeds | None:
    """Of several sets of seeds, each in every match, the one met least often."""
    there = [seeds for seeds in found if seeds]
    return min(there, key=_commonness, default=None)


def together(found: Sequence[Seeds | None]) -> Seeds | None:
    """The seeds of alternatives: all of them, or none when one has none."""
    merged: Seeds = {}
    for seeds in found:
        if not seeds:
            return None
        for name, height in seeds.items():
            merged[name] = max(height, merged.get(name, 0))
    return merged or None


def raised(seeds: Seeds | None, by: int) -> Seeds | None:
    """The seeds with more ops above them."""
    return None if seeds is None else {name: height + by for name, height in seeds.items()}
