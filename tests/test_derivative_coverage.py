"""Every op has a derivative and a batched form, or says why not."""

from __future__ import annotations

import types
from typing import Any

import pytest

from dxir.derivative_coverage import Row, derivative_table, row_of
from dxir.derivatives import Undefined, Zero
from dxir.errors import GraphError
from dxir.examples import Example
from dxir.generate import derivatives_text
from dxir.op import REGISTRY, Composite


@pytest.fixture(scope="module")
def rows() -> dict[str, Row]:
    return {row.op: row for row in derivative_table()}


def test_every_op_has_a_row(rows: dict[str, Row]) -> None:
    assert rows.keys() == REGISTRY.keys()


def test_no_op_lacks_a_rule(rows: dict[str, Row]) -> None:
    assert {row.op: row.missing for row in rows.values() if row.missing} == {}


def test_a_row_says_what_the_op_has(rows: dict[str, Row]) -> None:
    def of(op: str) -> tuple[str, str, str]:
        return rows[op].vjp, rows[op].jvp, rows[op].batch

    assert of("mul") == ("rule", "rule", "rule")
    assert of("transpose") == ("rule", "linear", "rule")
    assert of("compare") == ("no tangents", "no tangents", "rule")
    assert of("custom_call") == ("by name", "by name", "by name")
    assert of("floor")[0] == "zero: it is constant between jumps"
    assert rows["while_loop"].partly
    assert not rows["mul"].partly


def test_a_hole_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    mul = REGISTRY["mul"]
    for rule in ("vjp", "jvp", "batch"):
        monkeypatch.setattr(mul, rule, None)
    assert row_of(mul).missing == ["vjp", "jvp", "batch"]
    monkeypatch.setattr(mul, "derivative", Zero("a reason"))
    monkeypatch.setattr(mul, "unbatchable", Undefined("another"))
    assert row_of(mul).missing == []
    assert (row_of(mul).vjp, row_of(mul).batch) == ("zero: a reason", "undefined: another")


def test_the_page_has_the_rows(rows: dict[str, Row]) -> None:
    text = derivatives_text()
    assert sum(line.startswith("| `") for line in text.splitlines()) == len(rows)


@pytest.mark.parametrize(
    ("said", "hint"), [("batch", "unbatchable"), ("vjp", "derivative"), ("pullback", "derivative")]
)
def test_a_rule_that_cannot_be_called_is_refused(said: str, hint: str) -> None:
    body = {"__doc__": "An op.", said: Undefined("why"), "examples": (Example(),)}
    with pytest.raises(GraphError, match=f"`{said}` is Undefined") as caught:
        _declare(body)
    assert f"`{hint} = Undefined(...)`" in (caught.value.hint or "")


@pytest.mark.parametrize("name", ["hermitian", "lacks", "tolerance", "prepare", "version"])
def test_a_field_cannot_hide_what_an_op_is_asked_for(name: str) -> None:
    body = {"__doc__": "An op.", "__annotations__": {name: "int"}, "examples": (Example(),)}
    with pytest.raises(GraphError, match=f"a field cannot be called '{name}'"):
        _declare(body)


def test_a_rounding_that_there_is_not_is_refused() -> None:
    with pytest.raises(GraphError, match="`rounding` is 'none'") as caught:
        _declare({"__doc__": "An op.", "examples": (Example(),)}, rounding="none")
    assert caught.value.hint == "it must be one of moves, exact, once, sums, approximate"


def _declare(body: dict[str, Any], **said: str) -> None:
    rules = {k: lambda self: None for k in ("infer", "expand", "reference")}
    given = {"name": "acme.bad", **said}
    types.new_class("Bad", (Composite,), given, lambda s: s.update(rules | body))
