"""Shardings in HLO's text that XLA does not end the process over."""

from __future__ import annotations

import re
from itertools import pairwise
from math import prod

_TILING = re.compile(
    r"devices=\[(?P<tiles>[\d,\s]*)\]"
    r"(?:\s*<=\s*\[(?P<sizes>[\d,\s]*)\](?:\s*T\((?P<order>[\d,\s]*)\))?|\s*(?P<ids>[\d,\s]+))?"
)
_SUBGROUPS = re.compile(r"last_tile_dims=\{([^{}]*)\}|last_tile_dim_replicate")
_MOST = 1 << 24


def is_safe(text: str) -> bool:
    """Whether XLA can be given this to read.

    It checks, and ends the process, that the tiles of `devices=[4,2]<=[8]` are as many as the
    devices behind it, and that `T(1,0)` is an order of what is before it. (0.10.2, 0.12.0.1)
    """
    starts = [m.start() for m in re.finditer("devices=", text)]
    found = list(_TILING.finditer(text))
    return [m.start() for m in found] == starts and all(map(_is_sound, found))


def tiles_of(text: str) -> tuple[tuple[int, ...], int] | None:
    """Into how many parts each dimension is split, and over how many devices.

    None for what splits nothing, is for several values, or is no sharding.
    """
    found = _TILING.findall(text)
    if len(found) != 1 or text.startswith("{{") or not is_safe(text):
        return None
    tiles = _numbers(found[0][0])
    subgroups = _SUBGROUPS.search(text)
    last = 0 if subgroups is None else len((subgroups[1] or "replicated").split(","))
    return tuple(tiles[: len(tiles) - last]), prod(tiles)


def _is_sound(tiling: re.Match[str]) -> bool:
    tiles = _numbers(tiling["tiles"])
    if not tiles or 0 in tiles or prod(tiles) > _MOST:
        return False
    if tiling["sizes"] is not None:
        sizes = _numbers(tiling["sizes"])
        order = range(len(sizes)) if tiling["order"] is None else _numbers(tiling["order"])
        return prod(sizes) == prod(tiles) and sorted(order) == list(range(len(sizes)))
    if tiling["ids"] is not None:
        ids = sorted(_numbers(tiling["ids"]))
        return len(ids) == prod(tiles) and all(a < b for a, b in pairwise(ids))
    return False


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",") if part.strip().isdecimal()]
