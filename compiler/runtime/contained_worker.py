"""A child process with the programs that run in it, started anew whenever it has ended."""

from __future__ import annotations

import contextlib
import itertools
import os
import sys
import threading
import weakref
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from operator import index
from typing import Any

from dxir import errors
from dxir.children import error_told
from dxir.errors import RuntimeFailure
from dxir.json_types import read_type
from dxir.locations import warn_at_caller
from dxir.runtime import contained_messages as messages
from dxir.runtime.array import Array, HostArray, NumpyArray
from dxir.runtime.contained_messages import BOARD_BYTES, BOARD_START, STAGES, Message
from dxir.runtime.contained_process import Child, Crash, Excess, Overdue, Stopped
from dxir.runtime.segments import Segment, layout
from dxir.targets.options import CompileOptions, Containment
from dxir.types import TensorType

CRASHED, OVERDUE, EXCESSIVE = "PROGRAM_CRASHED", "PROGRAM_OVERDUE", "PROGRAM_TOO_LARGE"

_KEPT_BYTES = 64 << 20
"""How large the memory for arguments may be that is kept from one call to the next."""

_SHARED_BYTES = 1 << 20
"""From which size on a result stays in the memory that it was given in, instead of a copy."""

_DOING: dict[str, str] = dict(
    zip(
        STAGES,
        ("starting the process of", "compiling", "running", "reading the results of"),
        strict=True,
    )
)

_workers: weakref.WeakSet[Worker] = weakref.WeakSet()
_ids = itertools.count(1)


class SharedArray(HostArray):
    """A result in memory that the child can have again, as an argument, without a copy."""

    __slots__ = ("segment",)

    def __init__(self, segment: Segment, type: TensorType) -> None:
        super().__init__(segment.array(0, type), type)
        self.segment = segment


@dataclass(slots=True)
class Contained:
    """A program as the child compiles it: bytecode, and what it is compiled for.

    `child` is the one that it was compiled in last.
    """

    data: bytes
    target: str
    options: CompileOptions
    names: tuple[str | None, ...]
    where: str | None
    unregistered: bool
    number: int = field(default_factory=lambda: next(_ids))
    child: weakref.ref[Child] | None = None
    is_closed: bool = False


@dataclass(frozen=True, slots=True)
class Signature:
    """What the compiled program takes and gives."""

    names: tuple[str | None, ...]
    parameters: tuple[TensorType, ...]
    results: tuple[TensorType, ...]


_AGAIN_S = 0.1


