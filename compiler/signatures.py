"""The signatures of ops as Python text, for the stub file, the docs and the command line."""

from __future__ import annotations

import builtins
import inspect
import json
import re
import sys
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from dxir.declaration import Field
from dxir.naming import function_name
from dxir.op import FUNCTIONS, REGISTRY, Op

_WIDTH = 100

# What the functions take is wider than what nodes keep: lists for tuples, names for element types.
_WIDER = {
    "tuple[int, ...]": "Ints",
    "tuple[int, ...] | None": "Ints | None",
    "DType": "DTypeLike",
    "DType | None": "DTypeLike | None",
    "ElementType": "DTypeLike",
    "ElementType | None": "DTypeLike | None",
    "Array": "ArrayLike",
    "ChannelHandle": "ChannelHandle | int",
    "ChannelHandle | None": "ChannelHandle | int | None",
    "tuple[Dimension, ...] | None": "Sequence[int | str | Dim] | None",
    "tuple[tuple[int, ...], ...]": "Pairs",
    "tuple[tuple[int, ...], ...] | None": "Pairs | None",
    "tuple[tuple[int, ...], tuple[int, ...]] | None": "Pairs | None",
    "tuple[tuple[int, int], ...]": "Pairs",
    "tuple[tuple[int, int], ...] | None": "Pairs | None",
    "tuple[tuple[tuple[int, ...], ...], ...] | None": "Sequence[Pairs] | None",
    "Groups": "Groups",
    "Pairs | str": "Pairs | str",
    "Pairs | None": "Pairs | None",
    "Sharding": "Sharding | P",
    "Sharding | None": "Sharding | P | None",
    "tuple[Sharding, ...]": "Sharding | P | Sequence[Sharding | P]",
    "tuple[Sharding, ...] | None": "Sharding | P | Sequence[Sharding | P] | None",
    "tuple[Axes, ...]": "Sequence[Axes | None]",
    "Axes": "Axes",
    "tuple[tuple[Axes, int, int], ...]": "Sequence[tuple[Axes, int, int]]",
}
_OPERANDS = {
    "operand": "Operand",
    "optional": "Operand | None",
    "variadic": "Sequence[Operand]",
    "region": "Body",
    "regions": "Sequence[Body]",
}


def python_name(name: str) -> str:
    """The name of an op in Python: `and_` for `and`."""
    return function_name(name)


def parameters(cls: type[Op]) -> list[tuple[str, str, str | None, bool]]:
    """(name, annotation, default, keyword-only) of each field, positional ones first."""
    found = []
    for field in cls.fields:
        named = field.kind == "attribute" and not field.positional
        default = None if field.required else _literal(field.default)
        if field.kind == "optional" and field.required:
            default = "None"
        found.append((field.name, annotation(cls, field), default, named))
    positional = [p for p in found if not p[3]]
    return positional + [p for p in found if p[3]]


def annotation(cls: type[Op], field: Field) -> str:
    """What a field's argument may be, in the words of the stub file."""
    if field.kind != "attribute":
        text = _OPERANDS[field.kind]
        scalars = cls.coerce is not Op.coerce
        return text.replace("Operand", "Number") if scalars else text
    if field.annotation in _WIDER:
        return _WIDER[field.annotation]
    return _accepting(rendered(_resolved(cls, field)))


def _accepting(text: str) -> str:
    return text.replace("tuple[DType, ...]", "Sequence[DTypeLike]").replace(
        "tuple[str, ...]", "Sequence[str]"
    )


def _resolved(cls: type[Op], field: Field) -> Any:
    for base in cls.__mro__:
        if field.name in inspect.get_annotations(base):
            space = vars(sys.modules[base.__module__])
            try:
                return eval(field.annotation, {**space, "Any": Any})
            except NameError:
                return Any
    return Any


def rendered(annotation: Any) -> str:
    """A type as text, with names as they are (`tuple` stands for the builtin)."""
    if annotation is None or annotation is types.NoneType:
        return "None"
    if annotation is Any:
        return "Any"
    if annotation is ...:
        return "..."
    if isinstance(annotation, types.UnionType) or typing.get_origin(annotation) is typing.Union:
        return " | ".join(rendered(a) for a in typing.get_args(annotation))
    origin = typing.get_origin(annotation)
    if origin is not None:
        inner = ", ".join(rendered(a) for a in typing.get_args(annotation))
        return f"{rendered(origin)}[{inner}]"
    if isinstance(annotation, list):
        return f"[{', '.join(map(rendered, annotation))}]"
    return str(getattr(annotation, "__name__", annotation))


