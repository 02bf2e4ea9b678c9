"""`dxir can-run`: what a target will not take of a module, and what its pipeline would do."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from dxir.diagnostics import Diagnostic
from dxir.loading import load
from dxir.program import Program
from dxir.targets.registry import find_target
from dxir.targets.report import Report
from dxir.tools.contained import is_contained, stage
from dxir.tools.tables import console
from dxir.tools.tool import import_module

_READING_S = 120.0


def run(options: argparse.Namespace) -> int:
    """Run the command; gives its exit code: 0 when the target takes the module, else 1."""
    for module in options.modules:
        import_module(module)
    target = find_target(options.target)
    name = "standard input" if options.module == "-" else options.module
    stage(f"reading {name}", _READING_S)
    program = _program(options.module)
    stage(f"asking {target.name} about {name}")
    report = target.check(program, archive=options.archive)
    if options.json:
        print(report.to_json())
    else:
        _print(report)
    return 0 if report.can_run else 1


def _program(name: str) -> Program:
    source = sys.stdin.buffer.read() if name == "-" else Path(name)
    return load(source, trusted=is_contained(), allow_unregistered=True, allow_elided=True)


def _print(report: Report) -> None:
    out = console()
    if not out.is_terminal:
        print(report)
        return
    for diagnostic in report.diagnostics:
        out.print(_shown(diagnostic), soft_wrap=True)
    for line in report.conclusion():
        out.print(line, markup=False, soft_wrap=True)


def _shown(diagnostic: Diagnostic) -> object:
    return diagnostic.__rich__()
