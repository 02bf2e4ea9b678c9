"""Files that take too long to check."""

from __future__ import annotations

from dxir.verify.rule import Rule


class Overdue(Rule, id="structure-overdue", severity="error"):
    """Checking the file did not end in time.

    It is damaged in a way that keeps MLIR's reader busy for ever, or far larger than a rule is made
    for. What other rules find in it is told, unless it was the reader that did not end.
    """

    remedy = "write the file again, should it be damaged; or give it more time, or ignore the rule"
    no_example = "a file that takes a minute to check is no example to read"
