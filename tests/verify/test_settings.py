"""Which rules run, with what, for which file."""

from typing import Any

import pytest

from dxir.errors import ConfigurationError
from dxir.verify.finding import Finding, Place
from dxir.verify.globs import Glob
from dxir.verify.rule import Rule
from dxir.verify.settings import Override, Settings


def runs(settings: Settings, id: str = "numerics-one", *, enabled: bool = True) -> bool:
    return settings.runs(id, enabled=enabled)


def test_rules_that_are_on_by_default_run_and_those_selected() -> None:
    assert runs(Settings())
    assert not runs(Settings(), enabled=False)
    assert runs(Settings(select=("numerics-*",)), enabled=False)
    assert not runs(Settings(ignore=("numerics-one",)))
    assert runs(Settings(only=("*-one",)), enabled=False)
    assert not runs(Settings(only=("structure-*",)))


def test_of_two_patterns_that_name_a_rule_the_longer_holds() -> None:
    assert runs(Settings(select=("numerics-one",), ignore=("numerics-*",)), enabled=False)
    assert not runs(Settings(select=("numerics-*",), ignore=("numerics-one",)))
    assert not runs(Settings(select=("numerics-one",), ignore=("numerics-one",)))


@pytest.mark.parametrize(
    ("below", "above", "expected"),
    [
        (Settings(ignore=("numerics-one",)), Settings(select=("numerics-*",)), True),
        (Settings(ignore=("numerics-one",)), Settings(only=("numerics-one",)), True),
        (Settings(select=("numerics-one",)), Settings(ignore=("numerics-*",)), False),
        (Settings(only=("numerics-one",)), Settings(ignore=("numerics-*",)), False),
        (Settings(only=("structure-*",)), Settings(select=("numerics-one",)), True),
        (Settings(only=("numerics-*",)), Settings(only=("structure-*",)), False),
        (Settings(only=("structure-*",)), Settings(), False),
    ],
)
def test_what_is_said_last_of_a_rule_holds(
    below: Settings, above: Settings, expected: bool
) -> None:
    assert runs(below.updated(above)) == expected


def test_a_file_has_the_settings_of_the_overrides_that_it_fits() -> None:
    settings = Settings(
        options={"numerics-one": {"limit": 1, "deep": True}},
        overrides=(
            Override((Glob("old/**"),), Settings(ignore=("numerics-*",))),
            Override((Glob("*.big.mlir"),), Settings(options={"numerics-one": {"limit": 2}})),
        ),
    )
    assert runs(settings.for_file("new/a.mlir"))
    assert not runs(settings.for_file("old/a.mlir"))
    assert settings.for_file("new/a.big.mlir").options == {
        "numerics-one": {"limit": 2, "deep": True}
    }
    assert settings.for_file("old/a.mlir").overrides == ()


def test_the_most_exact_pattern_says_how_bad_a_finding_is() -> None:
    settings = Settings(severities={"numerics-*": "note", "numerics-one": "error"})
    one = Finding("numerics-one", "warning", "", Place("a.mlir"))
    two = Finding("numerics-two", "warning", "", Place("a.mlir"))
    assert settings.severity_of(one) == "error"
    assert settings.severity_of(two) == "note"
    assert Settings().severity_of(one) == "warning"


@pytest.mark.parametrize(
    "settings",
    [
        Settings(select=("structure-prase",)),
        Settings(options={"structure-prase": {}}),
        Settings(severities={"structure-prase": "note"}),
    ],
)
def test_a_rule_that_there_is_not_is_an_error_with_the_nearest(settings: Settings) -> None:
    with pytest.raises(ConfigurationError, match="there is no rule 'structure-prase'") as raised:
        settings.rules()
    assert "structure-parse" in (raised.value.hint or "")


@pytest.mark.parametrize("family", ["numerics", "numeric-*"])
def test_a_family_is_named_by_a_pattern(family: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        Settings(ignore=(family,)).rules()
    assert "numerics-*" in (raised.value.hint or "")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"ignore": "numerics-*"}, "ignore is 'numerics-\\*', and is to be several"),
        ({"fail_on": "fatal"}, "there is no severity 'fatal'"),
        ({"severities": {"numerics-*": "warn"}}, "there is no severity 'warn'"),
    ],
)
def test_settings_that_cannot_be_are_refused_where_they_are_made(
    given: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        Settings(**given)


def test_a_rule_that_would_find_nothing_or_fail_later_cannot_be_declared() -> None:
    with pytest.raises(ConfigurationError, match="the severity 'warn'") as raised:
        type("Wrong", (Rule,), {"__doc__": "A.", "remedy": "b"}, id="acme-wrong", severity="warn")
    assert "warning" in (raised.value.hint or "")
    body: dict[str, Any] = {"__doc__": "A.", "remedy": "b", "visit": lambda *_: ()}
    with pytest.raises(ConfigurationError, match="no ops that it is called for") as raised:
        type("Blind", (Rule,), body, id="acme-blind", severity="note")
    assert "ops = " in (raised.value.hint or "")


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*.mlir", "a/b/c.mlir", True),
        ("a/*.mlir", "a/b/c.mlir", False),
        ("a/**", "a/b/c.mlir", True),
        ("a", "a/b/c.mlir", True),
        ("b/", "a/b/c.mlir", True),
        ("a/**/c.mlir", "a/c.mlir", True),
        ("a/**/c.mlir", "a/x/y/c.mlir", True),
        ("**/gen/*.mlir", "x/gen/a.mlir", True),
        ("gen/*.mlir", "x/gen/a.mlir", False),
        ("/gen", "gen/a", True),
        ("/gen", "x/gen/a", False),
        ("[!x]y.mlir", "ay.mlir", True),
        ("*", "../b", False),
        ("a.mlir", "axmlir", False),
    ],
)
def test_patterns_of_files_are_those_of_gitignore(pattern: str, path: str, expected: bool) -> None:
    assert Glob(pattern).matches(path) == expected
