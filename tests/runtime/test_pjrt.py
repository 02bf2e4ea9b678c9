"""Programs on xla-cpu: every element type in and out, memory, threads, processes."""

import gc
import os
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import dxir
from dxir.errors import ArgumentError, RuntimeFailure, TargetError
from dxir.runtime import pjrt
from dxir.runtime.pjrt import DeviceArray, to_device
from dxir.types import ALL_DTYPES, DType, TensorType

OLD_JAXLIB = pjrt.version() < (0, 11)
SIX_BITS = ("f6e2m3fn", "f6e3m2fn")
MOVED = [t for t in ALL_DTYPES if not (OLD_JAXLIB and t.name in SIX_BITS)]
COMPUTED = [t for t in ALL_DTYPES if t.name not in SIX_BITS]
SHAPES = [(), (1,), (2, 3), (0,), (3, 0, 2), (5, 1, 7)]


def mlir(type: TensorType) -> str:
    dtype = type.primitive
    return f"tensor<{''.join(f'{d}x' for d in type.shape)}{dtype.mlir}>"


def identity(*types: TensorType) -> Any:
    takes = ", ".join(f"%x{i}: {mlir(t)}" for i, t in enumerate(types))
    texts = ", ".join(map(mlir, types))
    gives = ", ".join(f"%x{i}" for i in range(len(types))) + f" : {texts}" if types else ""
    return dxir.compile(
        dxir.load(f"func.func @main({takes}) -> ({texts}) {{\n  return {gives}\n}}")
    )


def program(body: str) -> Any:
    return dxir.compile(dxir.load(textwrap.dedent(body)))


ADD = """
    func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
      %r = stablehlo.add %x, %y : tensor<4xf32>
      return %r : tensor<4xf32>
    }
"""


