"""Which entries of two sequences belong together, in order.

Entries have keys at several levels, from the finest to the coarsest. At each level what begins and
ends both sequences alike is paired, then entries whose key is there once in each, as far as these
pairs cross no others (patience diff, after Bram Cohen); what lies between them goes the same way,
and at last by a longest common subsequence (Myers, "An O(ND) difference algorithm and its
variations", 1986). Where sequences share little, that would take quadratic time: after many steps
it begins anew where it has come furthest, and after very many what is left is for the next level;
at the last, it is paired by how often a key has come before.
"""

from __future__ import annotations

import bisect
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

Keys = Sequence[Sequence[Hashable]]
"""The keys of a sequence's entries at each level, the finest first."""

Pair = tuple[int, int]

_ROUNDS = 3  # of anchors at a level, before the next
_WORK = 200_000  # steps of Myers' algorithm before it begins anew


@dataclass(slots=True)
class _Steps:
    """How many steps of Myers' algorithm are left at a level, and whether another follows."""

    is_last: bool
    left: int = 10 * _WORK


class _Gap(NamedTuple):
    """Parts of both sequences that are not paired yet."""

    a: int
    a_end: int
    b: int
    b_end: int
    level: int = 0
    rounds: int = 0


def align(a: Keys, b: Keys) -> list[Pair]:
    """The numbers of the entries that belong together, in order; both have the same levels."""
    pairs: list[Pair] = []
    stack = [_Gap(0, len(a[0]), 0, len(b[0]))]
    steps = [_Steps(level + 1 == len(a)) for level in range(len(a))]
    while stack:
        gap = stack.pop()
        if gap.level == len(a) or gap.a == gap.a_end or gap.b == gap.b_end:
            continue
        keys = a[gap.level], b[gap.level]
        rest = _trimmed(*keys, gap, pairs)
        found = _anchors(*keys, rest) if rest.rounds < _ROUNDS else []
        again = bool(found)
        if not found:
            found = _common(*keys, rest, steps[gap.level])
        pairs += found
        level, rounds = (rest.level, rest.rounds + 1) if again else (rest.level + 1, 0)
        stack += _between(rest, found, level, rounds)
    return sorted(pairs)


def neighbourhoods(keys: Sequence[Hashable], reach: int = 3) -> list[Hashable]:
    """Keys that have those of the entries around them, too: a finer level."""
    ends: list[Hashable] = [None] * reach
    padded = [*ends, *keys, *ends]
    return [tuple(padded[i : i + 2 * reach + 1]) for i in range(len(keys))]


def _between(gap: _Gap, pairs: Sequence[Pair], level: int, rounds: int) -> Iterator[_Gap]:
    """What is left of a gap before, between and after pairs."""
    i, j = gap.a, gap.b
    for x, y in (*pairs, (gap.a_end, gap.b_end)):
        if i < x and j < y:
            yield _Gap(i, x, j, y, level, rounds)
        i, j = x + 1, y + 1


def _trimmed(a: Sequence[Hashable], b: Sequence[Hashable], gap: _Gap, pairs: list[Pair]) -> _Gap:
    """The gap without what begins and ends both parts alike, which is paired."""
    i, i_end, j, j_end = gap.a, gap.a_end, gap.b, gap.b_end
    while i < i_end and j < j_end and a[i] == b[j]:
        pairs.append((i, j))
        i, j = i + 1, j + 1
    while i < i_end and j < j_end and a[i_end - 1] == b[j_end - 1]:
        i_end, j_end = i_end - 1, j_end - 1
        pairs.append((i_end, j_end))
    return gap._replace(a=i, a_end=i_end, b=j, b_end=j_end)


def _anchors(a: Sequence[Hashable], b: Sequence[Hashable], gap: _Gap) -> list[Pair]:
    """Pairs of entries whose key is there once in each part, as many as do not cross."""
    first, second = _places(a, gap.a, gap.a_end), _places(b, gap.b, gap.b_end)
    pairs: list[Pair] = []
    for key, places in first.items():
        others = second.get(key)
        if others is not None and len(others) == len(places) == 1:
            pairs.append((places[0], others[0]))
    return increasing(sorted(pairs))


def _places(keys: Sequence[Hashable], start: int, end: int) -> dict[Hashable, list[int]]:
    found: dict[Hashable, list[int]] = {}
    for i in range(start, end):
        found.setdefault(keys[i], []).append(i)
    return found


