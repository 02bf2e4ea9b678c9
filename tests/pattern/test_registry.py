"""Where rules come from: dxir's own modules, those of other packages, and code."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import dxir
from dxir.errors import PassError
from dxir.pattern import Elementwise, Rule, Var, registry
from dxir.pattern.registry import all_rules, module_of, register_rule, rules_of

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
    with pytest.raises(PassError) as error:
        all_rules()
    assert error.value.message.startswith(
        f"the patterns acme of acme_patterns_installed cannot be imported: {why}"
    )
    assert "dxir.patterns" in (error.value.hint or "")


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
