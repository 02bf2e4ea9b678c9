"""Which dimension is what to an attention: batch, heads, queries, keys, depth."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from dxir.passes.patterns.layouts import Atoms, Letters
from dxir.pattern import Match
from dxir.pattern.access import Digit

KEYS, DEPTH, ROWS = "keys", "depth", "rows"
"""The axes of the pattern; rows are the places of queries where a triangle tells them."""

OPERANDS = ("q", "k", "v", "mask", "bias")
_MAIN = ("q", "k", "v", "result")
_BATCH = "batch"


class Roles:
    """The atoms of a match by what they are to an attention."""

    def __init__(self, match: Match) -> None:
        self._reads = {n: match.access(n) for n in OPERANDS if match.has(n)}
        self._reads["result"] = match.result
        axes = [match.axis(name) for name in (KEYS, DEPTH)]
        places = match.axis(ROWS) if match.text("causal") else ()
        self._atoms = Atoms(self._reads.values(), [*axes, places])
        if not self._atoms.fits:
            return
        self._keys, self._depth = (self._atoms.of(axis) for axis in axes)
        q, k, v = (self._atoms.all(self._reads[n]) for n in "qkv")
        self._read = {"q": set(q), "k": set(k), "v": set(v)}
        shared = [a for a in k if a not in self._keys and a not in self._depth]
        self._batch = [a for a in q if a in shared] + [a for a in shared if a not in q]
        self._values = [a for a in v if a not in self._keys and a not in k and a not in q]
        self._queries = [a for a in q if a not in self._depth and a not in k]
        self._rows = self._atoms.of(places)

    def misfit(self) -> str | None:
        """Why the operands are not those of an attention; None when they are."""
        if not self._atoms.fits:
            return "dimensions are cut apart in different ways"
        q, k, v = (self._read[n] for n in "qkv")
        keys, depth, values = set(self._keys), set(self._depth), set(self._values)
        if not depth <= q & k or not keys <= k & v or keys & q:
            return "the softmax is not over what tells keys apart"
        if depth & v or v - keys - k - values:
            return "values differ from query to query"
        if v - keys - values != k - keys - depth:
            return "keys and values are not shared by the same heads"
        result = set(self._atoms.all(self._reads["result"]))
        if result != {*self._batch, *self._queries, *self._values}:
            return "the result is not one of each query"
        for name in ("mask", "bias"):
            read = set(self._atoms.all(self._reads.get(name, ())))
            if read - q - k or read & depth:
                return f"the {name} is not one of queries and keys"
        if any(a not in self._queries for a in self._rows):
            return "the triangle is not one of queries and keys"
        for dim in self._reads["q"]:
            beside = {a in self._rows for a in self._atoms.of(dim) if a in self._queries}
            if self._rows and len(beside) > 1:
                return "the triangle is one of parts of the queries"
        return None

    def attributes(self) -> dict[str, object]:
        """The layout of operands and result, and the numbers of heads where there are any."""
        rows, shares = self._places()
        units = self._units()
        slots = self._slots(units)
        letters = Letters(self._atoms)
        for atoms, pool in (
            (self._keys, "t"), (self._depth, "d"), (rows, "s"), (shares, "r"), (self._values, "e"),
        ):  # fmt: skip
            letters.give(atoms, pool)
        heads = slots[-1] if len(slots) > 1 or (slots and self._beside(slots[-1], shares)) else None
        name = "g" if shares else "h"
        if isinstance(heads, tuple):
            letters.give([heads], name)
        letters.give([slot for slot in slots if isinstance(slot, tuple)], "bac")
        named = list(units)
        for slot in slots:
            if isinstance(slot, int):
                named[slot] = letters.free(name if slot == heads else "bac")
        texts = {
            n: letters.text(access, named if n in _MAIN else ())
            for n, access in self._reads.items()
        }
        result = texts.pop("result")
        found: dict[str, object] = {"layout": f"{','.join(texts.values())}->{result}"}
        if heads is not None or shares:
            groups = heads[2] if isinstance(heads, tuple) else 1
            found["heads"] = groups * math.prod(size for _, _, size in shares)
            found["groups"] = groups
        return found

    def _places(self) -> tuple[Sequence[Digit], Sequence[Digit]]:
        """The atoms that are a query's place, and those that tell apart heads that share keys."""
        if self._rows:
            rows = set(self._rows)
        elif len(self._queries) < 2:
            rows = set(self._queries)
        else:
            rows = set(self._queries) - set(self._sharing())
        return (
            [a for a in self._queries if a in rows],
            [a for a in self._queries if a not in rows],
        )

    def _sharing(self) -> list[Digit]:
        """The heads of queries that share keys, where no triangle tells places: a good guess.

        Whichever it is, the layout says what is computed.
        """
        alone = [a for a in self._queries if self._alone([a])]
        if alone and len(alone) < len(self._queries):
            return alone
        like_keys = [a for a in self._queries if a[2] == math.prod(k[2] for k in self._keys)]
        if len(like_keys) == 1:
            return [a for a in self._queries if a not in like_keys]
        flat = self._atoms.all(self._reads["q"])
        for before, after in itertools.pairwise(flat):
            if before in self._batch[-1:] and after in self._queries:
                return [after]
        return self._queries[:-1]

    def _alone(self, atoms: Sequence[Digit]) -> bool:
        """Whether keys have a dimension of size 1 where queries have these atoms."""
        q, k = self._reads["q"], self._reads["k"]
        places = [dim for dim, part in enumerate(q) if set(atoms) & set(self._atoms.of(part))]
        return len(q) == len(k) and all(not k[dim] for dim in places)

    def _beside(self, slot: Digit | int, shares: Sequence[Digit]) -> bool:
        """Whether what tells apart heads that share keys is in one dimension with a slot."""
        dims = [set(self._atoms.of(p)) for p in (*self._reads["q"], *self._reads["result"])]
        return any(slot in dim and dim & set(shares) for dim in dims)

    def _units(self) -> list[str]:
        """What dimensions of size 1 are, where operands and result have one order of dimensions."""
        q, k, v, result = (self._reads[name] for name in _MAIN)
        if not len(q) == len(k) == len(v) == len(result):
            first = not (q[:1] != ((),) or k[:1] != ((),) or v[:1] != ((),) or result[:1] != ((),))
            return [_BATCH if first and not dim else "" for dim in range(len(q))]
        found: list[str] = []
        for of_q, of_k, of_v, of_result in zip(q, k, v, result, strict=True):
            if not (of_q or of_k or of_v or of_result):
                found.append(_BATCH)
            elif not of_q and not of_result and set(self._atoms.of(of_k)) <= set(self._keys):
                found.append("s")
            elif not of_k and not of_v and set(self._atoms.of(of_q)) <= set(self._queries):
                found.append("t" if len(self._queries) == 1 else "")
            else:
                found.append("")
        return found

    def _slots(self, units: Sequence[str]) -> list[Digit | int]:
        """What batch and heads are, in the order of the queries: atoms, or dimensions of size 1."""
        found: list[Digit | int] = []
        for dim, part in enumerate(self._reads["q"]):
            found += [a for a in self._atoms.of(part) if a in self._batch]
            if units and units[dim] == _BATCH:
                found.append(dim)
        return found + [a for a in self._batch if a not in found]
