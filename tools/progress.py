"""What takes long is told while it does, on a terminal."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

_PATIENCE_S = 2.0
_STEP_S = 0.5


@contextmanager
def progress(doing: str, *, quiet: bool = False) -> Generator[None]:
    """Within, after two seconds, a line on stderr says what is being done, and for how long.

    It is gone at the end. Nothing is written when `quiet`, or where stderr is no terminal.
    """
    if quiet or not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    teller = threading.Thread(target=_tell, args=(doing, done), daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


def _tell(doing: str, done: threading.Event) -> None:
    start = time.monotonic()
    if done.wait(_PATIENCE_S):
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True, highlight=False).status("") as status:
        while True:
            status.update(Text(f"{doing}, {time.monotonic() - start:.0f} s"))
            if done.wait(_STEP_S):
                return
