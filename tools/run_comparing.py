"""What several backends make of a program, held against each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dxir.program import Program
from dxir.runtime.oracle import Comparison, Policy, compare
from dxir.targets.options import CompileOptions
from dxir.tools.run_arguments import RunArguments


def compared(
    program: Program, given: Sequence[Any], arguments: RunArguments, options: CompileOptions
) -> Comparison:
    """Run the program on each backend that is asked for, and compare their results."""
    policy = Policy(rtol=arguments.rtol, atol=arguments.atol)
    return compare(program, given, arguments.compare, policy=policy, options=options)
