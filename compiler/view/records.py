"""A module as it is looked at: nodes in bodies, bodies in nodes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["op", "function", "argument", "group", "outer", "out"]
"""What a node stands for.

`argument` is a parameter of a function or an argument of a region, `group` is several nodes drawn
as one, `outer` is a value that comes into a body from outside, `out` one that leaves a group.
"""

Mark = Literal["", "same", "changed", "only"]
"""What a comparison says of a node: nothing, or that the other module has it, has it with other
attributes, or lacks it."""

Source = tuple[int, int]
"""A value: the node that gives it, and which of its results it is."""


@dataclass(slots=True)
class Result:
    """A value that a node gives."""

    name: str
    type: str
    sharding: str = ""


@dataclass(slots=True)
class Inside:
    """A body in a node, and what it is there: `cond`, `body`, a callee."""

    label: str
    body: int


@dataclass(slots=True)
class Node:
    """An op, or what stands beside ops in a picture.

    `flops` and `moved`, the bytes read and written, are None where they are not known. `scope` is
    the name that a front end gave the place, `where` the user's `file:line:col`, `location` all
    that the module says of it.
    `mark`, `twin` and `changes` come from a comparison: the node of the other module that is this
    one, and how many ops in this one are not in the other, or have other attributes there.
    """

    kind: Kind
    name: str
    category: str
    label: str = ""
    operands: list[Source] = field(default_factory=list[Source])
    results: list[Result] = field(default_factory=list[Result])
    attributes: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    where: str = ""
    scope: str = ""
    location: str = ""
    inside: list[Inside] = field(default_factory=list[Inside])
    calls: str = ""
    flops: float | None = None
    moved: float | None = None
    ops: int = 0
    digest: bytes = b""
    mark: Mark = ""
    twin: int | None = None
    changes: int = 0


@dataclass(frozen=True, slots=True)
class Edge:
    """A value on its way from one node of a body to another.

    `operand` is which operand it becomes; -1 where only what is in the node takes it.
    """

    source: int
    target: int
    value: Source
    operand: int = -1


@dataclass(slots=True)
class Body:
    """Nodes that are drawn together: of the module, a block, or a group of ops."""

    nodes: list[int]
    edges: list[Edge] = field(default_factory=list[Edge])


@dataclass(slots=True)
class View:
    """A module for looking at: all nodes and bodies; `root` is the body of the module."""

    name: str
    nodes: list[Node]
    bodies: list[Body]
    root: int
    functions: dict[str, int]
    entry: int | None
    notes: list[str] = field(default_factory=list[str])

    def op_counts(self) -> dict[str, int]:
        """How many ops of each name there are, nested ones too."""
        found = Counter(n.name for n in self.nodes if n.kind in ("op", "function"))
        return {name: found[name] for name in sorted(found)}

    def result(self, value: Source) -> Result:
        """What is known of a value."""
        return self.nodes[value[0]].results[value[1]]