def returns(cls: type[Op]) -> str:
    """What the op's function gives, from the annotation of `infer`."""
    text = str(cls.infer.__annotations__.get("return", "Type"))
    several = any(word in text for word in ("Sequence", "tuple["))
    alone = any(not part.startswith(("Sequence", "tuple[")) for part in text.split(" | "))
    if several and alone:
        return "Value | tuple[Value, ...]"
    if text.startswith("tuple[") and "..." not in text:
        return f"tuple[{', '.join(['Value'] * (text.count(',') + 1))}]"
    return "tuple[Value, ...]" if several else "Value"


def _literal(value: Any) -> str:
    """A default as text; `...` for what has no short form."""
    if isinstance(value, str):
        return json.dumps(value)
    if value is None or isinstance(value, (bool, int, float)):
        return repr(value)
    if isinstance(value, tuple) and all(isinstance(v, (bool, int, float, str)) for v in value):
        return repr(value)
    return "..."


def signature(name: str) -> str:
    """The call of an op or function, as people read it."""
    if name in REGISTRY:
        cls = REGISTRY[name]
        return laid_out(python_name(name), _joined(parameters(cls)), f" -> {returns(cls)}")
    parts, result = _plain(FUNCTIONS[name])
    return laid_out(python_name(name), parts, f" -> {result}")


def laid_out(head: str, parts: Sequence[str], tail: str) -> str:
    """`head(parts)tail` on one line, or with the parts on lines of their own, as ruff has it."""
    line = f"{head}({', '.join(parts)}){tail}"
    if len(line) <= _WIDTH or not parts:
        return line
    inner = "    " + ", ".join(parts)
    if len(inner) <= _WIDTH and not any(p.startswith("**") for p in parts):
        return f"{head}(\n{inner}\n){tail}"
    return f"{head}(\n" + "".join(f"    {p},\n" for p in parts) + f"){tail}"


def _joined(given: Iterable[tuple[str, str, str | None, bool]]) -> list[str]:
    parts: list[str] = []
    for name, kind, default, named in given:
        if named and "*" not in parts:
            parts.append("*")
        parts.append(f"{name}: {kind}" + ("" if default is None else f" = {default}"))
    return parts


def _plain(function: Callable[..., Any]) -> tuple[list[str], str]:
    """The parameters and the result of a function, from its own annotations."""
    found = inspect.signature(function)
    parts: list[str] = []
    starred = False
    for p in found.parameters.values():
        star = "*" if p.kind is p.VAR_POSITIONAL else "**" if p.kind is p.VAR_KEYWORD else ""
        if p.kind is p.KEYWORD_ONLY and not starred:
            parts.append("*")
        starred = starred or p.kind in (p.VAR_POSITIONAL, p.KEYWORD_ONLY)
        default = "" if p.default is p.empty else f" = {_literal(p.default)}"
        parts.append(f"{star}{p.name}: {_word(p.annotation)}{default}")
    return parts, _word(found.return_annotation)


def _word(annotation: Any) -> str:
    if annotation is inspect.Parameter.empty:
        return "Any"
    return annotation if isinstance(annotation, str) else rendered(annotation)


def stub(name: str) -> str:
    """The declaration of an op or function in the stub file."""
    if name not in REGISTRY:
        parts, result = _plain(FUNCTIONS[name])
    else:
        cls = REGISTRY[name]
        given = parameters(cls)
        parts, result = _joined(given), returns(cls)
        if not any(named for *_, named in given):
            parts.append("*")
        parts += [
            "name: str | None = None",
            "sharding: Sharding | P | Sequence[Sharding | P | None] | None = None",
            "location: Location | None = None",
        ]
    parts, result = _generic(parts, result)
    words = [qualified(p) for p in parts]
    return laid_out(f"def {python_name(name)}", words, f" -> {qualified(result)}: ...")


_OPERAND = re.compile(r"(?<=[ \[])(Operand|Number)\b")
_VALUE = re.compile(r"\bValue\b")


def _generic(parts: list[str], result: str) -> tuple[list[str], str]:
    """Parameters and result with V for what both are of: values, or arrays."""
    taken = [_OPERAND.sub(r"\1[V]", _VALUE.sub("V", p)) for p in parts]
    if taken == parts or not _VALUE.search(result):
        return parts, result
    return taken, _VALUE.sub("V", result)


_BUILTINS: Mapping[str, str] = {
    n: f"builtins.{n}" for n in dir(builtins) if n[0].islower() and n not in ("help", "exit")
}


def qualified(text: str) -> str:
    """Builtin types by their module, since ops of the same names hide them in the stub file."""
    out: list[str] = []
    word = ""
    for char in text + "\0":
        if char.isalnum() or char == "_":
            word += char
            continue
        if word in _BUILTINS and char not in "=:'\"" and not (out and out[-1] in ("'", '"', ".")):
            word = _BUILTINS[word]
        out += [word, char] if word else [char]
        word = ""
    return "".join(out[:-1])
