"""Modules that text or bytecode does not bring back as they were."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest

from dxir.diagnostics import collecting
from dxir.mlir import IrOperation, bytecode_of, clone_module, ir
from dxir.pipeline.base import option
from dxir.reading import attribute_names, ops_below
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject

_OF_VALUES = ("arg_attrs", "res_attrs")
# Artifacts come with attributes of parameters that are all empty, which text leaves out.
_DEFAULTS = {
    "api_version": "1 : i32",
    "backend_config": '""',
    "called_computations": "[]",
    "composite_attributes": "{}",
    "has_side_effect": "false",
    "lower": "false",
    "output_operand_aliases": "[]",
    "result_accuracy": (
        "#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>"
    ),
    "version": "0 : i32",
}
"""What StableHLO's ops have where nothing is said; text leaves it out."""
_SAYS_NOTHING = re.compile(rb"(?:arg|res)_attrs = \[(?:\{\}(?:, )?)+\], ")


class Roundtrip(Rule, id="structure-roundtrip", severity="warning"):
    """The module comes back from its own text, or its bytecode, as another one.

    What MLIR prints of some ops does not say all of them: the short form of a reduce leaves out the
    attributes of the op inside, and the target of a custom call without a name does not parse.
    Whoever stores or hands over the module as text changes it.
    """

    remedy = (
        "take the attribute out or hand the module over as bytecode; text in generic form has all"
    )
    most_bytes: int = option("how large bytecode is tried at most", default=1 << 23)
    faulty = """\
func.func @main(%x: tensor<4xf32>, %zero: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b {acme.accumulate_in = "f64"} : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
"""
    fixed = """\
func.func @main(%x: tensor<4xf32>, %zero: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) {acme.accumulate_in = "f64"} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
"""

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        module = subject.module
        data = bytecode_of(module)
        if len(data) > self.most_bytes:
            return
        text = _text(module)
        if b"dense_resource<" in text:
            return  # a context keeps names of resources apart: read again, they have others
        again, why = _parsed(data, module.context)
        if again is None or bytecode_of(again) != data:
            yield self._told("bytecode", why, again, subject)
        again, why = _parsed(text, module.context)
        if again is None or _text(again) != text or not _are_one(again, module):
            yield self._told("text", why, again, subject)

    def _told(self, form: str, why: str, again: ir.Module | None, subject: Subject) -> Finding:
        if again is None:
            return self.found(f"its own {form} cannot be read: {why}", None, subject)
        found = _first_difference(subject.module, again)
        if found is None:
            return self.found(f"its own {form} brings back another module", None, subject)
        op, what = found
        return self.found(f"{form} does not keep {what} of {op.name}", op, subject)


def _text(module: ir.Module) -> bytes:
    data = module.operation.get_asm(binary=True, assume_verified=True)
    assert isinstance(data, bytes)
    return data


def _are_one(one: ir.Module, other: ir.Module) -> bool:
    """Whether two modules are the same, but for attributes that say what holds anyway."""
    if _generic(one) == _generic(other):
        return True
    return _generic(_without_defaults(one)) == _generic(_without_defaults(other))


def _without_defaults(module: ir.Module) -> ir.Module:
    module = clone_module(module)
    for op in ops_below(module.operation):
        for name in attribute_names(op):
            if _is_default(op, name):
                del op.attributes[name]
    return module


def _is_default(op: IrOperation, name: str) -> bool:
    default = _DEFAULTS.get(name) if op.name.startswith("stablehlo.") else None
    return default is not None and str(op.attributes[name]) == default


def _generic(module: ir.Module) -> bytes:
    # Constants are in the text that was compared before.
    data = module.operation.get_asm(
        binary=True, print_generic_op_form=True, assume_verified=True, large_elements_limit=16
    )
    assert isinstance(data, bytes)
    return _SAYS_NOTHING.sub(b"", data)


def _parsed(data: bytes, context: ir.Context) -> tuple[ir.Module | None, str]:
    with collecting(context) as found:
        try:
            is_text = not data.startswith(b"ML\xefR")
            return ir.Module.parse(data.decode("utf-8") if is_text else data, context), ""
        except (ir.MLIRError, ValueError, UnicodeError) as error:
            return None, found[0].message if found else str(error).partition("\n")[0]


def _first_difference(one: ir.Module, other: ir.Module) -> tuple[IrOperation, str] | None:
    """The first op of a module that is not so in another, and what of it is not."""
    for a, b in zip_longest(ops_below(one.operation), ops_below(other.operation)):
        if a is None or b is None:
            return None
        if a.name != b.name:
            return a, "the place"
        names = attribute_names(b)
        lost = [
            name
            for name in attribute_names(a)
            if name not in names and name not in _OF_VALUES and not _is_default(a, name)
        ]
        if lost:
            return a, f"the attribute {lost[0]}"
    return None
