"""Arrays that go to and come from other libraries by DLPack."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import dxir
from dxir.errors import DTypeError, RuntimeFailure
from dxir.runtime.pjrt import to_device
from dxir.types import ALL_DTYPES, DType


class Foreign:
    """An array of another library: it has DLPack's two methods and no more."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


def test_numpy_takes_a_device_array_without_a_copy() -> None:
    x = to_device(np.arange(6, dtype=np.float32).reshape(2, 3))
    taken = np.from_dlpack(x)  # type: ignore[arg-type]  # the stubs want an optional argument
    np.testing.assert_array_equal(taken, x)
    assert np.shares_memory(taken, x.numpy())
    x.delete()
    assert x.is_deleted
    assert taken[1, 2] == 5


def test_an_exported_array_can_be_donated() -> None:
    double = dxir.compile(
        dxir.load("""
          func.func @main(%x: tensor<4096xf32>) -> tensor<4096xf32> {
            %y = stablehlo.add %x, %x : tensor<4096xf32>
            return %y : tensor<4096xf32>
          }
        """),
        donate=[0],
    )
    x = to_device(np.ones(4096, np.float32))
    taken = np.from_dlpack(x)  # type: ignore[arg-type]  # as above
    np.testing.assert_array_equal(double(x), np.full(4096, 2, np.float32))
    np.testing.assert_array_equal(taken, np.ones(4096, np.float32))
    del x
    assert taken[0] == 1


@pytest.mark.parametrize("dtype", [np.float32, np.int8, np.uint64, np.complex64, np.bool_])
@pytest.mark.parametrize("shape", [(), (0, 3), (2, 3)])
def test_arrays_of_other_libraries_are_taken(dtype: Any, shape: tuple[int, ...]) -> None:
    data = np.ones(shape, dtype)
    placed = to_device(Foreign(data))
    assert placed.dtype == dtype
    np.testing.assert_array_equal(placed, data)


def test_types_that_numpy_cannot_import_are_taken() -> None:
    data = to_device(np.array([1, 2.5, -3], ml_dtypes.bfloat16))
    placed = to_device(Foreign(data))
    assert placed.dtype == ml_dtypes.bfloat16
    np.testing.assert_array_equal(placed, data)


@pytest.mark.parametrize("dtype", [t for t in ALL_DTYPES if t.bits < 8 and not t.is_bool])
def test_types_that_dlpack_lacks_are_an_error_or_right(dtype: DType) -> None:
    try:
        x = to_device(np.zeros(3, dtype.numpy))
    except RuntimeFailure:
        pytest.skip("not in this version of jaxlib")
    if dtype.name == "f4e2m1fn":
        assert type(x.__dlpack__()).__name__ == "PyCapsule"
    else:
        with pytest.raises(DTypeError, match=r"numpy\(\)"):
            x.__dlpack__()


def test_a_deleted_array_is_not_exported() -> None:
    x = to_device(np.ones(4, np.float32))
    x.delete()
    with pytest.raises(RuntimeFailure, match="was deleted"):
        x.__dlpack__()


def test_arrays_of_jax_go_both_ways() -> None:
    jnp = pytest.importorskip("jax.numpy")
    ours = to_device(jnp.arange(4.0, dtype="float32"))
    np.testing.assert_array_equal(ours, np.arange(4, dtype=np.float32))
    theirs = jnp.from_dlpack(ours)
    np.testing.assert_array_equal(np.asarray(theirs), np.asarray(ours))
