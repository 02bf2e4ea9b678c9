"""Write sine over cosine as tan, or tan as the quotient; on record, as the numbers differ.

    divide(sine(x), cosine(x))  ->  tan(x)      to=tan
    tan(x)  ->  divide(sine(x), cosine(x))      to=quotient

On real numbers both are the same. In floats the quotient is rounded three times and tan once: on
XLA's CPU about a third of all results differ, by at most 1.73 units of the last place (epsilon
times the value) for any |x| up to 1e5, poles included; `max_rel_error` records two. That holds
where sine and cosine have a small *relative* error. Of a device whose cosine is only absolutely
accurate, the quotient near a pole, where cosine is almost zero, is off by as much as its cosine is.

A sine or cosine that something else uses stays for that. Left alone: ops that ask for an accuracy
of their own, complex numbers (a quotient overflows where tan does not), and floats of 8 bits and
fewer.
"""

from __future__ import annotations

from typing import Literal

from dxir.mlir import IrOperation, IrValue, ir
from dxir.passes.rewrites.matching import maker
from dxir.pipeline.base import Pass, option
from dxir.pipeline.rewriting import Make, Rules, apply_rules
from dxir.reading import functions, has_body

_DIVIDE, _SINE, _COSINE = "stablehlo.divide", "stablehlo.sine", "stablehlo.cosine"
_TAN = "stablehlo.tan"
_ULPS = 2
_EPSILON = {"f64": 2.0**-52, "f32": 2.0**-23, "f16": 2.0**-10, "bf16": 2.0**-7}


class LegalizeTan(Pass, name="dxir-legalize-tan"):
    """Replace sine over cosine by tan, or tan by the quotient, and record it."""

    to: Literal["tan", "quotient"] = option("the form to have", default="tan")

    def run(self, module: ir.Module) -> bool:
        rules = Rules()
        if self.to == "tan":
            rules.rule(_DIVIDE, over=(_SINE,))(self.quotient_to_tan)
        else:
            rules.rule(_TAN, "chlo.tan")(self.tan_to_quotient)
        changed = False
        for function in list(functions(module)):
            if has_body(function):
                changed |= apply_rules(self, function, rules, fold=False)
        return changed

    def quotient_to_tan(self, op: IrOperation, make: Make) -> IrValue | None:
        """sin(x) / cos(x) is tan(x)."""
        sine, cosine = maker(make, 0, (_SINE,)), maker(make, 1, (_COSINE,))
        if sine is None or cosine is None:
            return None
        if sine.operands[0] != cosine.operands[0] or not _fits(op, sine, cosine):
            return None
        made = make.op(_TAN, op.results[0].type, sine.operands[0])
        self._tell(op, make.made[-1], "sine / cosine", _TAN)
        return made

    def tan_to_quotient(self, op: IrOperation, make: Make) -> IrValue | None:
        """tan(x) is sin(x) / cos(x)."""
        type = op.results[0].type
        if not _fits(op):
            return None
        sine = make.op(_SINE, type, make.operands[0])
        made = make.op(_DIVIDE, type, sine, make.op(_COSINE, type, make.operands[0]))
        self._tell(op, make.made[-1], "tan", "sine / cosine")
        return made

    def _tell(self, op: IrOperation, made: IrOperation, old: str, new: str) -> None:
        bound = _ULPS * _EPSILON[_element(made.results[0])]
        reason = f"to={self.to} was asked for; the bound is that of accurate sines and cosines"
        self.record_approximation(made, old, reason, max_rel_error=bound)
        self.remark(
            f"{old} is replaced by {new}, as asked: results differ by up to {bound:.2g} of their "
            "size",
            op,
            code="TAN_LEGALIZED",
            numbers={"max_rel_error": bound},
        )


def _element(value: IrValue) -> str:
    return str(ir.ShapedType(value.type).element_type)


def _fits(*ops: IrOperation) -> bool:
    """Whether the ops are of floats whose bound is known, and ask for no accuracy of their own."""
    types = {v.type for op in ops for v in (*op.operands, *op.results)}
    return (
        len(types) == 1
        and _element(ops[0].results[0]) in _EPSILON
        and not any("result_accuracy" in op.attributes for op in ops)
    )
