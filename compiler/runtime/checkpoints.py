"""Arrays saved to a folder, in parts as they lie on devices, and loaded as they are to lie.

The folder has a safetensors file for each process that had something to write, and `index.json`,
which says for each array its type and where each of its parts is. Names of files are new with each
save, and the index is replaced at the end, at once: until then the folder holds what it held.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import re
import secrets
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dxir.errors import ArgumentError, ArtifactError, DxirError, RuntimeFailure
from dxir.locations import caller_location
from dxir.partition_spec import P, resolved
from dxir.runtime.array import Array, NumpyArray
from dxir.runtime.distributed import session
from dxir.runtime.keeping import key_of
from dxir.runtime.part_files import (
    FORMAT,
    INDEX,
    Part,
    Reader,
    Saved,
    check_replaceable,
    read_index,
)
from dxir.runtime.pjrt import Device, DeviceArray, Placement, check_divides, placement_for
from dxir.sharding import Sharding
from dxir.tensor_files import write_safetensors
from dxir.types import TensorType
from dxir.whole_files import write_whole

_OURS = re.compile(r"\.?[0-9a-f]{16}-[0-9]{5}\.safetensors(-\d+-[0-9a-f]+\.part)?")
_RESERVED = "__metadata__"  # of safetensors


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of an array, whose process writes it, and where it is to be found."""

    rank: int
    index: tuple[slice, ...]
    key: str


def save_arrays(folder: str | os.PathLike[str], arrays: Mapping[str, Any]) -> None:
    """Save arrays to a folder, in place of what was saved there.

    They are arrays on devices, each part of which is written once, by a process that has it, or
    NumPy's. With several processes all of them call this, with the same names; the folder is one
    that all of them see. It holds what it held before until all is written. Raises ArgumentError
    for what is no array, ArtifactError when the files cannot be written, another program saves to
    the folder just now, or has an index of its own there.
    """
    place = _folder(folder)
    if not isinstance(arrays, Mapping):
        raise ArgumentError(
            f"a {type(arrays).__name__} has no arrays by name", hint='as in: {"x": array}'
        )
    named = {_checked(name): array for name, array in arrays.items()}
    given = {name: _array(name, named[name]) for name in sorted(named)}
    found = session.current()
    rank = 0 if found is None else found.settings.rank
    token = _together("saving arrays", {"token": secrets.token_hex(8), **_told(place, given)})
    plan = _plan(given)
    with contextlib.ExitStack() as kept:
        try:
            _each(place, lambda: _write_part(place, token, rank, _mine(given, plan, rank), kept))
            _each(place, lambda: _write_index(place, token, given, plan) if rank == 0 else None)
        except DxirError:  # after others, the index may name this file
            with contextlib.suppress(OSError):
                os.unlink(place / _file(token, rank))
            raise


def load_arrays(
    folder: str | os.PathLike[str],
    placements: Mapping[str, Placement | Sharding | P | Device | None] | None = None,
) -> dict[str, DeviceArray | NumpyArray]:
    """The arrays of a folder that `save_arrays` wrote, placed as they are to lie.

    `placements` names those that are wanted, each with its placement, or with None for a NumPy
    array; all of them as NumPy arrays by default. It need not be how they lay when they were saved:
    a process reads what its devices are to have, and no more. Raises ArtifactError for a folder or
    file that is missing, damaged or none of dxir's, ShardingError and ArgumentError for placements
    that an array does not fit.
    """
    place = _folder(folder)
    if placements is not None and not isinstance(placements, Mapping):
        raise ArgumentError(
            f"a {type(placements).__name__} does not say which array is to lie where",
            where=caller_location(),
            hint='as in: {"x": P("data"), "step": None}, where None gives a NumPy array',
        )
    while True:
        saved = read_index(place)
        try:
            return _loaded_all(place, saved, placements)
        except ArtifactError:
            if read_index(place) == saved:
                raise
            # Somebody saved meanwhile, and removed what this index names.


