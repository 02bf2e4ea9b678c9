"""Modules of every kind are checked alike."""

from pathlib import Path

import jax
import jax.numpy as jnp
import pytest

import dxir
from dxir import ops
from dxir.errors import ConfigurationError, ParseError
from dxir.mlir import clone_module, ir, make_context
from dxir.verify import Report, Settings, check_module
from dxir.verify.rule import find_rule

FAULTY = """\
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  stablehlo.return %a : tensor<f32>
}
"""
ID = "structure-function-terminator"
ONE = Settings(only=(ID,))


def ids(report: Report) -> list[str]:
    return [finding.rule for finding in report.findings]


def test_text_bytes_files_programs_and_modules_are_checked_alike(tmp_path: Path) -> None:
    path = tmp_path / "a.mlir"
    path.write_text(FAULTY)
    program = dxir.load(FAULTY)
    for given in (FAULTY, FAULTY.encode(), program.bytecode(), path, str(path), program):
        assert ids(check_module(given, ONE)) == [ID]
    assert ids(check_module(program.module, ONE)) == [ID]
    assert str(check_module(path, ONE).findings[0].place) == f"{path}:2:3"
    assert check_module(FAULTY, ONE, name="mine").findings[0].place.file == "mine"


def test_settings_say_what_is_looked_for() -> None:
    assert ids(check_module(FAULTY, Settings(only=(ID,), ignore=(ID,)))) == []
    with pytest.raises(ConfigurationError, match="no rule 'structure-x'"):
        check_module(FAULTY, Settings(select=("structure-x",)))


def test_a_module_in_memory_need_not_be_valid() -> None:
    module = ir.Module.parse(FAULTY, make_context())
    with module.context, ir.Location.file("model.py", 7, 1):
        function = next(iter(module.body.operations))
        end = next(iter(function.regions[0].blocks[0].operations))
        with ir.InsertionPoint(end.operation):
            operand = end.operation.operands[0]
            other = ir.RankedTensorType.get([2], ir.F32Type.get())
            ir.Operation.create("stablehlo.tanh", results=[other], operands=[operand])
    (finding,) = check_module(module, ONE).findings
    assert finding.severity == "error"
    assert "stablehlo.tanh" in finding.message
    assert "model.py:7" in str(finding.place) + str(finding.origin)


def test_what_cannot_be_read_is_a_finding(tmp_path: Path) -> None:
    assert ids(check_module("func.func {")) == ["structure-parse"]
    assert ids(check_module(b"\x00\x01")) == ["structure-parse"]
    assert ids(check_module(tmp_path / "none.mlir")) == ["structure-parse"]
    assert ids(check_module("none\0.mlir")) == ["structure-parse"]


def test_graphs_and_what_jax_makes_are_modules(tmp_path: Path) -> None:
    graph = dxir.build_function(ops.tanh, dxir.f32[2], name="main")
    assert check_module(graph, ONE).findings == ()
    traced = jax.jit(jnp.tanh)
    argument = jax.ShapeDtypeStruct((2,), jnp.float32)
    assert check_module(traced.lower(argument), ONE).findings == ()
    assert check_module(jax.export.export(traced)(argument), ONE).findings == ()


def test_what_is_no_module_is_an_error() -> None:
    with pytest.raises(ParseError, match="an object of class int is no module"):
        check_module(3)


def test_too_little_memory_to_read_a_module_is_told_as_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(ir.Module, "parse", fail)
    report = check_module("module {}", Settings())
    assert ids(report) == ["structure-out-of-memory"]
    assert report.findings[0].message == "there is not enough memory to read the module"


def test_a_location_may_be_an_attribute_of_a_module() -> None:
    with make_context():
        module = ir.Module.parse('module attributes {a.b = loc("f.py":1:2)} {}')
    assert str(clone_module(module)) == str(module)
    assert check_module(module, Settings(ignore=("structure-entry",))).findings == ()


def test_ops_beside_a_finding_are_told_by_where_they_were_made(tmp_path: Path) -> None:
    rule = find_rule("numerics-unshifted-softmax")
    assert rule is not None
    path = tmp_path / "softmax.mlir"
    path.write_text(rule.faulty)
    artifact = dxir.load(path).serialize()
    (finding,) = check_module(artifact, Settings(only=(rule.id,))).findings
    assert [str(each.place) for each in finding.related] == [f"{path}:3:8"]
