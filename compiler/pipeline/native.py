"""The passes in MLIR's own registry, found by asking it.

No list of names is kept: those in the bindings' library that MLIR accepts as a pass are the passes.
A name is tried inside `builtin.module(...)` first: some pipelines end the process when they are
parsed inside `func.func(...)`.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import platformdirs

from dxir.mlir import (
    diagnostics_of,
    ir,
    library_path,
    make_context,
    passmanager,
    registry_key,
    words_in_library,
)
from dxir.pipeline.base import FUNCTION, MODULE

ANY = "any"

_RESTRICTED = re.compile(r"restricted to '([\w.]+)'")
_UNKNOWN = "does not refer to a registered pass"
_FAILED = re.compile(r"failed to add `.*", re.DOTALL)
_PREFIX = re.compile(r"<[\w-]+>: |MLIR Textual PassPipeline Parser:\d+:\d+: error: ")
# Tried even when the linker has folded their names into longer ones.
_COMMON = frozenset({"canonicalize", "cse", "inline", "sccp", "symbol-dce", "strip-debuginfo"})


@dataclass(frozen=True, slots=True)
class NativePass:
    """A pass or pipeline of MLIR: what it runs on, and its options with their defaults.

    `anchor` is "any" for a pass that runs on every op. `options` is the text MLIR prints; a list
    without elements leaves its name out there.
    """

    name: str
    anchor: str
    options: str = ""
    is_pipeline: bool = False


class NotNative(Exception):
    """MLIR has no pass of the name."""


class WrongOptions(Exception):
    """MLIR has the pass, and refuses its options for the reason given."""


def ask(name: str, options: str, context: ir.Context) -> NativePass:
    """The native pass of that name with these options.

    Raises NotNative or WrongOptions.
    """
    text = f"{name}{{{options}}}" if options else name
    reason = _try(MODULE, text, context)
    if isinstance(reason, passmanager.PassManager):
        return _described(name, reason, context)
    if _UNKNOWN in reason:
        raise NotNative(name)
    restricted = _RESTRICTED.search(reason)
    if restricted is None:
        said = _PREFIX.sub("", _FAILED.sub("", reason)).strip()
        raise WrongOptions(said or f"MLIR does not accept {options!r}")
    anchor = restricted[1]
    found = _try(anchor, text, context)
    if isinstance(found, str):
        raise WrongOptions(_PREFIX.sub("", _FAILED.sub("", found)).strip())
    return NativePass(name, anchor, _options(name, str(found)))


def _try(anchor: str, text: str, context: ir.Context) -> passmanager.PassManager | str:
    said = _Said()
    with diagnostics_of(context), said if "{" in text else contextlib.nullcontext():
        try:
            return passmanager.PassManager.parse(f"{anchor}({text})", context)
        except (ValueError, ir.MLIRError) as error:
            reason = str(error)
    return f"{said.text}\n{reason}" if said.text else reason


class _Said:
    """What LLVM says of an option on standard error, beside the exception."""

    def __init__(self) -> None:
        self.text = ""

    def __enter__(self) -> None:
        self._kept, self._file = -1, tempfile.TemporaryFile()
        with contextlib.suppress(OSError):  # standard error may be closed
            self._kept = os.dup(2)
            os.dup2(self._file.fileno(), 2)

    def __exit__(self, *_: object) -> None:
        if self._kept >= 0:
            os.dup2(self._kept, 2)
            os.close(self._kept)
        with self._file:
            self._file.seek(0)
            self.text = self._file.read().decode("utf-8", "replace").strip().removeprefix(": ")


def _described(name: str, manager: passmanager.PassManager, context: ir.Context) -> NativePass:
    printed = str(manager)
    inner = printed[len(MODULE) + 1 : -1]
    is_pipeline = re.match(rf"{re.escape(name)}(?:\{{|$)", inner) is None
    if is_pipeline:
        return NativePass(name, MODULE, "", True)
    anywhere = not isinstance(_try(FUNCTION, name, context), str)
    return NativePass(name, ANY if anywhere else MODULE, _options(name, printed))


def _options(name: str, printed: str) -> str:
    start = printed.find(name + "{")
    if start < 0:
        return ""
    return " ".join(printed[start + len(name) + 1 : printed.rindex("}")].split())


def native_passes() -> dict[str, NativePass]:
    """Every native pass and pipeline of this jaxlib, by name.

    Looking takes about two seconds, once for a version of jaxlib: what was found is kept in the
    user's cache folder.
    """
    place = Path(platformdirs.user_cache_dir("dxir")) / f"passes-{registry_key()}.json"
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError, RecursionError):
        return _kept(place)
    found = _look()
    with contextlib.suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        part = place.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps([asdict(p) for p in found.values()]), "utf-8")
        part.replace(place)
    return found


def _kept(place: Path) -> dict[str, NativePass]:
    if not place.is_file():  # a pipe would never end
        raise OSError(place)
    found = {e["name"]: NativePass(**e) for e in json.loads(place.read_text("utf-8"))}
    texts = [t for p in found.values() for t in (p.name, p.anchor, p.options)]
    if not found or not all(isinstance(t, str) for t in texts):
        raise ValueError(place)
    return found


def _look() -> dict[str, NativePass]:
    context = make_context()
    found: dict[str, NativePass] = {}
    for name in sorted(_COMMON | words_in_library(library_path())):
        with contextlib.suppress(NotNative, WrongOptions):
            found[name] = ask(name, "", context)
    return found
