"""Differences of programs, as plain values."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Literal

SCHEMA = 1
"""The version of what `Difference.as_dict` gives; a number is added when something changes."""

FunctionKind = Literal["added", "removed", "renamed", "changed", "calls"]
OpKind = Literal["added", "removed", "changed", "rewired", "moved"]


@dataclass(frozen=True, slots=True)
class Change:
    """Something that both sides have, or one: what it is called, and its text on each side."""

    what: str
    before: str | None
    after: str | None

    def __str__(self) -> str:
        if self.before is None:
            return f"{self.what} {self.after} is added"
        if self.after is None:
            return f"{self.what} {self.before} is removed"
        return f"{self.what} {self.before} -> {self.after}"

    def as_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {"what": self.what, "before": self.before, "after": self.after}


@dataclass(frozen=True, slots=True)
class OpText:
    """An op of one side: its name, how it reads there, and the user's `file:line:col`."""

    name: str
    text: str
    where: str | None

    def as_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {"name": self.name, "text": self.text, "where": self.where}


@dataclass(frozen=True, slots=True)
class OpDifference:
    """An op that is only on one side, or that is another on each.

    `kind` is `added`, `removed`, `changed` (in its attributes, types or regions), `rewired` (the
    same op of other operands) or `moved` (an op with side effects that stands elsewhere among
    those). What only follows from another difference, such as an operand that is a changed op's
    result, is no difference.
    """

    kind: OpKind
    before: OpText | None
    after: OpText | None
    changes: tuple[Change, ...] = ()

    @property
    def op(self) -> OpText:
        """The op, as the second program has it where it does."""
        found = self.after or self.before
        assert found is not None
        return found

    def as_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "kind": self.kind,
            "before": None if self.before is None else self.before.as_dict(),
            "after": None if self.after is None else self.after.as_dict(),
            "changes": [change.as_dict() for change in self.changes],
        }


@dataclass(frozen=True, slots=True)
class FunctionDifference:
    """A function that is only on one side, has another name there, or is not the same.

    `before` and `after` are its names. Of `kind` `calls` it is the same itself, but calls others
    that are not. `ops_before` and `ops_after` are how many ops it has.
    """

    kind: FunctionKind
    before: str | None
    after: str | None
    ops_before: int = 0
    ops_after: int = 0
    signature: tuple[Change, ...] = ()
    ops: tuple[OpDifference, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """How many ops there are of each kind of difference."""
        return dict(Counter(op.kind for op in self.ops))

    def as_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "kind": self.kind,
            "before": self.before,
            "after": self.after,
            "ops_before": self.ops_before,
            "ops_after": self.ops_after,
            "signature": [change.as_dict() for change in self.signature],
            "ops": [op.as_dict() for op in self.ops],
        }


@dataclass(frozen=True, slots=True)
class CostChange:
    """A cost of both programs, in `unit`: an empty one for operations, or bytes; None unknown."""

    what: str
    unit: str
    before: int | None
    after: int | None

    @property
    def change(self) -> int | None:
        """How much more it is; None where one is not known."""
        return None if self.before is None or self.after is None else self.after - self.before

    def as_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "what": self.what,
            "unit": self.unit or None,
            "before": self.before,
            "after": self.after,
            "change": self.change,
        }


@dataclass(frozen=True, slots=True, repr=False)
class Difference:
    """What two programs do not share; false where they are the same program.

    `same` says whether they compute the same expressions, as fingerprints tell. `spelling` says
    what differs although they are the same, or beside what is not: names of functions, their order,
    the order of ops that do not depend on each other, locations. `attributes` and `meshes` are
    those of the modules, `ops` what stands beside the functions, `op_counts` has how many ops of a
    name there were and are, where that changed; `costs` those of `dxir.cost_of`. `notes` tell what
    is not told op by op.
    """

    same: bool
    spelling: tuple[str, ...] = ()
    functions: tuple[FunctionDifference, ...] = ()
    attributes: tuple[Change, ...] = ()
    meshes: tuple[Change, ...] = ()
    ops: tuple[OpDifference, ...] = ()
    op_counts: tuple[tuple[str, int, int], ...] = ()
    costs: tuple[CostChange, ...] = ()
    notes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return not self.same

    def __repr__(self) -> str:
        from dxir.differences.texts import summary

        return f"<Difference: {summary(self)}>"

    def __str__(self) -> str:
        from dxir.differences.texts import text

        return text(self)

    @property
    def ops_changed(self) -> int:
        """How many ops are different, in all functions and beside them."""
        return len(self.ops) + sum([len(function.ops) for function in self.functions])

    def function(self, name: str) -> FunctionDifference | None:
        """What is different about the function that has this name on a side; None if nothing is."""
        found = (f for f in self.functions if name in (f.after, f.before))
        return next(found, None)

    def as_dict(self) -> dict[str, Any]:
        """As plain values, as JSON has them; `schema` is the version of their form."""
        return {
            "schema": SCHEMA,
            "same": self.same,
            "spelling": list(self.spelling),
            "functions": [function.as_dict() for function in self.functions],
            "attributes": [change.as_dict() for change in self.attributes],
            "meshes": [change.as_dict() for change in self.meshes],
            "ops": [op.as_dict() for op in self.ops],
            "op_counts": [
                {"op": name, "before": before, "after": after, "change": after - before}
                for name, before, after in self.op_counts
            ],
            "costs": [cost.as_dict() for cost in self.costs],
            "notes": list(self.notes),
        }
