"""What `dxir doctor` tells of the environment: variables, the cache, and native code."""

from __future__ import annotations

import difflib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import dxir
from dxir.runtime.cache import (
    BOUND_VARIABLE,
    FOLDER_VARIABLE,
    SWITCH_VARIABLE,
    Cache,
    is_on,
    the_cache,
)
from dxir.tools.doctor_findings import Finding
from dxir.wording import counted

VARIABLES = {
    SWITCH_VARIABLE: "0: compiled programs are not kept on disk",
    FOLDER_VARIABLE: "where they are kept",
    BOUND_VARIABLE: "how many bytes there may be",
    "DXIR_LOCATIONS": "0: no places of the user's code in programs",
    "DXIR_COORDINATOR": "where several processes meet, host:port",
    "DXIR_NUM_PROCESSES": "how many processes there are",
    "DXIR_PROCESS_ID": "which of them this is",
    "DXIR_LOCAL_DEVICES": "how many devices each has",
    "DXIR_CONTAINED": "set by dxir for its own children",
    "PJRT_NAMES_AND_LIBRARY_PATHS": "PJRT plugins, name:path,name:path",
    "XLA_FLAGS": "options of XLA, for all programs",
    "TF_CPP_MIN_LOG_LEVEL": "0: XLA logs everything on stderr",
    "NO_COLOR": "no colours",
    "FORCE_COLOR": "colours even where no terminal is",
}
"""The variables that dxir reads, or that what it is made of does."""

_NUMBERS = (BOUND_VARIABLE, "DXIR_NUM_PROCESSES", "DXIR_PROCESS_ID", "DXIR_LOCAL_DEVICES")
_INTERNAL = ("DXIR_CONTAINED",)
_OURS = "DXIR_"
_SET_BY_DXIR = {"TF_CPP_MIN_LOG_LEVEL": "3"}
_LITTLE_ROOM = 256 << 20
_NATIVE = {".so", ".dylib", ".dll", ".pyd"}
_SECTION = "environment"
_CACHE = "cache"


def environment(given: Mapping[str, str] | None = None) -> Iterator[Finding]:
    """A finding for each variable that is set, and for each that looks like one of dxir's."""
    given = os.environ if given is None else given
    told = False
    for name, meaning in VARIABLES.items():
        value = given.get(name)
        if value is None or name in _INTERNAL or _SET_BY_DXIR.get(name) == value:
            continue
        told = True
        yield _variable(name, value, meaning)
    for name in sorted(given):
        if name.startswith(_OURS) and name not in VARIABLES:
            told = True
            near = difflib.get_close_matches(name, VARIABLES, n=1, cutoff=0.6)
            advice = f"did you mean {near[0]}?" if near else f"unset it; dxir reads {_names()}"
            yield Finding(
                _SECTION, name, "warning", f"{name} is set, and dxir reads no such variable", advice
            )
    if not told:
        yield Finding(_SECTION, "variables", "ok", "no variable is set that dxir reads")


def _variable(name: str, value: str, meaning: str) -> Finding:
    message, details = f"{name}={value} ({meaning})", {"value": value}
    text = value.strip()
    if name in _NUMBERS and text and not (text.isascii() and text.isdigit()):
        return Finding(
            _SECTION,
            name,
            "problem",
            f"{name}={value} is no number",
            "correct or unset it",
            details,
        )
    return Finding(_SECTION, name, "ok", message, details=details)


def _names() -> str:
    return ", ".join(n for n in VARIABLES if n.startswith(_OURS) and n not in _INTERNAL)


def cache() -> Iterator[Finding]:
    """What there is to say of the folder of compiled programs."""
    found = the_cache()
    if not is_on(None):
        yield Finding(_CACHE, "switch", "ok", f"switched off by {SWITCH_VARIABLE}")
    try:
        entries = found.entries()
    except OSError as error:
        yield _unusable(found, error)
        return
    size = sum(entry.bytes for entry in entries)
    details = {
        "folder": str(found.folder),
        "programs": len(entries),
        "bytes": size,
        "bound": found.bound,
    }
    text = f"{found.folder}: {counted(len(entries), 'program')}, {size:,} of {found.bound:,} bytes"
    why_not = _not_writable(found.folder)
    if why_not is not None:
        yield _unusable(found, why_not)
        return
    yield Finding(_CACHE, "folder", "ok", f"{text}; it can be written to", details=details)
    yield from _dangers(found.folder)


def _unusable(found: Cache, error: OSError) -> Finding:
    return Finding(
        _CACHE,
        "folder",
        "warning",
        f"{found.folder} cannot be used: {error.strerror or error}",
        f"everything is compiled anew each time; {FOLDER_VARIABLE} names another folder",
        {"folder": str(found.folder)},
    )


def _not_writable(folder: Path) -> OSError | None:
    """Why nothing can be written there; None where it can, or will be once the folder is made."""
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    try:
        if place == folder:
            with tempfile.TemporaryFile(dir=folder):
                return None
        if not place.is_dir():
            return NotADirectoryError(0, f"{place} is no folder")
        if not os.access(place, os.W_OK | os.X_OK):
            return PermissionError(0, f"nothing may be written in {place}")
    except OSError as error:
        return error
    return None


def _dangers(folder: Path) -> Iterator[Finding]:
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    try:
        others = place == folder and bool(folder.stat().st_mode & stat.S_IWOTH)
        free = shutil.disk_usage(place).free
    except OSError:
        return
    if others:
        yield Finding(
            _CACHE,
            "permissions",
            "warning",
            f"everybody may write in {folder}, and what is in it runs as you",
            f"chmod go-w {folder}",
        )
    if free < _LITTLE_ROOM:
        yield Finding(
            _CACHE,
            "room",
            "warning",
            f"the disk of {place} has {free:,} bytes left",
            f"make room: dxir cache clear; or {FOLDER_VARIABLE} names another folder",
        )


def native_code() -> Iterator[Finding]:
    """Which compiled kernels and extensions dxir has."""
    folder = Path(dxir.__file__).parent
    found = sorted(
        p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.suffix in _NATIVE
    )
    if found:
        message = f"native code: {', '.join(found)}"
    else:
        message = "none is compiled: dxir is Python, and XLA's kernels are in jaxlib"
    yield Finding("kernels", "native", "ok", message, details={"libraries": found})
