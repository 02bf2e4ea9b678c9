"""`dxir-verify --list-rules` and `--explain`: the rules there are, and what one finds."""

from __future__ import annotations

import json
import sys

from dxir.tools.tables import print_table
from dxir.tools.verify_arguments import VerifyArguments
from dxir.tools.verify_settings import chosen_by
from dxir.verify.pages import described, rule_page
from dxir.verify.rule import Rule, all_rules, find_rule, import_rules
from dxir.verify.settings import Settings, unknown_rule

_COLUMNS = ("rule", "severity", "runs", "fixes", "finds")


def list_rules(arguments: VerifyArguments) -> int:
    """Print what a command line asks of rules; gives the exit code."""
    if arguments.explain is not None:
        return _explain(arguments.explain, arguments)
    settings = chosen_by(arguments).settings
    settings.rules()  # what it names must be there
    rules = all_rules()
    if arguments.as_json:
        found = [{**described(rule), "runs": _runs(rule, settings)} for rule in rules.values()]
        print(json.dumps(found, indent=2))
    else:
        print_table(_COLUMNS, [_row(rule, settings) for rule in rules.values()])
    return 0


def _runs(rule: type[Rule], settings: Settings) -> bool:
    return settings.runs(rule.id, enabled=rule.enabled)


def _row(rule: type[Rule], settings: Settings) -> tuple[str, ...]:
    runs = "yes" if _runs(rule, settings) else "no"
    fixes = "yes" if rule.can_repair() else ""
    return (rule.id, settings.severity_for(rule.id, rule.severity), runs, fixes, rule.summary())


def _explain(id: str, arguments: VerifyArguments) -> int:
    rule = find_rule(id)
    if rule is None:  # settings are read for this alone: a mistake in them may be what is asked for
        import_rules(chosen_by(arguments).settings.imports)
        rule = find_rule(id)
    if rule is None:
        raise unknown_rule(id, all_rules())
    if arguments.as_json:
        print(json.dumps({**described(rule), "page": rule_page(rule)}, indent=2))
    elif sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(rule_page(rule)))
    else:
        print(rule_page(rule), end="")
    return 0
