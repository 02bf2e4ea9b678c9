"""`dxir cost`: what a run of a module costs, in operations, bytes, memory and seconds."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence

from dxir.costs import Cost, CostReport, OpCost, cost_of
from dxir.costs.cost import total
from dxir.errors import ArgumentError
from dxir.locations import NOWHERE, at
from dxir.program import Program
from dxir.tools.contained import stage
from dxir.tools.module_file import called, read_module
from dxir.tools.tables import console, print_table
from dxir.tools.tool import import_module
from dxir.wording import size_text, time_text

_COLUMNS = ("operations", "transcendental", "moved", "op/byte", "of it")


def run(options: argparse.Namespace) -> int:
    """Run the command; gives its exit code."""
    if (options.peak_flops is None) != (options.bandwidth is None):
        raise ArgumentError(
            "--peak-flops and --bandwidth belong together, and one is missing",
            hint="give both for the seconds of a roofline, or neither",
        )
    for module in options.modules:
        import_module(module)
    name = called(options.module)
    program = _read(options, name)
    stage(f"counting what {name} costs")
    with at(NOWHERE):  # or errors had the place where this is called
        report = cost_of(program, function=options.function)
    seconds = None
    if options.peak_flops is not None:
        seconds = report.seconds(options.peak_flops, options.bandwidth)
    if options.json:
        print(json.dumps(_plain(report, options, seconds), indent=2))
    else:
        _print(report, name, options, seconds)
    return 0


def _read(options: argparse.Namespace, name: str) -> Program:
    program = read_module(options.module)
    if options.passes is None:
        return program
    stage(f"running {options.passes} on {name}")
    return program.run_passes(options.passes)


def _plain(
    report: CostReport, options: argparse.Namespace, seconds: tuple[float, float] | None
) -> dict[str, object]:
    found = report.as_dict(top=options.top)
    if seconds is not None:
        found["roofline"] = {
            "peak_flops": options.peak_flops,
            "bandwidth": options.bandwidth,
            "seconds_at_least": seconds[0],
            "seconds_unfused": seconds[1],
        }
    return found


def _print(
    report: CostReport,
    name: str,
    options: argparse.Namespace,
    seconds: tuple[float, float] | None,
) -> None:
    entry = f"@{report.entry}" if report.entry else "all public functions"
    print(f"one run of {entry} of {name}\n")
    print_table(("in all", ""), _summary(report, seconds))
    for by in dict.fromkeys(options.by or ("kind", "op")):
        print()
        _TABLES[by](report, options.top)
    composites = report.composites()
    if composites and not options.by:
        print()
        rows = [(c.name, f"{c.runs:,}", *_cells(c.cost, report)) for c in composites[: options.top]]
        _table(("composite, with all in it", "runs", *_COLUMNS), rows, len(composites))
    if report.notices:
        print()
    for notice in report.notices:
        console().print(f"note: {notice}", markup=False, soft_wrap=True)


def _summary(report: CostReport, seconds: tuple[float, float] | None) -> list[tuple[str, str]]:
    cost, memory = report.total, report.memory
    intensity = cost.intensity
    rows = [
        ("operations", _number(cost.flops, cost.least.flops)),
        ("transcendental", _number(cost.transcendentals, cost.least.transcendentals)),
        ("read", _bytes(cost.read, cost.least.read)),
        ("written", _bytes(cost.written, cost.least.written)),
        ("operations per byte", "unknown" if intensity is None else f"{intensity:.4g}"),
        ("moved at least, fused", _bytes(report.bytes_at_least)),
        ("parameters", _bytes(memory.parameters)),
        ("results", _bytes(memory.results)),
        ("constants", _bytes(memory.constants)),
        ("temporaries", _bytes(memory.temporaries)),
        ("peak memory", f"{_bytes(memory.peak)}{_at(report)}"),
    ]
    if cost.least.sent or "sent" in cost.unknown:
        rows.insert(4, ("sent", _bytes(cost.sent, cost.least.sent)))
    if seconds is not None:
        least, unfused = map(time_text, seconds)
        rows.append(("seconds of the roofline", f"{least} at least, {unfused} unfused"))
    return rows


def _at(report: CostReport) -> str:
    if report.memory.peak_op is None:
        return ""
    op = report.ops[report.memory.peak_op]
    return f", in {_called(op)}" + (f" at {op.where}" if op.where else "")


def _by_kind(report: CostReport, top: int) -> None:
    kinds = [k for k in report.by_kind() if any(k.cost.least) or k.cost.unknown]
    rows = [(k.kind, f"{k.ops:,}", f"{k.runs:,}", *_cells(k.cost, report)) for k in kinds[:top]]
    _table(("op", "how many", "runs", *_COLUMNS), rows, len(kinds))


def _by_function(report: CostReport, top: int) -> None:
    functions = sorted(report.functions, key=lambda f: -sum(f.cost.least[:2]))
    rows = [
        (
            f"@{f.name}",
            f"{f.runs:,}" if f.exact else f"{f.runs:,} or more",
            _number(f.each.flops, f.each.least.flops),
            *_cells(f.cost, report),
        )
        for f in functions[:top]
    ]
    _table(("function", "runs", "a run", *_COLUMNS), rows, len(functions))


def _by_op(report: CostReport, top: int) -> None:
    ops = report.by_cost()
    rows = [
        (
            f"{_called(op)}{f' at {op.where}' if op.where else ''}",
            f"{op.runs:,}" if op.exact else f"{op.runs:,} or more",
            *_cells(op.cost, report),
        )
        for op in ops[:top]
    ]
    _table(("op", "runs", *_COLUMNS), rows, len(ops))


def _by_location(report: CostReport, top: int) -> None:
    places: dict[str, list[OpCost]] = {}
    for op in report.by_cost():
        places.setdefault(op.where or "unknown", []).append(op)
    found = [(where, len(ops), total(op.cost for op in ops)) for where, ops in places.items()]
    found.sort(key=lambda row: (-sum(row[2].least[:2]), -sum(row[2].least[2:4])))
    rows = [(where, f"{count:,}", *_cells(cost, report)) for where, count, cost in found[:top]]
    _table(("place", "ops", *_COLUMNS), rows, len(found))


_TABLES = {"kind": _by_kind, "function": _by_function, "op": _by_op, "location": _by_location}


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]], count: int) -> None:
    shown = list(rows)
    print_table(columns, shown)
    if count > len(shown):
        print(f"and {count - len(shown):,} more: --top={count} tells all")


def _cells(cost: Cost, report: CostReport) -> tuple[str, ...]:
    least, whole = cost.least, report.total.least
    moved = least.read + least.written
    intensity = cost.intensity
    work = whole.flops + whole.transcendentals
    return (
        _number(cost.flops, least.flops),
        _number(cost.transcendentals, least.transcendentals),
        _bytes(cost.bytes, moved),
        "" if intensity is None else f"{intensity:.3g}",
        f"{(least.flops + least.transcendentals) / work:.1%}" if work else "0.0%",
    )


def _called(op: OpCost) -> str:
    return f"{op.kind} {op.name}".rstrip()


_UNITS = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"))


def _number(known: int | None, least: int) -> str:
    """A number of operations: in full up to a million, then with four digits and a unit."""
    text = next((f"{least / s:.4g} {unit}" for s, unit in _UNITS if least >= s), f"{least:,}")
    if known is not None:
        return text
    return f"{text} or more" if least else "unknown"


def _bytes(known: int | None, least: int = 0) -> str:
    if known is not None:
        return size_text(known)
    return f"{size_text(least)} or more" if least else "unknown"
