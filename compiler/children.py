"""What a child process and its parent tell each other: errors, causes of death, limits."""

from __future__ import annotations

import json
import signal

from dxir import errors
from dxir.errors import DxirError

REFUSED = 3
"""The exit code of a child that found a mistake of the user's, and tells which."""


def cause_of(code: int) -> str:
    """How a child ended: the name of the signal, or its exit code."""
    if code < 0:
        try:
            return signal.Signals(-code).name
        except ValueError:
            return f"signal {-code}"
    return f"exit code {code}"


def last_words(stderr: bytes, limit: int = 200) -> str:
    """The last line on `stderr` that tells of an error, without the addresses of a stack trace."""
    lines = [
        line.strip()
        for line in stderr.decode("utf-8", "replace").splitlines()
        if "ERROR" in line or "Error" in line or "Check failed" in line or "terminate" in line
    ]
    return lines[-1][:limit] if lines else ""


def told(error: DxirError) -> str:
    """The error as the child writes it."""
    return json.dumps(
        {
            "kind": type(error).__name__,
            "message": error.message,
            "where": error.where,
            "hint": error.hint,
        }
    )


def error_told(text: str | bytes) -> DxirError:
    """The error that a child wrote."""
    found = json.loads(text)
    kind = vars(errors).get(found["kind"])
    if not isinstance(kind, type) or not issubclass(kind, DxirError):
        kind = DxirError
    return kind(found["message"], where=found["where"], hint=found["hint"])


def limit_resources(memory_bytes: int | None = None, seconds: float | None = None) -> None:
    """Bound this process: what memory it may have, no core files, and when it is to end."""
    if seconds is not None and hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        import resource
    except ImportError:  # not on Windows
        return
    bounds = [(resource.RLIMIT_CORE, 0)]
    if memory_bytes is not None:
        bounds.append((resource.RLIMIT_AS, memory_bytes))
    for what, bound in bounds:
        _, hard = resource.getrlimit(what)
        if hard == resource.RLIM_INFINITY or bound <= hard:
            resource.setrlimit(what, (bound, hard))
