"""What in a program needs which version: all of it, not the newest alone."""

from __future__ import annotations

import pytest

import dxir
from dxir.artifact import prepare
from dxir.errors import ArtifactError
from dxir.features import MOST_FEATURES, Feature, needed_versions

MIXED = """\
func.func @main(%x: tensor<4xf32>, %p: tensor<i1>, %unused: tensor<4xf8E4M3>) -> tensor<4xf32> {
  %0 = stablehlo.composite "a.b" %x {decomposition = @f} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.if"(%p) ({
    %4 = stablehlo.tan %0 : tensor<4xf32>
    stablehlo.return %4 : tensor<4xf32>
  }, {
    stablehlo.return %0 : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  %2 = stablehlo.convert %1 : (tensor<4xf32>) -> tensor<4xf8E3M4>
  %3 = stablehlo.tan %1 : tensor<4xf32>
  return %3 : tensor<4xf32>
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }
"""


def needs(text: str) -> list[Feature]:
    return needed_versions(prepare(dxir.load(text).module, keep_chlo=False))


def test_every_feature_is_told_with_its_version_and_first_place() -> None:
    assert {(f.version, f.kind, f.feature, f.where) for f in needs(MIXED)} == {
        ("1.7.0", "type", "f8E4M3", "<text>:1:1"),
        ("1.7.0", "type", "f8E3M4", "<text>:9:8"),
        ("1.4.0", "op", "stablehlo.tan", "<text>:4:10"),
        ("0.19.0", "op", "stablehlo.composite", "<text>:2:8"),
    }


def test_the_newest_comes_first_and_is_what_the_program_needs() -> None:
    found = needs(MIXED)
    versions = [tuple(map(int, f.version.split("."))) for f in found]
    assert versions == sorted(versions, reverse=True)
    assert dxir.load(MIXED).minimum_version().version == found[0].version


def test_without_what_is_told_the_older_version_holds_the_program() -> None:
    program = dxir.load(MIXED.replace("stablehlo.tan", "stablehlo.sine").replace("f8E3M4", "f16"))
    with pytest.raises(ArtifactError, match="f8E4M3"):
        program.serialize("1.0.0")
    older = dxir.load(str(program).replace("f8E4M3", "f16"))
    older.serialize("0.19.0")
    older.run_passes("dxir-decompose").serialize("0.9.0")


def test_a_program_for_every_version_needs_nothing() -> None:
    text = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }"
    assert needs(text) == []


def test_the_program_stays_as_it_is() -> None:
    program = dxir.load(MIXED)
    before = str(program)
    needed_versions(program.module)
    assert str(program) == before


def test_the_list_is_bounded_and_alike_ops_are_one() -> None:
    ops = "\n".join(f"  %t{n} = stablehlo.tan %x : tensor<4xf32>" for n in range(3000))
    text = f"func.func @main(%x: tensor<4xf32>) {{\n{ops}\n  return\n}}"
    assert [f.feature for f in needs(text)] == ["stablehlo.tan"]
    assert MOST_FEATURES <= 100
