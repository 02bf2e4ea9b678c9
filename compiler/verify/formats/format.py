"""What a format is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dxir.verify.formats.run import Run


@dataclass(frozen=True, slots=True)
class Format:
    """A way to tell what a run found: its name, what it is for, and what writes it."""

    name: str
    summary: str
    write: Callable[[Run], str]
