"""`dxir approximations`: what in a program computes other numbers than was asked for, as asked."""

from __future__ import annotations

import argparse
import json

from dxir.approximations import Approximation
from dxir.tools.module_file import read_module
from dxir.tools.tables import print_table

_COLUMNS = ("where", "op", "was", "by", "error", "reason")


def run(options: argparse.Namespace) -> int:
    """Run the command; gives its exit code."""
    found = read_module(options.module).approximations()
    if options.json:
        print(json.dumps([a.as_dict() for a in found], indent=2))
    elif found:
        print_table(_COLUMNS, map(_row, found))
    else:
        print("no approximation is on record")
    return 0


def _row(found: Approximation) -> tuple[str, ...]:
    errors = (("abs", found.max_abs_error), ("rel", found.max_rel_error))
    details = [f"{n}={v if isinstance(v, str) else ','.join(v)}" for n, v in found.details.items()]
    return (
        found.where or "-",
        "the module" if found.op is None else f"{found.op} in @{found.function or '?'}",
        found.legalized_from,
        found.by,
        ", ".join(f"{kind} {number:g}" for kind, number in errors if number is not None) or "-",
        "; ".join([found.reason, *details]),
    )
