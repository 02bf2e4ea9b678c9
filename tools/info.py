"""What `dxir-translate --info` tells about a module."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from typing import Any

from dxir.artifact import artifact_version, is_bytecode, prepare, producer_of
from dxir.diagnostics import where_of
from dxir.errors import DxirError, RaisingError
from dxir.features import needed_versions
from dxir.mlir import IrOperation, decode_type, ir
from dxir.program import Program
from dxir.reading import function_name, functions, is_public, ops_below, signature, walk
from dxir.resources import blobs_of, resources_of
from dxir.types import TensorType
from dxir.versions import current_version
from dxir.wording import size_text

Info = dict[str, Any]
"""Plain values, as `--json` prints them."""

_LARGEST = 5


def describe(program: Program, data: bytes, name: str) -> Info:
    """What there is to know about a program that was read from `data`."""
    version = artifact_version(data)
    kind = "text"
    if is_bytecode(data):
        kind = "bytecode" if version is None else "portable artifact"
    counts = program.op_counts()
    return {
        "name": name,
        "kind": kind,
        "size_bytes": len(data),
        "producer": producer_of(data),
        "artifact_version": None if version is None else str(version),
        "needs": _needs(program),
        "newer_features": _newer_features(program),
        "current_version": str(current_version()),
        "functions": [_function(f) for f in functions(program.module)],
        "dialects": dict(sorted(_dialects(counts).items())),
        "ops": counts,
        **_constants(program.module),
        "resources": _resources(program.module),
        "locations": _locations(program.module),
    }


def _needs(program: Program) -> Info:
    try:
        found = program.minimum_version()
    except DxirError as error:
        return {"version": None, "reason": error.message, "where": error.where}
    return {
        "version": found.version,
        "kind": found.kind,
        "feature": found.feature,
        "where": found.where,
    }


def _newer_features(program: Program) -> list[Info]:
    try:
        return [asdict(f) for f in needed_versions(prepare(program.module, keep_chlo=False))]
    except DxirError:
        return []  # no version holds it; `needs` says why


def _function(function: IrOperation) -> Info:
    type = signature(function)
    return {
        "name": function_name(function),
        "public": is_public(function),
        "parameters": [str(t) for t in type.inputs],
        "results": [str(t) for t in type.results],
        "ops": len(ops_below(function)),
        "where": where_of(function.location),
    }


def _dialects(counts: dict[str, int]) -> Counter[str]:
    found: Counter[str] = Counter()
    for op, count in counts.items():
        found[op.partition(".")[0]] += count
    return found


def _constants(module: ir.Module) -> Info:
    sizes: list[tuple[int, str, str | None]] = []

    def visit(op: IrOperation) -> None:
        if op.name.endswith(".constant") and len(op.results) == 1:
            sizes.append((_bytes_of(op), str(op.results[0].type), where_of(op.location)))

    walk(module, visit)
    largest = sorted(sizes, key=lambda entry: -entry[0])[:_LARGEST]
    return {
        "constants": len(sizes),
        "constant_bytes": sum(size for size, _, _ in sizes),
        "largest_constants": [
            {"bytes": size, "type": type, "where": where} for size, type, where in largest
        ],
    }


def _bytes_of(op: IrOperation) -> int:
    """The bytes of a constant's elements; 0 for what is no tensor."""
    try:
        type = decode_type(op.results[0].type)
    except RaisingError:
        return 0
    return -(-type.size * type.primitive.bits // 8) if isinstance(type, TensorType) else 0


def _resources(module: ir.Module) -> list[Info]:
    found = resources_of(module)
    blobs = blobs_of(module) if found else {}
    keys = dict.fromkeys(resource.key for resource in found)
    return [{"key": key, "bytes": len(blobs[key]) if key in blobs else None} for key in keys]


def _locations(module: ir.Module) -> Info:
    known: Counter[bool] = Counter()
    files: set[str] = set()

    def visit(op: IrOperation) -> None:
        where = where_of(op.location)
        known[where is not None] += 1
        if where is not None:
            files.add(where.rsplit(":", 2)[0] if where.count(":") > 1 else where.partition(":")[0])

    walk(module, visit)
    return {"ops_with_location": known[True], "ops": known.total(), "files": sorted(files)}


def info_json(info: Info) -> str:
    """The facts as JSON."""
    return json.dumps(info, indent=2) + "\n"


def info_text(info: Info) -> str:
    """The facts for people to read."""
    rows: list[tuple[str, str]] = []
    if info["producer"]:
        rows.append(("producer", info["producer"]))
    rows.append(("needs", _needs_text(info["needs"])))
    rows += [("", _feature_text(f)) for f in _others(info)]
    rows.append(("reader here", f"StableHLO {info['current_version']}"))
    locations = info["locations"]
    rows.append(("locations", _locations_text(locations)))
    rows.append(
        (
            "constants",
            f"{info['constants']}, {size_text(info['constant_bytes'])}{_largest_text(info)}",
        )
    )
    for resource in info["resources"]:
        size = "no data" if resource["bytes"] is None else size_text(resource["bytes"])
        rows.append((f"resource {resource['key']}", size))
    rows.append(("dialects", _counted(info["dialects"])))
    width = max(len(head) for head, _ in rows) + 2
    lines = [f"{info['name']}: {info['kind']}, {size_text(info['size_bytes'])}"]
    lines += [f"{head:<{width}}{text}" for head, text in rows]
    lines.append("functions")
    for function in info["functions"]:
        shown = "" if function["public"] else "private "
        parameters, results = ", ".join(function["parameters"]), ", ".join(function["results"])
        lines.append(
            f"  {shown}@{function['name']}({parameters}) -> ({results}), {function['ops']} ops"
        )
    lines.append("ops")
    most = sorted(info["ops"].items(), key=lambda item: (-item[1], item[0]))
    digits = max((len(str(count)) for _, count in most), default=1)
    lines += [f"  {count:>{digits}} {op}" for op, count in most]
    return "\n".join(lines) + "\n"


def _needs_text(needs: Info) -> str:
    if needs["version"] is None:
        where = f" ({needs['where']})" if needs["where"] else ""
        return f"no version holds it: {needs['reason']}{where}"
    if needs["feature"] is None:
        return f"StableHLO {needs['version']}, the oldest there is"
    where = f" at {needs['where']}" if needs["where"] else ""
    return f"StableHLO {needs['version']}, for the {needs['kind']} {needs['feature']}{where}"


def _others(info: Info) -> list[Info]:
    """The features that need a newer version, but for the one told already."""
    told = [info["needs"].get(key) for key in ("kind", "feature")]
    return [f for f in info["newer_features"] if [f["kind"], f["feature"]] != told]


def _feature_text(feature: Info) -> str:
    where = f" at {feature['where']}" if feature["where"] else ""
    return f"{feature['version']} for the {feature['kind']} {feature['feature']}{where}"


def _locations_text(locations: Info) -> str:
    if not locations["ops_with_location"]:
        return "none"
    files = locations["files"]
    shown = ", ".join(files[:3]) + (f" and {len(files) - 3} more files" if len(files) > 3 else "")
    return f"{locations['ops_with_location']} of {locations['ops']} ops, in {shown}"


def _largest_text(info: Info) -> str:
    if not info["largest_constants"]:
        return ""
    first = info["largest_constants"][0]
    where = f" at {first['where']}" if first["where"] else ""
    return f"; the largest is {first['type']}, {size_text(first['bytes'])}{where}"


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "none"
