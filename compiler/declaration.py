"""How an op class becomes an op: its fields, their accessors, and the function that makes nodes."""

from __future__ import annotations

import inspect
import linecache
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from dxir.errors import AttributeValueError, GraphError, OperandError
from dxir.graph import Node
from dxir.locations import caller_location
from dxir.misuse import MISSING, number_hint, refuse_arguments, refuse_missing
from dxir.naming import function_name

_NO_ATTRS: Mapping[str, Any] = MappingProxyType({})  # one for all nodes that have none
RULES = ("vjp", "jvp", "batch", "pullback", "pushforward")


@dataclass(frozen=True, slots=True)
class Field:
    """One declared field of an op class.

    `kind` is operand, optional, variadic, region, regions or attribute; `codec` and `mlir` say how
    an attribute is written in MLIR (see `dxir.mlir`), `positional` that it may be given without
    its name.
    """

    name: str
    kind: str
    annotation: str
    default: Any = MISSING
    codec: str | None = None
    mlir: str | None = None
    positional: bool = False

    @property
    def required(self) -> bool:
        return self.default is MISSING


def attribute(
    codec: str | None = None,
    *,
    default: Any = MISSING,
    mlir: str | None = None,
    positional: bool = False,
) -> Any:
    """Declare an attribute, with the codec that reads and writes it in MLIR."""
    return Field("", "attribute", "", default, codec, mlir, positional)


_QUALIFIER = re.compile(r"\b[A-Za-z_]\w*\.(?=\w)")
_KINDS = {
    "Value": "operand",
    "Value | None": "optional",
    "tuple[Value, ...]": "variadic",
    "Region": "region",
    "tuple[Region, ...]": "regions",
}


def _annotation_text(annotation: Any) -> str:
    """An annotation as it is written, whether or not annotations are evaluated; unqualified."""
    if isinstance(annotation, type) and not hasattr(annotation, "__args__"):
        return annotation.__name__
    return _QUALIFIER.sub("", str(annotation))


def declared_fields(cls: Any) -> tuple[Field, ...]:
    """The fields of an op class, inherited ones first; puts their accessors into the class."""
    inherited = (
        {f.name: f for f in cls.__mro__[1].fields} if hasattr(cls.__mro__[1], "fields") else {}
    )
    for name, given_annotation in inspect.get_annotations(cls).items():
        annotation = _annotation_text(given_annotation)
        if annotation.startswith(("ClassVar", "Final")):
            continue
        given = cls.__dict__.get(name, MISSING)
        kind = _KINDS.get(annotation, "attribute")
        if isinstance(given, Field):
            field = Field(
                name,
                kind,
                annotation,
                given.default,
                given.codec,
                given.mlir or name,
                given.positional,
            )
        else:
            field = Field(name, kind, annotation, given, None, name)
        inherited[name] = field
    fields = tuple(inherited.values())
    if fields:
        _install_accessors(cls, fields)
    return fields


def _install_accessors(cls: Any, fields: tuple[Field, ...]) -> None:
    operands = [f for f in fields if f.kind in ("operand", "optional", "variadic")]
    fixed = all(f.kind == "operand" for f in operands)
    regions = [f for f in fields if f.kind in ("region", "regions")]
    for position, field in enumerate(operands):
        getter = _operand_getter(position, field.kind, fixed)
        setattr(cls, field.name, property(getter, _refusal(field)))
    for position, field in enumerate(regions):
        setattr(cls, field.name, property(_region_getter(position, field.kind), _refusal(field)))
    for field in fields:
        if field.kind == "attribute":
            setattr(cls, field.name, property(_attribute_getter(field.name), _refusal(field)))


def _refusal(field: Field) -> Callable[[Any, Any], None]:
    """What assigning to a field does."""

    def refuse(self: Node, _: Any) -> None:
        raise GraphError(
            f"{self.op}: `{field.name}` cannot be assigned",
            where=caller_location(),
            hint=f"write self.update({field.name}=...) in `prepare`"
            if field.kind == "attribute"
            else "operands and regions stay as they are given",
        )

    return refuse


