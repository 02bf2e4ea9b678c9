from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.numpy

import dxir
from dxir.runtime.arguments import Parameter
from dxir.tensor_files import TensorFile, as_type, read_npy
from dxir.tools.run import main
from dxir.tools.run_arguments import help_text, parse_arguments
from dxir.tools.run_literals import literal
from dxir.tools.run_values import value_of
from dxir.types import ALL_DTYPES, UNKNOWN, DType, TensorType, bf16, c64, f4e2m1fn, f8e8m0fnu, f32

IDENTITY = """\
func.func @main(%x: tensor<{type}> loc("x")) -> tensor<{type}> {{
  return %x : tensor<{type}>
}}
"""
Array = np.ndarray[Any, Any]


def bits_of(dtype: DType, shape: tuple[int, ...], seed: int = 0) -> Array:
    """Elements of all bit patterns, NaNs and infinities among them."""
    generator = np.random.default_rng(seed)
    if dtype.is_bool:
        return generator.integers(0, 2, shape).astype(bool)
    data = generator.integers(0, 256, (*shape, dtype.numpy.itemsize), np.uint8)
    if dtype.bits < 8:
        data &= (1 << dtype.bits) - 1
    found = data.reshape(-1).view(dtype.numpy).reshape(shape)
    return (
        found.astype(np.int8).astype(dtype.numpy) if dtype.is_integer and dtype.bits < 8 else found
    )


def same(a: Array, b: Array) -> bool:
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def identity(folder: Path, type: str) -> str:
    path = folder / "identity.mlir"
    path.write_text(IDENTITY.format(type=type), "utf-8")
    return str(path)


def run_python(folder: Path, *argv: str) -> int:
    return main([*argv, "-q", "--backend=reference"])


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=lambda d: d.name)
@pytest.mark.parametrize("form", ["npy", "npz", "safetensors", "text"])
def test_every_element_type_goes_through_files_bit_for_bit(
    dtype: DType, form: str, tmp_path: Path
) -> None:
    from dxir.tools.run_outputs import write_results

    for number, shape in enumerate([(), (3, 5), (0, 2), (1, 1, 4)]):
        array = bits_of(dtype, shape, number)
        (file,) = write_results(str(tmp_path), form, ["x"], [array])
        given = f"{file}:x" if form in ("npz", "safetensors") else file
        parameter = Parameter(0, "x", TensorType(shape, dtype))
        assert same(value_of(given, parameter, {}, lambda _: None), array)
    assert not list(tmp_path.glob(".*"))


def test_files_of_numpy_and_safetensors_are_read(tmp_path: Path) -> None:
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.savez(tmp_path / "a.npz", x=array)
    np.savez_compressed(tmp_path / "b.npz", x=array)
    np.save(tmp_path / "c.npy", np.asfortranarray(array).astype(">f4"))
    np.save(tmp_path / "d.npy", array.astype(bf16.numpy))
    safetensors.numpy.save_file({"x": array}, tmp_path / "e.safetensors")
    notes: list[str] = []
    parameter = Parameter(0, "x", TensorType((2, 3), f32))
    for name in ("a.npz", "b.npz:x", "c.npy", "e.safetensors:x"):
        assert same(value_of(str(tmp_path / name), parameter, {}, notes.append), array)
    assert not notes
    small = Parameter(0, "x", TensorType((2, 3), bf16))
    found = value_of(str(tmp_path / "d.npy"), small, {}, notes.append)
    assert same(found, array.astype(bf16.numpy))
    assert "taken for the bits of bf16" in notes[0]


def test_what_is_written_is_read_by_numpy_and_safetensors(tmp_path: Path) -> None:
    from dxir.tools.run_outputs import write_results

    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    for form in ("npy", "npz", "safetensors"):
        write_results(str(tmp_path), form, ["file"], [array])
    assert same(np.load(tmp_path / "file.npy"), array)
    with np.load(tmp_path / "results.npz") as found:
        assert same(found["file"], array)
    assert same(safetensors.numpy.load_file(tmp_path / "results.safetensors")["file"], array)


