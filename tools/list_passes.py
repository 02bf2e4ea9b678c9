"""`dxir passes`: the passes there are, with their options."""

from __future__ import annotations

import argparse
import inspect
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dxir.errors import DxirError
from dxir.generate import first_line
from dxir.pipeline.base import Pass, all_passes
from dxir.pipeline.native import NativePass, native_passes
from dxir.pipeline.options import Option, options_of
from dxir.pipeline.steps import Alias, all_aliases, near_pass
from dxir.pipeline.text import parse_options
from dxir.tools.tables import print_table
from dxir.tools.tool import import_module

_ANCHORS = {"any": "ops of any kind", "builtin.module": "the module", "func.func": "each function"}
_NOTHING = ("", '""')


@dataclass(frozen=True, slots=True)
class Row:
    """One pass: `kind` is "pass" for one of dxir or another package, "native", or "pipeline"."""

    name: str
    kind: str
    anchor: str
    options: tuple[str, ...]
    meaning: str


def run(options: argparse.Namespace) -> int:
    """Run the command; gives its exit code."""
    for module in options.modules:
        import_module(module)
    name: str | None = options.name
    if name is not None:
        found = _found(name.lstrip("-"))
        print(json.dumps(_described(found), indent=2) if options.json else _in_full(found))
        return 0
    things = list(_things(ours=not options.native, native=not options.ours))
    if options.json:
        print(json.dumps([_described(thing) for thing in things], indent=2))
    else:
        _print_rows([row_of(thing) for thing in things])
    return 0


def print_passes() -> int:
    """List every pass, as `dxir-opt --list-passes` does; gives the exit code."""
    _print_rows([row_of(thing) for thing in _things(ours=True, native=True)])
    return 0


_Thing = type[Pass] | NativePass | Alias


def _things(*, ours: bool, native: bool) -> Iterator[_Thing]:
    if ours:
        yield from all_passes().values()
        yield from (alias for _, alias in sorted(all_aliases().items()))
    if native:
        yield from native_passes().values()


def _found(name: str) -> _Thing:
    thing: _Thing | None = (
        all_passes().get(name) or all_aliases().get(name) or native_passes().get(name)
    )
    if thing is None:
        raise DxirError(f"there is no pass {name!r}", hint=near_pass(name))
    return thing


def row_of(thing: _Thing) -> Row:
    """What the list says of a pass."""
    if isinstance(thing, NativePass):
        options = tuple(thing.options.split()) if "{" not in thing.options else (thing.options,)
        kind = "native pipeline" if thing.is_pipeline else "native"
        return Row(thing.name, kind, thing.anchor, options, "")
    if isinstance(thing, Alias):
        return Row(thing.name, "pipeline", "any", (), thing.help)
    given = options_of(thing).values()
    written = tuple(f"{o.name}={o.default_text}" for o in given)
    return Row(thing.name, "pass", thing.anchor, written, first_line(thing))


def _described(thing: _Thing) -> dict[str, Any]:
    row = row_of(thing)
    found: dict[str, Any] = {"name": row.name, "kind": row.kind, "anchor": row.anchor}
    if isinstance(thing, NativePass):
        return {**found, "options": _native_options(thing)}
    if isinstance(thing, Alias):
        return {**found, "pipeline": thing.text(), "meaning": row.meaning}
    options = [
        {"name": o.name, "type": o.type_name, "default": _default(o), "help": o.help}
        for o in options_of(thing).values()
    ]
    return {**found, "options": options, "meaning": row.meaning, "module": thing.__module__}


def _default(option: Option) -> str:
    """The default as a value has it: what pipelines quote is plain text here."""
    return option.default if isinstance(option.default, str) else option.default_text


def _native_options(thing: NativePass) -> list[dict[str, Any]]:
    """The options with their defaults; MLIR does not tell types, so that they are guessed."""
    return [
        {"name": o.name, "type": _guessed(o.value or ""), "default": o.value or "", "help": ""}
        for o in parse_options(thing.options)
    ]


def _guessed(default: str) -> str | None:
    if default in ("true", "false"):
        return "bool"
    return "int" if re.fullmatch(r"-?\d+", default) else None


def _in_full(thing: _Thing) -> str:
    row = row_of(thing)
    lines = [f"{row.name}: {row.kind}, runs on {_ANCHORS.get(row.anchor, row.anchor)}"]
    if isinstance(thing, Alias):
        lines += ["", thing.help, "", f"stands for {thing.text()}"]
    elif isinstance(thing, NativePass):
        if row.options:
            lines += ["", "options, with their defaults as MLIR prints them:"]
            lines += [f"  {option}" for option in row.options]
    else:
        lines += ["", inspect.getdoc(thing) or "", *_options_text(thing), *_module_text(thing)]
    given = "='option=value'" if row.options else ""
    lines += ["", f"run it: dxir-opt file.mlir --{row.name}{given}"]
    return "\n".join(lines)


def _options_text(cls: type[Pass]) -> list[str]:
    options = list(options_of(cls).values())
    if not options:
        return ["", "It takes no options."]
    heads = [f"  {o.name}={o.type_name}" for o in options]
    width = max(map(len, heads))
    lines = ["", "options:"]
    for head, option in zip(heads, options, strict=True):
        shown = option.default_text not in _NOTHING
        default = f" (default {option.default_text})" if shown else ""
        lines.append(f"{head.ljust(width)}  {option.help}{default}")
    return lines


def _module_text(cls: type[Pass]) -> list[str]:
    """What the file of a pass says of it, unless that is its own docstring."""
    module = inspect.getmodule(cls)
    text = inspect.cleandoc(module.__doc__ or "") if module is not None else ""
    return ["", text] if text else []


def _print_rows(rows: list[Row]) -> None:
    cells = [(r.name, r.kind, r.anchor, r.meaning or " ".join(r.options)) for r in rows]
    print_table(("pass", "kind", "runs on", "meaning or options"), cells)
