"""`dxir ops`: the ops there are, and what they become."""

from __future__ import annotations

import argparse
import difflib
import inspect
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from rich.text import Text

import dxir
from dxir.errors import DxirError
from dxir.op import FUNCTIONS, REGISTRY, Composite, Derived, Op
from dxir.tools.tables import console, print_table
from dxir.tools.tool import import_module


def run(options: argparse.Namespace) -> int:
    """Run the command; gives its exit code."""
    dxir.ops.names()
    for module in options.modules:
        import_module(module)
    if options.coverage:
        return _coverage(as_json=options.json)
    if options.name is not None:
        return _show(_found(options.name), as_json=options.json)
    names = dxir.ops.names()
    if options.json:
        _print_json([_described(name) for name in names])
        return 0
    from dxir.generate import first_line
    from dxir.signatures import python_name

    rows = [(python_name(n), _kind(n), first_line(_thing(n))) for n in names]
    print_table(("op", "kind", "meaning"), rows)
    return 0


def _print_json(value: Any) -> None:
    print(json.dumps(value, indent=2))


def _thing(name: str) -> type[Op] | Callable[..., object]:
    return REGISTRY.get(name) or FUNCTIONS[name]


def _described(name: str) -> dict[str, Any]:
    """What there is to know about an op, as `--json` prints it."""
    from dxir.generate import first_line
    from dxir.signatures import python_name, signature

    cls = REGISTRY.get(name)
    return {
        "name": python_name(name),
        "kind": _kind(name),
        "family": None if cls is None else cls.family,
        "signature": signature(name),
        "meaning": first_line(_thing(name)),
        "operation": None if cls is None else cls.mlir,
    }


def _kind(name: str) -> str:
    cls = REGISTRY.get(name)
    if cls is None:
        return "function"
    if issubclass(cls, Composite):
        return "composite"
    return "derived" if issubclass(cls, Derived) else "primitive"


def _coverage(*, as_json: bool) -> int:
    from dxir.coverage import coverage_table, is_complete

    rows = coverage_table()
    if as_json:
        _print_json([asdict(row) for row in rows])
        return 0 if is_complete(rows) else 1
    styles = {"missing": "bold red", "deprecated": "dim"}
    print_table(
        ("operation", "status", "ops", "note"),
        [(r.operation, r.status, ", ".join(r.ops), r.note) for r in rows],
        styles=[styles.get(r.status, "") for r in rows],
        wrapped=2,
    )
    counts = Counter(r.status for r in rows)
    said = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    print(f"{len(rows)} operations: {said}")
    return 0 if is_complete(rows) else 1


def _found(name: str) -> str:
    """The name that an op is registered under; DxirError when there is none."""
    plain = dxir.ops.registered(name)
    if plain not in REGISTRY and plain not in FUNCTIONS:
        near = difflib.get_close_matches(name, dxir.ops.names(), n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "`dxir ops` lists them all"
        hint += "; --import MODULE declares those of another package"
        raise DxirError(f"there is no op {name!r}", hint=hint)
    return plain


def _show(name: str, *, as_json: bool) -> int:
    from dxir.generate import becomes
    from dxir.signatures import python_name, signature

    cls = REGISTRY.get(name)
    text = inspect.getdoc(_thing(name)) or ""
    if as_json:
        examples = [] if cls is None else [f"{python_name(name)}{e!r}" for e in cls.examples]
        more = None if cls is None else becomes(cls)
        _print_json({**_described(name), "becomes": more, "text": text, "examples": examples})
        return 0
    out = console()
    out.print(Text(signature(name), style="bold"), soft_wrap=True)
    out.print(Text("\n" + text), soft_wrap=True)
    if cls is None:
        return 0
    out.print(Text(f"\n{_kind(name)} of {cls.family}; becomes {becomes(cls)}"), soft_wrap=True)
    out.print(Text("\nexamples:"))
    for example in cls.examples:
        out.print(Text(f"  {python_name(name)}{example!r}"), soft_wrap=True)
    return 0
