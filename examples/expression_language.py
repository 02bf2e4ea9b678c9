"""A front end for another language: a compiler for expressions, written against the builder API.

    python examples/expression_language.py [FILE.toy] [--at r=1.2 w=1,2,3,4] [--out DIR]
    python examples/expression_language.py examples/data/mistaken.toy

The language has functions, `let`, `if`, sums over a range, numbers and vectors (`x: 4`). A program
becomes a `dxir.Module`: functions are called, an `if` is a `cond`, a sum is a loop. All that is
made has its place in the .toy file, so that an error of dxir points there and not into this
compiler. The module is written as an artifact for StableHLO 1.0.0, run, and differentiated.
`expression_syntax.py` beside this file reads the language; it knows nothing of dxir but places.
"""

from __future__ import annotations

import argparse
import operator
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

import numpy as np
from expression_syntax import Definition, Expr, Parser
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import dxir
from dxir import DxirError, Location, Value, f32, ops

Array = NDArray[np.float32]
DATA = Path(__file__).parent / "data"
INFIX: dict[str, Callable[[Value, Value], Value]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "+": operator.add,
    "-": operator.sub, "*": operator.mul, "/": operator.truediv, "^": operator.pow,
}  # fmt: skip
FUNCTIONS: dict[str, Callable[[Value], Value]] = {
    "exp": ops.exp, "log": ops.log, "sin": ops.sin, "cos": ops.cos, "tanh": ops.tanh,
    "sqrt": ops.sqrt,
}  # fmt: skip


class Compiler:
    """Makes functions of definitions; a function can call those before it."""

    def __init__(self) -> None:
        self.functions: dict[str, dxir.Function] = {}

    def define(self, definition: Definition) -> None:
        name, params, body = definition
        with dxir.Builder(name.text, public=name.text == "main", location=name.place) as b:
            scope = {
                token.text: b.param(
                    f32[(size,) if size else ()], name=token.text, location=token.place
                )
                for token, size in params
            }
            with dxir.at(body.place):
                self.functions[name.text] = b.build(self.emit(body, scope))

    def emit(self, expr: Expr, scope: dict[str, Value]) -> Value:
        """The value of an expression, where the names of `scope` are known."""
        with dxir.at(expr.place):  # what is inside has places of its own, in a `with` in this one
            match expr.kind, expr.parts:
                case "number", (value,):
                    return ops.constant(value, dtype=f32)
                case "name", (name,) if name in scope:
                    return scope[name]
                case "infix", (sign, left, right):
                    return INFIX[sign](self.number(left, scope), self.number(right, scope))
                case "negative", (inside,):
                    return -self.number(inside, scope)
                case "index", (whole, index):
                    at = ops.convert(self.emit(index, scope), dtype=dxir.i32)
                    return self.emit(whole, scope)[at]
                case "let", (name, value, body):
                    return self.emit(body, {**scope, name: self.emit(value, scope)})
                case "if", (test, yes, no):
                    branches = [lambda e=e: self.number(e, scope) for e in (yes, no)]
                    return cast(Value, ops.cond(self.emit(test, scope), *branches))
                case "sum", (name, start, stop, body):
                    return self.sum(name, range(start, stop), body, scope)
                case "call", (name, arguments) if name in FUNCTIONS:
                    return FUNCTIONS[name](*(self.number(a, scope) for a in arguments))
                case "call", (name, arguments) if name in self.functions:
                    values = [self.number(a, scope) for a in arguments]
                    return cast(Value, ops.call(self.functions[name], values))
                case _:
                    known = ", ".join([*scope, *self.functions, *FUNCTIONS])
                    raise DxirError(
                        f"{expr.parts[0]} is not known here",
                        where=expr.place,
                        hint=f"known are {known}",
                    )

    def number(self, expr: Expr, scope: dict[str, Value]) -> Value:
        """The value as a float: the `i` of a sum counts in integers."""
        value = self.emit(expr, scope)
        return ops.convert(value, dtype=f32) if value.dtype == dxir.i32 else value

    def sum(self, name: str, over: range, body: Expr, scope: dict[str, Value]) -> Value:
        def step(i: Value, total: Value) -> Value:
            return total + self.number(body, {**scope, name: i})

        (total,) = ops.fori_loop(over.start, over.stop, step, (np.float32(0),))
        return total


