"""Files that take too much memory to check."""

from __future__ import annotations

from dxir.verify.rule import Rule


class OutOfMemory(Rule, id="structure-out-of-memory", severity="error"):
    """Checking the file took more memory than it may.

    A few bytes can ask for any amount of memory, such as a constant of a huge type; otherwise the
    file is too large for this machine. What other rules find in it is told, unless it was read when
    memory ran out.
    """

    remedy = "write the file again, should it be damaged; or check fewer files at a time"
    messages = ("^there is not enough memory to read the module",)
    no_example = "what is too much depends on the machine"
