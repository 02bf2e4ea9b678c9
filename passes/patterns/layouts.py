"""How composites that contract say which dimension is which: einsum's letters, from the accesses.

`bhsd,bhtd,bhte->bhse` names the dimensions of each operand and of the result. Letters in brackets
are one dimension, the first the most significant: `b(gr)sd`. A dimension of size 1 that is told by
nothing else is `1`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from dxir.pattern import Match
from dxir.pattern.access import Access, Digit, Digits


def segments(match: Match, names: Sequence[str]) -> dict[str, object]:
    """Which of the operands are there, as dxir's own composites say it."""
    return {"operand_segments": tuple([int(match.has(name)) for name in names])}


class Atoms:
    """The digits that several accesses have in common: none is cut apart by another."""

    def __init__(self, accesses: Iterable[Access], axes: Iterable[Digits] = ()) -> None:
        self._cuts: dict[int, set[int]] = {}
        parts = [part for access in accesses for part in access] + list(axes)
        for variable, divisor, size in (digit for part in parts for digit in part):
            self._cuts.setdefault(variable, set()).update((divisor, divisor * size))
        self.fits = all(
            above % below == 0
            for cuts in self._cuts.values()
            for below, above in itertools.pairwise(sorted(cuts))
        )
        """Whether there are such digits; of no use otherwise."""

    def of(self, part: Digits) -> list[Digit]:
        """The atoms of a dimension, the most significant first."""
        found: list[Digit] = []
        for variable, divisor, size in part:
            cuts = [c for c in sorted(self._cuts[variable]) if divisor <= c <= divisor * size]
            pairs = list(itertools.pairwise(cuts))
            found += [(variable, a, b // a) for a, b in reversed(pairs)]
        return found

    def all(self, access: Iterable[Digits]) -> list[Digit]:
        """The atoms of a value, dimension after dimension."""
        return [atom for part in access for atom in self.of(part)]


class Letters:
    """Letters given to atoms, and the texts of layouts that they make."""

    def __init__(self, atoms: Atoms) -> None:
        self._atoms = atoms
        self._known: dict[Digit, str] = {}
        self._used: set[str] = set()

    def give(self, atoms: Iterable[Digit], pool: str) -> None:
        """Give the letters of a pool to atoms that have none, in order."""
        for atom in atoms:
            if atom not in self._known:
                self._known[atom] = self.free(pool)

    def free(self, pool: str) -> str:
        """The first letter of a pool, or of the alphabet, that is free; it is no longer."""
        for letter in pool + "abcdefghijklmnopqrstuvwxyz" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ":
            if letter not in self._used:
                self._used.add(letter)
                return letter
        raise AssertionError("tensors have fewer dimensions than there are letters")

    def of(self, atom: Digit) -> str:
        """The letter of an atom; empty for none."""
        return self._known.get(atom, "")

    def text(self, access: Access, units: Sequence[str] = ()) -> str:
        """The letters of a value; `units` are those of its dimensions of size 1."""
        found = ""
        for dim, part in enumerate(access):
            letters = "".join(self._known[atom] for atom in self._atoms.of(part))
            if len(letters) == 1:
                found += letters
            elif letters:
                found += f"({letters})"
            else:
                found += units[dim] if dim < len(units) and units[dim] else "1"
        return found
