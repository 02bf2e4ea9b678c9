"""`dxir patterns`: the patterns that recognition looks for, and what it makes of them."""

from __future__ import annotations

import argparse
import inspect
import json
from collections.abc import Sequence
from typing import Any

from dxir.pattern.registry import BROKEN, all_rules, module_of, rules_of
from dxir.pattern.rule import Rule
from dxir.tools.tables import print_table
from dxir.tools.tool import failed, import_module, tool_name

_COLUMNS = ("pattern", "composite", "operands", "meaning")


def run(options: argparse.Namespace) -> int:
    """Run the command; gives its exit code."""
    for module in options.modules:
        import_module(module)
    name: str | None = options.name
    if name is not None:
        rules = rules_of((name,))
        print(json.dumps(_described(name, rules), indent=2) if options.json else _in_full(rules))
        return 0
    known = all_rules()
    for error in BROKEN.values():
        failed(tool_name(), error)
    if options.json:
        print(json.dumps([_described(n, rules) for n, rules in known.items()], indent=2))
    else:
        print_table(_COLUMNS, [_row(n, rules) for n, rules in known.items()])
    return 0


def _row(name: str, rules: Sequence[Rule]) -> tuple[str, ...]:
    return (name, ", ".join(_composites(rules)), " ".join(_operands(rules)), _meaning(rules))


def _composites(rules: Sequence[Rule]) -> list[str]:
    return list(dict.fromkeys(rule.composite for rule in rules))


def _operands(rules: Sequence[Rule]) -> list[str]:
    return list(dict.fromkeys(name for rule in rules for name in rule.operands))


def _text(rules: Sequence[Rule]) -> str:
    """What the files of the rules say of them."""
    modules = dict.fromkeys(module_of(rule) for rule in rules)
    texts = [inspect.cleandoc(m.__doc__) for m in modules if m is not None and m.__doc__]
    return "\n\n".join(texts)


def _meaning(rules: Sequence[Rule]) -> str:
    return _text(rules).partition("\n")[0]


def _described(name: str, rules: Sequence[Rule]) -> dict[str, Any]:
    modules = dict.fromkeys(module_of(rule) for rule in rules)
    return {
        "name": name,
        "composites": _composites(rules),
        "operands": _operands(rules),
        "meaning": _meaning(rules),
        "modules": [m.__name__ for m in modules if m is not None],
    }


def _in_full(rules: Sequence[Rule]) -> str:
    name = rules[0].name
    lines = [f"{name}: becomes {' or '.join(_composites(rules))} of {', '.join(_operands(rules))}"]
    text = _text(rules)
    lines += ["", text] if text else []
    find = f"dxir-opt file.mlir --dxir-recognize=patterns={name} --dxir-coarsen"
    return "\n".join([*lines, "", f"find it: {find}"])
