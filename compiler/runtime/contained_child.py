"""The child process of `dxir.runtime.contained`: compiles programs, and runs them when asked.

`python -m dxir.runtime.contained_child CHANNEL ORPHANED` answers what comes over a socket, until
its other end, or the other end of the pipe ORPHANED, is closed.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import shutil
import socket
import sys
import tempfile
import warnings
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from dxir.children import die_with_parent, limit_resources, told
from dxir.errors import DxirError, RuntimeFailure, TargetError
from dxir.json_types import type_json
from dxir.mlir import ir, make_context
from dxir.program import Program
from dxir.runtime import contained_messages as messages
from dxir.runtime.array import NumpyArray
from dxir.runtime.contained_messages import BOARD_BYTES, BOARD_START, Message
from dxir.runtime.executable import Executable
from dxir.runtime.segments import Segment, layout
from dxir.targets.options import CompileOptions
from dxir.targets.registry import find_target
from dxir.types import TensorType

if TYPE_CHECKING:
    from dxir.graph import Function, Module
    from dxir.targets.record import Target


@dataclass(frozen=True, slots=True)
class _Given:
    """A program that was sent, as a source to compile."""

    sent: Program
    options: CompileOptions
    names: tuple[str | None, ...]

    def program(self) -> Program:
        """The program."""
        return self.sent

    def graph(self) -> Function | Module:
        """The graph."""
        return self.sent.raise_()

    def parameter_names(self) -> tuple[str | None, ...]:
        """The names of the parameters, as far as the parent knew them."""
        return self.names


class _Server:
    """What the child has: executables by their numbers, and memory that it shares."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._board: Segment | None = None
        self._arena: Segment | None = None
        self._executables: dict[int, Executable] = {}
        self._results: list[NumpyArray] = []
        self._folder = ""
        self._work: dict[str, Callable[[Message, list[int]], Message]] = {
            "start": self._start,
            "compile": self._compile,
            "run": self._run,
            "read": self._read,
        }

    def serve(self) -> None:
        """Answer until the parent is gone."""
        while True:
            try:
                message, descriptors = messages.receive(self._channel)
                messages.send(self._channel, self._answer(message, descriptors))
            except messages.Ended:
                return

    def _answer(self, message: Message, descriptors: list[int]) -> Message:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                answer: Message = self._work[message["do"]](message, descriptors)
            except DxirError as error:
                answer = {"error": told(error)}
            except Exception as error:  # noqa: BLE001  the parent tells of it, whatever it is
                answer = {"error": told(_unexpected(error))}
        # What is deprecated in the libraries that are imported here is of no use to anybody there.
        found = [w for w in caught if not issubclass(w.category, DeprecationWarning)]
        answer["warnings"] = [[w.category.__name__, str(w.message)] for w in found]
        return answer

    def _start(self, message: Message, descriptors: list[int]) -> Message:
        self._board = Segment(descriptors[0], BOARD_BYTES)
        self._folder = message["folder"]
        sys.path[:] = message["path"]
        for name in message["imports"]:
            try:
                importlib.import_module(name)
            except Exception as error:  # noqa: BLE001  whatever a foreign module raises
                raise TargetError(
                    f"the module {name!r}, which a contained program imports first, cannot be "
                    f"imported: {type(error).__name__}: {error}"
                ) from None
        if not os.path.exists("/proc/self/statm"):  # or else the parent looks
            limit_resources(message["memory"])
        return {}

    @contextlib.contextmanager
    def _temporary_files(self) -> Generator[None]:
        """Have them in the folder that the parent removes should this process not come to it."""
        os.mkdir(self._folder, 0o700)
        before = tempfile.tempdir
        tempfile.tempdir = self._folder
        try:
            yield
        finally:
            tempfile.tempdir = before
            shutil.rmtree(self._folder, ignore_errors=True)

    def _forget(self, message: Message) -> None:
        self._results = []
        for number in message["forget"]:
            self._executables.pop(number, None)

    def _compile(self, message: Message, descriptors: list[int]) -> Message:
        code = Segment(descriptors[0], max(message["size"], 1))
        self._forget(message)
        target = _target(message["target"])
        context = make_context(allow_unregistered=message["unregistered"])
        program = Program(ir.Module.parse(code.readable[: message["size"]], context))
        given = dict(message["options"])
        given["donate"] = tuple(given["donate"])
        source = _Given(program, CompileOptions(**given), tuple(message["names"]))
        with self._temporary_files():
            executable = target.executable(source)
        self._executables[message["number"]] = executable
        return {
            "names": [p.name for p in executable.parameters],
            "parameters": [type_json(p.type) for p in executable.parameters],
            "results": [type_json(t) for t in executable.results],
        }

    def _run(self, message: Message, descriptors: list[int]) -> Message:
        arguments = iter(descriptors)
        if message["arena"]:
            self._arena = Segment(next(arguments), message["arena"])
        self._forget(message)
        assert self._arena is not None
        sizes = zip(arguments, message["sizes"], strict=True)
        segments = [self._arena, *(Segment(d, size) for d, size in sizes)]
        if not message["keep"]:
            self._arena = None
        executable = self._executables[message["number"]]
        results = executable.run(self._arguments(executable, segments, message))
        for result in results:
            result.wait()
        assert self._board is not None
        self._board.writable[0] = messages.READING
        types = [TensorType(r.type.static_shape, r.type.dtype) for r in results]
        arrays = [np.ascontiguousarray(r.numpy()).reshape(r.shape) for r in results]
        offsets, end = layout(types, BOARD_START)
        if end <= BOARD_BYTES:
            for offset, array in zip(offsets, arrays, strict=True):
                self._board.put(offset, array)
        else:
            self._results = arrays
        return {"shapes": [list(t.static_shape) for t in types]}

    def _arguments(
        self, executable: Executable, segments: Sequence[Segment], message: Message
    ) -> list[NumpyArray]:
        found: list[NumpyArray] = []
        for parameter, (number, offset), shape in zip(
            executable.parameters, message["places"], message["shapes"], strict=True
        ):
            array = segments[number].array(offset, TensorType(shape, parameter.type.dtype))
            # Without results there is nothing to wait for: the memory may change meanwhile.
            found.append(array if executable.results else array.copy())
        return found

    def _read(self, message: Message, descriptors: list[int]) -> Message:
        pairs = zip(descriptors, message["sizes"], strict=True)
        segments = [Segment(d, size) for d, size in pairs]
        for array, (number, offset) in zip(self._results, message["places"], strict=True):
            segments[number].put(offset, array)
        self._results = []
        return {}


def _target(name: str) -> Target:
    try:
        return find_target(name)
    except TargetError as error:
        raise TargetError(
            f"the process of a contained program knows no target {name!r}",
            hint="name the module that registers it: Containment(imports=...)"
            if error.hint
            else None,
        ) from None


def _unexpected(error: Exception) -> RuntimeFailure:
    if isinstance(error, MemoryError):
        return RuntimeFailure("the process of a contained program ran out of memory")
    return RuntimeFailure(
        f"the process of a contained program failed: {type(error).__name__}: {error}"
    )


def _main(arguments: Sequence[str]) -> None:
    channel, orphaned = map(int, arguments)
    for descriptor in (channel, orphaned):
        os.set_inheritable(descriptor, False)
    die_with_parent(orphaned, group=True)
    limit_resources()
    with contextlib.suppress(OSError):  # rather this process than the one that asked for it
        Path("/proc/self/oom_score_adj").write_text("1000", "ascii")
    _Server(socket.socket(fileno=channel)).serve()
    os._exit(0)  # tearing down what is left can crash


if __name__ == "__main__":
    _main(sys.argv[1:])
