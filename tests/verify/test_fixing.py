"""Putting right in files what can be put right."""

import errno
import os
from pathlib import Path

import pytest

from dxir.artifact import artifact_version
from dxir.errors import ConfigurationError
from dxir.loading import load
from dxir.verify.contents import Contained, check_data
from dxir.verify.fixed import Fixed
from dxir.verify.fixing import fix_files
from dxir.verify.rewriting import fix_data, fix_file
from dxir.verify.settings import Settings
from dxir.verify.stages import Board
from dxir.versions import Version

SETTINGS = Settings(only=("structure-*",))

TEXT = """\
// What this is for.
module   @m {

  // The entry, a % of {{ it.
  func.func public @main(%x: tensor<2xf32>) -> tensor<2xf32>
  {
    %y = call   @inner( %x ) : (tensor<2xf32>) -> tensor<2xf32> // "quoted
    return %y : tensor<2xf32>
  }
  // Not this one.

  func.func private @inner(%arg: tensor<2xf32>) -> tensor<2xf32> {
    %twice = stablehlo.add %arg,    %arg : tensor<2xf32>
    stablehlo.return %twice : tensor<2xf32>
  } // behind

  // The end.
}
"""


def fix(path: Path, settings: Settings = SETTINGS) -> Fixed:
    """What a worker does, in this process."""
    return fix_file(str(path), str(path), settings, Contained(Board()))


def rules_of(path: Path) -> list[str]:
    report = check_data(path.read_bytes(), "m", SETTINGS, trusted=True).report
    return [finding.rule for finding in report.findings]


def test_text_is_written_anew_only_where_a_function_changes(tmp_path: Path) -> None:
    path = tmp_path / "m.mlir"
    path.write_text(TEXT)
    path.chmod(0o640)
    found = fix(path)
    assert [(f.rule, f.place.line) for f in found.fixed] == [("structure-function-terminator", 14)]
    assert found.left == ()
    before, _, rest = TEXT.partition("  func.func private")
    behind = rest.partition("\n  }")[2]
    new = path.read_text()
    assert new.startswith(before)
    assert new.endswith("\n  }" + behind)
    assert new[len(before) :].startswith(
        "  func.func private @inner(%arg: tensor<2xf32>) -> tensor<2xf32> {\n"
        "    %twice = stablehlo.add %arg, %arg : tensor<2xf32>\n"
        "    return %twice : tensor<2xf32>\n"
        "  } // behind\n"
    )
    assert rules_of(path) == []
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["m.mlir"]
    assert fix(path) == Fixed(str(path))
    assert path.read_text() == new


def test_a_function_with_comments_stays_and_is_told(tmp_path: Path) -> None:
    path = tmp_path / "m.mlir"
    text = TEXT.replace("    stablehlo.return", "    // Why not?\n    stablehlo.return")
    path.write_text(text)
    found = fix(path)
    assert found.fixed == ()
    assert [each.why for each in found.left] == [
        "it cannot be written: the comments in @inner would be lost"
    ]
    assert path.read_text() == text


def test_a_function_with_comments_keeps_no_other_from_being_put_right(tmp_path: Path) -> None:
    path = tmp_path / "m.mlir"
    text = TEXT.replace("    return %y", "    stablehlo.return %y")
    path.write_text(text)
    found = fix(path)
    assert [(f.function, f.place.line) for f in found.fixed] == [("inner", 14)]
    assert [(each.finding.function, each.why) for each in found.left] == [
        ("main", "it cannot be written: the comments in @main would be lost")
    ]
    assert "    stablehlo.return %y" in path.read_text()
    assert fix(path).fixed == ()


def test_what_does_harm_keeps_little_else_from_being_put_right() -> None:
    """A repair that brings another finding is left out, and the others are made."""
    good = "%{n} = stablehlo.compare LT, %x, %x, FLOAT : (tensor<9xui8>, tensor<9xui8>) -> {t}"
    body = "\n".join(f"  {good.format(n=n, t='tensor<9xi1>')}" for n in range(6))
    text = f"""\
func.func @main(%x: tensor<9xui8>) -> tensor<ui8> {{
{body}
  %d = "stablehlo.dot"(%x, %x) : (tensor<9xui8>, tensor<9xui8>) -> tensor<ui8>
  return %d : tensor<ui8>
}}
"""
    new, found = fix_data(text.encode(), "m.mlir", Settings(), Contained(Board()))
    assert new.count(b"compare LT, %x, %x :") == 6
    assert [f.rule for f in found.fixed] == ["structure-comparison-type"] * 6
    (left,) = found.left
    assert left.why.startswith("then numerics-narrow-integer-sum would find: ")


