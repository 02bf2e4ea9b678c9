"""The pages of rules: what each finds, why, what to do about it, and how to say otherwise."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Mapping
from typing import Any

from dxir.pipeline.options import options_of
from dxir.verify.rule import Rule, all_rules

_OWN = "dxir.verify.rules."

_INTRO = """\
# Rules of dxir-verify

Written by `dxir generate` from the rules; `dxir-verify --explain ID` prints the page of one, and
`dxir-verify --list-rules` all that there are, those of other packages too. How to choose rules, set
their options and allow what they find: [dxir-verify.md](dxir-verify.md).

A rule that is *off* runs when it is selected. What a rule *fixes*, `dxir-verify --fix` puts right.
"""


def own_rules() -> dict[str, type[Rule]]:
    """The rules of dxir itself, by id."""
    return {id: rule for id, rule in all_rules().items() if rule.__module__.startswith(_OWN)}


def rules_page() -> str:
    """The page with all rules of dxir, by family."""
    families: dict[str, list[type[Rule]]] = {}
    for rule in own_rules().values():
        families.setdefault(rule.family, []).append(rule)
    parts = [_INTRO]
    for family, rules in families.items():
        parts.append(f"\n## {family}\n\n| rule | severity | finds | |\n|---|---|---|---|\n")
        parts += [_row(rule) for rule in rules]
    return "".join(parts)


def _row(rule: type[Rule]) -> str:
    marks = [] if rule.enabled else ["off"]
    marks += ["fixes"] if rule.can_repair() else []
    cells = (
        f"[`{rule.id}`](rules/{rule.id}.md)", rule.severity, rule.summary(), ", ".join(marks)
    )  # fmt: skip
    return "| " + " | ".join(map(_cell, cells)) + " |\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def rule_page(rule: type[Rule]) -> str:
    """The page of a rule, in Markdown."""
    _, _, why = (inspect.getdoc(rule) or "").partition("\n")
    parts = [f"# {rule.id}\n\n{rule.summary()}\n", f"\n{_facts(rule)}\n"]
    if why.strip():
        parts.append(f"\n## Why\n\n{why.strip()}\n")
    parts.append(f"\n## What to do\n\n{_sentence(rule.remedy)}\n")
    parts += [_options(rule), _example(rule), _otherwise(rule)]
    return "".join(parts)


def _facts(rule: type[Rule]) -> str:
    found = [f"Family: {rule.family}", f"severity: {rule.severity}"]
    found.append("on by default" if rule.enabled else "off until it is selected")
    if rule.can_repair():
        found.append("`--fix` puts it right")
    return ", ".join(found) + "."


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def _options(rule: type[Rule]) -> str:
    options = options_of(rule).values()
    if not options:
        return ""
    rows = [
        f"| `{option.name}` | `{_cell(option.type_name)}` | {_default(option.default_text)} | "
        f"{_cell(option.help)} |\n"
        for option in options
    ]
    return "\n## Options\n\n| option | type | default | meaning |\n|---|---|---|---|\n" + "".join(
        rows
    )


def _default(text: str) -> str:
    return "" if text in ("", '""') else f"`{_cell(text)}`"


def _example(rule: type[Rule]) -> str:
    if not rule.faulty and not rule.no_example:
        return ""
    if not rule.faulty:
        return f"\n## Example\n\nThere is none: {rule.no_example.rstrip('.')}.\n"
    given = ""
    if rule.example_options:
        settings = "\n".join(_assignments(rule.example_options))
        given = f"With\n\n```toml\n[tool.dxir.verify.rules.{rule.id}]\n{settings}\n```\n\n"
    return (
        f"\n## Example\n\n{given}This is found:\n\n```mlir\n{rule.faulty.rstrip()}\n```\n\n"
        f"This is not:\n\n```mlir\n{rule.fixed.rstrip()}\n```\n"
    )


def _assignments(options: Mapping[str, Any]) -> Iterable[str]:
    for name, value in options.items():
        given = list(value) if isinstance(value, tuple) else value
        yield f"{name.replace('_', '-')} = {json.dumps(given)}"


def _otherwise(rule: type[Rule]) -> str:
    """How to allow what the rule finds, and how to have it run, or not."""
    parts = ["\n## Saying otherwise\n\n"]
    parts.append(
        "In a module: a comment on the line, above it, or above a function for all of it; "
        "`allow-file` for the file; or an attribute of an op, a function or the module:\n\n"
        f"```mlir\n// dxir-verify: allow({rule.id}) the reason\n"
        f'{{dxir.verify.allow = ["{rule.id}"]}}\n```\n\n'
    )
    which = f'ignore = ["{rule.id}"]  # or do not run it'
    if not rule.enabled:
        which = f'select = ["{rule.id}"]  # run it'
    bad = "note" if rule.severity == "warning" else "warning"
    parts.append(
        "For all modules, in `pyproject.toml`:\n\n"
        f'```toml\n[tool.dxir.verify]\nseverity.{rule.id} = "{bad}"\n{which}\n```\n'
    )
    return "".join(parts)


def described(rule: type[Rule]) -> dict[str, Any]:
    """The rule as plain values, as JSON has them."""
    return {
        "id": rule.id,
        "family": rule.family,
        "severity": rule.severity,
        "enabled": rule.enabled,
        "fixable": rule.can_repair(),
        "summary": rule.summary(),
        "remedy": rule.remedy,
        "options": [
            {
                "name": option.name,
                "type": option.type_name,
                "default": option.default_text,
                "meaning": option.help,
            }
            for option in options_of(rule).values()
        ],
    }
