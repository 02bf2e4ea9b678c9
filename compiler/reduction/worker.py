"""A process that judges one program after another, since a backend may end it.

`python -m dxir.reduction.worker SEED TOLERANCE BACKEND...` reads bytecode from its input, eight
bytes with the size before each, and answers with a line of JSON. An empty TOLERANCE is none.
"""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from dxir.children import limit_resources
from dxir.mlir import ir, make_context
from dxir.program import Program
from dxir.reduction.judging import judged

SIZE = 8
"""The bytes that say how many follow."""


def _serve(seed: int, tolerance: float | None, backends: Sequence[str]) -> NoReturn:
    limit_resources()
    # What libraries write to stdout must not stand between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    while head := sys.stdin.buffer.read(SIZE):
        data = sys.stdin.buffer.read(int.from_bytes(head, "little"))
        # A fresh context each time: one never lets go of what it was given.
        program = Program(ir.Module.parse(data, make_context()))
        verdict = judged(program, backends, seed, tolerance)
        answers.write(json.dumps(dataclasses.asdict(verdict)) + "\n")
        answers.flush()
    os._exit(0)


if __name__ == "__main__":
    _serve(int(sys.argv[1]), float(sys.argv[2]) if sys.argv[2] else None, sys.argv[3:])
