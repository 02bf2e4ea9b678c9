"""`dxir sharding`: how the values of a module lie on its mesh and why, and what that costs."""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

from dxir.collective_costs import Interconnect
from dxir.errors import ArgumentError, ArtifactError
from dxir.locations import NOWHERE, at
from dxir.program import Program
from dxir.sharding_report import (
    Comparison,
    ShardingReport,
    explain_sharding,
    with_shardings,
)
from dxir.tools.contained import stage
from dxir.tools.module_file import called, read_module


def run(options: argparse.Namespace) -> int:
    """Run the command; gives its exit code."""
    chosen = _pattern(options.values)
    link = None if options.interconnect is None else Interconnect.load(options.interconnect)
    program = _read(options.module, options.passes)
    name = called(options.module)
    stage(f"explaining the shardings of {name}")
    report = explain_sharding(program, interconnect=link, name=name)
    comparison = _compared(options, program, report, link)
    if options.html is not None:
        _write_page(options.html, report, comparison)
    if options.json:
        print(json.dumps(_plain(report, comparison, options.process_groups), indent=2))
    elif options.html is None:
        from dxir.tools.sharding_text import Shown, print_comparison, print_report

        shown = Shown(chosen, options.values == "all", options.process_groups)
        if comparison is None:
            print_report(report, shown)
        else:
            print_comparison(comparison, shown)
    return 0


def _pattern(values: str | None) -> re.Pattern[str] | None:
    if values is None or values == "all":
        return None
    try:
        return re.compile(values)
    except re.error as error:
        raise ArgumentError(
            f"--values={values} is no regular expression: {error}",
            hint="give one, as dot_general or '%%1.', or all",
        ) from None


def _read(name: str, passes: str | None) -> Program:
    program = read_module(name, allow_unregistered=False)
    return program if passes is None else program.run_passes(passes)


def _compared(
    options: argparse.Namespace,
    program: Program,
    report: ShardingReport,
    link: Interconnect | None,
) -> Comparison | None:
    """The report beside that of the other module, or of other shardings; None without these."""
    if options.compare is not None:
        other = _read(options.compare, options.passes)
        stage(f"explaining the shardings of {options.compare}")
        return report.compared(explain_sharding(other, interconnect=link, name=options.compare))
    if not options.shardings:
        return None
    given: dict[str, str] = {}
    for each in options.shardings:
        name, equals, text = each.partition("=")
        if not equals:
            raise ArgumentError(
                f"--with={each} gives no sharding",
                hint="""write --with 'arg0=[{"x"}, {}]'; an empty one takes the sharding off""",
            )
        given[name.strip()] = text
    with at(NOWHERE):  # or errors had the place where this is called
        other = with_shardings(program, given)
    name = ", ".join(options.shardings)
    return report.compared(explain_sharding(other, interconnect=link, name=name))


def _plain(
    report: ShardingReport, comparison: Comparison | None, process_groups: bool
) -> dict[str, Any]:
    found = report.as_dict() if comparison is None else comparison.as_dict()
    if process_groups:
        reports = [(found, report)]
        if comparison is not None:
            reports = [(found["before"], comparison.before), (found["after"], comparison.after)]
        for plain, each in reports:
            for entry, collective in zip(plain["collectives"], each.collectives, strict=True):
                entry["process_groups"] = collective.process_groups()
    return found


def _write_page(path: str, report: ShardingReport, comparison: Comparison | None) -> None:
    from dxir.tools.sharding_page import page

    try:
        Path(path).write_text(page(report, comparison), encoding="utf-8")
    except OSError as error:
        raise ArtifactError(
            f"the page cannot be written: {error.strerror}", where=path, hint="give another file"
        ) from None
    print(f"wrote {path}", file=sys.stderr)
