"""Where a program repeats itself: ops around which the same stands as around others.

A model is a sequence of layers, and what is found in one would be found in the next. Each op is
written down by what it is, how often it is used, and how far back the ops are that it takes values
from: those further back than a window by which they are, parameters by how far back they were used
before. Two ops around which a window of such notes is equal stand in the same surroundings, as far
as patterns reach.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from dxir.mlir import IrValue, ir
from dxir.pattern.view import Maker, View

WINDOW = 96
"""How many ops before and after an op are its surroundings: more than a pattern spans."""

_MODULUS = (1 << 127) - 1
_BASE = 0x9E3779B97F4A7C15F39CC0605CEDC835


class Periods:
    """The surroundings of the ops of one block."""

    def __init__(self, view: View, block: ir.Block, static: Callable[[IrValue], int]) -> None:
        self._view = view
        self.makers: list[Maker] = []
        self._places: dict[IrValue, int] = {}
        self._outside: dict[object, int] = {}
        self._last: dict[IrValue, int] = {}
        self._used: Counter[int] = Counter()
        notes: list[tuple[int, ...]] = []
        for one in block.operations:
            op = one.operation
            backs = [self._back(v, len(self.makers)) for v in op.operands]
            self._used.update(len(self.makers) - back for back in backs if back > 0)
            if len(op.results):
                maker = view.of(op)
                self._places[maker.key] = len(self.makers)
                self.makers.append(maker)
                notes.append((static(maker.key), *backs))
        self._sums = self._summed(notes)
        self._power: int = pow(_BASE, 2 * WINDOW, _MODULUS)

    def place(self, maker: Maker) -> int | None:
        """The place of an op among those of the block that have results; None for other ops."""
        return self._places.get(maker.key)

    def surroundings(self, maker: Maker) -> tuple[int, int] | None:
        """The place of an op, and a number that ops in the same surroundings share.

        None for an op that is not of the block, or near an end of it.
        """
        place = self._places.get(maker.key)
        if place is None or place < WINDOW or place + WINDOW >= len(self._sums):
            return None
        first, last = self._sums[place - WINDOW], self._sums[place + WINDOW]
        return place, (last - first * self._power) % _MODULUS

    def _summed(self, notes: Sequence[tuple[int, ...]]) -> list[int]:
        """For each place a polynomial of all notes before it."""
        numbers: dict[tuple[int, ...], int] = {}
        sums = [0]
        for place, note in enumerate(notes):
            number = numbers.setdefault((self._used[place], *note), len(numbers) + 1)
            sums.append((sums[-1] * _BASE + number) % _MODULUS)
        return sums

    def _back(self, value: IrValue, place: int) -> int:
        """How far back a value is made; negative for those from elsewhere."""
        maker = self._view.maker(value)
        made = None if maker is None else self._places.get(maker.key)
        if made is not None and place - made <= WINDOW:
            return place - made
        what: object = value
        if maker is None:
            before = self._last.get(value, -WINDOW)
            self._last[value] = place
            what = place - before if place - before < WINDOW else value.type
        return -1 - self._outside.setdefault(what, len(self._outside))
