"""`dxir can-run`: what a target will not take of a module, and what its pipeline would do."""

from __future__ import annotations

import argparse

from dxir.diagnostics import Diagnostic
from dxir.targets.registry import find_target
from dxir.targets.report import Report
from dxir.tools.contained import stage
from dxir.tools.module_file import called, read_module
from dxir.tools.tables import console
from dxir.tools.tool import import_module


def run(options: argparse.Namespace) -> int:
    """Run the command; gives its exit code: 0 when the target takes the module, else 1."""
    for module in options.modules:
        import_module(module)
    target = find_target(options.target)
    name = called(options.module)
    program = read_module(options.module)
    stage(f"asking {target.name} about {name}")
    report = target.check(program, archive=options.archive)
    if options.json:
        print(report.to_json())
    else:
        _print(report)
    return 0 if report.can_run else 1


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
