"""Other shardings for the parameters and results of a program, to compare with those it has."""

from __future__ import annotations

import re
from collections.abc import Mapping

from dxir.diagnostics import collecting, error_from, node_name_of
from dxir.errors import ShardingError
from dxir.locations import caller_location
from dxir.mlir import IrAttribute, IrOperation, ir
from dxir.program import Program
from dxir.reading import SHARDING, attribute, function_name, functions, signature
from dxir.sharding_report.entries import entry_of
from dxir.sharding_report.layouts import entries

_NUMBERED = re.compile(r"%?(?:arg)?(\d+)")
_RESULT = re.compile(r"result ?(\d+)")


def with_shardings(program: Program, shardings: Mapping[str, str]) -> Program:
    """The program with other shardings for some parameters and results of its entry.

    A parameter is named as it is called, or `arg0`; a result `result0`. The text of a sharding is
    Shardy's, `[{"x"}, {}]` or `<@mesh, [{"x"}, {}]>`; an empty one takes the sharding off. Raises
    ShardingError for a name that is not there, and for a sharding that does not fit.
    """
    copy = program.clone()
    entry = entry_of(copy)
    function = next(f for f in functions(copy.module) if function_name(f) == entry)
    for name, text in shardings.items():
        which, index = _place(function, name)
        _set(copy, function, which, index, f"{name}={text}", text.strip())
    with collecting(copy.context) as found:
        try:
            copy.module.operation.verify()
        except ir.MLIRError:
            raise error_from(ShardingError, found, "a sharding does not fit", hint=_HINT) from None
    return copy


_HINT = 'a sharding has an entry for each dimension, [{"x"}, {}], of axes that the mesh has'


def _place(function: IrOperation, name: str) -> tuple[str, int]:
    """The attributes that a name stands for, and the number in them."""
    arguments = list(function.regions[0].blocks[0].arguments)
    names = [node_name_of(argument.location) for argument in arguments]
    if names.count(name) == 1:
        return "arg_attrs", names.index(name)
    for pattern, which, count in (
        (_NUMBERED, "arg_attrs", len(arguments)),
        (_RESULT, "res_attrs", len(signature(function).results)),
    ):
        match = pattern.fullmatch(name)
        if match is not None and int(match[1]) < count:
            return which, int(match[1])
    known = [n or f"arg{i}" for i, n in enumerate(names)]
    known += [f"result{i}" for i in range(len(signature(function).results))]
    which = "two parameters" if names.count(name) > 1 else "no parameter or result"
    raise ShardingError(
        f"@{function_name(function)} has {which} called {name!r}",
        where=caller_location(),
        hint=f"there are {', '.join(known)}",
    )


def _set(
    program: Program, function: IrOperation, which: str, index: int, said: str, text: str
) -> None:
    context = program.context
    count = len(signature(function).inputs if which == "arg_attrs" else signature(function).results)
    given = attribute(function, which)
    said_of: list[dict[str, IrAttribute]] = (
        [{} for _ in range(count)]
        if given is None
        else [entries(each) for each in ir.ArrayAttr(given)]
    )
    if text:
        said_of[index][SHARDING] = _parsed(program, said, text)
    else:
        said_of[index].pop(SHARDING, None)
    found = [ir.DictAttr.get(entry, context) for entry in said_of]
    function.attributes[which] = ir.ArrayAttr.get(found, context)


def _parsed(program: Program, said: str, text: str) -> IrAttribute:
    if not text.startswith("<"):
        text = f"<@{_mesh(program, said)}, {text}>"
    with collecting(program.context) as found:
        try:
            return ir.Attribute.parse(f"#sdy.sharding{text}", program.context)
        except ir.MLIRError:
            error = error_from(ShardingError, found, "it cannot be read", hint=_HINT)
    raise ShardingError(f"{said}: {error.message}", where=caller_location(), hint=error.hint)


def _mesh(program: Program, said: str) -> str:
    """The mesh that a sharding is on which names none: the only one."""
    names = [
        str(ir.StringAttr(op.attributes["sym_name"]).value)
        for op in program.module.body.operations
        if op.operation.name == "sdy.mesh"
    ]
    if len(names) == 1:
        return names[0]
    raise ShardingError(
        f"{said}: the program has {len(names) or 'no'} meshes",
        where=caller_location(),
        hint='name one of them, <@mesh, [{"x"}, {}]>' if names else "add an sdy.mesh to it",
    )
