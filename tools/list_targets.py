"""`dxir targets`: the targets there are, and what each takes, wants and has."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from typing import Any

from dxir.targets.acceptance import Accepts, Refusal
from dxir.targets.kernels import KernelDescriptor, kernels_of
from dxir.targets.record import Target
from dxir.targets.registry import BROKEN, all_targets, find_target
from dxir.tools.tables import print_table
from dxir.tools.tool import failed, import_module, tool_name

_COLUMNS = ("target", "compiles here", "composites", "kernels", "constants", "summary")


def run(options: argparse.Namespace) -> int:
    """Run the command; gives its exit code."""
    for module in options.modules:
        import_module(module)
    if options.name is not None:
        target = find_target(options.name)
        print(json.dumps(described(target), indent=2) if options.json else _in_full(target))
        return 0
    targets = all_targets().values()
    for error in BROKEN.values():
        failed(tool_name(), error)
    if options.json:
        print(json.dumps([described(target) for target in targets], indent=2))
    else:
        print_table(_COLUMNS, map(_row, targets))
    return 0


def _row(target: Target) -> tuple[str, ...]:
    return (
        target.name,
        "yes" if target.compiles_here else "no",
        str(target.granularity),
        str(len(kernels_of(target.name))),
        str(target.constants),
        target.summary,
    )


def described(target: Target) -> dict[str, Any]:
    """What there is to know about a target, as `--json` prints it."""
    accepts, constants = target.accepts, target.constants
    return {
        "name": target.name,
        "summary": target.summary,
        "compiles_here": target.compiles_here,
        "needs": target.needs,
        "stablehlo_version": target.version,
        "pipeline": list(target.production),
        "flags": dict(target.flags),
        "composites": str(target.granularity),
        "constants": {"min_bytes": constants.min_bytes, "form": constants.form},
        "kernels": [_kernel(kernel) for kernel in kernels_of(target.name)],
        "dialects": sorted(accepts.dialects),
        "ops": None if accepts.ops is None else sorted(accepts.ops),
        "refused_ops": _reasons(accepts.refused_ops),
        "limited_ops": sorted(accepts.limits),
        "element_types": None if accepts.element_types is None else sorted(accepts.element_types),
        "refused_types": _reasons(accepts.refused_types),
        "changed_types": dict(accepts.changed_types),
        "dynamic": accepts.dynamic,
        "custom_calls": sorted(accepts.calls),
    }


def _kernel(kernel: KernelDescriptor) -> dict[str, str]:
    return {"composite": kernel.composite, "call_target": kernel.call_target}


def _reasons(refused: Mapping[str, Refusal]) -> dict[str, str]:
    return {name: refusal.why for name, refusal in sorted(refused.items())}


def _in_full(target: Target) -> str:
    here = "compiles here" if target.compiles_here else "is described only"
    if target.needs:
        here += f": compiling needs {target.needs}"
    lines = [f"{target.name}: {target.summary}", f"{target.name} {here}", "", "pipeline:"]
    lines += [f"  {part}" for part in target.production]
    rows = [
        ("composites", str(target.granularity)),
        ("constants", str(target.constants)),
        *(("kernel", f"@{k.call_target} for {k.composite}") for k in kernels_of(target.name)),
        *(("flag", f"{name}={value}") for name, value in target.flags.items()),
        ("StableHLO", target.version),
        *_accepted(target.accepts),
    ]
    width = max(len(head) for head, _ in rows) + 2
    lines += ["", *(f"{head:<{width}}{text}" for head, text in rows)]
    lines += ["", f"ask it: dxir can-run file.mlir --target {target.name}"]
    return "\n".join(lines)


def _accepted(accepts: Accepts) -> list[tuple[str, str]]:
    rows = [("dialects", ", ".join(sorted(accepts.dialects)))]
    if accepts.ops is not None:
        rows.append(("ops", ", ".join(sorted(accepts.ops))))
    if accepts.element_types is not None:
        rows.append(("element types", ", ".join(sorted(accepts.element_types))))
    refused = {**accepts.refused_ops, **accepts.refused_types}
    rows += [("refused", f"{name}: {refusal.why}") for name, refusal in sorted(refused.items())]
    rows += [("changed", f"{name} to {made}") for name, made in accepts.changed_types.items()]
    if accepts.limits:
        rows.append(("limited", ", ".join(sorted(accepts.limits))))
    rows.append(("unknown sizes", "taken" if accepts.dynamic else "refused"))
    if accepts.calls:
        rows.append(("custom calls", ", ".join(sorted(accepts.calls))))
    if accepts.other_calls is not None:
        rows.append(("other calls", accepts.other_calls.why))
    return rows
