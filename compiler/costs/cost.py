"""An amount of work and of bytes moved, of which some may not be known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple


class Amounts(NamedTuple):
    """What is counted, in order: numbers of operations, and of bytes."""

    flops: int = 0
    transcendentals: int = 0
    read: int = 0
    written: int = 0
    sent: int = 0


_NONE = Amounts()
_MOST = 10**36  # products of a few of these are still floats
_KNOWN: frozenset[str] = frozenset()
WORK = frozenset(("flops", "transcendentals"))
TRAFFIC = frozenset(("read", "written"))
EVERYTHING = frozenset(Amounts._fields)

MOST_RUNS = 10**18
"""No op is counted more often: nothing runs so long, and numbers stay such that can be printed."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Work and bytes; an amount that is not known in full is None.

    `flops` are arithmetic operations on elements, of any type: one for each element of an
    elementwise op, two for each multiply-add. `transcendentals` are elements of exp, log, tanh and
    the like, which `flops` leaves out. `read` and `written` are bytes of memory where each op reads
    its operands from memory and writes its results there, `sent` bytes sent to other devices.
    `least` has for each amount what is known of it, and `unknown` names those of which that is not
    all.
    """

    least: Amounts = _NONE
    unknown: frozenset[str] = _KNOWN

    @classmethod
    def of(
        cls,
        flops: int | None = 0,
        transcendentals: int | None = 0,
        read: int | None = 0,
        written: int | None = 0,
        sent: int | None = 0,
    ) -> Cost:
        """The cost of these amounts, None for one that is not known."""
        given = (flops, transcendentals, read, written, sent)
        missing = [n for n, v in zip(Amounts._fields, given, strict=True) if v is None]
        return cls(Amounts(*[v or 0 for v in given]), frozenset(missing))

    @property
    def flops(self) -> int | None:
        """Arithmetic operations on elements."""
        return self._known("flops")

    @property
    def transcendentals(self) -> int | None:
        """Elements of exp, log, tanh and the like."""
        return self._known("transcendentals")

    @property
    def read(self) -> int | None:
        """Bytes read from memory."""
        return self._known("read")

    @property
    def written(self) -> int | None:
        """Bytes written to memory."""
        return self._known("written")

    @property
    def sent(self) -> int | None:
        """Bytes sent to other devices."""
        return self._known("sent")

    @property
    def bytes(self) -> int | None:
        """Bytes read and written."""
        if self.unknown & TRAFFIC:
            return None
        return self.least.read + self.least.written

    @property
    def intensity(self) -> float | None:
        """Operations, transcendentals too, for each byte read or written; None without any."""
        moved = self.bytes
        if not moved or self.unknown & WORK:
            return None
        return (self.least.flops + self.least.transcendentals) / moved

    def _known(self, name: str) -> int | None:
        amount: int = getattr(self.least, name)
        return None if name in self.unknown else amount

    def __add__(self, other: Cost) -> Cost:
        if self is NO_COST:
            return other
        if other is NO_COST:
            return self
        a, b = self.least, other.least
        unknown = self.unknown | other.unknown if self.unknown or other.unknown else _KNOWN
        return Cost(
            Amounts(a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4]), unknown
        )

    def times(self, count: int) -> Cost:
        """The cost of so many runs."""
        if count == 1 or self is NO_COST:
            return self
        if not count:
            return NO_COST
        a = self.least
        least = Amounts(a[0] * count, a[1] * count, a[2] * count, a[3] * count, a[4] * count)
        return Cost(least, self.unknown)

    def bounded(self) -> Cost:
        """The cost, but no amount above one that says enough."""
        if max(self.least) <= _MOST:
            return self
        return Cost(Amounts(*[min(amount, _MOST) for amount in self.least]), self.unknown)

    def as_dict(self) -> dict[str, object]:
        """The cost as plain values, None for what is not known."""
        return {
            "flops": self.flops,
            "transcendentals": self.transcendentals,
            "bytes_read": self.read,
            "bytes_written": self.written,
            "bytes": self.bytes,
            "bytes_sent": self.sent,
            "intensity": self.intensity,
            "at_least": {
                "flops": self.least.flops,
                "transcendentals": self.least.transcendentals,
                "bytes": self.least.read + self.least.written,
                "bytes_sent": self.least.sent,
            },
        }


NO_COST = Cost()
UNKNOWN_COST = Cost(_NONE, EVERYTHING)


def total(costs: Iterable[Cost]) -> Cost:
    """The sum of costs."""
    found = NO_COST
    for cost in costs:
        found = found + cost
    return found
