"""Executables in files: compiled here, run by another process on a machine of the same kind.

A file is machine code: load only what you would run. It is examined as far as that can be done
without running anything: the checksum over all of it, the versions, the processor, the custom
calls, the devices.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from dxir.errors import ArtifactError, DxirError, TargetError
from dxir.json_types import read_type, type_json
from dxir.mlir import jaxlib_version
from dxir.runtime import pjrt
from dxir.runtime.devices import finished
from dxir.runtime.entry import Entry
from dxir.runtime.executable import Executable
from dxir.runtime.keeping import dxir_version
from dxir.runtime.machine import Machine, this_machine
from dxir.runtime.plugins import client_of
from dxir.runtime.sealed import Description, SealError, seal, unseal
from dxir.types import TensorType
from dxir.whole_files import write_whole

_KIND = b"saved"


def save_executable(executable: pjrt.PjrtExecutable, path: str | os.PathLike[str]) -> None:
    """Write an executable to a file, in whole or not at all; see `Executable.save`."""
    loaded, assignment = executable.loaded, executable.assignment
    place = Path(path)
    client = assignment.client
    if assignment.is_shared:
        raise TargetError(
            f"{executable.target} cannot write an executable that runs on several processes",
            where=str(place),
            hint="keep the program: Program.serialize writes it, dxir.load reads it",
        )
    try:
        data = pjrt.serialize(loaded)
    except pjrt.XlaError as error:
        reason = str(error).splitlines()[0]
        raise TargetError(f"{executable.target} cannot write this executable: {reason}") from None
    donated = pjrt.donated_in(loaded)
    calls = pjrt.calls_in(loaded)
    if client.platform == pjrt.CPU:
        calls &= pjrt.registered_calls()  # the others are XLA's own
    description = {
        "target": executable.target,
        "platform": client.platform,
        "platform_version": client.version,
        "devices": [d.id for d in assignment.devices],
        "device_kind": assignment.devices[0].kind,
        "replicas": assignment.replicas,
        "parameters": [
            {"type": type_json(p.type), "name": p.name, "donated": p.index in donated}
            for p in executable.parameters
        ],
        "results": [type_json(t) for t in executable.results],
        "calls": sorted(calls),
        "machine": this_machine().to_json(),
        "jaxlib": jaxlib_version,
        "dxir": dxir_version(),
        "created": round(time.time()),
    }
    try:
        write_whole(place, seal(_KIND, description, data))
    except (OSError, ValueError) as error:  # a name that cannot be one
        why = getattr(error, "strerror", None) or error
        raise ArtifactError(f"the executable cannot be written: {why}", where=str(place)) from None


def load_executable(path: str | os.PathLike[str]) -> Executable:
    """The executable that `Executable.save` wrote to a file, ready to be called.

    The file is machine code, and as trusted as a program is that you start. Raises ArtifactError
    for a file that is none of these or is damaged, and TargetError where it does not fit: another
    version of jaxlib, a processor that lacks what the code needs (naming it), too few devices, or a
    custom call whose routine is not registered in this process.
    """
    where = os.fsdecode(path)
    description, data = _read(where)
    try:
        return _loaded(description, data, where)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        # The checksum holds: whoever wrote it meant something that this version does not know.
        raise ArtifactError(
            f"the file describes an executable in a way this version of dxir cannot read: {error}",
            where=where,
            hint=f"it was written by dxir {description.get('dxir')}; save it anew",
        ) from None


def _read(where: str) -> tuple[Description, bytes]:
    try:
        if not Path(where).is_file():  # a pipe would never end
            raise ArtifactError("there is no such file", where=where)
        return unseal(_KIND, Path(where).read_bytes())
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise ArtifactError(f"the executable cannot be read: {why}", where=where) from None
    except SealError as error:
        raise ArtifactError(
            f"the file {error}",
            where=where,
            hint="executable.save(path) writes what can be loaded here",
        ) from None


def _loaded(description: Description, data: bytes, where: str) -> Executable:
    target, platform = str(description["target"]), str(description["platform"])
    made_with = str(description["jaxlib"])
    if made_with != jaxlib_version:
        raise TargetError(
            f"the executable was compiled by jaxlib {made_with}, and this is {jaxlib_version}",
            where=where,
            hint=f"install jaxlib {made_with}, or compile the program here and save it anew",
        )
    this_machine().refuse_other(Machine.from_json(description["machine"]), where)
    parameters = tuple(_type(p["type"]) for p in description["parameters"])
    names = tuple(p["name"] for p in description["parameters"])
    results = tuple(map(_type, description["results"]))
    ids = [int(number) for number in description["devices"]]
    replicas = int(description["replicas"])
    if not ids or min(ids) < 0 or len(set(ids)) < len(ids) or replicas not in (1, len(ids)):
        raise ValueError(f"{replicas} replicas on the devices {ids}")
    client = _client(platform, max(ids) + 1, description, where)
    _refuse_missing_calls(platform, description["calls"], where)
    known = {device.id: device for device in client.devices}
    missing = [number for number in ids if number not in known]
    if missing:
        raise TargetError(
            f"the executable runs on {len(ids)} devices of {platform}, and there is no device "
            f"{missing[0]} here (there are {len(known)})",
            where=where,
            hint="compile the program here, and save it anew",
        )
    devices = tuple(known[number] for number in ids)
    assignment = pjrt.Assignment(devices, replicas)
    try:
        loaded = assignment.deserialize(data)
    except pjrt.XlaError as error:
        reason = str(error).splitlines()[0]
        raise TargetError(
            f"the executable cannot be loaded: {reason}",
            where=where,
            hint="compile the program here, and save it anew",
        ) from None
    return finished(target, loaded, assignment, Entry(parameters, results, names))


def _client(platform: str, count: int, description: Description, where: str) -> pjrt.Client:
    if platform == pjrt.CPU:
        return pjrt.cpu_client(count)
    try:
        client = client_of(platform)
    except DxirError as error:
        error.where = error.where or where
        raise
    here = (client.version, client.devices[0].kind if client.devices else "none")
    made_for = (str(description["platform_version"]), str(description["device_kind"]))
    if here != made_for:
        raise TargetError(
            f"the executable was compiled for {made_for[1]} with {made_for[0]}, and this is "
            f"{here[1]} with {here[0]}",
            where=where,
            hint="compile the program here, and save it anew",
        )
    return client


def _refuse_missing_calls(platform: str, calls: Iterable[Any], where: str) -> None:
    if platform != pjrt.CPU:
        return
    for name in calls:
        if not pjrt.is_registered(str(name)):
            raise TargetError(
                f"the executable calls @{name}, which no routine is registered for in this process",
                where=where,
                hint=f'register_call("{name}", routine) of dxir.runtime.calls, before loading it',
            )


def _type(given: Any) -> TensorType:
    found = read_type(given, ())
    if not isinstance(found, TensorType):
        raise TypeError(f"{given!r} is no tensor type")
    return found
