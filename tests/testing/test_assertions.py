"""The assertions that other projects' tests make about modules."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dxir
from dxir.errors import DxirError, ParseError
from dxir.mlir import ir, make_context
from dxir.testing import (
    assert_close_on,
    assert_filecheck,
    assert_same_program,
    assert_verifies,
)
from dxir.verify.settings import Settings

ADD = """\
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %y : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
RENAMED = ADD.replace("%0", "%sum").replace("%x", "%left")
SUBTRACT = ADD.replace("add", "subtract")
DOUBTFUL = ADD.replace("  return", "  stablehlo.return")


def module_of(text: str) -> Any:
    return ir.Module.parse(text, make_context())


def graph() -> dxir.Function:
    b = dxir.Builder("main")
    x, y = b.param(dxir.f32[4], name="x"), b.param(dxir.f32[4], name="y")
    return b.build(x + y)


def given(kind: str, folder: Path) -> Any:
    """The sum of two arrays, as each thing that a module may be."""
    path = folder / "add.mlir"
    path.write_text(ADD)
    made: dict[str, Any] = {
        "text": ADD,
        "path": path,
        "bytecode": dxir.load(ADD).bytecode(),
        "artifact": dxir.load(ADD).serialize("1.0.0"),
        "program": dxir.load(ADD),
        "module": module_of(ADD),
        "graph": graph(),
    }
    return made[kind]


@pytest.mark.parametrize(
    "kind", ["text", "path", "bytecode", "artifact", "program", "module", "graph"]
)
def test_whatever_holds_a_module_is_taken(kind: str, tmp_path: Path) -> None:
    module = given(kind, tmp_path)
    assert_same_program(module, ADD)
    assert_verifies(module)
    assert_filecheck(module, "CHECK: stablehlo.add")


def test_what_jax_lowers_and_exports_is_taken() -> None:
    import jax

    x = np.ones(4, np.float32)
    jitted = jax.jit(lambda a, b: a + b)
    assert_same_program(jitted.lower(x, x), jitted.lower(x, x).as_text())
    assert_verifies(jitted.lower(x, x))
    assert_filecheck(jax.export.export(jitted)(x, x), "CHECK: stablehlo.add")
    assert_close_on(jitted.lower(x, x), x, x)


def test_what_is_no_module_is_refused() -> None:
    with pytest.raises(ParseError, match="class int is no module"):
        assert_same_program(3, ADD)


def test_a_finding_is_told_with_its_rule_place_and_hint() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_verifies(DOUBTFUL)
    told = str(caught.value)
    assert "3:3: warning[structure-function-terminator]: the function @main ends" in told
    assert "hint: end the function in func.return" in told


@pytest.mark.parametrize("as_module", [False, True])
def test_a_module_that_is_not_valid_is_a_finding(as_module: bool) -> None:
    if as_module:
        module = module_of(ADD)
        function = module.body.operations[0].operation
        function.attributes["function_type"] = ir.TypeAttr.parse(
            "() -> tensor<4xf32>", module.context
        )
    with pytest.raises(AssertionError, match="error"):
        assert_verifies(module if as_module else ADD.replace("tensor<4xf32> {", "tensor<5xf32> {"))


def test_only_the_rules_that_are_named_run() -> None:
    assert_verifies(DOUBTFUL, rules="numerics-*")
    with pytest.raises(AssertionError):
        assert_verifies(DOUBTFUL, rules=["structure-function-*"])
    with pytest.raises(DxirError, match="no rule 'numeric-reduction'"):
        assert_verifies(ADD, rules="numeric-reduction")


def test_what_fails_is_what_the_settings_say() -> None:
    assert_verifies(DOUBTFUL, settings=Settings(fail_on="error"))
    assert_verifies(DOUBTFUL, settings=Settings(ignore=("structure-function-terminator",)))


def test_a_module_that_a_version_cannot_hold_does_not_verify() -> None:
    narrow = ADD.replace("f32", "f4E2M1FN")
    assert_verifies(ADD, version="1.0.0")
    with pytest.raises(AssertionError, match="portability-version"):
        assert_verifies(narrow, version=["1.0.0"], rules="structure-*")


def test_names_make_no_other_program_and_ops_do() -> None:
    assert_same_program(RENAMED, ADD)
    with pytest.raises(AssertionError, match="subtract"):
        assert_same_program(SUBTRACT, ADD)


def test_directives_may_follow_comment_signs_and_are_about_what_passes_make() -> None:
    twice = ADD.replace("return", "%1 = stablehlo.add %x, %y : tensor<4xf32>\n  return")
    checks = """
      // CHECK-LABEL: @main
      // CHECK:       stablehlo.add
      // CHECK-NOT:   stablehlo.add
    """
    assert_filecheck(twice, checks, pipeline="canonicalize,cse")
    with pytest.raises(AssertionError, match=r"(?s)the module:.*stablehlo.add"):
        assert_filecheck(twice, checks)
    assert_filecheck(ADD, 'GENERIC: "stablehlo.add"(', prefixes="GENERIC", generic=True)
    with pytest.raises(AssertionError, match=r"(?i)no .*check"):
        assert_filecheck(ADD, "stablehlo.add")


def test_backends_that_agree_are_close_and_others_are_told_with_the_op() -> None:
    assert_close_on(ADD, backends=("xla-cpu", "interpreter", "reference"))
    sums = """\
    func.func @main(%x: tensor<1000xf32>) -> tensor<f32> {
      %k = stablehlo.constant dense<7.0> : tensor<f32>
      %0 = stablehlo.reduce(%x init: %k) applies stablehlo.add across dimensions = [0]
        : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
      return %0 : tensor<f32>
    }"""
    with pytest.raises(AssertionError, match=r"(?s)made from seed 0.*reduce"):
        assert_close_on(sums)
    assert_close_on(sums, np.ones(1000, np.float32), atol=1e9)


def test_a_snapshot_that_is_no_module_differs_and_one_that_is_no_file_is_an_error(
    tmp_path: Path,
) -> None:
    from dxir.errors import ArtifactError
    from dxir.testing import assert_matches_snapshot

    module = "func.func @main(%x: tensor<4xf32>) { return }"
    file = tmp_path / "kept.mlir"
    file.write_bytes(b"\xff")
    with pytest.raises(AssertionError, match="the snapshot cannot be read"):
        assert_matches_snapshot(module, file)
    file.write_text(str(tmp_path / "other.mlir"))  # its text is no path
    (tmp_path / "other.mlir").write_text(module)
    with pytest.raises(AssertionError, match="is not that of the snapshot"):
        assert_matches_snapshot(module, file)
    assert_matches_snapshot(module, file, update=True)
    assert_matches_snapshot(module, file, exact=True)
    for update in (False, True):
        with pytest.raises(ArtifactError, match="the snapshot cannot be read"):
            assert_matches_snapshot(module, tmp_path, update=update)
