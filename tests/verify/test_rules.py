"""Every rule on its own example, and what all of them have."""

import pytest

from dxir.verify.checking import check
from dxir.verify.finding import Finding
from dxir.verify.reading import read
from dxir.verify.rule import FAMILIES, Rule, all_rules
from dxir.verify.settings import Settings
from dxir.verify.subject import Source

RULES = list(all_rules().values())
SHOWN = [rule for rule in RULES if rule.faulty]


def findings(rule: type[Rule], text: str) -> list[Finding]:
    """What the rules that are on by default, and this one, find in a text."""
    settings = Settings(select=(rule.id,), options={rule.id: rule.example_options})
    subject = read(Source("example.mlir", text.encode()), settings.rules())
    if isinstance(subject, Finding):
        return [subject]
    found = check(subject, settings).findings
    # Notes are no faults: what one rule needs to be shown, another may have something to say of.
    return [f for f in found if f.rule == rule.id or f.severity != "note"]


@pytest.mark.parametrize("rule", SHOWN, ids=lambda rule: rule.id)
def test_a_rule_finds_its_fault_and_no_other_rule_anything(rule: type[Rule]) -> None:
    found = findings(rule, rule.faulty)
    assert {f.rule for f in found} == {rule.id}
    assert all(f.message and f.hint for f in found)


@pytest.mark.parametrize("rule", SHOWN, ids=lambda rule: rule.id)
def test_nothing_is_found_once_the_fault_is_put_right(rule: type[Rule]) -> None:
    assert findings(rule, rule.fixed) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_says_what_it_finds_why_and_what_to_do(rule: type[Rule]) -> None:
    assert rule.family in FAMILIES
    assert rule.summary().endswith(".")
    assert len((rule.__doc__ or "").strip().splitlines()) > 1, "say why it matters, too"
    assert bool(rule.faulty) == bool(rule.fixed) != bool(rule.no_example)
    assert rule.__module__ == f"dxir.verify.rules.{rule.id.replace('-', '.', 1).replace('-', '_')}"
