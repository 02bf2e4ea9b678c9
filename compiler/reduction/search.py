"""The search for a smaller program: what was tried, what is the best so far, and what is next."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Generic, Protocol, TypeVar

from dxir.diagnostics import collecting
from dxir.errors import DxirError, VerificationError
from dxir.mlir import bytecode_of, clone_module, ir
from dxir.passes.dce import Dce
from dxir.program import Program
from dxir.reduction.size import Size, size_of

Edit = Callable[[ir.Module], bool]
"""Changes a module in place; False when there is nothing that it can do."""

Judge = Callable[[Program], bool]
"""Says whether a program is interesting."""

Site = TypeVar("Site", bound=Hashable)
Given = TypeVar("Given", bound=Hashable, contravariant=True)


class Apply(Protocol[Given]):
    """Reduces some sites in a module, in place; False when none can be."""

    def __call__(self, module: ir.Module, sites: Sequence[Given]) -> bool:
        """Reduce them."""
        ...


class OutOfTime(Exception):
    """The time for the search is over."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a reduction has come.

    `best` is the smallest interesting program so far, `size` its size, `tried` how many candidates
    were judged, `taken` how many of them were interesting, `reduction` what is being tried.
    `is_better` is true when `best` is new, `finished` when nothing makes it smaller.
    """

    best: Program
    size: Size
    tried: int
    taken: int
    reduction: str
    is_better: bool = False
    finished: bool = False


@dataclass(frozen=True, slots=True)
class _Candidate:
    module: ir.Module
    size: Size
    digest: bytes


class Search:
    """The best program so far, and the way to a better one.

    `jobs` candidates are judged at a time, those that come next while it is not known whether the
    first is interesting; what comes out does not depend on how many. `deadline` is a time of the
    monotonic clock.
    """

    def __init__(
        self,
        program: Program,
        judge: Judge,
        *,
        jobs: int = 1,
        deadline: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> None:
        self.current = clone_module(program.module)
        self.size = size_of(self.current)
        self.cleans = False
        """Whether what is dead after an edit goes with it."""
        self.tried = self.taken = 0
        self.reduction = ""
        self._judge, self._jobs, self._deadline = judge, jobs, deadline
        self._on_progress = on_progress
        self._seen = {_digest(self.current)}
        self._pool = ThreadPoolExecutor(jobs) if jobs > 1 else None

    @property
    def best(self) -> Program:
        """The smallest interesting program so far."""
        return Program(clone_module(self.current))

    def close(self) -> None:
        """End the threads of the search."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def first(self, edits: Iterable[Edit]) -> int | None:
        """Take the first edit that gives a smaller program which is interesting; its number.

        Each edit is made on a copy of the best program so far. None when there is no such edit;
        OutOfTime when there was no time to see.
        """
        candidates = self._candidates(edits)
        while batch := list(itertools.islice(candidates, self._jobs)):
            if self._deadline is not None and time.monotonic() >= self._deadline:
                raise OutOfTime
            for (number, candidate), good in zip(batch, self._judged(batch), strict=True):
                self.tried += 1
                if good:
                    self._take(candidate)
                    return number
                self._seen.add(candidate.digest)
                self.tell()
        return None

    def tell(self, *, is_better: bool = False, finished: bool = False) -> None:
        """Tell how far the search has come, if anybody wants to know."""
        if self._on_progress is not None:
            self._on_progress(
                Progress(
                    Program(self.current),
                    self.size,
                    self.tried,
                    self.taken,
                    self.reduction,
                    is_better,
                    finished,
                )
            )

    def _judged(self, batch: Sequence[tuple[int, _Candidate]]) -> Iterable[bool]:
        programs = [Program(candidate.module) for _, candidate in batch]
        if self._pool is None or len(programs) == 1:
            return map(self._judge, programs)
        return list(self._pool.map(self._judge, programs))

    def _take(self, candidate: _Candidate) -> None:
        self.current, self.size = candidate.module, candidate.size
        self._seen.add(candidate.digest)
        self.taken += 1
        self.tell(is_better=True)

    def _candidates(self, edits: Iterable[Edit]) -> Generator[tuple[int, _Candidate]]:
        digests: set[bytes] = set()
        for number, edit in enumerate(edits):
            candidate = self._candidate(edit)
            if candidate is not None and candidate.digest not in digests:
                digests.add(candidate.digest)
                yield number, candidate

    def _candidate(self, edit: Edit) -> _Candidate | None:
        """What an edit makes of the best program; None if not valid, no smaller, or known."""
        module = clone_module(self.current)
        with collecting(module.context), module.context, ir.Location.unknown(module.context):
            try:
                if not edit(module):
                    return None
                if self.cleans:
                    clean(module)
            except (DxirError, ir.MLIRError, ValueError):
                return None  # no such edit here: MLIR or a pass of ours refuses what it asks for
        with contextlib.suppress(VerificationError):
            Program(module).verify()
            size = size_of(module)
            if size < self.size:
                digest = _digest(module)
                if digest not in self._seen:
                    return _Candidate(module, size, digest)
        return None


def clean(module: ir.Module) -> bool:
    """Remove what is dead from a module, in place."""
    return Dce().run(module)


def _digest(module: ir.Module) -> bytes:
    # Not the fingerprint: to a tool that crashes, names, order and locations may matter.
    return hashlib.sha256(bytecode_of(module)).digest()


class Reduction(ABC):
    """One way to make a program smaller. `name` says what is done to it."""

    name: ClassVar[str]

    @abstractmethod
    def run(self, search: Search) -> None:
        """Make the program smaller this way as far as it stays interesting."""


class InChunks(Reduction, Generic[Site]):
    """A reduction of many things alike: first all at once, then by halves, down to each."""

    @abstractmethod
    def sites(self, module: ir.Module) -> list[Site]:
        """What can be reduced, in the order in which it is tried."""

    @abstractmethod
    def apply(self, module: ir.Module, sites: Sequence[Site]) -> bool:
        """Reduce these, or as many of them as can be, in place; False when none can."""

    def ways(self) -> Sequence[Apply[Site]]:
        """The ways in which to reduce some sites; all are tried before fewer sites are."""
        return (self.apply,)

    def run(self, search: Search) -> None:
        size = len(self.sites(search.current))
        while size:
            for way in self.ways():
                self._run(search, way, size)
            size = min(size, len(self.sites(search.current)) + 1) // 2

    def _run(self, search: Search, way: Apply[Site], size: int) -> None:
        """Reduce so many sites at a time, in one way."""
        start = 0
        while start < len(sites := self.sites(search.current)):
            starts = range(start, len(sites), size)
            found = search.first(partial(way, sites=sites[at : at + size]) for at in starts)
            if found is None:
                return
            start = starts[found]