def test_a_large_file_is_mapped_and_not_read(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.zeros(1 << 19, np.float32))
    found = read_npy(str(tmp_path / "x.npy"))
    assert isinstance(found.base, np.memmap) or isinstance(found, np.memmap)
    assert not found.flags.writeable


def test_truth_values_of_other_bytes_are_true() -> None:
    found, by_bits = as_type(np.array([0, 1, 2, 255], np.uint8).view(bool), dxir.i1)
    assert found.view(np.uint8).tolist() == [0, 1, 1, 1]
    assert not by_bits


@pytest.mark.parametrize("dtype", ALL_DTYPES, ids=lambda d: d.name)
def test_made_up_elements_are_of_the_type_and_finite(dtype: DType) -> None:
    parameter = Parameter(1, None, TensorType((40, 3), dtype))
    made: dict[str, Array] = {}
    for text in ("random", "random:seed=0", "random:seed=1", "iota", "zeros", "ones"):
        if dtype is f8e8m0fnu and text == "zeros":
            continue
        array = made[text] = value_of(text, parameter, {}, lambda _: None)
        assert (array.dtype, array.shape) == (dtype.numpy, (40, 3))
        wide = array.astype(np.complex128 if dtype.is_complex else np.float64)
        assert np.isfinite(wide).all()
    assert same(made["random"], made["random:seed=0"])
    assert not same(made["random"], made["random:seed=1"])
    assert len(set(made["random"].reshape(-1).tolist())) > 1
    other = value_of("random", Parameter(2, None, parameter.type), {}, lambda _: None)
    assert not same(made["random"], other)


def test_ranges_are_kept() -> None:
    for dtype in (f32, dxir.f64, dxir.i8, dxir.ui64, dxir.i4):
        low = 2 if dtype.is_unsigned else -3
        parameter = Parameter(0, None, TensorType((500,), dtype))
        array = value_of(f"random:low={low},high=5", parameter, {}, lambda _: None)
        assert array.astype(np.float64).min() >= low
        assert array.astype(np.float64).max() <= 5
    whole = Parameter(0, None, TensorType((500,), dxir.f64))
    huge = value_of("random:low=-1.7e308,high=1.7e308", whole, {}, lambda _: None)
    assert np.isfinite(huge).all()
    assert huge.min() < -1e307


def test_dimensions_take_their_sizes_from_other_arguments() -> None:
    parameter = Parameter(0, None, TensorType((dxir.Dim("n"), 2), f32))
    assert value_of("random", parameter, {"n": 3}, lambda _: None).shape == (3, 2)
    unknown = Parameter(0, None, TensorType((UNKNOWN, 2), f32))
    assert value_of("ones:shape=4x2", unknown, {}, lambda _: None).shape == (4, 2)
    assert literal("[[1, 2]]", unknown).shape == (1, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[1, 2]", "it ends too early"),
        ("[[1, 2], [3]]", "the inner lists have different lengths"),
        ("[[1, 2], 3]", "the inner lists have different depths"),
        ("[1, 2]]", "it goes on after its end"),
        ("[[1,, 2]]", "a comma is out of place"),
        ("[1 2]", "a comma is missing"),
        ("[" * 5000, "it is nested too deep"),
        ("[(1, 2)]", "( ) are for the parts of a complex number"),
        ("[1, x]", "x] is no number"),
        ("[1, 2]", "of shape [2]"),
        ("1e400", "1e400 is no f32"),
        ("1e39", "1e39 is no f32"),
        ("9" * 6000, "is no f32"),
        ("true", "true is no f32"),
        ("0x1FFFFFFFF", "0x1FFFFFFFF is no f32"),
        ("dense<1.0> : tensor<2x2xf16>", "takes f32[2, 2], not tensor<2x2xf16>"),
        ("dense<1.0> : tensor<?xf32>", "no tensor type of known size"),
        ("dense<1.0> : tensor<2xnope>", "no tensor type of known size"),
        ('dense<"0x00"> : tensor<2x2xf32>', "not 1 bytes of data"),
        ("", "which is no argument"),
        ("nothing", "which is no argument"),
        ("random:seeds=1", "'seeds=1' is no option of random"),
        ("random:seed=1,seed=2", "'seed=2' is given twice"),
        ("random:seed=x", "'x' is no number"),
        ("random:seed=-1", "a seed is 0 or more"),
        ("random:low=2,high=1", "there is no f32 from 2 to 1"),
        ("random:high=nan", "there is no f32 from"),
        ("random:high=1e40", "there is no f32 from"),
        ("random:shape=2x3", "not one of shape 2x3"),
        ("random:shape=-1x2", "is no shape for it"),
        ("@", "this is a folder"),
        ("@/", "this is a folder"),
        ("none.npy", "No such file or directory"),
        ("none.npz:x", "No such file or directory"),
        ("a\0b.npy", "null"),
    ],
)
def test_an_argument_that_is_none_is_refused(text: str, message: str) -> None:
    parameter = Parameter(0, "x", TensorType((2, 2), f32))
    with pytest.raises(dxir.DxirError) as told:
        value_of(text, parameter, {}, lambda _: None)
    assert message in str(told.value)