def compiled(path: Path) -> dxir.Module:
    """The module of a program, whose last function is `main`."""
    compiler = Compiler()
    definitions = Parser(path).program()
    for definition in definitions:
        compiler.define(definition)
    if not definitions or definitions[-1].name.text != "main":
        raise DxirError("a program ends with `def main(...)`", where=Location(str(path), 1))
    main = compiler.functions["main"]
    if main.result_types != (f32[()],):
        raise DxirError(
            f"main gives {main.result_types[0]}, not a number", where=definitions[-1].body.place
        )
    return dxir.Module([main])


def arguments(main: dxir.Function, given: Sequence[str]) -> dict[str, Array]:
    """The arguments of `main`: given as `name=1,2,3`, or else 1, and -1 to 1 in vectors."""
    found = {str(p.name): np.ones(p.shape, np.float32) for p in main.params}
    found |= {n: np.linspace(-1, 1, v.size, dtype=np.float32) for n, v in found.items() if v.shape}
    for text in given:
        name, _, numbers = text.partition("=")
        if name not in found:
            raise DxirError(f"main has no {name!r}", hint=f"it has {', '.join(found)}")
        try:
            found[name] = np.array(numbers.split(","), np.float32).reshape(found[name].shape)
        except ValueError:
            wanted = found[name].size
            raise DxirError(f"{name} takes {wanted} number(s), not {numbers!r}") from None
    return found


def curve(main: dxir.Function, values: dict[str, Array]) -> Table | None:
    """`main` and its derivative along the first parameter that is a number, in text."""
    swept = next((i for i, p in enumerate(main.params) if not p.shape), None)
    if swept is None:
        return None
    xs = list(values.values())[swept] + np.linspace(0, 2, 40, dtype=np.float32)
    axes = tuple(0 if i == swept else None for i in range(len(values)))
    given = [xs if i == swept else v for i, v in enumerate(values.values())]
    name = main.params[swept].name
    table = Table("", f"{name} from {xs[0]:.4g} to {xs[-1]:.4g}", "from", "to", box=None)
    for title, function in (("main", main), (f"d main / d {name}", dxir.grad(main, wrt=swept))):
        run = dxir.compile(dxir.vmap(function, in_axes=axes, axis_size=len(xs)))
        ys = np.asarray(run(*given))
        ys = np.nan_to_num(ys)
        steps = ((ys - ys.min()) / (np.ptp(ys) or 1) * 7.99).astype(int)
        bars = "".join("▁▂▃▄▅▆▇█"[step] for step in steps)
        table.add_row(title, bars, f"{ys.min():.4g}", f"{ys.max():.4g}")
    return table


def run(path: Path, given: Sequence[str], out: Path, console: Console) -> None:
    module = compiled(path)
    main = module["main"]
    values = arguments(main, given)
    program = dxir.lower(module)
    out.mkdir(parents=True, exist_ok=True)
    artifact = out / f"{path.stem}.mlirbc"
    artifact.write_bytes(program.serialize("1.0.0"))
    value = float(dxir.compile(dxir.load(artifact))(*values.values()))
    gradients = dxir.compile(dxir.grad(main)).run(list(values.values()))
    table = Table("parameter", "value", "d main", title=f"main = {value:.6g}")
    for (name, array), gradient in zip(values.items(), gradients, strict=True):
        table.add_row(name, *(" ".join(f"{v:.6g}" for v in np.ravel(a)) for a in (array, gradient)))
    console.print(table, curve(main, values) or "")
    ops_made = sum(program.op_counts().values())
    console.print(f"{ops_made} ops in {artifact}, for StableHLO 1.0.0 and later", soft_wrap=True)


def shown(error: DxirError) -> str:
    """The error with the line of the source that it is about, and a mark below the place."""
    file, _, rest = (error.where or "").partition(".toy:")
    line, _, column = rest.partition(":")
    if not line.isdecimal():
        return f"error: {error}"
    text = [*Path(f"{file}.toy").read_text("utf-8").splitlines(), ""][int(line) - 1]
    return f"error: {error}\n{line:>5} | {text}\n      | {' ' * (int(column or 1) - 1)}^"


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Compile, run and differentiate a .toy program.")
    parser.add_argument("file", type=Path, nargs="?", default=DATA / "lennard_jones.toy")
    parser.add_argument("--at", nargs="+", default=[], metavar="NAME=NUMBERS", help="arguments")
    parser.add_argument("--out", type=Path, default=Path("out"), help="where the artifact goes")
    options = parser.parse_args(argv)
    try:
        run(options.file, options.at, options.out, Console())
    except RecursionError:
        print(f"error: {options.file} is nested too deeply", file=sys.stderr)
        return 1
    except (DxirError, OSError, UnicodeDecodeError) as error:
        print(shown(error) if isinstance(error, DxirError) else f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
