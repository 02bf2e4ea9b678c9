"""A module under check: what was read, and what several rules want to know of it."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import Literal

from dxir.artifact import artifact_version, is_bytecode
from dxir.diagnostics import where_of
from dxir.effects import callees
from dxir.mlir import IrLocation, IrOperation, ir
from dxir.program import Program
from dxir.reading import (
    function_around,
    function_name,
    functions,
    op_counts,
    ops_below,
    walk,
)
from dxir.resources import blobs_of
from dxir.sharding import Mesh
from dxir.sharding_codec import meshes_of
from dxir.structure import Calls, calls_of
from dxir.verify.finding import Place
from dxir.verify.text_places import has_locations, places_in
from dxir.verify.values import Values
from dxir.verify.written import Written, written

Kind = Literal["text", "bytecode", "artifact", "memory"]


@dataclass(frozen=True)
class Source:
    """What a module was read from: the name that users know it by, and its bytes.

    A module that a program made and holds has no bytes (`memory`).
    """

    name: str
    data: bytes = b""
    is_memory: bool = False

    @functools.cached_property
    def kind(self) -> Kind:
        """Whether the bytes are text, bytecode or a portable artifact."""
        if self.is_memory:
            return "memory"
        if not is_bytecode(self.data):
            return "text"
        return "bytecode" if artifact_version(self.data) is None else "artifact"

    @functools.cached_property
    def lines(self) -> list[str]:
        """The lines of the text; none where it is no text."""
        return self.data.decode("utf-8", "replace").split("\n") if self.kind == "text" else []


class Subject:
    """A valid module that rules look at. None of them changes it, or keeps an op of it."""

    def __init__(self, module: ir.Module, source: Source) -> None:
        self.module = module
        self.source = source

    @functools.cached_property
    def program(self) -> Program:
        """The module as a program; what it writes, it writes from a copy."""
        return Program(self.module)

    @functools.cached_property
    def functions(self) -> dict[str, IrOperation]:
        """The functions of the module, by name."""
        return {function_name(f): f for f in functions(self.module)}

    @functools.cached_property
    def op_counts(self) -> dict[str, int]:
        """How many ops of each name there are, nested ones too."""
        return op_counts(self.module)

    @functools.cached_property
    def calls(self) -> Calls:
        """What each function calls, and the calls of what has no body."""
        return calls_of(self.module)

    def renewed(self) -> Subject:
        """The module after a change, of which no more is known than what no repair changes."""
        new = Subject(self.module, self.source)
        if "blobs" in self.__dict__:
            new.__dict__["blobs"] = self.blobs
        return new

    @functools.cached_property
    def blobs(self) -> dict[str, bytes]:
        """The data that the module keeps beside its ops, by name."""
        return blobs_of(self.module)

    @functools.cached_property
    def computations(self) -> frozenset[str]:
        """The functions that custom calls name."""
        calls = ops_below(self.module.operation, ("stablehlo.custom_call",))
        return frozenset(name for call in calls for name in callees(call))

    @functools.cached_property
    def meshes(self) -> dict[str, Mesh]:
        """The meshes of the module, by name."""
        return meshes_of(self.module)

    @functools.cached_property
    def written(self) -> Written:
        """What the module is when it is written as a portable artifact."""
        return written(self.module)

    def may_say(self, name: str) -> bool:
        """Whether an attribute of that name may be in the module; no is certain, and quick."""
        return self.source.is_memory or name.encode() in self.source.data

    @functools.cached_property
    def values(self) -> Values:
        """What makes the values of the module, seen through layouts and calls."""
        return Values(self.module)

    def function_of(self, op: IrOperation) -> str | None:
        """The name of the function that an op is, or is in."""
        found = function_around(op)
        return None if found is None else function_name(found)

    def at(self, where: str | None, name: str | None = None) -> IrOperation | Place | None:
        """Where to tell of what was found at a place in words: the op there, of a name if given.

        Without such an op it is the place itself, if it is one of the file; None otherwise.
        """
        here: list[IrOperation] = []

        def visit(op: IrOperation) -> ir.WalkResult | None:
            if where_of(op.location) != where:
                return None
            here.append(op)
            return ir.WalkResult.INTERRUPT if name is None or op.name == name else None

        if where is None:
            return None
        walk(self.module, visit)
        op = next((op for op in here if op.name == name), next(iter(here), None))
        if op is not None:
            return op
        place = Place.of(where, self.source.name)
        inside = is_own(place, self.source.name)
        return replace(place, file=self.source.name) if inside else None

    def places(self, at: IrOperation | IrLocation | None) -> tuple[Place, Place | None]:
        """Where an op is in the file, and the other place that its location names, if any."""
        name = self.source.name
        location = at if at is None or isinstance(at, IrLocation) else at.location
        place = Place.of(where_of(location), name)
        origin = None if is_own(place, name) else place
        if at is not None and not isinstance(at, IrLocation):
            found = self._places.get(at.operation)
            if found is not None:
                return found, origin
        return (Place(name, place.line, place.column) if origin is None else Place(name)), origin

    @functools.cached_property
    def _places(self) -> dict[IrOperation, Place]:
        """The places of ops in text that has locations of its own."""
        if self.source.kind != "text" or not has_locations(self.source.data):
            return {}
        return places_in(self.module, self.source.data, self.source.name)


def is_own(place: Place, name: str) -> bool:
    """Whether a place, as MLIR tells it, is in the file of that name itself."""
    return place.file in ("<text>", "<bytes>", "-", name)
