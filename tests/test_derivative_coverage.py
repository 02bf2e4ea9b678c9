"""Every op has a derivative and a batched form, or says why not."""

from __future__ import annotations

import pytest

from dxir.derivative_coverage import Row, derivative_table, row_of
from dxir.derivatives import Undefined, Zero
from dxir.generate import derivatives_text
from dxir.op import REGISTRY


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
    monkeypatch.setattr(mul, "batch", Undefined("another"))
    assert row_of(mul).missing == []
    assert (row_of(mul).vjp, row_of(mul).batch) == ("zero: a reason", "undefined: another")


def test_the_page_has_the_rows(rows: dict[str, Row]) -> None:
    text = derivatives_text()
    assert sum(line.startswith("| `") for line in text.splitlines()) == len(rows)
