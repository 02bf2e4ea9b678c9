"""Where rules come from: dxir's own modules, those of other packages, and code."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import dxir
from dxir.errors import PassError
from dxir.pattern import Elementwise, Product, Rule, Var, registry
from dxir.pattern.registry import BROKEN, all_rules, module_of, register_rule, rules_of
from dxir.tools.main import main

TANH = Elementwise(("stablehlo.tanh",), Var("x"))
MODULE = """
from dxir.pattern import Elementwise, Product, Rule, Var

RULES = (
    Rule(
        "acme_gate",
        (Product(Var("x"), Elementwise(("stablehlo.tanh",), Var("y"))),),
        operands=("x", "y"),
        composite="acme.gate",
    ),
)
"""
SILU = """
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.logistic %x : tensor<4xf32>
  %1 = stablehlo.multiply %0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}"""
GATED = """
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %y : tensor<4xf32>
  %1 = stablehlo.multiply %0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a package that is installed, and names a module of patterns."""
    info = tmp_path / "acme_patterns-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-patterns\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[dxir.patterns]\nacme = acme_patterns_installed\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    registry._foreign_modules.cache_clear()
    yield tmp_path
    registry._foreign_modules.cache_clear()
    BROKEN.clear()
    sys.modules.pop("acme_patterns_installed", None)


def test_patterns_of_an_installed_package_are_found(package: Path) -> None:
    (package / "acme_patterns_installed.py").write_text(MODULE)
    (rule,) = rules_of(("acme_gate",))
    module = module_of(rule)
    assert module is not None
    assert module.__name__ == "acme_patterns_installed"
    found = dxir.load(GATED).run_passes("dxir-composites")
    assert 'stablehlo.composite "acme.gate" %arg0, %arg1' in str(found)
    assert found.decompose().fingerprint() == dxir.load(GATED).fingerprint()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("import nothing_of_the_kind", "ModuleNotFoundError: No module named"),
        ("VALUES = ()", "AttributeError: "),
    ],
)
def test_a_package_whose_patterns_cannot_be_had_is_named(
    package: Path, text: str, why: str
) -> None:
    (package / "acme_patterns_installed.py").write_text(text)
    assert "softmax" in all_rules()
    error = BROKEN["acme"]
    assert error.message.startswith(
        f"the patterns acme of acme_patterns_installed cannot be had: {why}"
    )
    assert error.hint


def test_a_broken_package_hides_no_pattern_but_its_own(package: Path) -> None:
    (package / "acme_patterns_installed.py").write_text("import nothing_of_the_kind")
    found = dxir.load(SILU).run_passes("dxir-composites")
    assert 'stablehlo.composite "dxir.silu"' in str(found)
    with pytest.raises(PassError, match="the patterns acme of acme_patterns_installed cannot"):
        rules_of(("acme",))
    with pytest.raises(PassError, match="there is no pattern 'acme_gate'") as error:
        rules_of(("acme_gate",))
    assert "the patterns acme of acme_patterns_installed cannot be had" in (error.value.hint or "")


def test_broken_packages_are_told_beside_the_list(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (package / "acme_patterns_installed.py").write_text("import nothing_of_the_kind")
    assert main(["patterns"]) == 0
    shown = capsys.readouterr()
    assert "dxir.softmax" in shown.out
    assert "error: the patterns acme of acme_patterns_installed cannot be had" in shown.err


def test_a_pattern_of_another_package_keeps_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", {})
    for name, composite in (("acme_gate", "acme.gate"), ("acme_gate", "acme.gate_of_two")):
        register_rule(Rule(name, TANH, operands=("x",), composite=composite))
    for name, known in (("acme_gate", "acme.gate or acme.gate_of_two"), ("silu", "dxir.silu")):
        with pytest.raises(PassError) as error:
            register_rule(Rule(name, TANH, operands=("x",), composite="other.tanh"))
        assert error.value.message == (
            f"the rule {name} makes other.tanh, and a pattern of that name makes {known}"
        )
        assert "another name" in (error.value.hint or "")
    assert [rule.composite for rule in all_rules()["silu"]] == ["dxir.silu"]


@pytest.mark.parametrize(
    ("op", "near"),
    [
        ("stablehlo.multiplly", "did you mean stablehlo.multiply?"),
        ("stablhlo.tanh", "did you mean stablehlo.tanh?"),
        ("tanh", "did you mean stablehlo.tanh?"),
        ("qqqq", "stablehlo.qqqq, not qqqq"),
        ("chlo.qqqq", "chlo has no op that is spelled alike"),
    ],
)
def test_an_op_that_no_dialect_has_is_refused_with_the_nearest(
    monkeypatch: pytest.MonkeyPatch, op: str, near: str
) -> None:
    monkeypatch.setattr(registry, "_registered", {})
    inner = Elementwise((op,), Var("x"))
    rule = Rule("acme_op", Product(Var("y"), inner), operands=("x", "y"), composite="acme.op")
    with pytest.raises(PassError, match=f"the rule acme_op looks for '{op}', and there") as error:
        register_rule(rule)
    assert near in (error.value.hint or "")
    assert "acme_op" not in all_rules()


def test_an_op_of_a_dialect_of_others_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", {})
    for op in ("math.tanh", "acme.tanh"):
        register_rule(Rule("acme_op", Elementwise((op,), Var("x")), operands=("x",)))
    assert len(all_rules()["acme_op"]) == 2


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (('"stablehlo.tanh"', '"stablehlo.tahn"'), "looks for 'stablehlo.tahn'"),
        (('"acme_gate"', '"silu"'), "a pattern of that name makes dxir.silu"),
        (("RULES = (", 'RULES = ("gate",'), "'gate' is no Rule"),
    ],
)
def test_rules_of_a_package_that_cannot_be_meant_are_told(
    package: Path, given: tuple[str, str], said: str
) -> None:
    (package / "acme_patterns_installed.py").write_text(MODULE.replace(*given))
    assert "acme_gate" not in all_rules()
    assert said in BROKEN["acme"].message


def test_rules_of_one_name_stand_beside_each_other_and_are_left_out_together() -> None:
    tanh = Rule("silu", (Elementwise(("stablehlo.tanh",), Var("x")),), operands=("x",))
    own = rules_of(("silu",))
    register_rule(tanh)
    try:
        assert rules_of(("silu",)) == [*own, tanh]
        assert module_of(tanh) is None
        assert not {*own, tanh} & {*rules_of((), ("silu",))}
    finally:
        registry._registered["silu"].remove(tanh)
        if not registry._registered["silu"]:
            del registry._registered["silu"]


def test_every_rule_of_dxir_knows_its_module() -> None:
    modules = {name: [module_of(rule) for rule in rules] for name, rules in all_rules().items()}
    assert all(m is not None and m.__doc__ for found in modules.values() for m in found)
    assert list(modules) == sorted(modules)