def increasing(pairs: Sequence[Pair]) -> list[Pair]:
    """The most pairs whose second numbers grow, of pairs in order of their first."""
    tails: list[int] = []  # the smallest second number that a run of that length ends with
    ends: list[int] = []
    before = [-1] * len(pairs)
    for n, (_, j) in enumerate(pairs):
        at = bisect.bisect_left(tails, j)
        if at == len(tails):
            tails.append(j)
            ends.append(n)
        else:
            tails[at], ends[at] = j, n
        before[n] = ends[at - 1] if at else -1
    found: list[Pair] = []
    n = ends[-1] if ends else -1
    while n >= 0:
        found.append(pairs[n])
        n = before[n]
    return found[::-1]


def _common(a: Sequence[Hashable], b: Sequence[Hashable], gap: _Gap, steps: _Steps) -> list[Pair]:
    """A common subsequence: the longest one, unless that would take too long."""
    first, second = a[gap.a : gap.a_end], b[gap.b : gap.b_end]
    known = set(first) & set(second)
    if not known:
        return []
    x = [i for i, key in enumerate(first, gap.a) if key in known]
    y = [j for j, key in enumerate(second, gap.b) if key in known]
    found = _longest([a[i] for i in x], [b[j] for j in y], steps)
    return [(x[i], y[j]) for i, j in found]


def _by_count(a: Sequence[Hashable], b: Sequence[Hashable], gap: _Gap) -> list[Pair]:
    """Pairs of the entries that are the first, the second and so on of their key."""
    second = _places(b, gap.b, gap.b_end)
    pairs = [
        pair
        for key, places in _places(a, gap.a, gap.a_end).items()
        for pair in zip(places, second.get(key, ()), strict=False)
    ]
    return increasing(sorted(pairs))


def _longest(a: Sequence[Hashable], b: Sequence[Hashable], steps: _Steps) -> list[Pair]:
    """A common subsequence, the longest one where few steps find it.

    After many steps what has come furthest is taken as it is, and the search begins anew there.
    """
    found: list[Pair] = []
    i = j = 0
    while i < len(a) and j < len(b):
        if steps.left <= 0:
            # What is alike at this level is told better by the next.
            return found + (_by_count(a, b, _Gap(i, len(a), j, len(b))) if steps.is_last else [])
        pairs, i, j = _stretch(a, b, i, j, steps)
        found += pairs
    return found


def _stretch(
    a: Sequence[Hashable], b: Sequence[Hashable], i0: int, j0: int, steps: _Steps
) -> tuple[list[Pair], int, int]:
    """The pairs on the shortest way from a place to the end, or to what was furthest in time."""
    n, m = len(a) - i0, len(b) - j0
    reached = {1: 0}  # for each diagonal, how far in `a`
    history: list[dict[int, int]] = []
    work = d = 0
    while True:
        history.append(dict(reached))
        furthest = (-1, 0, 0)
        for k in range(-d, d + 1, 2):
            down = k == -d or (k != d and reached[k - 1] < reached[k + 1])
            i = start = reached[k + 1] if down else reached[k - 1] + 1
            j = i - k
            while i < n and j < m and a[i0 + i] == b[j0 + j]:
                i, j = i + 1, j + 1
            reached[k] = i
            work += 1 + i - start
            if i <= n and j <= m:
                furthest = max(furthest, (i + j, i, j))
        work += d  # what is remembered of each step
        _, i, j = furthest
        if (i == n and j == m) or (work > _WORK and furthest[0] > 0):
            steps.left -= work
            pairs = _path(history, i, j)
            return [(i0 + x, j0 + y) for x, y in pairs], i0 + i, j0 + j
        d += 1


def _path(history: Sequence[dict[int, int]], n: int, m: int) -> list[Pair]:
    """The pairs on the way to a place that was reached in the last of some steps."""
    found: list[Pair] = []
    i, j = n, m
    for d in range(len(history) - 1, -1, -1):
        reached = history[d]
        k = i - j
        down = k == -d or (k != d and reached[k - 1] < reached[k + 1])
        before = k + 1 if down else k - 1
        start = reached[before]
        end = start - before
        while i > start and j > end and i > 0 and j > 0 and (i, j) != (start, end):
            if i - 1 < start + (0 if down else 1) or j - 1 < end + (1 if down else 0):
                break
            i, j = i - 1, j - 1
            found.append((i, j))
        if d == 0:
            break
        i, j = start, end
    return found[::-1]
