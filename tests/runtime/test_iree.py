"""IREE: programs compile in a child process and run on processors, as the reference says."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dxir
from dxir.errors import ArgumentError, RuntimeFailure, TargetError
from dxir.program import Program
from dxir.types import DType

pytest.importorskip("iree.compiler")
pytest.importorskip("iree.runtime")

Array = np.ndarray[Any, Any]
CARRIED = (
    *("i1", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64"),
    *("f16", "bf16", "f32", "f64", "c64", "c128"),
    *("f8e4m3fn", "f8e4m3fnuz", "f8e5m2", "f8e5m2fnuz"),
)
SHAPES = ((), (3,), (2, 0, 3))


def swap(*dtypes: DType) -> Program:
    """Two arrays of each type and shape, given back the other way round."""
    b = dxir.Builder("main")
    pairs = [(b.param(dtype[s]), b.param(dtype[s])) for dtype in dtypes for s in SHAPES]
    return dxir.lower(b.build(*[v for x, y in pairs for v in (y, x)]))


def text(result: str, body: str, *parameters: str) -> Program:
    given = ", ".join(f"%{i}: tensor<{p}>" for i, p in zip("xyz", parameters, strict=False))
    return dxir.load(
        f"func.func @main({given}) -> tensor<{result}> {{\n{body}\nreturn %0 : tensor<{result}>\n}}"
    )


def run(program: Program, *given: Any, target: str = "iree-cpu") -> Array:
    return np.asarray(dxir.compile(program, target)(*given))


@pytest.fixture(scope="module")
def adder() -> Any:
    program = text("64xf32", "%0 = stablehlo.add %x, %y : tensor<64xf32>", "64xf32", "64xf32")
    return dxir.compile(program, "iree-cpu")


def test_arrays_of_every_type_come_back_bit_for_bit() -> None:
    dtypes = [DType.of(name) for name in CARRIED]
    executable = dxir.compile(swap(*dtypes), "iree-cpu")
    given: list[Array] = []
    for dtype in dtypes:
        for i, shape in enumerate([s for s in SHAPES for _ in range(2)]):
            count = int(np.prod(shape))
            given.append((np.arange(count) % 2 + i % 2).reshape(shape).astype(dtype.numpy))
    for k, result in enumerate(executable.run(given)):
        array, wanted = result.numpy(), given[k ^ 1]
        assert (array.dtype, array.shape) == (wanted.dtype, wanted.shape)
        assert array.tobytes() == wanted.tobytes()


@pytest.mark.parametrize("name", ["i4", "f8e4m3", "f4e2m1fn"])
def test_element_types_that_its_arrays_lack_are_refused(name: str) -> None:
    with pytest.raises(TargetError, match=name):
        dxir.compile(swap(DType.of(name)), "iree-cpu")


def test_f64_is_computed_as_f64() -> None:
    program = text("2xf64", "%0 = stablehlo.exponential %x : tensor<2xf64>", "2xf64")
    x = np.array([1.0, -1e-12])
    np.testing.assert_allclose(run(program, x), np.exp(x), rtol=1e-15)


def test_a_function_of_f64_that_it_lacks_is_refused_before() -> None:
    program = text("2xf64", "%0 = stablehlo.sine %x : tensor<2xf64>", "2xf64")
    with pytest.raises(TargetError, match="no f64 function for it"):
        dxir.compile(program, "iree-cpu")


def test_indices_outside_do_no_harm() -> None:
    program = dxir.load("""
    func.func @main(%x: tensor<4xf32>, %i: tensor<5x1xi32>, %u: tensor<5xf32>) -> (tensor<5xf32>, tensor<4xf32>) {
      %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<4xf32>, tensor<5x1xi32>) -> tensor<5xf32>
      %1 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %2 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }) : (tensor<4xf32>, tensor<5x1xi32>, tensor<5xf32>) -> tensor<4xf32>
      return %0, %1 : tensor<5xf32>, tensor<4xf32>
    }""")  # noqa: E501
    indices = np.array([[0], [-1], [4], [2**31 - 1], [-(2**31)]], np.int32)
    given = (np.arange(4, dtype=np.float32), indices, np.ones(5, np.float32))
    read, written = dxir.compile(program, "iree-cpu")(*given)
    assert np.asarray(read).tolist() == [0, 0, 3, 3, 0]
    assert np.asarray(written).tolist() == [1, 1, 2, 3]


def test_powers_and_conversions_of_hostile_numbers() -> None:
    power = text("6xf32", "%0 = stablehlo.power %x, %y : tensor<6xf32>", "6xf32", "6xf32")
    x = np.array([-2, -2, 0, np.nan, -np.inf, -1], np.float32)
    y = np.array([3, 0.5, 0, 0, 3, np.inf], np.float32)
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(run(power, x, y), np.power(x, y), rtol=1e-6)
    convert = text("4xi8", "%0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi8>", "4xf32")
    assert run(convert, np.array([np.nan, 1e9, -300, -1.5], np.float32)).tolist() == [
        *(0, 127, -128, -1)
    ]


def test_the_gradient_of_a_max_pool_of_windows_that_overlap() -> None:
    program = dxir.load("""
    func.func @main(%x: tensor<7xf32>, %s: tensor<3xf32>, %i: tensor<f32>) -> tensor<7xf32> {
      %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 2>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %1 : tensor<i1>
      }, {
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %1 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %1 : tensor<f32>
      }) : (tensor<7xf32>, tensor<3xf32>, tensor<f32>) -> tensor<7xf32>
      return %0 : tensor<7xf32>
    }""")  # noqa: E501
    x = np.array([1, 2, 9, 9, 3, 3, 3], np.float32)
    given = (x, np.array([1, 2, 4], np.float32), np.float32(0.5))
    wanted = run(program, *given, target="reference")
    np.testing.assert_array_equal(run(program, *given), wanted)


def test_sorts_are_stable_and_factors_are_found() -> None:
    b = dxir.Builder("main")
    x, a = b.param(dxir.i32[8]), b.param(dxir.f32[3, 3])
    function = b.build(dxir.ops.argsort(x), dxir.ops.cholesky(a))
    values = np.array([1, 0, 1, 0, 1, 1, 0, 1], np.int32)
    matrix = np.array([[4, 2, 2], [2, 5, 3], [2, 3, 6]], np.float32)
    order, factor = dxir.compile(function, "iree-cpu")(values, matrix)
    np.testing.assert_array_equal(order, np.argsort(values, stable=True))
    np.testing.assert_allclose(factor, np.linalg.cholesky(matrix), rtol=1e-5, atol=1e-7)


def weighted(seed: int = 0) -> tuple[Program, Array]:
    weights = np.random.default_rng(seed).standard_normal((512, 520)).astype(np.float32)
    b = dxir.Builder("main")
    x = b.param(dxir.f32[2, 512], name="x")
    return dxir.lower(b.build(dxir.ops.matmul(x, dxir.ops.constant(weights)))), weights


def test_large_constants_lie_in_an_archive_as_long_as_the_executable_lives() -> None:
    program, weights = weighted()
    executable = dxir.compile(program, "iree-cpu")
    assert len(executable.vmfb) < weights.nbytes / 4
    archive = Path(executable.archive)
    assert archive.stat().st_size > weights.nbytes
    x = np.ones((2, 512), np.float32)
    np.testing.assert_allclose(np.asarray(executable(x)), x @ weights, rtol=1e-4, atol=1e-3)
    del executable
    assert not archive.parent.exists()


def test_a_prepared_program_runs_with_the_archive_written_with_it(tmp_path: Path) -> None:
    program, weights = weighted()
    archive = tmp_path / "weights.irpa"
    prepared = dxir.prepare(program, "iree-cpu", archive=archive).program
    with pytest.raises(TargetError, match="has constants in an archive"):
        dxir.compile(prepared, "iree-cpu")
    executable = dxir.compile(prepared, "iree-cpu", flags={"parameters": str(archive)})
    x = np.ones((2, 512), np.float32)
    np.testing.assert_allclose(np.asarray(executable(x)), x @ weights, rtol=1e-4, atol=1e-3)
    del executable
    assert archive.exists()
    with pytest.raises(TargetError, match="there is no file"):
        dxir.compile(prepared, "iree-cpu", flags={"parameters": str(tmp_path / "none.irpa")})


def test_another_archive_is_an_error_that_names_it(tmp_path: Path) -> None:
    prepared = dxir.prepare(weighted(0)[0], "iree-cpu", archive=tmp_path / "a.irpa").program
    dxir.prepare(weighted(1)[0], "iree-cpu", archive=tmp_path / "b.irpa")
    with pytest.raises(RuntimeFailure, match="does not load the program") as caught:
        dxir.compile(prepared, "iree-cpu", flags={"parameters": str(tmp_path / "b.irpa")})
    assert "b.irpa" in (caught.value.where or "")


def test_threads_share_an_executable(adder: Any) -> None:
    failed: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for i in range(50):
                x = np.full(64, number + i, np.float32)
                assert np.asarray(adder(x, x)).tolist() == [2.0 * (number + i)] * 64
        except BaseException as error:  # noqa: BLE001  told by the test's own thread
            failed.append(error)

    threads = [threading.Thread(target=work, args=(100 * n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def test_results_outlive_the_executable_and_the_arguments() -> None:
    executable = dxir.compile(
        text("64xf32", "%0 = stablehlo.negate %x : tensor<64xf32>", "64xf32"), "iree-cpu"
    )
    x = np.arange(64, dtype=np.float32)
    (result,) = executable.run([x])
    x[:] = 0
    del executable
    np.testing.assert_array_equal(result.numpy(), -np.arange(64, dtype=np.float32))
    assert not result.numpy().flags.writeable


def test_arguments_are_checked(adder: Any) -> None:
    x = np.zeros(64, np.float32)
    with pytest.raises(ArgumentError, match="parameter 1 takes"):
        adder(x, x.astype(np.float64))
    with pytest.raises(ArgumentError, match="takes 2 arguments"):
        adder(x)
    big = np.arange(128, dtype=">f4")[::2]
    np.testing.assert_array_equal(np.asarray(adder(big, x)), np.arange(0, 128, 2))


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ({"iree-opt-levle": "O3"}, "has no flag 'iree-opt-levle'"),
        ({"iree-opt-level": "O9"}, "does not take 'O9' for its flag iree-opt-level"),
        ({"help": True}, "has no flag 'help'"),
        ({"iree-input-demote-f64-to-f32": True}, "of other types"),
        ({"iree-hal-target-device": "vulkan"}, "it is what makes the target"),
        ({"parameters": 1}, "names an archive"),
    ],
)
def test_a_wrong_flag_is_an_error(flags: dict[str, Any], message: str) -> None:
    program = text("2xf32", "%0 = stablehlo.negate %x : tensor<2xf32>", "2xf32")
    with pytest.raises(TargetError, match=message):
        dxir.compile(program, "iree-cpu", flags=flags)


def test_a_flag_of_the_user_reaches_the_compiler() -> None:
    program = text("2xf32", "%0 = stablehlo.negate %x : tensor<2xf32>", "2xf32")
    executable = dxir.compile(program, "iree-cpu", flags={"--iree-opt-level": "O0"})
    assert np.asarray(executable(np.ones(2, np.float32))).tolist() == [-1, -1]


@pytest.mark.parametrize("options", [{"devices": 2}, {"replicas": 2}, {"donate": (0,)}])
def test_what_it_does_not_do_is_refused(options: dict[str, Any]) -> None:
    program = text("2xf32", "%0 = stablehlo.negate %x : tensor<2xf32>", "2xf32")
    with pytest.raises(TargetError):
        dxir.compile(program, "iree-cpu", **options)


def test_vulkan_compiles_and_does_not_run() -> None:
    program = text("64xf32", "%0 = stablehlo.negate %x : tensor<64xf32>", "64xf32")
    compiled = dxir.compile(program, "iree-vulkan")
    assert b"SPIR" in compiled.vmfb or len(compiled.vmfb) > 1000
    with pytest.raises(TargetError, match="compiles programs, and runs none"):
        compiled(np.zeros(64, np.float32))


def test_a_crash_of_its_compiler_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    from dxir.children import Ended
    from dxir.runtime.iree import compiling

    def crash(*_: Any, **__: Any) -> Ended:
        return Ended(-11, b"", b"LLVM ERROR: out of luck\n")

    monkeypatch.setattr(compiling, "run_module", crash)
    program = text("2xf32", "%0 = stablehlo.negate %x : tensor<2xf32>", "2xf32")
    with pytest.raises(RuntimeFailure, match=r"ended with SIGSEGV.*out of luck"):
        dxir.compile(program, "iree-cpu")


def test_the_page_about_it_runs(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "iree.md").read_text("utf-8")
    (code,) = re.findall(r"^```py\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    words = [sys.executable, "-P", "-c", code]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "softmax.vmfb").stat().st_size
