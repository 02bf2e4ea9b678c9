"""Reading modules of any producer: MLIR text, bytecode and portable artifacts."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Sequence
from pathlib import Path

from dxir import quarantine
from dxir.artifact import artifact_version, check_readable, deserialize, is_bytecode
from dxir.diagnostics import Diagnostic, collecting, parse_error, verification_error
from dxir.errors import ParseError
from dxir.locations import caller_location
from dxir.mlir import ir, make_context
from dxir.names import check_names, may_hold_bytes
from dxir.prescan import check_text, needs_child
from dxir.program import Program
from dxir.resources import missing_error, missing_resources
from dxir.versions import current_version

_NOT_MODULES = {
    b"\x1f\x8b": ("gzip", "decompress it first"),
    b"PK": ("a zip archive, such as a saved PyTorch or JAX export", "load the module inside it"),
    b"\x7fELF": ("a compiled program", "give the module that it was compiled of"),
}


def load(
    source: str | bytes | os.PathLike[str],
    *,
    trusted: bool = False,
    allow_unregistered: bool = False,
    allow_elided: bool = False,
    timeout_s: float = 120.0,
) -> Program:
    """The program in a file, in text or in bytes.

    A `str` that holds a line break, a brace or a bracket is text, any other the path of a file;
    what the file or the bytes hold (text, bytecode, a portable artifact) is seen from its start.

    Damaged or hostile input ends in an error and never takes the process down: text is looked
    through first, and bytecode and artifacts are read in a child process of at most `timeout_s`
    seconds, which costs about half a second. `trusted` skips the child, for bytes this program
    made itself. `allow_unregistered` keeps ops of unknown dialects, `allow_elided` constants whose
    data is missing, both for looking at a module only.

    Raises ParseError for what is not readable, ArtifactError for an artifact of an unfit version,
    and VerificationError for a module that is readable and wrong.
    """
    data, name, path = _bytes_of(source)
    dangerous = may_end_the_process(data, name)
    context = make_context(allow_unregistered=allow_unregistered)
    if dangerous and not trusted:
        data = quarantine.read_in_child(
            data, _kind(data), name, allow_unregistered=allow_unregistered, timeout_s=timeout_s
        )
        path = None
    module, found = read_trusted(data, name, context, path)
    if not trusted and not is_bytecode(data) and may_hold_bytes(data):
        check_names(module, name)
    return _complete(Program(module, diagnostics=found), allow_elided)


def load_here(
    source: str | bytes | os.PathLike[str],
    *,
    allow_unregistered: bool = False,
    allow_elided: bool = False,
) -> Program:
    """As `load`, for a process that may be brought down: nothing is read in a child."""
    data, name, path = _bytes_of(source)
    may_end_the_process(data, name)
    context = make_context(allow_unregistered=allow_unregistered)
    module, found = read_trusted(data, name, context, path)
    if is_bytecode(data) or may_hold_bytes(data):
        check_names(module, name)
    return _complete(Program(module, diagnostics=found), allow_elided)


def may_end_the_process(data: bytes, name: str) -> bool:
    """Whether reading the data may end the process; an error for what cannot be a module."""
    _refuse_other_files(data, name)
    if is_bytecode(data):
        version = artifact_version(data)
        if version is not None:
            check_readable(version, name)
        return True
    return needs_child(check_text(data, name), current_version().minor < 18)


def _kind(data: bytes) -> quarantine.Kind:
    if not is_bytecode(data):
        return "text"
    return "bytecode" if artifact_version(data) is None else "artifact"


def _complete(program: Program, allow_elided: bool) -> Program:
    if not allow_elided:
        for missing in missing_resources(program.module):
            raise missing_error(missing, ParseError, "load the program")
    return program


def _bytes_of(source: str | bytes | os.PathLike[str]) -> tuple[bytes, str, Path | None]:
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source), "<bytes>", None
    if isinstance(source, str) and not source.strip():
        raise ParseError(
            "there is no text to read, and no path",
            where=caller_location(),
            hint="load takes MLIR text, bytes, or the path of a file",
        )
    if isinstance(source, str) and any(c in source for c in "\n{}("):
        return source.encode("utf-8", "surrogatepass"), "<text>", None
    if not isinstance(source, (str, os.PathLike)):
        raise ParseError(
            f"load takes text, bytes or a path, not {type(source).__name__}",
            where=caller_location(),
            hint=_hint_for(source),
        )
    path = Path(source)
    try:
        data = path.read_bytes()
        # What is no regular file can be read but once; MLIR opens it itself.
        return data, str(path), path if path.is_file() else None
    except OSError as error:
        raise ParseError(
            f"the file cannot be read: {error.strerror or error}",
            where=str(path),
            hint="a str without a line break, brace or bracket is taken as a path"
            if isinstance(source, str)
            else "see that the file is there, and who may read it",
        ) from None
    except ValueError as error:
        raise ParseError(f"{str(source)!r} is not a path: {error}") from None


def _hint_for(source: object) -> str:
    """What to do with something that is neither text nor bytes nor a path."""
    kind = type(source).__name__
    if kind in ("Lowered", "Exported", "ClosedJaxpr", "Jaxpr"):
        text = "lowered.as_text()" if kind == "Lowered" else "jax.jit(f).lower(...).as_text()"
        text = "exported.mlir_module()" if kind == "Exported" else text
        return f"give the text of its module: dxir.load({text})"
    if callable(source):
        return "a Python function is traced: dxir.function(f).lower(...)"
    return "dxir.lower makes a Program of a graph; a Program needs no loading"


def _refuse_other_files(data: bytes, name: str) -> None:
    if not data:
        raise ParseError(
            "there are no bytes to read",
            where=name,
            hint="it is empty: see whether what was to write it did",
        )
    for start, (what, hint) in _NOT_MODULES.items():
        if data.startswith(start):
            raise ParseError(f"this is no MLIR module but {what}", where=name, hint=hint)
    if name.endswith(".py"):
        raise ParseError(
            "this is a file of Python, not MLIR",
            where=name,
            hint="import it, and lower a function of it: dxir.function(f).lower(...)",
        )
    if b"\0" in data[:64] and not is_bytecode(data):
        raise ParseError(
            "these bytes are neither MLIR text, bytecode nor a portable artifact",
            where=name,
            hint="bytecode and artifacts start with the four bytes 4d 4c ef 52",
        )


def read_trusted(
    data: bytes, name: str, context: ir.Context, path: Path | None = None
) -> tuple[ir.Module, Sequence[Diagnostic]]:
    """The module in bytes that cannot do harm, and the warnings of reading it.

    Text from `path` is read from the file, which keeps its name in the locations.
    """
    try:
        return _read(data, name, context, path)
    except MemoryError:
        raise ParseError(
            "there is not enough memory to read the module",
            where=name,
            hint="a few bytes can ask for any amount of it: write the module again, should it be "
            "damaged; or read it where there is more",
        ) from None


def _read(
    data: bytes, name: str, context: ir.Context, path: Path | None
) -> tuple[ir.Module, Sequence[Diagnostic]]:
    if artifact_version(data) is not None:
        return deserialize(data, context, name), ()
    with collecting(context) as found:
        try:
            if is_bytecode(data):
                module = ir.Module.parse(data, context)
            elif path is not None:
                module = ir.Module.parseFile(str(path), context)
            else:
                module = ir.Module.parse(data.decode("utf-8"), context)
        except (ir.MLIRError, ValueError, UnicodeError):
            found_now = list(found)
            text = "" if is_bytecode(data) else data.decode("utf-8", "replace")
            if _is_about_meaning(found_now, text, context, found):
                raise verification_error(found_now, name, text) from None
            raise parse_error(found_now, name, text) from None
    return module, found


def _is_about_meaning(
    errors: Sequence[Diagnostic], text: str, context: ir.Context, found: list[Diagnostic]
) -> bool:
    """Whether the verifier refused the module, not the parser; `found` takes what is reported."""
    if any(d.op is not None for d in errors):
        return True
    if not text or any(d.message.startswith("use of undeclared SSA value") for d in errors):
        return False
    if not errors or _is_at_end(errors[0], text):
        return False
    # The verifier runs once all is read. With a stray bracket at the end, well-formed text fails
    # there instead: at the last of its own tokens.
    found.clear()
    with contextlib.suppress(ir.MLIRError, ValueError, UnicodeError, MemoryError):
        ir.Module.parse(text + "\n}", context)
    last_line = text.count("\n") + 2
    return (
        bool(found)
        and found[0].message.startswith("expected operation name in quotes")
        and not (found[0].where or "").startswith(f"<text>:{last_line}:")
    )


def _is_at_end(error: Diagnostic, text: str) -> bool:
    """Whether an error is about text that stops too early; the verifier's are where ops start."""
    place = re.search(r":(\d+):(\d+)$", error.where or "")
    if place is None:
        return False
    line, column = int(place[1]), int(place[2])
    rest = "\n".join(text.split("\n")[line - 1 :])[column - 1 :]
    return len(rest.strip()) <= 3  # the place is that of the token before, give or take
