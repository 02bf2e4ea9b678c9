"""A module under check: what was read, and what several rules want to know of it."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Literal

from dxir.artifact import artifact_version, is_bytecode
from dxir.diagnostics import where_of
from dxir.mlir import IrLocation, IrOperation, ir
from dxir.program import Program
from dxir.reading import function_around, function_name, functions, op_counts
from dxir.sharding import Mesh
from dxir.sharding_codec import meshes_of
from dxir.structure import Calls, calls_of
from dxir.verify.finding import Place
from dxir.verify.values import Values

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

    @functools.cached_property
    def meshes(self) -> dict[str, Mesh]:
        """The meshes of the module, by name."""
        return meshes_of(self.module)

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

    def places(self, at: IrOperation | IrLocation | None) -> tuple[Place, Place | None]:
        """Where an op is in the file, and the other place that its location names, if any."""
        location = at if at is None or isinstance(at, IrLocation) else at.location
        where = where_of(location)
        place = Place.of(where, self.source.name)
        if where is None or place.file == self.source.name:
            return place, None
        if place.file in ("<text>", "<bytes>", "-"):
            return Place(self.source.name, place.line, place.column), None
        return Place(self.source.name), place
