"""Rules of contract: budgets, signatures, allowed ops, locations, and what is emitted twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dxir.errors import ConfigurationError
from dxir.verify.budgets import Budgets, budgets_for, record
from dxir.verify.checking import check
from dxir.verify.finding import Finding
from dxir.verify.reading import read
from dxir.verify.report import Report
from dxir.verify.rule import find_rule
from dxir.verify.settings import Settings
from dxir.verify.subject import Source

CHAIN = """func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.add %x, %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}
"""
MORE = CHAIN.replace("  return %0", "  %1 = stablehlo.add %0, %x : tensor<8xf32>\n  return %1")


def report(path: Path | str, text: str, **options: Any) -> Report:
    """The report of the rules of contract on a module; options are by the words of a rule's id."""
    given = {f"contract-{name.replace('_', '-')}": found for name, found in options.items()}
    settings = Settings(only=("contract-*",), options=given)
    subject = read(Source(str(path), text.encode()), settings.rules())
    assert not isinstance(subject, Finding), subject.message
    return check(subject, settings)


def found(path: Path | str, text: str, **options: Any) -> list[tuple[str, str]]:
    """The rules that find something, without their family, and how bad it is."""
    findings = report(path, text, **options).findings
    return [(f.rule.removeprefix("contract-"), f.severity) for f in findings]


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """A folder whose budgets are those of `CHAIN` in `sub/chain.mlir`."""
    (tmp_path / "sub").mkdir()
    (tmp_path / ".git").mkdir()
    (tmp_path / "sub" / "chain.mlir").write_text(CHAIN)
    recorded = report(tmp_path / "sub" / "chain.mlir", CHAIN, op_budget={"record": True})
    record([recorded], tmp_path / "dxir-budgets.json")
    return tmp_path


def test_nothing_is_found_where_nothing_is_configured(tmp_path: Path) -> None:
    text = CHAIN.replace("stablehlo.add %x, %x", "stablehlo.custom_call @f(%x)").replace(
        "@f(%x) : tensor<8xf32>", "@f(%x) : (tensor<8xf32>) -> tensor<8xf32>"
    )
    assert found("model.mlir", text) == [] == found(tmp_path / "model.mlir", text)


def test_a_change_beyond_the_budget_is_told_in_numbers(models: Path) -> None:
    chain = models / "sub" / "chain.mlir"
    assert found(chain, CHAIN) == []
    findings = report(chain, MORE).findings
    told = {f.rule.removeprefix("contract-"): f for f in findings}
    assert told["op-budget"].message == "this change adds 1 stablehlo.add (1 -> 2)"
    assert told["op-budget"].numbers == {"before": 1, "after": 2}
    added = "this change adds 8 arithmetic operations (+100.0%, 8 -> 16), 96 bytes moved (+100.0%"
    assert told["cost-budget"].message.startswith(added)
    lenient = {"tolerance": 1.0}
    assert found(chain, MORE, op_budget=lenient, cost_budget=lenient) == []
    assert found(chain, CHAIN.replace("add", "subtract"))[0] == ("op-budget", "error")


def test_fewer_ops_and_a_file_without_a_budget_are_notes(models: Path) -> None:
    less = "func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {\n  return %x : tensor<8xf32>\n}\n"
    assert found(models / "sub" / "chain.mlir", less) == [("op-budget", "note")]
    assert found(models / "new.mlir", CHAIN) == [("op-budget", "note")]


def test_a_file_of_budgets_is_sorted_and_keeps_what_was_not_looked_at(models: Path) -> None:
    path = models / "dxir-budgets.json"
    (models / "b.mlir").write_text(MORE)
    record([report(models / "b.mlir", MORE, op_budget={"record": True})], path)
    values = json.loads(path.read_text())
    assert list(values["files"]) == ["b.mlir", "sub/chain.mlir"]
    assert values["files"]["b.mlir"]["ops"]["stablehlo.add"] == 2
    assert values["files"]["b.mlir"]["functions"] == {"main": "(tensor<8xf32>) -> tensor<8xf32>"}
    before = path.read_text()
    record([], path)
    assert path.read_text() == before
    (models / "b.mlir").unlink()
    assert list(record([], path).files) == ["sub/chain.mlir"]


def test_budgets_are_looked_for_up_to_the_repository(models: Path, tmp_path: Path) -> None:
    assert budgets_for(str(models / "sub" / "chain.mlir"), "dxir-budgets.json") is not None
    (models / "sub" / ".git").mkdir()
    assert budgets_for(str(models / "sub" / "chain.mlir"), "dxir-budgets.json") is None
    for named in (str(tmp_path / "other" / "budgets.json"), "ours.json"):
        with pytest.raises(ConfigurationError, match="no such file of budgets"):
            budgets_for(str(models / "sub" / "chain.mlir"), named)


@pytest.mark.parametrize("text", ["{", "[]", '{"format": "dxir-budgets", "version": 9}', "\xff"])
def test_a_damaged_file_of_budgets_is_a_finding(models: Path, text: str) -> None:
    (models / "dxir-budgets.json").write_text(text, encoding="latin-1")
    with pytest.raises(ConfigurationError, match="holds no budgets"):
        Budgets.read(models / "dxir-budgets.json")
    assert ("op-budget", "error") in found(models / "sub" / "chain.mlir", CHAIN)


