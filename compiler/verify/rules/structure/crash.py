"""Files that end the process which checks them."""

from __future__ import annotations

from dxir.verify.rule import Rule


class Crash(Rule, id="structure-crash", severity="error"):
    """Checking the file ended the process that did it, or a rule in an exception.

    Native code has a fault that this file brings out: the reader or verifier of MLIR, or what a
    rule calls. Other tools that read the file are likely to end in the same way. What rules find in
    it besides is told, unless it was the reader that ended.
    """

    remedy = (
        "write the file again, should it be damaged; make it smaller by dxir-reduce, and report it "
        "to those who made what ended"
    )
    no_example = "no file is known for certain to bring down every version of MLIR"
