"""How far a reduction has come, told on stderr while it runs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from dxir.reduction import Progress
from dxir.wording import counted

if TYPE_CHECKING:
    from rich.status import Status


class Shown:
    """A line that is kept up to date on a terminal; elsewhere a line for each better program."""

    def __init__(self, tool: str, *, quiet: bool) -> None:
        self._tool, self._quiet = tool, quiet
        self._status: Status | None = None
        if not quiet and sys.stderr.isatty():
            from rich.console import Console

            self._status = Console(stderr=True).status(tool)
            self._status.start()

    def say(self, what: str) -> None:
        """Show what is being done, on a terminal."""
        if self._status is not None:
            self._status.update(f"{self._tool}: {what}")

    def progress(self, progress: Progress) -> None:
        """Show how far it has come."""
        if self._quiet:
            return
        size = progress.size
        text = (
            f"{counted(size.all_ops, 'op')}, {counted(size.functions, 'function')}, "
            f"{counted(progress.tried, 'candidate')} tried: {progress.reduction}"
        )
        if self._status is not None:
            self.say(text)
        elif progress.is_better:
            print(f"{self._tool}: {text}", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self._status is not None:
            self._status.stop()
            self._status = None
