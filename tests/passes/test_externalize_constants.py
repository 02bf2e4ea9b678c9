"""Constants in archives: values, names, forms, and what is refused."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import dxir
from dxir.errors import ArgumentError, PassError
from dxir.mlir import TypeCache, dense_elements, ir, make_context
from dxir.program import Program
from dxir.types import ALL_DTYPES, DType, TensorType
from dxir.weights import Archive, digest_of

FORMATS = ("safetensors", "irpa")

MODULE = """
func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<[1.0, -0.0, 0x7FC00001, 0x00000001]> : tensor<4xf32>
  %0 = stablehlo.add %x, %c : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @body(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = stablehlo.multiply %x, %c : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func public @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %tied = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %splat = stablehlo.constant dense<7.0> : tensor<4xf32>
  %unused = stablehlo.constant dense<[0.0, 9.0, 9.0, 9.0]> : tensor<4xf32>
  %0 = func.call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.multiply %0, %c : tensor<4xf32>
  %2 = stablehlo.composite "acme.scale" %1 {decomposition = @body}
    : (tensor<4xf32>) -> tensor<4xf32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%a = %i, %b = %2) : tensor<i32>, tensor<4xf32> cond {
    %k = stablehlo.compare LT, %a, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %k : tensor<i1>
  } do {
    %w = stablehlo.constant dense<[0.5, 2.0, 3.0, 6.0]> : tensor<4xf32>
    %a1 = stablehlo.add %a, %one : tensor<i32>
    %b1 = stablehlo.multiply %b, %w : tensor<4xf32>
    %b2 = stablehlo.add %b1, %c : tensor<4xf32>
    stablehlo.return %a1, %b2 : tensor<i32>, tensor<4xf32>
  }
  %last = stablehlo.add %tied, %splat : tensor<4xf32>
  return %r#1, %last : tensor<4xf32>, tensor<4xf32>
}
"""
FOUR = np.array([1, 2, 3, 4], np.float32)


def moved(program: Program, path: Path, options: str = "") -> Program:
    return program.run_passes(f"dxir-externalize-constants{{file={path} min-bytes=16 {options}}}")


def restored(program: Program, path: Path) -> Program:
    return program.run_passes(f"dxir-internalize-constants{{file={path}}}")


def small(path: Path) -> tuple[Program, Program]:
    """A program of one constant, and what it is with that in an archive."""
    program = dxir.load(
        "func.func @main() -> tensor<4xf32> {\n"
        "  %c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>\n"
        "  return %c : tensor<4xf32>\n}"
    )
    return program, moved(program, path)


def test_an_ending_that_tells_no_format_and_nothing_to_move_are_remarked_on(
    tmp_path: Path,
) -> None:
    def remarks(program: Program) -> list[str]:
        return [d.message for d in program.diagnostics if d.severity == "remark"]

    before, _ = small(tmp_path / "first.safetensors")
    path = tmp_path / "weights.bin"
    assert "weights.bin is written as safetensors: its name" in remarks(moved(before, path))[0]
    assert remarks(moved(before, tmp_path / "other.bin", "format=irpa")) == []
    assert remarks(moved(before, tmp_path / "weights.irpa")) == []
    nothing = before.run_passes(f"dxir-externalize-constants{{file={tmp_path / 'x.irpa'}}}")
    assert "no constant is moved: none has 1024 bytes" in remarks(nothing)[0]
    assert not (tmp_path / "x.irpa").exists()


def of_constants(*arrays: tuple[np.ndarray, DType]) -> Program:
    context = make_context()
    types = TypeCache(context)
    with context, ir.Location.unknown():
        tensors = [TensorType(a.shape, d) for a, d in arrays]
        results = [types.type(t) for t in tensors]
        module = ir.Module.create()
        function = ir.Operation.create(
            "func.func",
            attributes={
                "sym_name": ir.StringAttr.get("main"),
                "function_type": ir.TypeAttr.get(ir.FunctionType.get([], results)),
            },
            regions=1,
            ip=ir.InsertionPoint(module.body),
        )
        block = function.regions[0].blocks.append()
        values = [
            ir.Operation.create(
                "stablehlo.constant",
                results=[result],
                attributes={"value": dense_elements(array, tensor, types)},
                ip=ir.InsertionPoint(block),
            ).results[0]
            for (array, _), tensor, result in zip(arrays, tensors, results, strict=True)
        ]
        ir.Operation.create("func.return", operands=values, ip=ir.InsertionPoint(block))
    return Program(module).verify()


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("form", ["argument", "custom-call"])
def test_a_module_comes_back_as_it_was(form: str, format: str, tmp_path: Path) -> None:
    program = dxir.load(MODULE)
    path = tmp_path / f"w.{format}"
    out = moved(program, path, f"form={form}")
    assert out.fingerprint() != program.fingerprint()
    assert restored(out, path).fingerprint() == program.fingerprint()
    for travelled in (out.bytecode(), out.serialize(), str(out)):
        assert restored(dxir.load(travelled), path).fingerprint() == program.fingerprint()
    again = moved(out, path, f"form={form}")
    assert str(again) == str(out)


def test_a_module_with_its_constants_as_arguments_computes_the_same(tmp_path: Path) -> None:
    program = dxir.load(MODULE)
    path = tmp_path / "w.safetensors"
    out = moved(program, path)
    for x in (FOUR, np.array([np.nan, np.inf, -0.0, 1e-45], np.float32)):
        expected = dxir.compile(program)(x)
        found = dxir.compile(out)(*out.call_arguments(path, x))
        for a, b in zip(expected, found, strict=True):
            assert np.asarray(a).tobytes() == np.asarray(b).tobytes()
    with pytest.raises(ArgumentError, match="@main takes more than 0 arguments"):
        out.call_arguments(path)
    with pytest.raises(ArgumentError, match="@main takes 1 arguments"):
        out.call_arguments(path, FOUR, FOUR)


def test_equal_constants_are_stored_once_and_what_cannot_be_an_argument_stays(
    tmp_path: Path,
) -> None:
    path = tmp_path / "w.safetensors"
    out = moved(dxir.load(MODULE), path)
    with Archive(str(path)) as archive:
        tied = digest_of(FOUR.view(np.uint8), dxir.f32, (4,))
        assert tied in archive.spans
        assert len(archive.spans) == 3
        np.testing.assert_array_equal(archive.read(tied, dxir.f32, (4,)), FOUR)
        places = archive.spans[tied].manifest["places"]
        assert places == ["@main <text>:13:8", "@main <text>:14:11"]
    text = str(out)
    assert text.count(f'dxir.constant = "{tied}"') == 2  # one for each op of @main
    assert "dense<7.0" in text
    assert "9.000000e+00]>" in text
    warned = [d for d in out.diagnostics if d.severity == "warning"]
    assert [d.where for d in warned] == ["<text>:8:8"]
    assert "@body is not a function that is called from a public one only" in warned[0].message


def test_every_element_type_comes_back_bit_for_bit(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    arrays = []
    for dtype in ALL_DTYPES:
        for shape in ((5, 3), (100, 70), (0, 3)):
            size = int(np.prod(shape)) * dtype.numpy.itemsize
            data = random.integers(0, 256, size, dtype=np.uint8)
            if dtype.bits < 8:
                data &= (1 << dtype.bits) - 1
            arrays.append((data.view(dtype.numpy).reshape(shape), dtype))
    program = of_constants(*arrays)
    for format in FORMATS:
        for form in ("argument", "custom-call"):
            path = tmp_path / f"{form}.{format}"
            out = program.run_passes(
                f"dxir-externalize-constants{{file={path} min-bytes=0 form={form}}}"
            )
            assert "stablehlo.constant" not in out.op_counts()
            assert str(restored(out, path)) == str(program)
            with Archive(str(path)) as archive:
                for array, dtype in arrays:
                    data = array.reshape(-1).view(np.uint8)
                    digest = digest_of(data, dtype, array.shape)
                    assert archive.read(digest, dtype, array.shape).tobytes() == array.tobytes()


def test_other_readers_find_the_tensors_in_a_safetensors_file(tmp_path: Path) -> None:
    safetensors = pytest.importorskip("safetensors")
    path = tmp_path / "w.safetensors"
    moved(of_constants((FOUR, dxir.f32), (FOUR.astype(np.int64), dxir.i64)), path)
    with safetensors.safe_open(path, "np") as file:
        assert len(file.keys()) == 2
        found = [file.get_tensor(k) for k in list(file.keys())]
    assert {a.dtype.name for a in found} == {"float32", "int64"}
    assert all((a == FOUR).all() for a in found)


def test_iree_finds_the_tensors_in_an_irpa_file(tmp_path: Path) -> None:
    runtime = pytest.importorskip("iree.runtime")
    path = tmp_path / "w.irpa"
    moved(of_constants((FOUR, dxir.f32)), path)
    index = runtime.ParameterIndex()
    index.load(str(path))
    ((name, entry),) = index.items()
    assert name == digest_of(FOUR.view(np.uint8), dxir.f32, (4,))
    assert bytes(entry.file_view)[: entry.length] == FOUR.tobytes()


def test_resources_quantized_and_sharded_constants(tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    program = dxir.load(
        """module {
        sdy.mesh @mesh = <["x"=2]>
        func.func @main() -> (tensor<4xf32>, tensor<2xcomplex<f32>>,
                              tensor<16x!quant.uniform<i8:f32, 5.0e-1>>, tensor<4xf32>) {
          %r = stablehlo.constant dense_resource<w> : tensor<4xf32>
          %z = stablehlo.constant dense_resource<z> : tensor<2xcomplex<f32>>
          %q = "stablehlo.constant"() {value = dense<[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]>
            : tensor<16xi8>} : () -> tensor<16x!quant.uniform<i8:f32, 5.0e-1>>
          %s = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
            dense<[1.0, 2.0, 3.0, 5.0]> : tensor<4xf32>
          return %r, %z, %q, %s : tensor<4xf32>, tensor<2xcomplex<f32>>,
            tensor<16x!quant.uniform<i8:f32, 5.0e-1>>, tensor<4xf32>
        } }
        {-# dialect_resources: { builtin: {
          w: "0x040000000000803F000000400000404000008040",
          z: "0x040000000000803F000000400000404000008040" } } #-}"""
    )
    out = moved(program, path)
    assert "stablehlo.constant" not in out.op_counts()
    assert 'sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>' in str(out)
    text = str(restored(out, path))
    assert "dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]>" in text
    assert "dense<[(1.000000e+00,2.000000e+00), (3.000000e+00,4.000000e+00)]>" in text
    assert "dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]>" in text
    assert 'sdy.sharding_per_value<[<@mesh, [{"x"}]>]>' in text
    assert restored(out, path).verify()

    exported = dxir.load(program.serialize())  # where shardings are text
    back = restored(moved(exported, path, "overwrite=true"), path)
    assert back.fingerprint() == exported.fingerprint()