def _operand_getter(position: int, kind: str, fixed: bool) -> Callable[[Any], Any]:
    if fixed:
        return lambda self: self.operands[position]

    def get(self: Node) -> Any:
        assert self.segments is not None
        start = sum(self.segments[:position])
        part = self.operands[start : start + self.segments[position]]
        if kind == "variadic":
            return part
        return part[0] if part else None

    return get


def _region_getter(position: int, kind: str) -> Callable[[Any], Any]:
    if kind == "regions":
        return lambda self: self.regions[position:]
    return lambda self: self.regions[position]


def _attribute_getter(name: str) -> Callable[[Any], Any]:
    return lambda self: self.attrs[name]


_BUILDER = """\
def {function}({parameters}):
    name = sharding = location = None
    if _extra or _options:
        name = _options.pop("name", None)
        if _extra or _options:
            sharding, location = _options.pop("sharding", None), _options.pop("location", None)
            if _extra or _options:
                _refuse(_cls, _extra, _options)
{checks}    node = _new(_cls)
    node.operands = {operands}
    node.segments = {segments}
    node.attrs = {attrs}
    node.regions = {regions}
    node.name = name
    node.sharding = sharding
    node.annotations = None
    node.location = location
    return _finish(node)
"""


def compile_builder(cls: Any, finish: Callable[[Any], Any]) -> Callable[..., Any]:
    """The function that makes nodes of an op class, with its fields as parameters.

    It takes whatever it is given, so that a wrong call ends in an error of dxir. For a right one
    that costs next to nothing: the defaults of `name` and its like would cost as much.
    """
    space: dict[str, Any] = {
        "_cls": cls, "_new": cls.__new__, "_finish": finish, "_no_attrs": _NO_ATTRS,
        "_sequence": _sequence, "_attribute": _attribute, "_refuse": refuse_arguments,
        "_missing": MISSING, "_absent": refuse_missing, "_len": len, "_int": int,
    }  # fmt: skip
    positional: list[str] = []
    keyword: list[str] = []
    for field in cls.fields:
        default = "=_missing"
        if not field.required:
            space[f"_default_{field.name}"] = field.default
            default = f"=_default_{field.name}"
        elif field.kind == "optional":
            default = "=None"
        named = field.kind == "attribute" and not field.positional
        (keyword if named else positional).append(field.name + default)
    operands = [f for f in cls.fields if f.kind in ("operand", "optional", "variadic")]
    fixed = all(f.kind == "operand" for f in operands)
    parts, sizes = _operand_source(operands)
    regions = [
        f"*(_sequence(_cls, {f.name!r}, {f.name}))" if f.kind == "regions" else f.name
        for f in cls.fields
        if f.kind in ("region", "regions")
    ]
    attrs = [f"{f.name!r}: {f.name}" for f in cls.fields if f.kind == "attribute"]
    name = function_name(cls.op)
    source = _BUILDER.format(
        function=name,
        parameters=", ".join([*positional, "*_extra", *keyword, "**_options"]),
        checks="".join(map(_check_source, cls.fields)),
        operands=f"({', '.join(parts)}{',' if parts else ''})",
        segments="None" if fixed else f"({', '.join(sizes)},)",
        attrs="{" + ", ".join(attrs) + "}" if attrs else "_no_attrs",
        regions=f"({', '.join(regions)}{',' if regions else ''})",
    )
    filename = f"<dxir op {cls.op}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    exec(compile(source, filename, "exec"), space)
    function = space[name]
    function.__doc__ = cls.__doc__
    function.__signature__ = _signature(cls)
    function.__module__ = cls.__module__
    built: Callable[..., Any] = function
    return built


