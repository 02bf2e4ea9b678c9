"""What a class must say to become an op, and what it must not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dxir.declaration import RULES
from dxir.errors import GraphError
from dxir.graph import Node
from dxir.naming import is_op_name

_MEMBERS = ("op", "result", "lower", "infer", "reference")
_RESERVED = frozenset({*Node.__slots__, *_MEMBERS, *RULES})
_FREE = frozenset({"update"})  # a method, which an operand of dynamic_update_slice hides


def check_declaration(
    cls: Any, base: Any, members: Sequence[str], roundings: Sequence[str]
) -> None:
    """Refuse an op class with a bad name, or without docstring, examples or `members`."""
    where = f"op {cls.op!r} ({cls.__module__}.{cls.__qualname__})"
    if not is_op_name(cls.op):
        raise GraphError(
            f"{where}: that is no name for an op",
            hint="use letters, digits and underscores, no word that Python reserves, and for an op "
            "of your own package its name in front: 'acme.snake'",
        )
    if not (cls.__doc__ or "").strip():
        raise GraphError(f"{where} has no docstring", hint="its first line is its row in the docs")
    reserved = _reserved(cls, base)
    for field in cls.fields:
        if field.name in reserved or field.name in members:  # `expand` is free in a primitive
            raise GraphError(f"{where}: a field cannot be called {field.name!r}")
    for rule in RULES:
        _check_rule(where, rule, getattr(cls, rule))
    for said in ("linear", "multilinear"):
        _check_operands(where, cls, said, getattr(cls, said, ()))
    if cls.rounding not in roundings:
        raise GraphError(
            f"{where}: `rounding` is {cls.rounding!r}",
            hint=f"it must be one of {', '.join(roundings)}",
        )
    for member in members:
        found = getattr(cls, member, None)
        if found is None or found is getattr(base, member, None):
            raise GraphError(f"{where} does not define `{member}`")
    if not cls.examples:
        raise GraphError(f"{where} has no examples")
    optional: str | None = None
    for field in cls.fields:
        if field.kind == "attribute" and not field.positional:
            continue
        if field.kind == "optional" or not field.required:
            optional = field.name
        elif optional is not None:
            raise GraphError(f"{where}: `{field.name}` is required, but follows `{optional}`")


def _check_operands(where: str, cls: Any, said: str, given: Any) -> None:
    """Refuse what names operands, and anything but these."""
    known = [f.name for f in cls.fields if f.kind in ("operand", "optional", "variadic")]
    many = isinstance(given, (tuple, list))
    wrong = [name for name in given if name not in known] if many else [given]
    if wrong:
        raise GraphError(
            f"{where}: `{said}` names {wrong[0]!r}, which is no operand"
            if many
            else f"{where}: `{said}` is {given!r}, and must be a tuple of names of operands",
            hint=f"the operands are {', '.join(known) or 'none'}",
        )


def _reserved(cls: Any, base: Any) -> set[str]:
    """The names that mean something in every node, op, or op of this kind."""
    found = set(_RESERVED)
    for kind in cls.__mro__:
        if kind.__module__ == base.__module__:
            found |= vars(kind).keys()
    return found - _FREE


def _check_rule(where: str, rule: str, given: Any) -> None:
    if given is None or callable(given):
        return
    said = "unbatchable = Undefined(...)" if rule == "batch" else "derivative = Undefined(...)"
    others = "" if rule == "batch" else ", or Zero(...)"
    raise GraphError(
        f"{where}: `{rule}` is {given!r}, which cannot be called",
        hint=f"it is a method; that there is none is said by `{said}`{others}",
    )