def test_what_other_tools_note_at_an_op_and_its_accuracy_go_to_what_takes_its_place() -> None:
    text = """\
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<4x4xf32>
  %0 = stablehlo.dot %x, %x {a.b = 1 : i32,
    sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
    : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.exponential %0 {result_accuracy = #stablehlo.result_accuracy<
    mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4x4xf32>
  %2 = stablehlo.subtract %1, %one {a.b = 2 : i32} : tensor<4x4xf32>
  stablehlo.return %2 {a.b = 3 : i32} : tensor<4x4xf32>
}
"""
    new, found = fix_data(text.encode(), "m.mlir", Settings(), Contained(Board()))
    assert len(found.fixed) == 3
    assert found.left == ()
    dot, _, power, last = new.decode().splitlines()[-5:-1]
    assert "stablehlo.dot_general" in dot
    assert '{a.b = 1 : i32, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}' in dot
    assert "stablehlo.exponential_minus_one" in power
    assert "result_accuracy_mode<HIGHEST>" in power
    assert "a.b = 2 : i32" in power
    assert last == "  return {a.b = 3 : i32} %2 : tensor<4x4xf32>"


def test_what_is_allowed_stays(tmp_path: Path) -> None:
    path = tmp_path / "m.mlir"
    text = TEXT.replace(
        "  func.func private", "  // dxir-verify: allow(structure-*)\n  func.func private"
    )
    path.write_text(text)
    assert fix(path) == Fixed(str(path))
    assert path.read_text() == text


def test_the_parts_of_a_file_are_put_right_each_for_itself(tmp_path: Path) -> None:
    path = tmp_path / "m.mlir"
    good = TEXT.replace("stablehlo.return", "func.return")
    path.write_text(f"{TEXT}// -----\n{good}// ----- {TEXT}")
    assert len(fix(path).fixed) == 2
    first, second, third = path.read_text().split("// -----")
    assert second == f"\n{good}"
    assert third == f" {first}"
    assert rules_of(path) == []


LOCATED = """\
#loc = loc("f.py":1:1)
module {
  func.func @main(%x: tensor<2xf32> loc("x"("f.py":1:5))) -> tensor<2xf32> {
    stablehlo.return %x : tensor<2xf32> loc(#loc2)
  } loc(#loc)
} loc(#loc)
#loc2 = loc("f.py":7:3)
"""


def test_locations_stay(tmp_path: Path) -> None:
    path = tmp_path / "m.mlir"
    path.write_text(LOCATED)
    assert len(fix(path).fixed) == 1
    new = path.read_text()
    assert 'return %x : tensor<2xf32> loc("f.py":7:3)' in new.replace("%arg0", "%x")
    assert new.startswith(LOCATED.partition("  func.func")[0])
    assert new.endswith('} loc(#loc)\n#loc2 = loc("f.py":7:3)\n')
    half = LOCATED.replace(" loc(#loc2)", "")
    path.write_text(half)
    (left,) = fix(path).left
    assert left.why.endswith("some ops in @main have a location, and others have none")
    assert path.read_text() == half


def test_bytecode_stays_bytecode(tmp_path: Path) -> None:
    path = tmp_path / "m.mlirbc"
    path.write_bytes(load(TEXT).bytecode())
    assert len(fix(path).fixed) == 1
    assert rules_of(path) == []
    assert path.read_bytes().startswith(b"ML\xefR")
    assert load(path).op_counts()["func.return"] == 2


UNUSED = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

// Nobody calls it.
func.func private @nobody(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
func.func @other() { return }
"""


def test_an_artifact_keeps_its_version_and_a_function_that_goes_leaves_no_hole(
    tmp_path: Path,
) -> None:
    settings = Settings(only=("structure-unused-symbol",))
    artifact, text = tmp_path / "m.mlirbc", tmp_path / "m.mlir"
    artifact.write_bytes(load(UNUSED).serialize("1.2.0"))
    text.write_text(UNUSED)
    for path in (artifact, text):
        assert [f.rule for f in fix(path, settings).fixed] == ["structure-unused-symbol"]
        assert list(load(path).function_names) == ["main", "other"]
    assert artifact_version(artifact.read_bytes()) == Version.parse("1.2.0")
    before, _, rest = UNUSED.partition("func.func private")
    assert text.read_text() == before + rest.partition("}\n")[2]


def test_a_file_that_cannot_be_written_stays_and_the_reason_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.mlir"
    path.write_text(TEXT)

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr("dxir.verify.rewriting.write_whole", full)
        (left,) = fix(path).left
        assert left.finding.rule == "structure-function-terminator"
        assert left.why == "the file cannot be written: No space left on device"
    monkeypatch.setattr(os, "access", lambda _path, mode: mode != os.W_OK)
    (left,) = fix(path).left
    assert left.why == "the file cannot be written: it is read-only"
    assert path.read_text() == TEXT


def test_files_are_put_right_by_processes_of_their_own(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.mlir").write_text(TEXT if name != "b" else "func.func @main(")
    found = list(fix_files([tmp_path], SETTINGS, jobs=2))
    assert [len(each.fixed) for each in found] == [1, 0, 1]
    assert rules_of(tmp_path / "c.mlir") == []


def test_what_is_no_module_or_no_file_is_left(tmp_path: Path) -> None:
    path = tmp_path / "m.mlir"
    path.write_text("func.func @main(")
    assert fix(path) == Fixed(str(path))
    read, write = os.pipe()
    os.close(write)
    with pytest.raises(ConfigurationError, match="is no file"):
        fix_files([f"/dev/fd/{read}"], SETTINGS)
    os.close(read)
