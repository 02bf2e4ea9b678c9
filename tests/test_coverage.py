"""No operation of StableHLO or CHLO is out of reach, and none that is deprecated is emitted."""

import pytest

from dxir import coverage
from dxir.coverage import DEPRECATED, Row, coverage_table, emitted_by, is_complete
from dxir.dialects.legacy import Legacy
from dxir.mlir import ir, stablehlo
from dxir.op import REGISTRY


@pytest.fixture(scope="module")
def rows() -> tuple[Row, ...]:
    return coverage_table()


def test_every_operation_of_stablehlo_chlo_and_shardy_is_reached(rows: tuple[Row, ...]) -> None:
    assert [r.operation for r in rows if r.status == "missing"] == []
    assert is_complete(rows)


def test_the_table_has_every_operation_of_the_bindings(rows: tuple[Row, ...]) -> None:
    names = {r.operation for r in rows}
    assert {"stablehlo.add", "stablehlo.cross-replica-sum", "chlo._asin_acos_kernel"} <= names
    assert sum(r.dialect == "stablehlo" for r in rows) >= 117
    assert sum(r.dialect == "chlo" for r in rows) >= 51
    assert sum(r.dialect == "sdy" for r in rows) >= 19


def test_a_hole_makes_the_table_incomplete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(REGISTRY, "cbrt")
    holes = [r.operation for r in coverage_table() if r.status == "missing"]
    assert holes == ["stablehlo.cbrt"]
    assert not is_complete()


def test_an_op_that_only_claims_an_operation_does_not_cover_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(REGISTRY["add"], "examples", ())
    monkeypatch.setattr(coverage, "_reach_by_others", lambda *_: None)
    assert "stablehlo.add" in [r.operation for r in coverage_table() if r.status == "missing"]


def test_deprecated_operations_are_those_that_stablehlo_calls_so() -> None:
    leaving = {
        item.OPERATION_NAME
        for item in vars(stablehlo).values()
        if isinstance(item, type)
        and issubclass(item, ir.OpView)
        and "on its way out of StableHLO" in (item.__doc__ or "")
    }
    # `map` is in the specification, but unused and without a promise to stay.
    assert leaving == set(DEPRECATED) - {"stablehlo.map"}


def test_no_op_but_the_legacy_ones_becomes_a_deprecated_operation() -> None:
    emitters = {
        name: found
        for name, cls in sorted(REGISTRY.items())
        if not issubclass(cls, Legacy)
        and (found := set().union(*emitted_by(cls)).intersection(DEPRECATED))
    }
    # Tokens start with it in the programs of every front end, so it has an op.
    assert emitters == {"create_token": {"stablehlo.create_token"}}
    assert not any(
        issubclass(c, Legacy) and c.mlir not in {*DEPRECATED, "stablehlo.rng"}
        for c in REGISTRY.values()
    )
