"""Layouts of archives of named tensors: safetensors, and IREE's parameter archive (irpa).

Only what surrounds the data: writing gives the header and the place of each tensor, reading an
index that has been checked against the size of the file. Both are little-endian.

safetensors (https://github.com/huggingface/safetensors): the length of the header, the header in
JSON, the tensors one after the other. An element type it has no name for is stored as its bytes,
`U8` with one more dimension. Its NumPy interface reads neither bf16 nor f8 and knows no i4, hence
this module.

irpa (iree/schemas/parameter_archive.h): a header, a table of entries, a segment of names and
metadata, and a storage segment in which every tensor is aligned.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Any, Literal

from dxir.errors import ArtifactError
from dxir.types import ALL_DTYPES, DType

Format = Literal["safetensors", "irpa"]

MANIFEST = "dxir"
"""The name of the manifest in the metadata of a safetensors file."""

_MOST_HEADER_BYTES = 100_000_000  # the limit of the safetensors library, too
_MOST_ENTRIES = 1_000_000
_MOST_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Item:
    """A tensor to be written: `size` is in bytes, `places` says where it was found."""

    name: str
    dtype: DType
    shape: tuple[int, ...]
    size: int
    places: tuple[str, ...] = ()

    @property
    def manifest(self) -> dict[str, Any]:
        """What is written of the tensor beside its data."""
        return {"dtype": self.dtype.name, "shape": list(self.shape), "places": list(self.places)}


@dataclass(frozen=True, slots=True)
class Span:
    """Where a tensor lies in its file, in bytes, and what the archive says of it."""

    offset: int
    size: int
    manifest: dict[str, Any]


_SAFETENSORS = {
    "i1": "BOOL", "i8": "I8", "i16": "I16", "i32": "I32", "i64": "I64",
    "ui8": "U8", "ui16": "U16", "ui32": "U32", "ui64": "U64",
    "f16": "F16", "bf16": "BF16", "f32": "F32", "f64": "F64", "c64": "C64",
    "f8e4m3fn": "F8_E4M3", "f8e5m2": "F8_E5M2", "f8e8m0fnu": "F8_E8M0",
    "f8e4m3fnuz": "F8_E4M3FNUZ", "f8e5m2fnuz": "F8_E5M2FNUZ",
}  # fmt: skip


_NAMED = {format: dtype for dtype, format in _SAFETENSORS.items()}


def described(span: Span) -> tuple[DType, tuple[int, ...]]:
    """The element type and shape that the archive says a tensor has.

    Raises ValueError for what is none, or does not fit the size of its data.
    """
    name, shape = span.manifest.get("dtype"), span.manifest.get("shape")
    if not isinstance(name, str) or not isinstance(shape, list):
        raise ValueError("no element type and shape are given")
    if not all(type(size) is int and size >= 0 for size in shape):
        raise ValueError(f"the shape {shown(str(shape))} is none")
    known = _NAMED.get(name, name)
    if known not in _SAFETENSORS and known not in {t.name for t in ALL_DTYPES}:
        raise ValueError(f"the element type {shown(name)} is not read")
    dtype = DType.of(known)
    if math.prod(shape) * dtype.numpy.itemsize != span.size:
        raise ValueError(f"{span.size} bytes are no {shown(f'{name}{shape}')}")
    return dtype, tuple(shape)


def header(items: Sequence[Item], format: Format) -> tuple[bytes, list[int], int]:
    """The start of an archive, where the data of each item goes, and the size of the file."""
    return _safetensors_header(items) if format == "safetensors" else _irpa_header(items)


def _safetensors_header(items: Sequence[Item]) -> tuple[bytes, list[int], int]:
    manifest = {"version": 1, "constants": {item.name: item.manifest for item in items}}
    entries: dict[str, Any] = {
        "__metadata__": {"format": MANIFEST, MANIFEST: json.dumps(manifest, sort_keys=True)}
    }
    ends: dict[str, int] = {}
    end = 0
    # Wide elements first, so that all are aligned without gaps, which the format has not.
    for item in sorted(items, key=lambda i: (-i.dtype.numpy.itemsize, i.name)):
        known = _SAFETENSORS.get(item.dtype.name)
        entries[item.name] = {
            "dtype": known or "U8",
            "shape": list(item.shape) if known else [*item.shape, item.dtype.numpy.itemsize],
            "data_offsets": [end, end + item.size],
        }
        ends[item.name] = end
        end += item.size
    text = json.dumps(entries, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    start = 8 + len(text)
    head = struct.pack("<Q", len(text)) + text
    return head, [start + ends[item.name] for item in items], start + end


_IRPA_MAGIC = b"IRPA"
# Magic, major and minor version, size of the header, next header, flags; how many entries; offset
# and length of the entries, the names and the storage.
_IRPA_HEADER = struct.Struct("<4sHHQQQQQQQQQQ")
# Size, kind, flags; offset and length of the name, and of the metadata; alignment.
_IRPA_ENTRY = struct.Struct("<QIQQQQQQ")
_IRPA_RANGE = struct.Struct("<QQ")
_IRPA_DATA = 2
_IRPA_ALIGNMENT = 64
_IRPA_PAGE = 4096


def _aligned(size: int, alignment: int) -> int:
    return -(-size // alignment) * alignment


def _irpa_header(items: Sequence[Item]) -> tuple[bytes, list[int], int]:
    table, names, storage = bytearray(), bytearray(), 0
    starts: list[int] = []
    size = _IRPA_ENTRY.size + _IRPA_RANGE.size
    for item in items:
        name, manifest = item.name.encode(), json.dumps(item.manifest, sort_keys=True).encode()
        table += bytes(-len(table) % 16)
        at = len(names)
        table += _IRPA_ENTRY.pack(
            size, _IRPA_DATA, 0, at, len(name), at + len(name), len(manifest), _IRPA_ALIGNMENT
        )
        table += _IRPA_RANGE.pack(storage, item.size)
        names += name + manifest
        starts.append(storage)
        storage = _aligned(storage + item.size, _IRPA_ALIGNMENT)
    entries_at = _aligned(_IRPA_HEADER.size, 16)
    names_at = entries_at + len(table)
    storage_at = _aligned(names_at + len(names), _IRPA_ALIGNMENT)
    head = _IRPA_HEADER.pack(
        _IRPA_MAGIC, 0, 0, _IRPA_HEADER.size, 0, 0, len(items),
        *(entries_at, len(table), names_at, len(names), storage_at, storage),
    )  # fmt: skip
    start = bytearray(storage_at)
    start[: len(head)] = head
    start[entries_at:names_at] = table
    start[names_at : names_at + len(names)] = names
    return (
        bytes(start),
        [storage_at + s for s in starts],
        _aligned(storage_at + storage, _IRPA_PAGE),
    )


def read_index(file: IO[bytes], size: int, path: str) -> dict[str, Span]:
    """Where each tensor of an archive of `size` bytes lies, by name.

    Raises ArtifactError for what is neither layout, damaged, or leads out of the file.
    """
    start = file.read(8)
    if len(start) < 8:
        raise _damaged(path, f"it has only {size} bytes")
    if start.startswith(_IRPA_MAGIC):
        return _Irpa(file, size, path).index()
    return _read_safetensors(file, struct.unpack("<Q", start)[0], size, path)


def shown(text: str) -> str:
    """What a file says, at a length fit for a message."""
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."


def _damaged(path: str, problem: str) -> ArtifactError:
    return ArtifactError(
        f"the archive cannot be read: {problem}",
        where=path,
        hint="it is damaged, or neither a safetensors file nor an IREE parameter archive",
    )


def _exactly(file: IO[bytes], size: int, path: str) -> bytes:
    data = file.read(size)
    if len(data) != size:
        raise _damaged(path, f"it ends {size - len(data)} bytes early")
    return data


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name is there twice")
    return found


def _json(data: bytes) -> dict[str, Any]:
    """The object that JSON text holds; ValueError for anything else."""
    try:
        found = json.loads(data.decode("utf-8"), parse_constant=_refused, object_pairs_hook=_unique)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    if not isinstance(found, dict):
        raise ValueError("it is no object")
    return found


def _read_safetensors(file: IO[bytes], length: int, size: int, path: str) -> dict[str, Span]:
    if length > min(_MOST_HEADER_BYTES, size - 8):
        raise _damaged(path, f"a header of {length} bytes in a file of {size}")
    try:
        entries = _json(_exactly(file, length, path))
        metadata = entries.pop("__metadata__", {})
        manifests = _manifests(metadata)
    except ValueError as error:
        raise _damaged(path, f"its header is not as it should be: {error}") from None
    start = 8 + length
    found: dict[str, Span] = {}
    for name, entry in entries.items():
        offsets = entry.get("data_offsets") if isinstance(entry, dict) else None
        if (
            not isinstance(offsets, list)
            or len(offsets) != 2
            or not all(type(o) is int for o in offsets)
            or not 0 <= offsets[0] <= offsets[1] <= size - start
        ):
            raise _damaged(
                path,
                f"the place of {shown(repr(name))} is {shown(repr(offsets))}, not within the file",
            )
        said = manifests.get(name, entry)
        said = said if isinstance(said, dict) else {}
        found[name] = Span(start + offsets[0], offsets[1] - offsets[0], said)
    _refuse_overlaps(found, path)
    return found


def _manifests(metadata: Any) -> dict[str, Any]:
    text = metadata.get(MANIFEST) if isinstance(metadata, dict) else None
    if not isinstance(text, str):
        return {}
    found = _json(text.encode("utf-8", "surrogatepass")).get("constants")
    return found if isinstance(found, dict) else {}


def _refuse_overlaps(spans: dict[str, Span], path: str) -> None:
    last: tuple[int, str] = (0, "")
    for name, span in sorted(spans.items(), key=lambda s: (s[1].offset, s[1].size)):
        if span.size and span.offset < last[0]:
            raise _damaged(path, f"{shown(repr(last[1]))} and {shown(repr(name))} overlap")
        last = max(last, (span.offset + span.size, name))


class _Irpa:
    def __init__(self, file: IO[bytes], size: int, path: str) -> None:
        self.file, self.size, self.path = file, size, path

    def index(self) -> dict[str, Span]:
        self.file.seek(0)
        fields = _IRPA_HEADER.unpack(_exactly(self.file, _IRPA_HEADER.size, self.path))
        _, major, minor, _, following, _, count, *segments = fields
        if (major, minor) != (0, 0) or following:
            kind = f"version {major}.{minor}" if (major, minor) != (0, 0) else "a chain of archives"
            raise ArtifactError(
                f"the archive is {kind} of irpa, which is not read here",
                where=self.path,
                hint="write it as one archive: iree-convert-parameters does",
            )
        entries_at, entries, names_at, names, storage_at, storage = segments
        for what, at, length in (
            ("entries", entries_at, entries),
            ("names", names_at, names),
            ("data", storage_at, storage),
        ):
            if at + length > self.size or (what != "data" and length > _MOST_HEADER_BYTES):
                raise _damaged(self.path, f"its {what} are {length} bytes from {at} on")
        if count > _MOST_ENTRIES:
            raise _damaged(self.path, f"{count} entries")
        self.names = self._segment(names_at, names)
        table = self._segment(entries_at, entries)
        found: dict[str, Span] = {}
        at = 0
        for _ in range(count):
            at = self._entry(table, at, storage_at, storage, found)
        _refuse_overlaps(found, self.path)
        return found

    def _segment(self, at: int, length: int) -> bytes:
        self.file.seek(at)
        return _exactly(self.file, length, self.path)

    def _entry(
        self, table: bytes, at: int, storage_at: int, storage: int, found: dict[str, Span]
    ) -> int:
        """Read the entry at `at` into `found`; gives the place of the next one."""
        if at + _IRPA_ENTRY.size > len(table):
            raise _damaged(self.path, "its entries are cut off")
        size, kind, _, *refs, _ = _IRPA_ENTRY.unpack_from(table, at)
        if size < _IRPA_ENTRY.size or at + size > len(table):
            raise _damaged(self.path, f"an entry of {size} bytes")
        if kind == _IRPA_DATA:
            if size < _IRPA_ENTRY.size + _IRPA_RANGE.size:
                raise _damaged(self.path, f"an entry of {size} bytes")
            start, length = _IRPA_RANGE.unpack_from(table, at + _IRPA_ENTRY.size)
            name = self._text(refs[0], refs[1])
            if start + length > storage:
                raise _damaged(
                    self.path, f"{shown(repr(name))} is {length} bytes from {start} on, outside"
                )
            if name in found:
                raise _damaged(self.path, f"{shown(repr(name))} is there twice")
            try:
                said = _json(self._bytes(refs[2], refs[3])) if refs[3] else {}
            except ValueError:
                said = {}  # metadata is what its writer likes
            found[name] = Span(storage_at + start, length, said)
        # What is not data is no constant of a module: erased, a pattern, or in another file.
        return _aligned(at + size, 16)

    def _bytes(self, at: int, length: int) -> bytes:
        if at + length > len(self.names):
            raise _damaged(self.path, "a name lies outside of its segment")
        return self.names[at : at + length]

    def _text(self, at: int, length: int) -> str:
        return self._bytes(at, length).decode("utf-8", "backslashreplace")