def test_a_resource_without_data_or_of_narrow_elements_does_not_move(tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    text = (
        "func.func @main() -> tensor<{0}> {{\n"
        "  %c = stablehlo.constant dense_resource<{1}> : tensor<{0}>\n"
        "  return %c : tensor<{0}>\n}}\n"
        '{{-# dialect_resources: {{ builtin: {{ w: "0x010000000102030401020304" }} }} #-}}'
    )
    elided = dxir.load(text.format("64xf32", "__elided__"), allow_elided=True)
    with pytest.raises(
        PassError, match=r"cannot store the constant.*the resource '__elided__'"
    ) as e:
        moved(elided, path)
    assert e.value.where == "<text>:2:8"
    wrong = dxir.load(text.format("64xf32", "w"))
    with pytest.raises(PassError, match="the constant has 8 bytes where tensor<64xf32> needs 256"):
        moved(wrong, path)
    assert not list(tmp_path.iterdir())
    narrow = dxir.load(text.format("16xi4", "w"))
    out = moved(narrow, path)
    assert str(out) == str(narrow)
    assert "layout is not defined" in out.diagnostics[0].message


def test_recursion_references_and_regions_keep_their_constants(tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    program = dxir.load(
        """
        func.func private @called_by_custom_call() -> tensor<4xf32> {
          %c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
          return %c : tensor<4xf32>
        }
        func.func private @ping() -> tensor<4xf32> {
          %c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
          %0 = func.call @pong() : () -> tensor<4xf32>
          %1 = stablehlo.add %0, %c : tensor<4xf32>
          return %1 : tensor<4xf32>
        }
        func.func private @pong() -> tensor<4xf32> {
          %0 = func.call @ping() : () -> tensor<4xf32>
          return %0 : tensor<4xf32>
        }
        func.func private @dead() -> tensor<4xf32> {
          %c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
          return %c : tensor<4xf32>
        }
        func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
          %0 = stablehlo.custom_call @f() {called_computations = [@called_by_custom_call]}
            : () -> tensor<4xf32>
          %1 = func.call @ping() : () -> tensor<4xf32>
          %z = stablehlo.constant dense<0.0> : tensor<f32>
          %2 = stablehlo.reduce(%x init: %z) across dimensions = [0]
            : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
            reducer(%a: tensor<f32>, %b: tensor<f32>) {
              %c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
              %d = stablehlo.slice %c [0:1] : (tensor<4xf32>) -> tensor<1xf32>
              %e = stablehlo.reshape %d : (tensor<1xf32>) -> tensor<f32>
              stablehlo.return %e : tensor<f32>
            }
          return %2 : tensor<f32>
        }"""
    )
    out = moved(program, path)
    assert str(out) == str(program)
    assert not path.exists()
    assert len([d for d in out.diagnostics if "stays inline" in d.message]) == 4
    out = moved(program, path, "form=custom-call")
    assert out.op_counts()["stablehlo.constant"] == 1
    assert restored(out, path).fingerprint() == program.fingerprint()


def test_the_form_of_iree_is_text_of_iree_and_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "w.irpa"
    with pytest.raises(PassError, match="does not allow") as refused:
        moved(dxir.load(MODULE), path, "form=iree")
    assert "allow-unregistered-dialect" in (refused.value.hint or "")
    program = dxir.load(MODULE, allow_unregistered=True)
    out = moved(program, path, "form=iree scope=model")
    assert (
        str(out).count('"util.global"() {initial_value = #flow.parameter.named<"model"::"sha') == 3
    )
    assert out.op_counts()["util.global.load"] == 5
    for travelled in (out.bytecode(), str(out)):
        back = restored(dxir.load(travelled, allow_unregistered=True), path)
        assert back.fingerprint() == program.fingerprint()
    narrow = of_constants((np.array([True, False] * 8), DType.of("i1")))
    narrow.context.allow_unregistered_dialects = True
    assert str(moved(narrow, path, "form=iree")) == str(narrow)


def test_options_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    program = dxir.load(MODULE)
    for options, message in (
        ("", "no file to write"),
        ("file=x min-bytes=-1", "min-bytes is -1"),
        ("file=x scope=model", "in the form iree only"),
        ("file=x form=call", "one of argument, custom-call, iree"),
    ):
        with pytest.raises(PassError, match=message):
            program.run_passes(f"dxir-externalize-constants{{{options}}}")
    with pytest.raises(PassError, match="no file to read"):
        program.run_passes("dxir-internalize-constants")


def test_a_module_with_parameter_layouts_is_refused(tmp_path: Path) -> None:
    program = dxir.load(
        "module attributes {mhlo.xla_entry_computation_parameter_layouts = []} {\n"
        "func.func @main() -> tensor<4xf32> {\n"
        "  %c = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>\n"
        "  return %c : tensor<4xf32>\n}\n}"
    )
    with pytest.raises(PassError, match="layouts of its parameters") as refused:
        moved(program, tmp_path / "w.safetensors")
    assert refused.value.where == "<text>:3:8"
    assert not list(tmp_path.iterdir())


def test_an_existing_file_is_kept_unless_it_holds_the_same(tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    program, out = small(path)
    before = path.stat()
    assert str(moved(program, path)) == str(out)
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    other = of_constants((FOUR * 2, dxir.f32))
    with pytest.raises(PassError, match="the file exists and holds something else") as refused:
        moved(other, path)
    assert refused.value.where == str(path)
    assert "overwrite=true" in (refused.value.hint or "")
    assert restored(out, path).fingerprint() == program.fingerprint()
    path.write_bytes(b"notes")
    with pytest.raises(PassError, match="holds something else"):
        moved(program, path)
    assert path.read_bytes() == b"notes"
    moved(program, path, "overwrite=true")
    assert restored(out, path).fingerprint() == program.fingerprint()
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask
    assert [p.name for p in tmp_path.iterdir()] == ["w.safetensors"]


def test_what_the_system_refuses_is_an_error_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = dxir.load(MODULE)
    with pytest.raises(PassError, match="No such file or directory"):
        moved(program, tmp_path / "none" / "w.safetensors")
    (tmp_path / "folder").mkdir()
    with pytest.raises(PassError, match=r"cannot be written|holds something else"):
        moved(program, tmp_path / "folder", "overwrite=true")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PassError, match="No space left on device"):
        moved(program, tmp_path / "w.safetensors")
    assert [p.name for p in tmp_path.iterdir()] == ["folder"]


MEASURED = """
import resource, sys
import numpy as np
import dxir
from dxir.mlir import TypeCache, dense_elements, ir, make_context
from dxir.program import Program
from dxir.types import DType, TensorType

dtype = DType.of(sys.argv[1])
context = make_context()
types = TypeCache(context)
with context, ir.Location.unknown():
    tensor = TensorType((100_000_000 // dtype.numpy.itemsize,), dtype)
    data = np.arange(100_000_000 // 4, dtype=np.uint32).view(dtype.numpy)
    value = dense_elements(data, tensor, types)
    module = ir.Module.parse("func.func private @main() { return }")
    block = module.body.operations[0].regions[0].blocks[0]
    at = ir.InsertionPoint(block.operations[0])
    made = ir.Operation.create(
        "stablehlo.constant", results=[types.type(tensor)], attributes={"value": value}, ip=at
    )
    ir.Operation.create(
        "stablehlo.custom_call",
        operands=[made.results[0]],
        attributes={
            "call_target_name": ir.StringAttr.get("use"),
            "has_side_effect": ir.BoolAttr.get(True),
        },
        ip=at,
    )

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000

del data
before = peak()
program = Program(module)
options = f"file={sys.argv[2]} form=custom-call"
slim = dxir.load(program.run_passes(f"dxir-externalize-constants{{{options}}}").bytecode())
between = peak()
slim.run_passes(f"dxir-internalize-constants{{file={sys.argv[2]}}}")
print(between - before, peak() - between)
"""


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["f32", "bf16", "c64", "f8e5m2"])
def test_a_hundred_megabytes_are_held_at_most_twice(dtype: str, tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, dtype, str(path)],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    out, back = map(float, done.stdout.split())
    assert path.stat().st_size > 100_000_000
    assert out < 150  # one copy on the way into the file, where NumPy cannot look at the data
    assert back < 250