def _signature(cls: Any) -> inspect.Signature:
    """What help and editors show: the fields, without what is there to refuse other arguments."""
    found: list[inspect.Parameter] = []
    for field in cls.fields:
        named = field.kind == "attribute" and not field.positional
        kind = inspect.Parameter.KEYWORD_ONLY if named else inspect.Parameter.POSITIONAL_OR_KEYWORD
        default = inspect.Parameter.empty if field.required else field.default
        if field.required and field.kind == "optional":
            default = None
        found.append(inspect.Parameter(field.name, kind, default=default))
    for option in ("name", "sharding", "location"):
        found.append(inspect.Parameter(option, inspect.Parameter.KEYWORD_ONLY, default=None))
    return inspect.Signature(sorted(found, key=lambda p: p.kind))


def _operand_source(operands: Sequence[Field]) -> tuple[list[str], list[str]]:
    parts: list[str] = []
    sizes: list[str] = []
    for field in operands:
        if field.kind == "variadic":
            parts.append(f"*(_sequence(_cls, {field.name!r}, {field.name}))")
            sizes.append(f"_len({field.name})")
        elif field.kind == "optional":
            parts.append(f"*(() if {field.name} is None else ({field.name},))")
            sizes.append(f"_int({field.name} is not None)")
        else:
            parts.append(field.name)
            sizes.append("1")
    return parts, sizes


def _sequence(cls: Any, name: str, given: Any) -> Sequence[Any]:
    if isinstance(given, (tuple, list)):
        return given
    if given is MISSING:
        refuse_missing(cls, name)
    what = (
        "values" if any(f.name == name and f.kind == "variadic" for f in cls.fields) else "regions"
    )
    raise OperandError(
        f"{cls.op}: `{name}` must be a tuple or list of {what}, not {type(given).__name__}",
        where=caller_location(),
        hint=number_hint(given) or f"for one, write {name}=(x,)",
    )


_PLAIN: dict[str, type] = {
    f"{plain.__name__}{end}": plain for plain in (bool, int, str) for end in ("", " | None")
}


def _check_source(field: Field) -> str:
    """The line that refuses a flag, number or text of another Python type, at next to no cost.

    What else is needed and left out is refused here, too; operands are later, where they are read.
    """
    plain = _PLAIN.get(field.annotation) if field.kind == "attribute" else None
    if plain is None:
        if field.required and field.kind in ("attribute", "region"):
            return f"    if {field.name} is _missing: _absent(_cls, {field.name!r})\n"
        return ""
    name, absent = field.name, ""
    if field.annotation.endswith("None"):
        absent = f"{name} is not None and "
    wrong = f"{name}.__class__ is not {plain.__name__}"
    if plain is str:
        wrong = f"({wrong} or not {name}.isascii())"
    elif plain is int:
        wrong = f"({wrong} or not -{1 << 63} <= {name} < {1 << 63})"
    return (
        f"    if {absent}{wrong}: {name} = _attribute(_cls, {name!r}, {name}, {plain.__name__})\n"
    )


def _attribute(cls: Any, name: str, given: Any, plain: type) -> Any:
    if given is MISSING:
        refuse_missing(cls, name)
    if plain is bool and isinstance(given, np.bool_):
        return bool(given)
    if plain is int:
        return _integer(cls, name, given)
    if plain is str and isinstance(given, str):
        try:
            given.encode()
            return str(given)
        except UnicodeEncodeError:
            pass
    raise AttributeValueError(
        f"{cls.op}: {name} is {given!r}",
        where=caller_location(),
        hint="it must be True or False" if plain is bool else "it must be a string of Unicode text",
    )


def _integer(cls: Any, name: str, given: Any) -> int:
    try:
        if isinstance(given, bool):
            raise TypeError
        found = operator.index(given)
    except TypeError:
        raise AttributeValueError(
            f"{cls.op}: {name} must be an integer, not {given!r}", where=caller_location()
        ) from None
    if not -(1 << 63) <= found < 1 << 63:
        raise AttributeValueError(
            f"{cls.op}: {name} is {found}, which does not fit in 64 bits", where=caller_location()
        )
    return found
