"""What is told of a check that did not come to its end."""

from __future__ import annotations

from collections.abc import Mapping

from dxir.verify.finding import Finding, Place
from dxir.verify.rules.structure.crash import Crash
from dxir.verify.rules.structure.out_of_memory import OutOfMemory
from dxir.verify.rules.structure.overdue import Overdue
from dxir.verify.stages import LOOKING, READING, READING_FILE, STARTING, TELLING

NOT_KEPT = (Crash.id, Overdue.id, OutOfMemory.id)
"""The findings that say more of the process and the machine than of the file."""

_IN = {
    STARTING: "before it was read",
    READING_FILE: "while it was read from disk",
    READING: "while MLIR read and verified it",
    LOOKING: "between two rules",
    TELLING: "while it was told what was found",
}


def crashed(name: str, stage: str, cause: str, words: str = "") -> Finding:
    """The finding of a file over which a process ended; `words` are what it said at the last."""
    said = f": {words}" if words else ""
    return _found(
        Crash, f"checking this file ended the process by {cause} {_in(stage)}{said}", name
    )


def failed(name: str, message: str, hint: str | None) -> Finding:
    """The finding of a rule that ended in an exception."""
    return _found(Crash, message, name, hint=hint)


def overdue(name: str, stage: str, seconds: float) -> Finding:
    """The finding of a file that was not checked in time."""
    message = f"checking this file did not end within {seconds:.3g} s {_in(stage)}"
    return _found(Overdue, message, name, numbers={"seconds": seconds})


def out_of_memory(name: str, stage: str, limit: int | None) -> Finding:
    """The finding of a file that took too much memory."""
    how = "than there is" if limit is None else f"than {limit / 2**30:.1f} GiB"
    return _found(OutOfMemory, f"checking this file took more memory {how} {_in(stage)}", name)


def _in(stage: str) -> str:
    return _IN.get(stage) or f"in the rule {stage}"


def _found(
    rule: type[Crash | Overdue | OutOfMemory],
    message: str,
    name: str,
    *,
    hint: str | None = None,
    numbers: Mapping[str, float] | None = None,
) -> Finding:
    return Finding(
        rule.id,
        rule.severity,
        message,
        Place(name),
        hint=hint or rule.remedy,
        numbers=dict(numbers or {}),
    )
