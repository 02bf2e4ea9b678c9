"""The arguments of a run: which parameter each `--arg` and each array of a file is for."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dxir.errors import ArgumentError
from dxir.mlir import ir
from dxir.parameters import parameter_attribute
from dxir.program import Program
from dxir.reading import function_name, functions
from dxir.runtime.arguments import Parameter
from dxir.runtime.unknown_sizes import named_parameters
from dxir.tensor_files import TensorFile
from dxir.tools.run_values import FORMS, fitted, value_of
from dxir.types import Dim
from dxir.weights import CONSTANT
from dxir.wording import counted

Array = np.ndarray[Any, Any]

_NAMED = re.compile(r"([A-Za-z_][^=/:@]*|\d+)=(.*)", re.DOTALL)
_BY_POSITION = ("arg{}", "arr_{}", "{}", "result{}")
"""What a file may call the array for a parameter without a name, by its number."""

_MOST_SHOWN = 8


def parameters_of_main(program: Program) -> tuple[Parameter, ...]:
    """The parameters of `main`; TargetError for one that is no tensor."""
    return named_parameters(program.module, "dxir-run")


def arguments_for(
    program: Program,
    given: Sequence[str],
    files: Sequence[str],
    random: str | None,
    told: Callable[[str], None],
) -> list[Array]:
    """An array for each parameter of `main`, from `--arg`s and files of arrays.

    `random` is what is left is given: `random:seed=0`, say. `told` is called with notes. Raises
    ArgumentError for a parameter that is given nothing, twice, or what is not for it.
    """
    parameters = parameters_of_main(program)
    binding = _Binding(parameters, told)
    named, unnamed = _split(given, parameters)
    for parameter, text in named.items():
        binding.take(parameter, text)
    for path in files:
        binding.take_file(path, _names(program, parameters))
    left = [p for p in parameters if p.index not in binding.found]
    if len(unnamed) > len(left):
        more = "more " if len(left) < len(parameters) else ""
        raise ArgumentError(
            f"the program takes {counted(len(left), f'{more}argument')}, and "
            f"{len(unnamed)} are given",
            hint=_listed(parameters),
        )
    for parameter, text in zip(left, unnamed, strict=False):
        binding.take(parameter, text)
    for parameter in left[len(unnamed) :]:
        if random is None:
            raise ArgumentError(
                f"{parameter} takes {parameter.type}, and is given nothing",
                hint=f"--arg gives it: {FORMS}; --random fills in all that is left",
            )
        binding.take(parameter, random)
    return [binding.found[p.index] for p in parameters]


class _Binding:
    def __init__(self, parameters: Sequence[Parameter], told: Callable[[str], None]) -> None:
        self.parameters, self.told = parameters, told
        self.found: dict[int, Array] = {}
        self.sizes: dict[str, int] = {}

    def take(self, parameter: Parameter, text: str) -> None:
        """Give a parameter what text stands for."""
        self._keep(parameter, value_of(text, parameter, self.sizes, self.told))

    def take_file(self, path: str, names: Mapping[int, Sequence[str]]) -> None:
        """Give parameters that have nothing yet the arrays of a file that have their names."""
        with TensorFile(path) as file:
            left = dict.fromkeys(file.names)
            for parameter in self.parameters:
                name = next((n for n in names[parameter.index] if n in left), None)
                if name is None or parameter.index in self.found:
                    continue
                del left[name]
                source = f"{path}:{name}"
                self._keep(parameter, fitted(file.read(name), parameter, source, self.told))
            if left:
                shown = ", ".join(list(left)[:_MOST_SHOWN])
                more = f" and {len(left) - _MOST_SHOWN} more" if len(left) > _MOST_SHOWN else ""
                self.told(f"{path}: no parameter takes {shown}{more}")

    def _keep(self, parameter: Parameter, array: Array) -> None:
        self.found[parameter.index] = array
        for dimension, size in zip(parameter.type.shape, array.shape, strict=True):
            if isinstance(dimension, Dim) and dimension.name != "?":
                self.sizes.setdefault(dimension.name, size)


def _split(
    given: Sequence[str], parameters: Sequence[Parameter]
) -> tuple[dict[Parameter, str], list[str]]:
    """What is given by the name or number of a parameter, and what is not."""
    known = {p.name: p for p in reversed(parameters) if p.name}
    by_number = {n.format(p.index): p for p in parameters for n in ("{}", "arg{}")}
    named: dict[Parameter, str] = {}
    unnamed: list[str] = []
    for text in given:
        found = _NAMED.fullmatch(text)
        if found is None:
            unnamed.append(text)
            continue
        parameter = known.get(found[1]) or by_number.get(found[1])
        if parameter is None:
            near = difflib.get_close_matches(found[1], [*known, *by_number], n=1)
            raise ArgumentError(
                f"--arg {found[1]}=...: no parameter is called '{found[1]}'",
                hint=f"did you mean '{near[0]}'?" if near else _listed(parameters),
            )
        if parameter in named:
            raise ArgumentError(f"--arg gives {parameter} twice")
        named[parameter] = found[2]
    return named, unnamed


def _listed(parameters: Sequence[Parameter]) -> str:
    if not parameters:
        return "it has no parameters"
    shown = ", ".join(f"{p.name or p.index}: {p.type}" for p in parameters[:_MOST_SHOWN])
    more = f" and {len(parameters) - _MOST_SHOWN} more" if len(parameters) > _MOST_SHOWN else ""
    return f"its parameters are {shown}{more}"


def _names(program: Program, parameters: Sequence[Parameter]) -> dict[int, list[str]]:
    """What the array for each parameter may be called in a file."""
    main = next(f for f in functions(program.module) if function_name(f) == "main")
    names: dict[int, list[str]] = {}
    for parameter in parameters:
        digest = parameter_attribute(main, parameter.index, CONSTANT)
        names[parameter.index] = [
            *([parameter.name] if parameter.name else ()),
            *([digest.value] if isinstance(digest, ir.StringAttr) else ()),
            *(n.format(parameter.index) for n in _BY_POSITION),
        ]
    return names
