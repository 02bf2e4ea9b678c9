"""The pages of rules say what is so."""

from pathlib import Path

from dxir.verify.configuration import read_configuration
from dxir.verify.pages import own_rules, rule_page, rules_page


def test_the_settings_on_every_page_are_settings(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    for rule in own_rules().values():
        blocks = [part.partition("```")[0] for part in rule_page(rule).split("```toml\n")[1:]]
        assert len(blocks) == 1 + bool(rule.example_options), rule.id
        for block in blocks:
            path.write_text(block)
            settings = read_configuration(path).settings
            named = {*settings.select, *settings.ignore, *settings.options}
            assert named == {rule.id}


def test_the_table_has_every_rule_with_what_it_does_by_default() -> None:
    lines = rules_page().splitlines()
    for rule in own_rules().values():
        (line,) = [each for each in lines if f"[`{rule.id}`]" in each]
        assert f"| {rule.severity} |" in line
        assert ("off" in line.rpartition(" | ")[2]) == (not rule.enabled)
        assert ("fixes" in line.rpartition(" | ")[2]) == rule.can_repair()
