"""Tables on standard output: fitted to a terminal, one line for each row anywhere else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

_PIPE_WIDTH = 10_000


def console() -> Console:
    """Standard output; lines are not broken where no terminal says how long they may be."""
    found = Console(highlight=False)
    return found if found.is_terminal else Console(highlight=False, width=_PIPE_WIDTH)


def print_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    styles: Iterable[str] = (),
    wrapped: int = 1,
) -> None:
    """Print rows under the names of their columns, of which the last `wrapped` may break lines.

    `styles` are those of the rows, in rich's words.
    """
    table = Table(box=None, pad_edge=False, header_style="bold")
    for i, name in enumerate(columns):
        table.add_column(name, no_wrap=i < len(columns) - wrapped)
    style = iter(styles)
    for row in rows:
        table.add_row(*map(Text, row), style=next(style, ""))
    out = console()
    if out.is_terminal:
        out.print(table)
        return
    with out.capture() as captured:
        out.print(table)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()))
