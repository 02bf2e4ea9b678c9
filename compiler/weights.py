"""Constants kept beside a module, in an archive where each is named by what it holds.

The name of a constant is `sha256:` and the digest of its type (`f32[2,3]`), a line break and its
data: C order, little-endian, elements below 8 bits in the low bits of one byte each. Equal
constants have one name and are stored once, and whoever reads one knows that it is the right one.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from types import TracebackType
from typing import Any, cast

import numpy as np

from dxir.archives import Format, Item, Span, described, header, read_index, shown
from dxir.constants import constant_type, is_splat, stored_as
from dxir.diagnostics import where_of
from dxir.elements import Array
from dxir.errors import ArgumentError, ArtifactError
from dxir.mlir import IrOperation, decode_type, ir
from dxir.parameters import parameter_attribute
from dxir.reading import function_name, has_body, ops_below
from dxir.types import DType, TensorType
from dxir.whole_files import whole_file

PREFIX = "sha256:"

CONSTANT = "dxir.constant"
"""The attribute of a parameter that stands for the constant whose name is its value."""

_CHUNK_BYTES = 1 << 24
_ALIGNMENT = 64  # of what a device takes as it is


def digest_of(data: Array, dtype: DType, shape: Sequence[int]) -> str:
    """The name of a constant with this data, given as bytes (see the module)."""
    hashed = hashlib.sha256(f"{dtype.name}[{','.join(map(str, shape))}]\n".encode())
    hashed.update(data.data)
    return PREFIX + hashed.hexdigest()


def data_size(dtype: DType, shape: Sequence[int]) -> int:
    """The bytes that a constant takes in an archive."""
    size = dtype.numpy.itemsize
    for dimension in shape:
        size *= dimension
    return size


def large_constants(root: IrOperation, min_bytes: int) -> list[tuple[IrOperation, TensorType]]:
    """The constants below an op that take at least so many bytes and are no splats."""
    found: list[tuple[IrOperation, TensorType]] = []
    for op in ops_below(root, ("stablehlo.constant",)):
        type = constant_type(op)
        if (
            type is not None
            and data_size(stored_as(type), type.static_shape) >= min_bytes
            and not is_splat(op, type)
        ):
            found.append((op, type))
    return found


@dataclass(frozen=True, slots=True)
class Weight:
    """A constant to be stored. `data` gives its bytes, and is called when they are needed."""

    digest: str
    dtype: DType
    shape: tuple[int, ...]
    places: tuple[str, ...]
    data: Callable[[], Array]


def format_of(path: str) -> Format:
    """The layout that a file of that name has: irpa for `.irpa`, safetensors otherwise."""
    return "irpa" if path.lower().endswith(".irpa") else "safetensors"


def has_known_ending(path: str) -> bool:
    """Whether the name of a file tells its layout."""
    return path.lower().endswith((".irpa", ".safetensors"))


def write_weights(
    path: str,
    weights: Sequence[Weight],
    format: Format,
    *,
    overwrite: bool = False,
) -> bool:
    """Write the archive, all of it or nothing; whether it was written.

    A file that holds exactly these constants is left as it is. ArtifactError for any other that
    exists, unless `overwrite`, and for what the system refuses.
    """
    target = Path(path)
    try:
        if target.exists() and not overwrite:
            if _holds(path, weights):
                return False
            raise ArtifactError(
                "the file exists and holds something else",
                where=path,
                hint="name another file, or say overwrite=true",
            )
        _write(target, weights, format)
    except OSError as error:
        raise ArtifactError(
            f"the archive cannot be written: {error.strerror or error}", where=path
        ) from None
    except ValueError as error:  # a NUL in the name, say
        raise ArtifactError(f"{path!r} is not a path: {error}") from None
    return True


def _holds(path: str, weights: Sequence[Weight]) -> bool:
    try:
        with Archive(path) as archive:
            if set(archive.spans) != {w.digest for w in weights}:
                return False
            for weight in weights:
                archive.read(weight.digest, weight.dtype, weight.shape)
    except ArtifactError:
        return False
    return True


def _write(target: Path, weights: Sequence[Weight], format: Format) -> None:
    items = [
        Item(w.digest, w.dtype, w.shape, data_size(w.dtype, w.shape), w.places) for w in weights
    ]
    start, places, size = header(items, format)
    with whole_file(target) as file:
        file.write(start)
        for weight, item, place in zip(weights, items, places, strict=True):
            data = weight.data()
            assert data.nbytes == item.size
            file.seek(place)
            file.write(data.data)
        file.truncate(size)


def call_arguments(entry: IrOperation, path: str, given: Sequence[object]) -> tuple[object, ...]:
    """The arguments of a function: those given, with constants where parameters stand for them.

    ArtifactError for a constant that the archive does not hold, ArgumentError for too few or too
    many arguments.
    """
    name = function_name(entry)
    if not has_body(entry):
        raise ArgumentError(f"@{name} has no body to call", where=where_of(entry.location))
    left = list(given)
    found: list[object] = []
    with Archive(path) as archive:
        for position, parameter in enumerate(entry.regions[0].blocks[0].arguments):
            digest = parameter_attribute(entry, position, CONSTANT)
            if isinstance(digest, ir.StringAttr):
                type = decode_type(parameter.type)
                assert isinstance(type, TensorType)
                where = where_of(parameter.location)
                found.append(archive.read(digest.value, stored_as(type), type.static_shape, where))
            elif left:
                found.append(left.pop(0))
            else:
                raise ArgumentError(f"@{name} takes more than {len(given)} arguments")
    if left:
        raise ArgumentError(f"@{name} takes {len(given) - len(left)} arguments")
    return tuple(found)


class Archive:
    """The constants in a file, open for reading; ArtifactError for a file that is no archive."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._file: BufferedReader | None = None
        try:
            if not stat.S_ISREG(os.stat(path).st_mode):
                raise ArtifactError("this is no file", where=path)
            self._file = open(path, "rb")  # noqa: SIM115  closed by close
            size = os.fstat(self._file.fileno()).st_size
            self.spans: dict[str, Span] = read_index(self._file, size, path)
        except OSError as error:
            self.close()
            raise ArtifactError(
                f"the archive cannot be read: {error.strerror or error}",
                where=path,
                hint="see that the file is there, and who may read it",
            ) from None
        except ValueError as error:
            self.close()
            raise ArtifactError(f"{path!r} is not a path: {error}") from None
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Archive:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def read(
        self, digest: str, dtype: DType, shape: Sequence[int], where: str | None = None
    ) -> Array:
        """The constant of that name, which `where` of the user's refers to.

        ArtifactError that names it when it is missing, of another type, or damaged.
        """
        span = self.spans.get(digest)
        named = f"the constant {digest} of type {dtype.name}{list(shape)}"
        if span is None:
            raise ArtifactError(
                f"{named} is not in {self.path}",
                where=where,
                hint="give the archive that was written with the module",
            )
        expected = data_size(dtype, shape)
        said = shown(f"{span.manifest.get('dtype', '?')}{span.manifest.get('shape', '[?]')}")
        if span.size != expected:
            raise ArtifactError(
                f"{named} has {span.size} bytes in {self.path} where {expected} are needed: "
                f"it is a {said} there",
                where=where,
            )
        data = self._bytes(span, named, where)
        if digest_of(data, dtype, shape) != digest:
            raise ArtifactError(
                f"{named} is not what {self.path} holds under this name: the data is damaged, "
                f"or of another type (it says {said})",
                where=where,
                hint="write the archive again",
            )
        return data.view(dtype.numpy).reshape(tuple(shape))

    def tensor(self, name: str) -> Array:
        """The tensor of a name that is among `spans`, as the archive says it is.

        ArtifactError when it does not say so, or says what its data is not.
        """
        span = self.spans[name]
        named = f"the tensor {shown(repr(name))}"
        try:
            dtype, shape = described(span)
        except ValueError as error:
            raise ArtifactError(f"{named} cannot be read: {error}", where=self.path) from None
        return self._bytes(span, named, None).view(dtype.numpy).reshape(shape)

    def _bytes(self, span: Span, named: str, where: str | None) -> Array:
        assert self._file is not None
        room = np.empty(span.size + _ALIGNMENT, np.uint8)
        start = -room.ctypes.data % _ALIGNMENT
        data = room[start : start + span.size]
        view = memoryview(cast(Any, data))
        try:
            # Not mapped into memory: a file that shrinks meanwhile would end the process.
            self._file.seek(span.offset)
            done = 0
            while done < span.size:
                count = self._file.readinto(view[done : done + _CHUNK_BYTES])
                if not count:
                    raise ArtifactError(f"{named} is cut off in {self.path}", where=where)
                done += count
        except OSError as error:
            raise ArtifactError(
                f"{named} cannot be read from {self.path}: {error.strerror or error}", where=where
            ) from None
        room.flags.writeable = data.flags.writeable = False
        return data