def test_a_rule_says_that_it_reads_the_budgets_wherever_they_may_be(models: Path) -> None:
    settings = Settings(only=("contract-op-budget",))
    (rule,) = settings.rules()
    subject = read(Source(str(models / "sub" / "chain.mlir"), CHAIN.encode()), (rule,))
    assert not isinstance(subject, Finding)
    places = [str(models / each / "dxir-budgets.json") for each in ("sub", ".")]
    assert [str(Path(p)) for p in rule.reads(subject)] == places


@pytest.mark.parametrize(
    ("text", "severity", "told"),
    [
        (CHAIN.replace("8x", "9x"), "error", "parameter 0 is tensor<9xf32> instead of"),
        (CHAIN.replace("@main", "@other"), "error", "@main of dxir-budgets.json is not there"),
        (CHAIN.replace("@main", "private @main"), "error", "is private"),
        (CHAIN + CHAIN.replace("@main", "@second"), "warning", "@second is new"),
        (CHAIN.replace("8x", "?x"), "error", "result 0 is tensor<?xf32> instead of"),
    ],
)
def test_public_functions_stay_what_they_were(
    models: Path, text: str, severity: str, told: str
) -> None:
    findings = report(models / "sub" / "chain.mlir", text).findings
    own = [f for f in findings if f.rule == "contract-signature"]
    assert own[0].severity == severity
    assert told in own[0].message


def test_ops_are_allowed_and_denied_by_patterns() -> None:
    assert found("m.mlir", CHAIN, ops={"allow": ["stablehlo.*"]}) == []
    assert found("m.mlir", CHAIN, ops={"allow": ["stablehlo.mul*"]}) == [("ops", "error")]
    both = {"allow": ["stablehlo.*"], "deny": ["stablehlo.add"]}
    assert found("m.mlir", CHAIN, ops=both) == [("ops", "error")]


def test_what_is_beyond_a_limit_is_not_told_to_write_budgets() -> None:
    told = report(
        "m.mlir",
        MORE,
        cost_budget={"most-flops": 1},
        signature={"functions": ("main: (tensor<f32>) -> tensor<f32>",)},
    )
    hints = [f.hint or "" for f in told.findings]
    assert [("limit" in hint, "`functions`" in hint) for hint in hints] == [
        (True, False),
        (False, True),
    ]
    assert not [hint for hint in hints if "--write-budgets" in hint]


def test_limits_count_ops_by_patterns_and_in_all() -> None:
    assert found("m.mlir", MORE, op_budget={"limits": ["stablehlo.*=2", "total=4"]}) == []
    assert found("m.mlir", MORE, op_budget={"limits": ["stablehlo.*=1", "total=3"]}) == [
        ("op-budget", "error"),
        ("op-budget", "error"),
    ]


@pytest.mark.parametrize(
    ("id", "options"),
    [
        ("contract-op-budget", {"limits": ["stablehlo.add"]}),
        ("contract-op-budget", {"limits": ["stablehlo.add=few"]}),
        ("contract-op-budget", {"tolerance": -1}),
        ("contract-cost-budget", {"tolerance": float("nan")}),
        ("contract-signature", {"functions": ["main"]}),
        ("contract-locations", {"share": 90.0}),
    ],
)
def test_options_that_mean_nothing_are_refused(id: str, options: dict[str, Any]) -> None:
    rule = find_rule(id)
    assert rule is not None
    with pytest.raises(ConfigurationError, match=id):
        rule.configured(options)


def test_a_share_of_the_ops_must_have_a_location() -> None:
    half = MORE.replace(
        "%x, %x : tensor<8xf32>", '%x, %x : tensor<8xf32> loc("add"("model.py":3:1))'
    )
    assert found("m.mlir", half, locations={"share": 0.5}) == []
    assert found("m.mlir", half, locations={"share": 0.6}) == [("locations", "error")]


def emitted(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / "model.mlir").write_text(text)
    return folder / "model.mlir"


@pytest.mark.parametrize(
    ("again", "expected"),
    [
        (CHAIN, []),
        (CHAIN.replace("%0", "%sum"), ["warning"]),
        (MORE, ["error"]),
        ("module {", ["error"]),
        (None, ["error"]),
    ],
)
def test_what_is_emitted_twice_is_the_same(
    tmp_path: Path, again: str | None, expected: list[str]
) -> None:
    first = emitted(tmp_path / "first", CHAIN)
    if again is not None:
        emitted(tmp_path / "second", again)
    given = {"again": str(tmp_path / "second")}
    assert found(first, CHAIN, determinism=given) == [("determinism", s) for s in expected]


def test_the_difference_of_what_is_emitted_twice_is_told(tmp_path: Path) -> None:
    first = emitted(tmp_path / "first", CHAIN)
    emitted(tmp_path / "second", MORE)
    (only,) = report(first, CHAIN, determinism={"again": str(tmp_path / "second")}).findings
    assert "is another program: stablehlo.add 1 -> 2" in only.message


def test_of_as_many_ops_those_that_differ_are_told(tmp_path: Path) -> None:
    text = CHAIN.replace("add %x, %x", "reverse %x, dims = [0]").replace("8xf32", "8x2xf32")
    first = emitted(tmp_path / "first", text)
    emitted(tmp_path / "second", text.replace("dims = [0]", "dims = [1]"))
    (only,) = report(first, text, determinism={"again": str(tmp_path / "second")}).findings
    assert only.severity == "error"
    assert "is another program: ~ @main: 1 changed" in only.message
    assert "dimensions" in only.message
