"""The index of a folder of saved arrays, and the files with their parts."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from dxir.archives import described
from dxir.errors import ArtifactError, DxirError
from dxir.runtime.array import NumpyArray
from dxir.types import DType, TensorType
from dxir.weights import Archive

INDEX = "index.json"
FORMAT = "dxir-arrays 1"
_MOST_INDEX_BYTES = 1 << 28
_BEGINNING = b'{"format": "dxir-arrays'  # of an index, of any version

Slices = tuple[slice, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an array: its file, its name there, and which part it is."""

    file: str
    key: str
    index: Slices

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the part."""
        return tuple([s.stop - s.start for s in self.index])


@dataclass(frozen=True, slots=True)
class Saved:
    """An array of a folder: what it is, and its parts."""

    name: str
    type: TensorType
    parts: tuple[Part, ...]

    def told(self) -> dict[str, Any]:
        """What the index says of it."""
        return {
            "dtype": self.type.dtype.name,
            "shape": list(self.type.static_shape),
            "parts": [
                {
                    "file": part.file,
                    "name": part.key,
                    "start": [s.start for s in part.index],
                    "shape": list(part.shape),
                }
                for part in self.parts
            ],
        }


def read_index(folder: Path) -> dict[str, Saved]:
    """The arrays of a folder by name; ArtifactError where it has none, or its index is damaged."""
    path = folder / INDEX
    try:
        if path.exists() and not path.is_file():
            raise _foreign(folder, f"{INDEX} is no file")
        if path.stat().st_size > _MOST_INDEX_BYTES:
            raise _foreign(folder, "its index is too long")
        text = path.read_text("utf-8")
    except FileNotFoundError:
        problem = f"it has no {INDEX}" if folder.is_dir() else "it is not there"
        raise _foreign(folder, problem) from None
    except (OSError, UnicodeDecodeError, ValueError) as error:
        said = getattr(error, "strerror", None) or error
        raise _foreign(folder, f"its index cannot be read: {said}") from None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise _foreign(folder, f"{INDEX} is damaged") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        said = found.get("format") if isinstance(found, dict) else None
        raise _foreign(folder, f"{INDEX} is of the format {said!r}, and not {FORMAT!r}")
    arrays = found.get("arrays")
    if not isinstance(arrays, dict):
        raise _foreign(folder, f"{INDEX} is damaged")
    return {name: _saved(name, told, folder) for name, told in arrays.items()}


def check_replaceable(folder: Path) -> None:
    """Raise ArtifactError where a folder has an index that is none of saved arrays."""
    path = folder / INDEX
    start = b""
    if path.is_file():
        try:
            with open(path, "rb") as file:
                start = file.read(len(_BEGINNING))
        except OSError as error:
            raise ArtifactError(
                f"{INDEX} cannot be read: {error.strerror or error}", where=str(folder)
            ) from None
    elif not path.exists():
        return
    if not path.is_file() or start not in (b"", _BEGINNING):
        raise ArtifactError(
            f"the folder has an {INDEX} that dxir.save_arrays did not write",
            where=str(folder),
            hint="save to another folder, or remove that file",
        )


def _foreign(folder: Path, problem: str) -> ArtifactError:
    return ArtifactError(
        f"no arrays can be loaded from this folder: {problem}",
        where=str(folder),
        hint="name a folder that dxir.save_arrays wrote",
    )


def _saved(name: str, told: Any, folder: Path) -> Saved:
    try:
        type = TensorType(tuple(_sizes(told["shape"])), DType.of(str(told["dtype"])))
        parts = tuple([_part(part, type) for part in told["parts"]])
        if sum(math.prod(part.shape) for part in parts) != type.size:
            raise ValueError("its parts do not make up the whole")
        if not _are_apart([part for part in parts if 0 not in part.shape]):
            raise ValueError("its parts overlap")
    except (KeyError, TypeError, ValueError, DxirError) as error:
        said = error.message if isinstance(error, DxirError) else str(error)
        raise ArtifactError(
            f"what {INDEX} says of the array {name!r} cannot be: {said}", where=str(folder)
        ) from None
    return Saved(name, type, parts)


def _are_apart(parts: list[Part]) -> bool:
    """Whether no two parts have an element in common."""
    starts = {tuple([s.start for s in part.index]) for part in parts}
    if len(starts) < len(parts):
        return False
    if len({part.shape for part in parts}) < 2 and all(
        start % size == 0
        for part in parts
        for start, size in zip([s.start for s in part.index], part.shape, strict=True)
    ):
        return True
    return not any(
        all(a.start < b.stop and b.start < a.stop for a, b in zip(x.index, y.index, strict=True))
        for x, y in combinations(parts, 2)
    )


def _sizes(told: Any) -> list[int]:
    if not isinstance(told, list) or not all(type(n) is int and n >= 0 for n in told):
        raise ValueError(f"{told!r} are no sizes")
    return told


def _part(told: Any, type: TensorType) -> Part:
    file, key = told["file"], told["name"]
    if not isinstance(file, str) or not isinstance(key, str) or Path(file).name != file:
        raise ValueError(f"{file!r} is no file of this folder")
    start, shape = _sizes(told["start"]), _sizes(told["shape"])
    index = tuple([slice(a, a + n) for a, n in zip(start, shape, strict=True)])
    if len(index) != type.rank or any(
        s.stop > size for s, size in zip(index, type.static_shape, strict=True)
    ):
        raise ValueError("a part lies outside of it")
    return Part(file, key, index)


def _within(common: list[tuple[int, int]], index: Slices) -> Slices:
    """What is common, as seen from within a part."""
    return tuple([slice(a - s.start, b - s.start) for (a, b), s in zip(common, index, strict=True)])


class Reader:
    """The files of a folder, open for reading."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, Archive] = {}

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        for file in self._files.values():
            file.close()

    def read(self, saved: Saved, index: Slices) -> NumpyArray:
        """A part of an array, put together of what the files have of it; read-only."""
        pieces: list[tuple[Slices, NumpyArray]] = []
        for part in saved.parts:
            common = [
                (max(a.start, b.start), min(a.stop, b.stop))
                for a, b in zip(index, part.index, strict=True)
            ]
            if any(low >= high for low, high in common):
                continue
            piece = self._mapped(saved, part)[_within(common, part.index)]
            pieces.append((_within(common, index), piece))
        try:  # only now, when the files are known to have as much
            found = np.empty([s.stop - s.start for s in index], saved.type.dtype.numpy)
        except ValueError as error:
            raise ArtifactError(
                f"what {INDEX} says of the array {saved.name!r} cannot be: {error}",
                where=str(self._folder),
            ) from None
        for to, piece in pieces:
            found[to] = piece
        found.flags.writeable = False
        return found

    def _mapped(self, saved: Saved, part: Part) -> NumpyArray:
        """A part in its file, mapped into memory: what is not looked at is not read."""
        path = str(self._folder / part.file)
        archive = self._files.get(part.file)
        if archive is None:
            archive = self._files.setdefault(part.file, Archive(path))
        span = archive.spans.get(part.key)
        if span is None:
            raise ArtifactError(
                f"the part {part.key!r} of the array {saved.name!r} is not in this file",
                where=path,
                hint=f"the file belongs to another save than {INDEX}",
            )
        try:
            dtype, shape = described(span)
        except ValueError as error:
            raise ArtifactError(f"{part.key!r} cannot be read: {error}", where=path) from None
        if dtype.name != saved.type.dtype.name or shape != part.shape:
            raise ArtifactError(
                f"{part.key!r} is {TensorType(shape, dtype)} in this file, and "
                f"{TensorType(part.shape, saved.type.dtype)} in {INDEX}",
                where=path,
            )
        if not math.prod(shape):
            return np.empty(shape, dtype.numpy)
        try:
            mapped = np.memmap(path, np.uint8, "r", span.offset, (span.size,))
        except (OSError, ValueError) as error:
            raise ArtifactError(f"the file cannot be read: {error}", where=path) from None
        return mapped.view(np.ndarray).view(dtype.numpy).reshape(shape)
