"""`dxir patterns`: what it lists, and what it shows of one."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from dxir.pattern import registry
from dxir.pattern.registry import all_rules
from dxir.tools.main import main


def test_every_pattern_is_one_line_with_its_composite(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["patterns"]) == 0
    lines = capsys.readouterr().out.splitlines()[1:]
    found = {line.split()[0]: line for line in lines}
    assert list(found) == list(all_rules())
    assert found["silu"].split(None, 3) == [
        "silu",
        "dxir.silu",
        "x",
        "SiLU (swish): `x sigmoid(x)`.",
    ]


def test_one_is_shown_with_its_variants_and_how_to_find_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["patterns", "softmax"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("softmax: becomes dxir.softmax of x, mask\n\nSoftmax: ")
    assert "    unshifted " in out
    assert out.endswith("dxir-opt file.mlir --dxir-recognize=patterns=softmax --dxir-coarsen\n")


def test_they_are_given_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["patterns", "--json"]) == 0
    found = {one["name"]: one for one in json.loads(capsys.readouterr().out)}
    assert found["rope"]["composites"] == ["dxir.rope", "dxir.rope_real"]
    assert found["rope"]["modules"] == ["dxir.passes.patterns.rope"]
    assert all(one["meaning"] for one in found.values())
    assert main(["patterns", "--json", "rope"]) == 0
    assert json.loads(capsys.readouterr().out) == found["rope"]


def test_a_name_that_no_pattern_has_is_refused_with_the_nearest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["patterns", "sofmax"]) == 1
    error = capsys.readouterr().err
    assert "there is no pattern 'sofmax'" in error
    assert "did you mean softmax" in error


def test_patterns_of_an_imported_module_are_listed_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "acme_patterns_listed.py").write_text(
        "from dxir.pattern import Elementwise, Product, Rule, Var, register_rule\n"
        "tanh = Elementwise(('stablehlo.tanh',), Var('y'))\n"
        "register_rule(Rule('acme_listed', (Product(Var('x'), tanh),), operands=('x', 'y')))\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    try:
        assert main(["patterns", "--import", "acme_patterns_listed", "acme_listed"]) == 0
        assert capsys.readouterr().out.startswith("acme_listed: becomes dxir.acme_listed of x, y\n")
    finally:
        del registry._registered["acme_listed"]
        del sys.modules["acme_patterns_listed"]