def _loaded_all(
    place: Path,
    saved: Mapping[str, Saved],
    placements: Mapping[str, Placement | Sharding | P | Device | None] | None,
) -> dict[str, DeviceArray | NumpyArray]:
    wanted = dict.fromkeys(saved) if placements is None else dict(placements)
    missing = [name for name in wanted if name not in saved]
    if missing:
        there = ", ".join(list(saved)[:8]) + (", ..." if len(saved) > 8 else "")
        raise ArtifactError(
            f"no array {missing[0]!r} was saved there", where=str(place), hint=f"there are {there}"
        )
    with Reader(place) as reader:
        return {name: _loaded(reader, saved[name], to) for name, to in wanted.items()}


def _loaded(
    reader: Reader, saved: Saved, to: Placement | Sharding | P | Device | None
) -> DeviceArray | NumpyArray:
    type = saved.type
    if to is None:
        return reader.read(saved, tuple([slice(0, size) for size in type.static_shape]))
    where: Placement | Sharding | Device | None = resolved(to, rank=type.rank)
    if isinstance(where, Sharding):
        check_divides(where, type, f"the array {saved.name!r},")
    place = placement_for(where)
    if not place.divides(type):
        raise ArgumentError(
            f"{saved.name!r}, {type}, cannot be divided {place}",
            hint="the sizes must be multiples of the numbers of parts",
        )
    slices = place.slices(type)
    read: dict[str, NumpyArray] = {}
    pieces: list[NumpyArray] = []
    for i in place.local:
        key = repr(slices[i])
        if key not in read:
            read[key] = reader.read(saved, slices[i])
        pieces.append(read[key])
    return DeviceArray(place.put_parts(pieces, type, alias=False), type, place)


def _folder(given: Any) -> Path:
    try:
        text = os.fspath(given)
    except TypeError:
        text = ""
    if not isinstance(text, str) or not text or "\0" in text:
        raise ArgumentError(f"{given!r} is no folder", hint="give its path, as a text or a Path")
    return Path(text)


def _checked(name: Any) -> str:
    if not isinstance(name, str) or not name or name == _RESERVED:
        raise ArgumentError(f"an array cannot be saved as {name!r}", hint="give it another name")
    return name


def _array(name: str, given: Any) -> DeviceArray | NumpyArray:
    if isinstance(given, DeviceArray):
        if given.is_deleted:
            raise ArgumentError(
                f"the array {name!r} was deleted", hint="it was donated to a call: use the result"
            )
        return given
    if isinstance(given, Array | np.ndarray | np.generic):
        data = np.asarray(given)
        TensorType.of_array(data)  # DTypeError for what is no element type
        return data.astype(data.dtype.newbyteorder("="), copy=False)
    raise ArgumentError(
        f"{name!r} is a {type(given).__name__}, and no array",
        hint="give arrays on devices, or NumPy's",
    )


def _type_of(array: DeviceArray | NumpyArray) -> TensorType:
    return array.type if isinstance(array, DeviceArray) else TensorType.of_array(array)


def _told(place: Path, given: Mapping[str, DeviceArray | NumpyArray]) -> dict[str, Any]:
    types = {name: str(_type_of(array)) for name, array in given.items()}
    return {"folder": place.name, "arrays": types}


def _together(what: str, mine: dict[str, Any]) -> str:
    """The token of process 0; RuntimeFailure unless the processes save the same arrays."""
    found = session.current()
    if found is None:
        return str(mine["token"])
    token, *_ = found.channel.exchange(f"{what}: their names", str(mine["token"]))
    arrays: dict[str, str] = mine["arrays"]
    some = ", ".join(f"{name}: {type}" for name, type in list(arrays.items())[:6])
    described = f"{len(arrays)} ({some}{', ...' if len(arrays) > 6 else ''}) in {mine['folder']}"
    found.agree(what, key_of([("arrays", json.dumps(mine["arrays"]).encode())]), described)
    return token


def _plan(given: Mapping[str, DeviceArray | NumpyArray]) -> dict[str, list[_Piece]]:
    """Which process writes which parts, and under which names; the same in all processes."""
    plan: dict[str, list[_Piece]] = {}
    taken: set[str] = set(given)
    for name, array in given.items():
        owners: dict[str, tuple[int, tuple[slice, ...]]] = {}
        if isinstance(array, DeviceArray):
            place = array.placement
            alone = session.current() is None
            for device, index in zip(place.devices, place.slices(array.type), strict=True):
                owners.setdefault(repr(index), (0 if alone else device.process, index))
        else:
            owners["all"] = (0, tuple([slice(0, size) for size in array.shape]))
        pieces: list[_Piece] = []
        for rank, index in owners.values():
            key = name
            if len(owners) > 1:
                key = f"{name}[{','.join(f'{s.start}:{s.stop}' for s in index)}]"
                while key in taken:
                    key += "'"
                taken.add(key)
            pieces.append(_Piece(rank, index, key))
        plan[name] = pieces
    return plan