class Worker:
    """Runs programs in a child, one call at a time; it is ended when the worker is gone."""

    def __init__(self, limits: Containment) -> None:
        self.limits = limits
        self.forgotten: list[int] = []
        """The numbers of programs that nobody has any more; the child is told at the next call."""
        self._turn = threading.Lock()
        self._child: Child | None = None
        self._arena: Segment | None = None
        self._arenas = itertools.count(1)
        self._arena_number = 0
        _workers.add(self)

    @property
    def pid(self) -> int | None:
        """The number of the child process; None when there is none now."""
        child = self._child
        return None if child is None else child.pid

    def compile(self, program: Contained) -> Signature:
        """Compile a program; raises what its target does, RuntimeFailure when the child ends."""
        with self._asking(program) as child:
            return self._compiled(program, child)

    def run(
        self, program: Contained, arguments: Sequence[NumpyArray | SharedArray], types: Types
    ) -> tuple[Array, ...]:
        """The results, of these types, of a program on arrays of its parameters' types."""
        with self._asking(program) as child:
            if program.child is None or program.child() is not child:
                self._compiled(program, child)
            message, segments = self._packed(arguments)
            message |= {"do": "run", "number": program.number, "forget": self._forget()}
            answer = self._ask(child, message, segments, self.limits.run_s)
            sizes = answer["shapes"]
            found = [
                t if t.is_static else TensorType(shape, t.dtype)
                for t, shape in zip(types, sizes, strict=True)
            ]
            offsets, end = layout(found, BOARD_START)
            if end <= BOARD_BYTES:
                return tuple(map(_copied, itertools.repeat(child.board), offsets, found))
            return self._read(child, found)

    def stop(self) -> None:
        """End the child, whatever it does; the next call would start another."""
        while True:
            # A call that finds its child gone starts another, which would be waited for in vain.
            child = self._child
            if child is not None:
                child.kill()
            if self._turn.acquire(timeout=_AGAIN_S):
                break
        try:
            if self._child is child:
                self._let_go()
        finally:
            self._turn.release()

    def after_fork(self) -> None:
        """Forget the child, which is the parent's, in a process that was forked."""
        self._turn = threading.Lock()
        self._child = self._arena = None

    @contextlib.contextmanager
    def _asking(self, program: Contained) -> Generator[Child]:
        """A living child, for one call; when it ends meanwhile, the error that tells how."""
        with self._turn:
            try:
                if program.is_closed:
                    raise RuntimeFailure("the executable was closed", where=program.where)
                yield self._living()
            except Stopped as stopped:
                self._let_go()
                raise _explained(stopped, program, self.limits) from None
            except errors.DxirError:
                raise
            except BaseException:  # what the child has been told by then is not known
                self._let_go()
                raise

    def _living(self) -> Child:
        if self._child is not None and self._child.is_gone():
            self._let_go()
        if self._child is None:
            self._child = child = Child()
            start = {
                "do": "start",
                "path": list(map(str, sys.path)),
                "folder": child.folder,
                "imports": list(self.limits.imports),
                "memory": self.limits.memory_bytes,
            }
            try:
                _given(child.ask(start, [child.board]))
            except errors.DxirError:
                self._let_go()
                raise
        return self._child

    def _let_go(self) -> None:
        if self._child is not None:
            self._child.dispose()
        self._child = self._arena = None

    def _ask(
        self, child: Child, message: Message, segments: Sequence[Segment], seconds: float | None
    ) -> Message:
        memory = self.limits.memory_bytes
        return _given(child.ask(message, segments, seconds=seconds, memory_bytes=memory))

    def _compiled(self, program: Contained, child: Child) -> Signature:
        options = program.options
        code = Segment.make(len(program.data))
        code.writable[: len(program.data)] = program.data
        message = {
            "do": "compile",
            "number": program.number,
            "forget": self._forget(),
            "size": len(program.data),
            "unregistered": program.unregistered,
            "target": program.target,
            "names": program.names,
            "options": {
                "devices": options.devices,
                "donate": list(map(index, options.donate)),
                "flags": dict(options.flags),
                "cache": options.cache,
            },
        }
        answer = self._ask(child, message, [code], self.limits.compile_s)
        program.child = weakref.ref(child)
        names, parameters = answer["names"], map(_type, answer["parameters"])
        return Signature(tuple(names), tuple(parameters), tuple(map(_type, answer["results"])))

    def _forget(self) -> list[int]:
        found: list[int] = []
        while self.forgotten:
            found.append(self.forgotten.pop())
        return found

    def _packed(
        self, arguments: Sequence[NumpyArray | SharedArray]
    ) -> tuple[Message, list[Segment]]:
        """Where the arguments lie, and the segments that the child does not have yet."""
        segments: list[Segment] = []
        shared = [a for a in arguments if isinstance(a, SharedArray)]
        there = {id(a.segment): a.segment for a in shared[: messages.MOST_DESCRIPTORS - 1]}
        numbers = {key: number for number, key in enumerate(there, 1)}
        segments += there.values()
        copied: list[NumpyArray] = []
        places: list[list[int]] = []
        for argument in arguments:
            if isinstance(argument, SharedArray):
                number = numbers.get(id(argument.segment))
                if number is not None:
                    places.append([number, 0])
                    continue
                argument = argument.numpy()
            places.append([0, len(copied)])
            copied.append(argument)
        offsets, end = layout(map(TensorType.of_array, copied))
        for place in places:
            if place[0] == 0:
                place[1] = offsets[place[1]]
        arena, is_new = self._arena_for(end)
        for offset, array in zip(offsets, copied, strict=True):
            arena.put(offset, array)
        message = {
            "arena": arena.size if is_new else 0,
            "keep": arena.size <= _KEPT_BYTES,
            "sizes": [s.size for s in segments],
            "places": places,
            "shapes": [list(a.shape) for a in arguments],
        }
        if arena.size > _KEPT_BYTES:
            self._arena = None
        return message, [arena, *segments] if is_new else segments

    def _arena_for(self, size: int) -> tuple[Segment, bool]:
        """Memory for so many bytes of arguments, and whether the child does not have it yet."""
        if self._arena is not None and self._arena.size >= size:
            return self._arena, False
        if size <= _KEPT_BYTES:
            size = 1 << max(size - 1, 1).bit_length()
        self._arena = Segment.make(size)
        return self._arena, True

    def _read(self, child: Child, types: Types) -> tuple[Array, ...]:
        """The results that do not fit on the board."""
        own: dict[int, Segment] = {}
        for i, type in enumerate(types):
            size = type.size * type.dtype.numpy.itemsize
            if size >= _SHARED_BYTES and len(own) < messages.MOST_DESCRIPTORS - 1:
                own[i] = Segment.make(size)
        others = [t for i, t in enumerate(types) if i not in own]
        offsets, end = layout(others)
        common = Segment.make(end)
        segments = [common, *own.values()]
        numbers = {i: number for number, i in enumerate(own, 1)}
        rest = iter(offsets)
        places = [[numbers[i], 0] if i in own else [0, next(rest)] for i in range(len(types))]
        message = {"do": "read", "sizes": [s.size for s in segments], "places": places}
        self._ask(child, message, segments, self.limits.run_s)
        return tuple(
            SharedArray(own[i], type) if i in own else _copied(common, place[1], type)
            for i, (type, place) in enumerate(zip(types, places, strict=True))
        )


