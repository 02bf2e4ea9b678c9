"""The files written from the registries: pages of ops, passes, rules, and `compiler/ops.pyi`."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from dxir import ops
from dxir.coverage import STRUCTURE, emitted_by
from dxir.derivative_coverage import Row, derivative_table
from dxir.diagnostic_codes import ERROR_KINDS, OWN_CODES
from dxir.errors import DxirError
from dxir.op import FUNCTIONS, REGISTRY, Composite, Op, Primitive, composite_name
from dxir.pipeline.base import Pass, all_passes
from dxir.pipeline.options import options_of
from dxir.pipeline.steps import all_aliases
from dxir.signatures import parameters, python_name, stub
from dxir.verify.pages import own_rules, rule_page, rules_page

_HEADER = '''\
"""The ops of dxir as functions. Written by `dxir generate`; do not edit."""

# Ops are called `sum`, `tuple` and `max`, so builtins are named by their module here.
import builtins
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from typing_extensions import TypeVar

{imports}
# Of values of a graph an op makes values, and of arrays it makes arrays.
V = TypeVar("V", bound=Value | Array, default=Value)
Operand = V | np.ndarray[Any, Any] | np.generic
Number = Operand[V] | builtins.bool | builtins.int | builtins.float | builtins.complex
Body = Callable[..., Any] | Region
Ints = builtins.int | Sequence[builtins.int]
Pairs = Sequence[Sequence[builtins.int]]
Axes = builtins.str | AxisRef | Sequence[builtins.str | AxisRef]
Groups = Sequence[Sequence[builtins.int]] | MeshAxesGroups
DTypeLike = DType | QuantizedType | builtins.str | builtins.type[Any] | np.dtype[Any]

def names() -> builtins.list[builtins.str]: ...
def lookup(name: builtins.str) -> Callable[..., Any] | None: ...
def registered(name: builtins.str) -> builtins.str: ...
'''
_HOMES = {
    "dxir.attributes": (
        "ChannelHandle", "DotAlgorithm", "MeshAxesGroups", "OutputOperandAlias", "ResultAccuracy",
    ),
    "dxir.dialects.updates": ("At",),
    "dxir.graph": ("Function", "Region", "Value"),
    "dxir.locations": ("Location",),
    "dxir.partition_spec": ("P",),
    "dxir.sharding": ("AxisRef", "Sharding"),
    "dxir.tracing.arrays": ("Array",),
    "dxir.types": (
        "Dim", "DType", "FutureType", "QuantizedType", "TensorType", "TokenType", "TupleType",
    ),
}  # fmt: skip
_INTRO = """\
# Ops

Written by `dxir generate` from the op registry; `dxir ops NAME` prints one with its examples.

*Operands* are given by position, in this order, or by name: values of a graph or NumPy arrays, and
Python numbers too where the op broadcasts. `x?` may be left out, `xs...` is a sequence of values,
`body()` a function that is traced. What stands in *italics* among them is an attribute that is
given by position as well. *Attributes* are given by keyword. Every op also takes `name`, `sharding`
and `location`. An op that *becomes* a composite travels as a `stablehlo.composite` until it is
expanded to the operations named after it.
"""
_MOST = 8
_OUR_PASSES = "dxir.passes."
_PASSES_INTRO = """\
# Passes

Written by `dxir generate`. `dxir passes` lists these and the native ones of the jaxlib at hand,
`dxir passes NAME` shows one with its options. All run in one pipeline, in MLIR's syntax:

```sh
dxir-opt model.mlir --canonicalize --dxir-decompose=keep=acme.norm --cse
dxir-opt model.mlir --pass-pipeline="canonicalize,dxir-decompose{keep=acme.norm},func.func(cse)"
```

```python
import dxir
from dxir.passes.decompose import Decompose

program = dxir.load("func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }")
program.run_passes("canonicalize,dxir-decompose{keep=acme.norm},cse")
program.run_passes(["canonicalize", Decompose(keep=("acme.norm",)), "cse"])
```

A pass is nested by itself in the ops it runs on. The module is verified after each; a pass that
runs on its own output changes nothing. How to write one: [adding-a-pass.md](adding-a-pass.md).
"""
_DERIVATIVES_INTRO = """\
# What has a derivative, and what can be batched

Written by `dxir generate` from the op registry. How derivatives and batches are made:
[derivatives.md](derivatives.md) and [batching.md](batching.md).

- `rule`: the op has its own; `linear` is the forward rule of what is linear in its operands
- `expansion`: by the rules of the ops that it stands for
- `no tangents`: no operand, or no result, has any: integers, booleans, tokens, quantized numbers
- `no operands`: there is nothing to batch
- `by name`: as `dxir.register_rules` says of what it calls
- `zero` and `undefined`, with the reason. What is undefined is an error where it is needed