def data(dtype: DType, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """Every bit pattern that fits: random bytes of the type's width."""
    rng = np.random.default_rng(len(shape) + dtype.bits)
    size = int(np.prod(shape))
    if dtype.is_bool:
        return rng.integers(0, 2, shape).astype(np.bool_)
    if dtype.bits < 8:
        bits = rng.integers(0, 1 << dtype.bits, size).astype(np.uint8)
        if dtype.is_integer:
            values = bits.astype(np.int8)
            if not dtype.is_unsigned:
                values -= (values >= 1 << (dtype.bits - 1)).astype(np.int8) << dtype.bits
            return values.astype(dtype.numpy).reshape(shape)
        return bits.view(dtype.numpy).reshape(shape)
    return np.frombuffer(rng.bytes(size * dtype.numpy.itemsize), dtype.numpy).reshape(shape)


def same_bits(found: Any, wanted: np.ndarray[Any, Any]) -> None:
    array = np.asarray(found)
    assert array.dtype == wanted.dtype
    assert array.shape == wanted.shape
    assert array.tobytes() == wanted.tobytes()


@pytest.mark.parametrize("dtype", MOVED, ids=str)
def test_every_bit_of_every_element_type_comes_back(dtype: DType) -> None:
    shapes = [s for s in SHAPES if dtype.bits != 6 or 0 not in s]  # those are refused
    arrays = [data(dtype, shape) for shape in shapes]
    types = [TensorType(shape, dtype) for shape in shapes]
    results = identity(*types)(*arrays)
    for result, array, type in zip(results, arrays, types, strict=True):
        same_bits(result, array)
        same_bits(result.numpy(), array)
        assert (result.shape, result.dtype, result.type) == (type.shape, dtype.numpy, type)
    for result, array in zip(identity(*types)(*results), arrays, strict=True):
        same_bits(result, array)


@pytest.mark.parametrize("dtype", MOVED, ids=str)
def test_strides_and_byte_orders_of_the_host_do_not_matter(dtype: DType) -> None:
    array = data(dtype, (4, 6))
    executable = identity(TensorType((3, 4), dtype))
    same_bits(executable(array.T[::2]), np.ascontiguousarray(array.T[::2]))
    same_bits(executable(np.asfortranarray(array[:3, :4])), np.ascontiguousarray(array[:3, :4]))
    splat = np.broadcast_to(array[0, 0], (3, 4))
    same_bits(executable(splat), np.ascontiguousarray(splat))
    if dtype.numpy.byteorder == "=" and dtype.numpy.isbuiltin == 1:
        swapped = array[:3, :4].astype(dtype.numpy.newbyteorder(">"))
        same_bits(executable(swapped), np.ascontiguousarray(array[:3, :4]))


@pytest.mark.parametrize("dtype", COMPUTED, ids=str)
def test_values_of_every_element_type_are_computed(dtype: DType) -> None:
    kind = "complex<f32>" if dtype.is_complex else "f32" if dtype.is_float else "i32"
    start = {"complex<f32>": np.complex64, "f32": np.float32, "i32": np.int32}[kind]
    executable = program(f"""
        func.func @main(%x: tensor<3x{kind}>) -> tensor<3x{dtype.mlir}> {{
          %r = stablehlo.convert %x : (tensor<3x{kind}>) -> tensor<3x{dtype.mlir}>
          return %r : tensor<3x{dtype.mlir}>
        }}
    """)
    values = np.array([1, 0, 1] if dtype.bits < 4 else [1, 2, 1], start)
    if dtype.bits == 2 and not dtype.is_unsigned:
        values = -values
    same_bits(executable(values), values.astype(dtype.numpy))


@pytest.mark.skipif(not OLD_JAXLIB, reason="newer ones have these types")
@pytest.mark.parametrize("name", SIX_BITS)
def test_six_bit_floats_are_refused_where_the_runtime_lacks_them(name: str) -> None:
    with pytest.raises(TargetError, match=name):
        identity(TensorType((3,), name))


@pytest.mark.parametrize("name", SIX_BITS)
def test_computing_with_six_bit_floats_is_refused_with_the_reason(name: str) -> None:
    kind = DType.of(name).mlir
    with pytest.raises(TargetError, match="6-bit"):
        program(f"""
            func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {{
              %q = stablehlo.convert %x : (tensor<3xf32>) -> tensor<3x{kind}>
              %r = stablehlo.convert %q : (tensor<3x{kind}>) -> tensor<3xf32>
              return %r : tensor<3xf32>
            }}
        """)


def test_a_program_may_have_no_parameters_and_no_results() -> None:
    assert identity()() == ()
    nothing = program("func.func @main(%x: tensor<2xf32>) {\n  return\n}")
    assert nothing(np.zeros(2, np.float32)) == ()


def test_many_results_come_in_order() -> None:
    types = [TensorType((i,), dxir.i32) for i in range(200)]
    arrays = [np.arange(i, dtype=np.int32) for i in range(200)]
    for result, array in zip(identity(*types)(*arrays), arrays, strict=True):
        same_bits(result, array)


def test_results_are_used_in_place_by_the_next_call() -> None:
    add = program(ADD)
    x = to_device(np.arange(4, dtype=np.float32))
    y = add(x, x)
    assert isinstance(y, DeviceArray)
    for _ in range(10):
        y = add(y, x)
    same_bits(y, np.arange(4, dtype=np.float32) * 12)


def test_results_are_read_only_views_that_outlive_the_array() -> None:
    result = program(ADD)(np.ones(4, np.float32), np.ones(4, np.float32))
    view, again = result.numpy(), result.numpy()
    assert not view.flags.writeable
    assert np.shares_memory(view, again)
    assert not np.shares_memory(view, np.array(result))
    result.delete()
    del result, again
    gc.collect()
    same_bits(view, np.full(4, 2, np.float32))


def test_an_array_converts_like_numpy_arrays_do() -> None:
    vector, scalar = identity(TensorType((2,), dxir.f32), TensorType((), dxir.bf16))(
        np.array([1.5, 2.5], np.float32), 3
    )
    assert (float(scalar), int(scalar), bool(scalar), scalar.item()) == (3.0, 3, True, 3)
    assert (len(vector), vector.ndim, vector.size, vector.nbytes) == (2, 1, 2, 8)
    assert list(vector) == [1.5, 2.5]
    assert np.asarray(vector, np.float64).dtype == np.float64
    with pytest.raises(ValueError, match="copy"):
        np.asarray(vector, np.float64, copy=False)
    with pytest.raises(TypeError, match="rank 0"):
        len(scalar)
    assert repr(vector) == "<DeviceArray f32[2]>"


def test_arguments_may_be_changed_right_after_the_call() -> None:
    add = program(ADD)
    for _ in range(20):
        x = np.ones(4, np.float32)
        result = add(x, x)
        x[:] = 99
        same_bits(result, np.full(4, 2, np.float32))


def aligned(size: int) -> np.ndarray[Any, Any]:
    raw = np.zeros(size * 4 + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size * 4].view(np.float32)


def test_only_memory_that_cannot_change_is_shared() -> None:
    writable = aligned(1024)
    frozen_view = writable.view()
    frozen_view.flags.writeable = False
    for array in (writable, frozen_view):
        assert not np.shares_memory(to_device(array).numpy(), array)
    assert np.shares_memory(to_device(writable, copy=False).numpy(), writable)
    frozen = aligned(1024)
    owner: Any = frozen
    while owner is not None:
        owner.flags.writeable = False
        owner = owner.base
    assert np.shares_memory(to_device(frozen).numpy(), frozen)
    assert not np.shares_memory(to_device(frozen, copy=True).numpy(), frozen)


def test_a_file_mapped_read_only_is_shared(tmp_path: Any) -> None:
    np.save(tmp_path / "weights.npy", np.arange(1024, dtype=np.float32))
    mapped = np.load(tmp_path / "weights.npy", mmap_mode="r")
    placed = to_device(mapped)
    assert np.shares_memory(placed.numpy(), mapped)
    same_bits(placed, np.arange(1024, dtype=np.float32))


def test_using_a_deleted_array_says_so() -> None:
    add = program(ADD)
    x = to_device(np.ones(4, np.float32))
    x.delete()
    assert x.is_deleted
    assert not x.ready()
    with pytest.raises(ArgumentError, match=r"parameter 1 was deleted"):
        add(np.ones(4, np.float32), x)
    with pytest.raises(RuntimeFailure, match="was deleted"):
        x.numpy()
    with pytest.raises(RuntimeFailure, match="was deleted"):
        x.wait()


def test_a_donated_argument_is_gone_after_the_call() -> None:
    donating = program("""
        func.func @main(%x: tensor<4096xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4096xf32> {
          %r = stablehlo.add %x, %x : tensor<4096xf32>
          return %r : tensor<4096xf32>
        }
    """)
    x = to_device(np.ones(4096, np.float32))
    same_bits(donating(x), np.full(4096, 2, np.float32))
    assert x.is_deleted
    with pytest.raises(ArgumentError, match="donated"):
        donating(x)
    same_bits(donating(np.ones(4096, np.float32)), np.full(4096, 2, np.float32))


def test_a_result_can_be_waited_for() -> None:
    result = program(ADD)(np.ones(4, np.float32), np.ones(4, np.float32))
    assert result.wait() is result
    assert result.ready()


def test_threads_share_a_program() -> None:
    add = program(ADD)
    start = threading.Barrier(8)

    def work(seed: int) -> bool:
        start.wait()
        x = np.full(4, seed, np.float32)
        for _ in range(50):
            y = add(x, to_device(x))
            if not np.array_equal(np.asarray(add(y, x)), x * 3):
                return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


def test_threads_compile_and_make_the_client_together() -> None:
    code = """
        import threading, numpy as np, dxir
        from dxir.runtime import pjrt
        TEXT = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }"
        found = []
        def work():
            device = pjrt.cpu()
            executable = dxir.compile(dxir.load(TEXT))
            found.append((device, float(executable(np.ones(4, np.float32))[0])))
        threads = [threading.Thread(target=work) for _ in range(6)]
        [t.start() for t in threads]; [t.join() for t in threads]
        print(len({id(d) for d, _ in found}), {v for _, v in found})
    """
    assert run_python(code) == "1 {1.0}"


def test_jax_is_not_needed_and_not_imported_to_run() -> None:
    code = """
        import sys
        class Absent:
            def find_spec(self, name, path=None, target=None):
                if name.partition(".")[0] == "jax":
                    raise ModuleNotFoundError(name)
        if BLOCK:
            sys.meta_path.insert(0, Absent())
        import ml_dtypes, numpy as np, dxir
        from dxir.types import bf16, i4
        takes = "%x: tensor<2xbf16>, %y: tensor<2xi4>"
        gives = "(tensor<2xbf16>, tensor<2xi4>)"
        executable = dxir.compile(dxir.load(
            f"func.func @main({takes}) -> {gives} {{ return %x, %y : {gives[1:-1]} }}"
        ))
        x, y = executable(np.ones(2, ml_dtypes.bfloat16), np.ones(2, ml_dtypes.int4))
        executable(x, y)
        x.wait()
        print("jax" in sys.modules, end=" ")
        print(np.asarray(x).dtype, y.numpy().dtype, np.asarray(y).shape, "jax" in sys.modules)
    """
    for block in (True, False):
        code_here = f"BLOCK = {block}\n{textwrap.dedent(code)}"
        # Only reading results back imports JAX, and only on 0.10, where it is installed.
        after = OLD_JAXLIB and not block
        assert run_python(code_here) == f"False bfloat16 int4 (2,) {after}"


def test_programs_run_beside_jax() -> None:
    code = """
        import ml_dtypes, numpy as np, jax, jax.numpy as jnp, dxir
        executable = dxir.compile(dxir.load(
            "func.func @main(%x: tensor<2xbf16>) -> tensor<2xbf16> { return %x : tensor<2xbf16> }"
        ))
        given = jnp.ones(2, jnp.bfloat16) + 1
        result = executable(given)
        print(np.asarray(result), np.asarray(result).dtype, jnp.asarray(result.numpy()) + 1)
    """
    assert run_python(code) == "[2 2] bfloat16 [3 3]"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_is_told_instead_of_hanging() -> None:
    # In a process of its own: where JAX is loaded, its warning about forks is an error here.
    code = """
        import os
        import warnings
        import numpy as np
        import dxir

        warnings.simplefilter("ignore")
        b = dxir.Builder()
        x = b.param(dxir.f32[4])
        double = dxir.compile(b.build(dxir.ops.add(x, x)))
        double(np.ones(4, np.float32))
        child = os.fork()
        if child == 0:
            try:
                double(np.ones(4, np.float32))
            except dxir.DxirError as error:
                print("spawn" in str(error), flush=True)
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
    """
    assert run_python(code) == "True"


def test_flags_that_xla_would_end_the_process_over_are_an_error() -> None:
    code = """
        import dxir
        try:
            dxir.compile(dxir.load("func.func @main() { return }"))
        except dxir.DxirError as error:
            print(type(error).__name__, "Unknown flag" in str(error))
    """
    assert run_python(code, XLA_FLAGS="--xla_nonsense=1") == "TargetError True"
    assert run_python(code, XLA_FLAGS="--xla_cpu_enable_fast_math=false") == ""


def run_python(code: str, **environment: str) -> str:
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **environment},
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()