Types = Sequence[TensorType]


def _copied(segment: Segment, offset: int, type: TensorType) -> Array:
    return HostArray(segment.array(offset, type).copy(), type)


def _type(told: Any) -> TensorType:
    found = read_type(told, ())
    assert isinstance(found, TensorType)
    return found


def _given(answer: Message) -> Message:
    """An answer, once its warnings are repeated, and the error that it tells is raised."""
    for name, text in answer.get("warnings", ()):
        kind: object = vars(errors).get(name)
        if not (isinstance(kind, type) and issubclass(kind, Warning)):
            kind = RuntimeWarning
        warn_at_caller(text, kind)
    if "error" in answer:
        raise error_told(answer["error"])
    return answer


def _explained(stopped: Stopped, program: Contained, limits: Containment) -> RuntimeFailure:
    """The error for a child that gave no answer."""
    if program.is_closed:
        return RuntimeFailure("the executable was closed while it was used", where=program.where)
    what = f"{_DOING[stopped.stage]} this program for {program.target}"
    if isinstance(stopped, Overdue):
        name = "compile_s" if stopped.stage in STAGES[:2] else "run_s"
        return RuntimeFailure(
            f"{what} did not end within {getattr(limits, name) or 0:g} s",
            where=program.where,
            hint=f"Containment({name}=...) gives it more",
            code=OVERDUE,
        )
    if isinstance(stopped, Excess):
        return RuntimeFailure(
            f"{what} took more than {limits.memory_bytes} bytes of memory",
            where=program.where,
            hint="Containment(memory_bytes=...) gives it more",
            code=EXCESSIVE,
        )
    assert isinstance(stopped, Crash)
    words = f": {stopped.words}" if stopped.words else ""
    return RuntimeFailure(
        f"{what} ended its process with {stopped.cause}{words}",
        where=program.where,
        hint="the system killed it, most likely for want of memory"
        if stopped.cause == "SIGKILL"
        else "this is a fault of native code; the next call starts another process",
        code=CRASHED,
    )


def _after_fork() -> None:
    for worker in list(_workers):
        worker.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