def _mine(
    given: Mapping[str, DeviceArray | NumpyArray], plan: Mapping[str, list[_Piece]], rank: int
) -> dict[str, NumpyArray]:
    """What this process writes."""
    mine: dict[str, NumpyArray] = {}
    for name, pieces in plan.items():
        array = given[name]
        own = {repr(piece.index): piece.key for piece in pieces if piece.rank == rank}
        if not isinstance(array, DeviceArray):
            mine.update(dict.fromkeys(own.values(), array))
        elif own:
            for shard in array.local_shards():
                key = own.get(repr(shard.index))
                if key is not None:
                    mine[key] = shard.data
    return mine


_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)


@contextlib.contextmanager
def _locked(place: Path) -> Generator[None]:
    """Keep others from saving to the folder: each would remove what the other is writing."""
    try:
        folder = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:  # it says more when something is written to it
        yield
        return
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(folder)
        raise ArtifactError(
            "another program is saving arrays to this folder",
            where=str(place),
            hint="give each its own; processes that save together call dxir.distributed.initialize",
        ) from None
    except OSError as error:  # a file system without locks is taken as it is
        if error.errno not in _NO_LOCKS:
            os.close(folder)
            raise ArtifactError(
                f"the folder cannot be locked: {error.strerror or error}", where=str(place)
            ) from None
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            fcntl.flock(folder, fcntl.LOCK_UN)  # of forked processes, too
        os.close(folder)


def _write_part(
    place: Path, token: str, rank: int, mine: Mapping[str, NumpyArray], kept: contextlib.ExitStack
) -> None:
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArtifactError(
            f"the folder cannot be made: {error.strerror or error}", where=str(place)
        ) from None
    if rank == 0:
        kept.enter_context(_locked(place))
        check_replaceable(place)
    if mine:
        write_safetensors(str(place / _file(token, rank)), mine)


def _write_index(
    place: Path,
    token: str,
    given: Mapping[str, DeviceArray | NumpyArray],
    plan: Mapping[str, list[_Piece]],
) -> None:
    """Make what was written what the folder holds, and remove what it held."""
    saved = [
        Saved(
            name,
            _type_of(given[name]),
            tuple([Part(_file(token, p.rank), p.key, p.index) for p in pieces]),
        )
        for name, pieces in plan.items()
    ]
    files = {part.file for array in saved for part in array.parts}
    unseen = sorted(name for name in files if not (place / name).is_file())
    if unseen:
        raise ArtifactError(
            f"process 0 does not see {unseen[0]}, which another process wrote",
            where=str(place),
            hint="all processes save to one folder, on a file system that all machines share",
        )
    text = json.dumps({"format": FORMAT, "arrays": {a.name: a.told() for a in saved}})
    try:
        write_whole(place / INDEX, (text.encode(),))
    except OSError as error:
        raise ArtifactError(
            f"the index cannot be written: {error.strerror or error}", where=str(place)
        ) from None
    with contextlib.suppress(OSError):
        for name in os.listdir(place):
            if _OURS.fullmatch(name) and name not in files:
                with contextlib.suppress(OSError):
                    os.unlink(place / name)


def _file(token: str, rank: int) -> str:
    return f"{token}-{rank:05}.safetensors"


def _each(place: Path, act: Callable[[], None]) -> None:
    """Do a step in all processes; when it fails in one, all of them raise the error."""
    found = session.current()
    if found is None:
        act()
        return
    failed: DxirError | None = None
    try:
        act()
    except DxirError as error:
        failed = error
    told = found.channel.exchange("saving arrays", "" if failed is None else failed.message)
    if failed is not None:
        raise failed
    for rank, problem in enumerate(told):
        if problem:
            raise RuntimeFailure(
                f"{found.channel.names[rank]} cannot save its part: {problem}",
                where=str(place),
                hint="the folder holds what it held before",
            )