The rules of an op with a star refuse some uses of it, and say why.
"""
_CODES_INTRO = """\
# Codes of diagnostics

Written by `dxir generate` from `dxir.diagnostic_codes`. What diagnostics are, and how to declare a
code of your own: [diagnostics.md](diagnostics.md). An error without a code of its own has that of
its class.
"""


def stub_text() -> str:
    """The stub file of `dxir.ops`."""
    names = sorted({*ops.names()})
    functions = [stub(name) for name in names]
    body = "\n".join(functions)
    known = {name for names in _HOMES.values() for name in names}
    used = set(re.findall(r"(?<![\w.])[A-Z]\w*", _HEADER + body)) & known
    missing = _unknown(body, known)
    if missing:
        raise DxirError(
            f"the stub file does not know {', '.join(sorted(missing))}",
            hint="name the module it comes from in _HOMES of compiler/generate.py",
        )
    lines = []
    for module, names_ in sorted(_HOMES.items()):
        given = [n for n in names_ if n in used]
        if given:
            lines.append(_import(module, given))
    return _HEADER.format(imports="\n".join(lines) + "\n") + body + "\n"


def _import(module: str, names: Sequence[str]) -> str:
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= 100:
        return line
    return f"from {module} import (\n" + "".join(f"    {n},\n" for n in names) + ")"


def _unknown(text: str, known: set[str]) -> set[str]:
    plain = re.sub(r"'[^']*'|\"[^\"]*\"", "", text)
    aliases = set(re.findall(r"^([A-Z]\w*) = ", _HEADER, re.M))
    standard = {"Any", "Callable", "Mapping", "Sequence", "ArrayLike", "None", "True", "False"}
    return set(re.findall(r"(?<![\w.])[A-Z]\w*", plain)) - known - aliases - standard


def docs_text() -> str:
    """The table of all ops."""
    ops.names()
    families: dict[str, list[type[Op]]] = {}
    for cls in REGISTRY.values():
        families.setdefault(cls.family, []).append(cls)
    parts = [_INTRO]
    for family, classes in sorted(families.items()):
        parts.append(f"\n## {family}\n\n| op | operands | attributes | becomes | meaning |\n")
        parts.append("|---|---|---|---|---|\n")
        parts += [_row(cls) for cls in sorted(classes, key=lambda c: c.op)]
    parts.append("\n## functions\n\n| function | meaning |\n|---|---|\n")
    for name, function in sorted(FUNCTIONS.items()):
        parts.append(f"| `{python_name(name)}` | {_cell(first_line(function))} |\n")
    return "".join(parts)


def _row(cls: type[Op]) -> str:
    operands: list[str] = []
    attributes: list[str] = []
    kinds = {f.name: f.kind for f in cls.fields}
    for name, _, default, named in parameters(cls):
        kind = kinds[name]
        if kind == "attribute":
            text = f"`{name}`" if default is None else f"`{name}={default}`"
            (attributes if named else operands).append(text if named else f"*{text}*")
        elif kind in ("region", "regions"):
            operands.append(f"`{name}()`" if kind == "region" else f"`{name}()...`")
        else:
            mark = {"operand": "", "optional": "?", "variadic": "..."}[kind]
            operands.append(f"`{name}{mark}`")
    cells = (
        f"`{python_name(cls.op)}`",
        " ".join(operands),
        " ".join(attributes),
        becomes(cls),
        first_line(cls),
    )
    return "| " + " | ".join(map(_cell, cells)) + " |\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def first_line(thing: Callable[..., object] | type[Op]) -> str:
    """What something means: the first line of its docstring."""
    return (inspect.getdoc(thing) or "").partition("\n")[0]


def becomes(cls: type[Op]) -> str:
    """The operations that an op is in a program, from its declaration or its first example."""
    if issubclass(cls, Primitive) and cls.mlir is not None:
        return f"`{cls.mlir}`"
    names = next(emitted_by(cls), None)
    if names is None:
        raise DxirError(
            f"no example of the op {cls.op!r} can be lowered",
            hint="dxir.testing.op_checks.check_types says why; nothing is generated until one can",
        )
    emitted = _listed(names)
    if issubclass(cls, Composite):
        return f"composite `{composite_name(cls.op)}`: {emitted}"
    return emitted


def _listed(names: Iterable[str]) -> str:
    hidden = {"builtin.module", "func.func", "func.return", "stablehlo.composite", *STRUCTURE}
    shown = [f"`{n.removeprefix('stablehlo.')}`" for n in names if n not in hidden]
    return ", ".join(shown[:_MOST]) + (", ..." if len(shown) > _MOST else "")


def passes_text() -> str:
    """The page of all passes."""
    passes = {n: c for n, c in all_passes().items() if c.__module__.startswith(_OUR_PASSES)}
    parts = [_PASSES_INTRO, "\n| pass | runs on | meaning |\n|---|---|---|\n"]
    for name, cls in passes.items():
        cells = (f"[`{name}`](#{name})", f"`{cls.anchor}`", first_line(cls))
        parts.append("| " + " | ".join(map(_cell, cells)) + " |\n")
    parts.append("\nPipelines with a name, which stand for several passes:\n\n")
    parts.append("| pipeline | meaning |\n|---|---|\n")
    for name, alias in sorted(all_aliases().items()):
        parts.append(f"| `{name}` | {_cell(alias.help)} |\n")
    return "".join([*parts, *map(_pass_section, passes.values())])


def _pass_section(cls: type[Pass]) -> str:
    parts = [f"\n## {cls.name}\n\n{inspect.getdoc(cls) or ''}\n"]
    options = options_of(cls).values()
    if options:
        parts.append("\n| option | type | default | meaning |\n|---|---|---|---|\n")
    for option in options:
        default = f"`{option.default_text}`" if option.default_text not in ("", '""') else ""
        cells = (f"`{option.name}`", f"`{option.type_name}`", default, option.help)
        parts.append("| " + " | ".join(map(_cell, cells)) + " |\n")
    module = inspect.getmodule(cls)
    if module is not None and module.__doc__:
        parts.append(f"\n{inspect.cleandoc(module.__doc__)}\n")
    return "".join(parts)


def derivatives_text() -> str:
    """The page of what each op has of derivatives and batching."""
    families: dict[str, list[Row]] = {}
    for row in derivative_table():
        families.setdefault(row.family, []).append(row)
    parts = [_DERIVATIVES_INTRO]
    for family, rows in sorted(families.items()):
        parts.append(f"\n## {family}\n\n| op | reverse | forward | batching |\n|---|---|---|---|\n")
        for row in rows:
            name = f"`{python_name(row.op)}`" + ("\\*" if row.partly else "")
            cells = (name, row.vjp, row.jvp, row.batch)
            parts.append("| " + " | ".join(map(_cell, cells)) + " |\n")
    return "".join(parts)


def codes_text() -> str:
    """The page of all codes of diagnostics."""
    own = {kind.default_code: kind for kind in ERROR_KINDS}
    parts = [_CODES_INTRO, "\n| code | of | meaning |\n|---|---|---|\n"]
    for code, meaning in sorted(OWN_CODES.items()):
        of = f"`{own[code].__name__}`" if code in own else "reports and errors"
        parts.append(f"| `{code}` | {of} | {_cell(meaning)} |\n")
    return "".join(parts)


def checkout() -> Path:
    """The root of the checkout that dxir is installed from; a DxirError elsewhere."""
    root = Path(__file__).resolve().parent.parent
    if Path(__file__).resolve().parent.name != "compiler" or not (root / "docs").is_dir():
        raise DxirError(
            "the generated files are part of a checkout, and dxir runs from an installed package",
            hint="install a checkout with `pip install -e .`",
        )
    return root


GENERATED: dict[str, Callable[[], str]] = {
    "docs/ops.md": docs_text,
    "docs/passes.md": passes_text,
    "docs/derivative-coverage.md": derivatives_text,
    "docs/diagnostic-codes.md": codes_text,
    "docs/rules.md": rules_page,
    "compiler/ops.pyi": stub_text,
}

_RULES = "docs/rules"
"""The folder of the pages of rules, which are all made: a page of a rule that is gone goes."""


def generated() -> dict[str, Callable[[], str]]:
    """What makes each generated file, by its path in a checkout."""
    pages = {
        f"{_RULES}/{id}.md": functools.partial(rule_page, rule) for id, rule in own_rules().items()
    }
    return {**GENERATED, **pages}


def generate(*, check: bool = False, under: str = "") -> tuple[list[Path], list[Path]]:
    """Write the generated files; gives those that differed and those that were up to date.

    With `check`, nothing is written. `under` is how the paths start of those that are looked at.
    """
    root = checkout()
    changed: list[Path] = []
    current: list[Path] = []
    makers = {name: make for name, make in generated().items() if name.startswith(under)}
    for path in sorted((root / _RULES).glob("*.md")):
        name = path.relative_to(root).as_posix()
        if name.startswith(under) and name not in makers:
            changed.append(path)
            if not check:
                path.unlink()
    for name, make in makers.items():
        path, text = root / name, make()
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            current.append(path)
            continue
        changed.append(path)
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return changed, current
