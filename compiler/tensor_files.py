"""Arrays in the files that other programs read and write: .npy, .npz, .safetensors and .irpa.

NumPy's formats have no names for the small element types (bf16, f8, i4, ...). They are written as
unsigned integers of the same width, the bits of each element; `as_type` takes these, and the
nameless elements (`V2`) that NumPy itself writes of them, for what a program says they are.
"""

from __future__ import annotations

import contextlib
import os
import stat
import zipfile
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np

from dxir.errors import ArtifactError
from dxir.types import ALL_DTYPES, DType
from dxir.weights import Archive, Weight, write_weights
from dxir.whole_files import whole_file

Array = np.ndarray[Any, Any]

ENDINGS = (".npy", ".npz", ".safetensors", ".irpa")
"""How the names of files end that hold arrays."""

_MAPPED_BYTES = 1 << 20  # larger arrays are mapped into memory instead of read
_MEMBER = ".npy"
_KNOWN = frozenset(t.numpy for t in ALL_DTYPES)
_DATE = (1980, 1, 1, 0, 0, 0)  # equal arrays make equal files


def as_type(array: Array, dtype: DType) -> tuple[Array, bool]:
    """The array as one of that element type where it is one, and whether only by its bits.

    An array of another type comes back as it is.
    """
    wanted = dtype.numpy
    native = array.dtype.newbyteorder("=")
    if native == wanted:
        return (_clean(array), False) if dtype.is_bool else (array, False)
    if wanted.isbuiltin == 1 or array.dtype.fields or array.dtype.itemsize != wanted.itemsize:
        return array, False
    is_nameless = array.dtype.kind == "V" and native not in _KNOWN
    if is_nameless or array.dtype.kind == "u":
        plain = array.astype(native, copy=False)
        return np.asarray(plain, order="C").view(wanted), True
    return array, False


def _clean(array: Array) -> Array:
    """Truth values as 0 and 1, which a file may have other bytes for."""
    bits = array.view(np.uint8)
    return bits != 0 if bits.size and bits.max() > 1 else array


def stored(array: Array) -> Array:
    """The array as NumPy's formats hold it: by its bits, where they have no name for its type."""
    if array.dtype.isbuiltin == 1:
        return array
    return np.asarray(array, order="C").view(f"u{array.dtype.itemsize}")


def read_npy(path: str) -> Array:
    """The array of a .npy file; large ones are mapped, read-only, and must not shrink meanwhile.

    Raises ArtifactError for a file that is not there, or holds something else.
    """
    size = _size(path)
    with _reading(path, "the array"):
        if size > _MAPPED_BYTES:
            mapped: Array = np.load(path, mmap_mode="r", allow_pickle=False)
            return mapped.view(np.ndarray)
        with open(path, "rb") as file:
            return _array(file)


def _array(file: IO[bytes]) -> Array:
    found: Array = np.lib.format.read_array(file, allow_pickle=False)
    return found


def _size(path: str) -> int:
    try:
        found = os.stat(path)
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or error
        raise ArtifactError(f"the file cannot be read: {said}", where=path) from None
    if not stat.S_ISREG(found.st_mode):
        kind = "a folder" if stat.S_ISDIR(found.st_mode) else "no file that can be read twice"
        raise ArtifactError(f"this is {kind}", where=path, hint="name a file with arrays")
    return found.st_size


@contextlib.contextmanager
def _reading(path: str, what: str) -> Generator[None]:
    try:
        yield
    except ArtifactError:
        raise
    except OSError as error:
        raise ArtifactError(
            f"{what} cannot be read: {error.strerror or error}", where=path
        ) from None
    except Exception as error:  # noqa: BLE001  whatever the readers raise over a damaged file
        said = str(error).strip().partition("\n")[0] or type(error).__name__
        hint = "object arrays are not read" if "allow_pickle" in said else None
        raise ArtifactError(
            f"{what} cannot be read: {said.partition('allow_pickle')[0].rstrip(' :')}",
            where=path,
            hint=hint or "it is damaged, or of another format than its name says",
        ) from None


class TensorFile:
    """The named arrays of a .npz, .safetensors or .irpa file, open for reading.

    ArtifactError for a file that is none of these.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._archive: Archive | None = None
        self._zip: zipfile.ZipFile | None = None
        if not path.lower().endswith(".npz"):
            self._archive = Archive(path)
            self.names: tuple[str, ...] = tuple(self._archive.spans)
            return
        _size(path)
        with _reading(path, "the archive"):
            self._zip = zipfile.ZipFile(path)
        members = self._zip.namelist()
        self.names = tuple(m.removesuffix(_MEMBER) for m in members if m.endswith(_MEMBER))
        if len(set(self.names)) != len(self.names):
            self.close()
            raise ArtifactError("the archive has two arrays of one name", where=path)

    def __enter__(self) -> TensorFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        for file in (self._archive, self._zip):
            if file is not None:
                file.close()

    def read(self, name: str) -> Array:
        """The array of a name that is among `names`; ArtifactError when it is damaged."""
        if self._archive is not None:
            return self._archive.tensor(name)
        assert self._zip is not None
        with _reading(self.path, f"the array {name!r}"), self._zip.open(name + _MEMBER) as file:
            return _array(file)


def write_npy(path: str, array: Array) -> None:
    """Write a .npy file, whole or not at all; ArtifactError when the system refuses."""
    _write(path, lambda file: _put(file, array))


def write_npz(path: str, arrays: Mapping[str, Array]) -> None:
    """Write a .npz file, whole or not at all; ArtifactError when the system refuses."""

    def write(file: IO[bytes]) -> None:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            for name, array in arrays.items():
                member = zipfile.ZipInfo(name + _MEMBER, _DATE)
                with archive.open(member, "w", force_zip64=True) as part:
                    _put(part, array)

    _write(path, write)


def _put(file: IO[bytes], array: Array) -> None:
    np.lib.format.write_array(file, stored(array), allow_pickle=False)


def write_safetensors(path: str, arrays: Mapping[str, Array]) -> None:
    """Write a .safetensors file, whole or not at all; ArtifactError when the system refuses.

    Element types that the format has no name for are written as their bytes, and what they are is
    noted, so that `TensorFile` reads them as they were.
    """
    weights = [
        Weight(name, DType.of(array.dtype), array.shape, (), _bytes_of(array))
        for name, array in arrays.items()
    ]
    write_weights(path, weights, "safetensors", overwrite=True)


def _bytes_of(array: Array) -> Callable[[], Array]:
    return lambda: np.asarray(array, order="C").reshape(-1).view(np.uint8)


def _write(path: str, write: Callable[[IO[bytes]], None]) -> None:
    try:
        with whole_file(Path(path), synced=False) as file:
            write(file)
    except OSError as error:
        raise ArtifactError(
            f"the file cannot be written: {error.strerror or error}", where=path
        ) from None