def test_numbers_that_a_type_does_not_have_are_refused() -> None:
    for dtype, text in ((f4e2m1fn, "7"), (f4e2m1fn, "nan"), (f8e8m0fnu, "0"), (f8e8m0fnu, "-1")):
        with pytest.raises(dxir.DxirError, match="is no f"):
            literal(text, Parameter(0, None, TensorType((), dtype)))
    assert literal("(1, -2)", Parameter(0, None, TensorType((2,), c64))).tolist() == [1 - 2j] * 2


def test_damaged_files_are_errors(tmp_path: Path) -> None:
    array = np.arange(64, dtype=np.float32)
    np.save(tmp_path / "whole.npy", array)
    np.savez(tmp_path / "whole.npz", x=array)
    safetensors.numpy.save_file({"x": array}, tmp_path / "whole.safetensors")
    np.save(tmp_path / "object.npy", np.array([{}], object), allow_pickle=True)
    (tmp_path / "folder.npy").mkdir()
    parameter = Parameter(0, "x", TensorType((64,), f32))
    hostile = ["object.npy", "folder.npy"]
    generator = np.random.default_rng(0)
    for name in ("whole.npy", "whole.npz", "whole.safetensors"):
        data = (tmp_path / name).read_bytes()
        kind = name.partition(".")[2]
        for cut in (0, 1, 7, 40, len(data) // 2, len(data) - 1):
            (tmp_path / f"cut{cut}.{kind}").write_bytes(data[:cut])
            hostile.append(f"cut{cut}.{kind}")
        for seed in range(25):
            damaged = bytearray(data)
            damaged[int(generator.integers(min(len(data), 120)))] ^= 1 << int(generator.integers(8))
            (tmp_path / f"bit{seed}.{kind}").write_bytes(damaged)
            try:  # it may still be read, or else be refused
                value_of(str(tmp_path / f"bit{seed}.{kind}"), parameter, {}, lambda _: None)
            except dxir.DxirError:
                continue
    for name in hostile:
        with pytest.raises(dxir.DxirError):
            value_of(str(tmp_path / name), parameter, {}, lambda _: None)


def test_an_archive_with_two_arrays_of_one_name_is_refused(tmp_path: Path) -> None:
    import zipfile

    path = tmp_path / "x.npz"
    data = io.BytesIO()
    np.save(data, np.zeros(2, np.float32))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x.npy", data.getvalue())
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("x.npy", data.getvalue())
    with pytest.raises(dxir.DxirError, match="two arrays of one name"):
        TensorFile(str(path))


def test_an_array_of_another_type_or_shape_is_refused(tmp_path: Path) -> None:
    parameter = Parameter(0, "x", TensorType((2,), f32))
    for array in (np.zeros(2), np.zeros(3, np.float32), np.zeros(2, np.uint32), np.zeros(2, "V4")):
        np.save(tmp_path / "x.npy", array)
        with pytest.raises(dxir.DxirError, match=r"takes f32\[2\], not") as told:
            value_of(str(tmp_path / "x.npy"), parameter, {}, lambda _: None)
        assert told.value.where is not None


def test_the_name_of_an_array_in_a_file_is_checked(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", a=np.zeros(2, np.float32), b=np.zeros(2, np.float32))
    parameter = Parameter(0, "x", TensorType((2,), f32))
    for ending, message in (("", "holds several arrays"), (":c", "has no array 'c'")):
        with pytest.raises(dxir.DxirError, match=message) as told:
            value_of(f"{tmp_path / 'x.npz'}{ending}", parameter, {}, lambda _: None)
        assert "it has a, b" in (told.value.hint or "")
    np.save(tmp_path / "x.npy", np.zeros(2, np.float32))
    with pytest.raises(dxir.DxirError, match="holds one array"):
        value_of(f"{tmp_path / 'x.npy'}:a", parameter, {}, lambda _: None)


def test_text_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_bytes(b"[1, \xff]")
    with pytest.raises(dxir.DxirError, match="byte 4 is not UTF-8"):
        value_of(str(tmp_path / "x.txt"), Parameter(0, None, TensorType((2,), f32)), {}, print)


def test_arguments_of_a_file_go_to_the_parameters_of_their_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = """
    func.func @main(%a: tensor<f32> loc("w['a']"), %b: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
      return %a, %b : tensor<f32>, tensor<f32>
    }"""
    path = tmp_path / "m.mlir"
    path.write_text(text, "utf-8")
    np.savez(
        tmp_path / "x.npz", **{"w['a']": np.float32(1), "arg1": np.float32(2), "c": np.ones(3)}
    )
    assert main([str(path), f"--args={tmp_path / 'x.npz'}", "--backend=reference"]) == 0
    printed = capsys.readouterr()
    assert printed.out == "tensor<f32> {1.000000e+00}\ntensor<f32> {2.000000e+00}\n"
    assert "no parameter takes c" in printed.err
    both = [str(path), f"--args={tmp_path / 'x.npz'}", "--arg", "w['a']=5", "-q"]
    assert main([*both, "--backend=reference"]) == 0
    assert capsys.readouterr().out.startswith("tensor<f32> {5.0")


def test_large_results_are_shown_in_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = identity(tmp_path, "2000x2xi32")
    assert run_python(tmp_path, path, "--arg=iota") == 0
    shown = capsys.readouterr().out
    assert "    [4, 5],\n    ...,\n    [3994, 3995],\n" in shown
    assert run_python(tmp_path, path, "--arg=iota", "--full") == 0
    assert len(capsys.readouterr().out.splitlines()) == 2004


def test_results_that_cannot_be_written_are_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = identity(tmp_path, "2xf32")
    (tmp_path / "file").write_text("")
    assert run_python(tmp_path, path, "--arg=iota", f"--out={tmp_path / 'file'}") == 1
    assert "the folder cannot be made" in capsys.readouterr().err
    (tmp_path / "out" / "result0.npy").mkdir(parents=True)
    assert run_python(tmp_path, path, "--arg=iota", f"--out={tmp_path / 'out'}") == 1
    assert "the file cannot be written" in capsys.readouterr().err
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["result0.npy"]


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--backen=x"], "did you mean --backend?"),
        (["--repeat=0"], "'0' is not a number above 0"),
        (["--devices=x"], "'x' value invalid"),
        (["--random=-1"], "'-1' is not a number from 0 on"),
        (["--format=npy"], "--format=npy has a meaning with --out only"),
        (["--rtol=1"], "--rtol has a meaning with --compare only"),
        (["--compare=reference"], "--compare takes two backends or more"),
        (["--compare=a,b", "--out=x"], "--out and --compare cannot be given together"),
        (["--flag=x"], "'x' is not NAME=VALUE"),
        (["--flag=x=1", "--flag=x=2"], "'x' is given twice"),
        (["a", "b"], "One input file is read"),
    ],
)
def test_a_command_line_that_cannot_be_read_ends_with_2(
    argv: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("dxir-run: error: ")
    assert message in captured.err
    assert captured.out == ""


def test_help_names_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert shown == help_text()
    assert max(map(len, shown.splitlines())) <= 100


def test_flags_are_what_their_values_look_like() -> None:
    given = ["a=true", "b=3", "c=0.5", "d=x,y", "--e=-1"]
    found = parse_arguments([f"--flag={text}" for text in given]).compiler_flags()
    assert found == {"a": True, "b": 3, "c": 0.5, "d": "x,y", "e": -1}


def test_json_is_all_that_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = identity(tmp_path, "2xf32")
    assert run_python(tmp_path, path, "--arg=iota", "--json", "--time", "--repeat=3") == 0
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert found["results"] == [{"name": "result0", "type": "f32[2]"}]
    assert len(found["seconds"]["runs"]) == 3
    assert printed.err == ""
    assert run_python(tmp_path, path, "--json") == 1
    printed = capsys.readouterr()
    assert json.loads(printed.out)["error"]["code"] == "ARGUMENT_ERROR"


def test_a_module_without_main_asks_which_function(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.mlir"
    path.write_text("func.func @a() { return }\nfunc.func @b() { return }\n", "utf-8")
    assert main([str(path)]) == 1
    assert "--function says which to run: @a, @b" in capsys.readouterr().err
    assert main([str(path), "--function=b", "--backend=reference"]) == 0


def test_the_parts_of_a_file_are_programs_of_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.mlir"
    parts = [IDENTITY.format(type="f32"), "junk\n", IDENTITY.format(type="i32")]
    path.write_text("// -----\n".join(parts), "utf-8")
    out = tmp_path / "out"
    argv = ["--split-input-file", "--arg=3", f"--out={out}"]
    assert run_python(tmp_path, str(path), *argv) == 1
    assert np.load(out / "part0" / "result0.npy") == np.float32(3)
    assert np.load(out / "part2" / "result0.npy").dtype == np.int32
    assert "m.mlir:5:1: error" in capsys.readouterr().err


def test_nothing_is_told_where_stderr_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    from dxir.tools.progress import progress

    with progress("compiling"):
        pass
    assert capsys.readouterr().err == ""


def test_what_takes_long_is_told_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    from dxir.tools import progress as module

    class Terminal(io.StringIO):
        def __init__(self) -> None:
            super().__init__()
            self.told = threading.Event()

        def isatty(self) -> bool:
            return True

        def write(self, text: str) -> int:
            if "compiling [x], 0 s" in text:
                self.told.set()
            return super().write(text)

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(module, "_PATIENCE_S", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    with module.progress("compiling [x]"):
        assert terminal.told.wait(20)
    before = terminal.getvalue()
    with module.progress("compiling", quiet=True):
        pass
    assert terminal.getvalue() == before


def test_a_comparison_ends_with_the_code_of_what_it_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.mlir"
    lines = IDENTITY.format(type="1000xf32").replace("x : ", "y : ").splitlines()
    lines.insert(1, "  %y = stablehlo.exponential %x : tensor<1000xf32>")
    path.write_text("\n".join(lines), "utf-8")
    argv = [str(path), "--random", "--compare=xla-cpu,reference", "-q"]
    assert main(argv) == 0
    assert "judged by reference" in capsys.readouterr().out
    assert main([*argv, "--rtol=0", "--json"]) == 4
    found = json.loads(capsys.readouterr().out)["comparison"]
    assert found["judge"] == "reference"
    assert found["rows"][0]["verdict"] == "off"
    assert found["divergences"]


def test_a_backend_that_cannot_run_the_checks_keeps_no_other_from_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.mlir"
    text = """func.func @main() {
      %0 = stablehlo.constant dense<2> : tensor<i32>
      check.expect_eq_const %0, dense<2> : tensor<i32>
      return
    }"""
    path.write_text(text, "utf-8")
    assert main([str(path), "--compare=xla-tpu,reference"]) == 1
    printed = capsys.readouterr()
    assert "reference: 1 check holds" in printed.out
    assert "error: " in printed.err
    assert main([str(path), "--backend=reference", "--verbose"]) == 0
    assert "expect_eq_const" in capsys.readouterr().out
    assert main([str(path), "--backend=reference", "--random", "-q"]) == 0
    assert capsys.readouterr().out == ""


def test_the_interpreter_is_not_asked_for_what_it_cannot_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = identity(tmp_path, "2xf32")
    for option in ("--devices=8", "--flag=xla_cpu_enable_fast_math=true"):
        assert main([path, "--random", "--backend=interpreter", option]) == 1
        assert "the interpreter runs on one device" in capsys.readouterr().err
