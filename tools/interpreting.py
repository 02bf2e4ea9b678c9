"""`dxir-translate --interpret`: modules run by StableHLO's reference interpreter."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dxir.check_dialect import split_entries
from dxir.chunks import Chunk
from dxir.diagnostics import Diagnostic, collecting
from dxir.elements import elements_of, elements_of_text
from dxir.errors import ArgumentError, DxirError
from dxir.mlir import ir, make_context
from dxir.program import Program
from dxir.runtime.interpreter.probes import INDEX
from dxir.runtime.interpreter.running import Interpretation, Job, interpret_all
from dxir.tools.contained import stage
from dxir.tools.messages import Buffers, Message, Reporter, reporting
from dxir.tools.tensor_text import result_text
from dxir.tools.translate_arguments import TranslateArguments
from dxir.types import DType

Array = np.ndarray[Any, Any]

_SHAPE = "i.e. --args=[dense<1> : tensor<2xi32>, ...] or --args=@file"
_BOOLEAN = re.compile(r"\b(true|false)\b")
_CHILD_S = 30.0  # what starting the child, and asking it where it died, may take


@dataclass(slots=True)
class _Read:
    chunk: Chunk
    messages: list[Message]
    job: Job | None


def interpret_chunks(
    chunks: Sequence[Chunk],
    arguments: TranslateArguments,
    read: Callable[[Chunk, ir.Context], Program | None],
    told: Callable[[Reporter], None],
) -> Iterator[bytes | None]:
    """What each chunk's module prints and gives; None when it failed, which has been reported.

    `read` makes the program of a chunk, `told` is called with all that was reported about it.
    """
    given = arguments_of(arguments.args)
    if arguments.probe_output_dir is not None:
        _make_folder(Path(arguments.probe_output_dir))
    found = [_read(chunk, arguments, read, given) for chunk in chunks]
    jobs = [one.job for one in found if one.job is not None]
    stage("interpreting", (arguments.timeout + _CHILD_S) * (len(jobs) + 1))
    done = iter(interpret_all(jobs, timeout_s=arguments.timeout))
    stage("writing the results")
    for one in found:
        stream = None if arguments.verify_diagnostics is not None else sys.stderr
        reporter = Reporter(Buffers(one.chunk.name, one.chunk.whole), stream)
        for message in one.messages:
            reporter.take(message)
        outcome = next(done) if one.job is not None else None
        written = None
        if isinstance(outcome, DxirError):
            if arguments.debug:
                raise outcome
            reporter.report(outcome)
        elif outcome is not None:
            written = _written(outcome, reporter)
            if arguments.probe_output_dir is not None:
                write_probes(Path(arguments.probe_output_dir), outcome.probes)
        told(reporter)
        yield written


def _read(
    chunk: Chunk,
    arguments: TranslateArguments,
    read: Callable[[Chunk, ir.Context], Program | None],
    given: Sequence[Array],
) -> _Read:
    context = make_context(
        allow_unregistered=arguments.allow_unregistered_dialect, dialects=("sdy", "interpreter")
    )
    # What is wrong with a chunk is told where its results would be.
    with reporting(context, chunk, quiet=True) as reporter:
        try:
            program = read(chunk, context)
        except DxirError as error:
            if arguments.debug:
                raise
            reporter.report(error)
            program = None
    job = None if program is None else Job(program, tuple(given), arguments.entry)
    return _Read(chunk, reporter.messages, job)


def _written(outcome: Interpretation, reporter: Reporter) -> bytes | None:
    print(outcome.printed, end="", flush=True)  # whatever becomes of the results
    for failure in outcome.failures:
        reporter.report(failure)
    if outcome.failures:
        return None
    return "".join(result_text(r) + "\n" for r in outcome.results).encode()


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DxirError(
            f"--probe-output-dir: the folder cannot be made: {error.strerror or error}",
            where=str(folder),
        ) from None


def write_probes(folder: Path, probes: Sequence[tuple[str, Array]]) -> None:
    """Write the values as `probe1.npy`, ... and list name, type and file of each in `index.csv`."""
    lines: list[str] = []
    try:
        for number, (name, array) in enumerate(probes, 1):
            file = folder / f"probe{number}.npy"
            dtype = DType.of(array.dtype)
            # NumPy's files have no name for the small types; what is stored is their bits.
            named = array.dtype.isbuiltin == 1
            np.save(file, array if named else array.view(f"u{array.dtype.itemsize}"))
            sizes = "".join(f"{size}x" for size in array.shape)
            lines.append(f"{name},tensor<{sizes}{dtype.mlir}>,{file}\n")
        (folder / INDEX).write_text("".join(lines), "utf-8")
    except OSError as error:
        raise DxirError(
            f"the probes cannot be written: {error.strerror or error}", where=str(folder)
        ) from None


def arguments_of(text: str | None) -> list[Array]:
    """The arrays that `--args` gives; DxirError when it is not as it must be."""
    if text is None:
        return []
    if not text.startswith("@"):
        return _listed(text)
    files = [name.removeprefix("@") for name in text.split(",")]
    is_numpy = [name.endswith(".npy") for name in files]
    if all(is_numpy):
        return [_numpy_file(name) for name in files]
    if any(is_numpy):
        raise ArgumentError("cannot mix .npy and non-.npy args files")
    if len(files) > 1:
        raise ArgumentError(
            "expected a single args file, multiple files are only supported for .npy args"
        )
    try:
        return _listed(Path(files[0]).read_text("utf-8"))
    except (OSError, UnicodeError) as error:
        raise ArgumentError(f"failed to read args file '{files[0]}': {error}") from None


def _numpy_file(name: str) -> Array:
    try:
        array: Array = np.load(name, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise ArgumentError(f"failed to read NumPy args file '{name}': {error}") from None
    return array


def _listed(text: str) -> list[Array]:
    context = make_context()
    found: Any = None
    with context:
        with collecting(context) as reported:
            try:
                found = ir.Attribute.parse(text, context)
            except (ir.MLIRError, ValueError, TypeError):
                raise _unreadable(reported) from None
        if not isinstance(found, ir.ArrayAttr):
            raise ArgumentError(f"expected array attribute string for args, {_SHAPE}")
        return [_element(found, index) for index in range(len(found))]


def _unreadable(reported: Sequence[Diagnostic]) -> ArgumentError:
    for diagnostic in reported:
        line, _, column = (diagnostic.where or "").rpartition(":")
        line = line.rpartition(":")[2]
        place = f"line {line}, " if line not in ("", "1") else ""
        at = f" at {place}column {column}" if column else ""
        return ArgumentError(
            f"expected array attribute string for args, {_SHAPE}; MLIR says{at}: "
            f"{diagnostic.message}"
        )
    return ArgumentError(f"expected array attribute string for args, {_SHAPE}")


def _element(found: ir.ArrayAttr, index: int) -> Array:
    try:
        array = elements_of(found[index])
    except TypeError:  # the bindings have no class for a complex constant
        text = split_entries(str(found)[1:-1])[index]
        array = elements_of_text(_BOOLEAN.sub(lambda m: str(int(m[0] == "true")), text))
    except DxirError:
        array = None
    if array is None:
        raise ArgumentError(f"expected dense elements attribute for args elements, {_SHAPE}")
    return array
