"""Calls on a deep stack, for C++ code that recurses over a program."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")
_lock = threading.Lock()


def call_deep(work: Callable[[], _T], stack_bytes: int = 128 << 20) -> _T:
    """The result of `work`, called on a thread whose stack has that size; its exception comes out.

    The stack is reserved, not used, until it is needed. Where there is no room for it, `work` is
    called here.
    """
    results: list[_T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001  raised again below, by the caller's thread
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    if _started(thread, stack_bytes):
        thread.join()
    else:
        run()
    if errors:
        raise errors[0]
    return results[0]


def _started(thread: threading.Thread, stack_bytes: int) -> bool:
    # The size holds for every thread that starts meanwhile, which does those no harm.
    with _lock:
        before = threading.stack_size(stack_bytes)
        try:
            thread.start()
        except RuntimeError:
            return False
        finally:
            threading.stack_size(before)
    return True
