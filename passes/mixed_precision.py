"""Compute an f32 program in bf16 or f16, by a policy, with sums in f32.

Every op is of one of three classes. Those in `allow` (by default dot_general, convolution and
their kin) take narrow operands; products are added up in f32, and their results stay f32 until
something takes them narrow. Those in `follow` (arithmetic, tanh, logistic, moving elements) are
narrow when all that they take is, and when something takes their result narrow. All others, and
those in `deny`, compute in f32: reductions and their sums, exp, log, powers and roots, comparisons,
sorting, collectives, random numbers.

Parameters count as narrow, constants fit either side, and what the program itself converts to f32
counts as f32. A constant whose value would become infinite
or zero keeps what takes it in f32. What a loop carries and a branch gives back is f32; so are the
parameters and results of all functions, unless `keep-io` is false: then public functions take and
give narrow tensors, and f32 scalars, which losses and step sizes are. Decompositions of composites
are converted inside, with their composites as they were; composites named in `deny` are left alone
altogether. Products that ask for a precision above the default or name their algorithm stay as they
are, and so does every type but f32.

The policy is on record in the module, as an approximation. f16 holds no more than 65504 and
little below 6e-5: it needs inputs, and gradients, that are scaled.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from dxir.approximations import recorded
from dxir.call_graph import order, reached
from dxir.collecting import collection_paused
from dxir.diagnostics import where_of
from dxir.editing import retype
from dxir.effects import CALLEE_KEYS, callees, kind_of
from dxir.errors import PassError
from dxir.mlir import IrOperation, ir
from dxir.passes.precision.body import CALLS, Body, callee_of
from dxir.passes.precision.narrowing import Narrowing
from dxir.passes.precision.policy import Policy, make_policy
from dxir.passes.precision.types import Types
from dxir.pipeline.base import Pass, option
from dxir.reading import (
    attribute,
    function_name,
    functions,
    has_body,
    is_public,
)
from dxir.types import DType

_REASON = "narrow types were asked for, where the policy has them"


class MixedPrecision(Pass, name="dxir-mixed-precision"):
    """Compute f32 programs in bf16 or f16 by a policy, with sums, statistics and losses in f32."""

    compute: Literal["bf16", "f16"] = option("the narrow type", default="bf16")
    keep_io: bool = option("leave the types of public functions as they are", default=True)
    composites: Literal["convert", "keep"] = option(
        "convert inside of decompositions, or leave all of them alone", default="convert"
    )
    allow: tuple[str, ...] = option("more ops that take narrow operands in any case", default=())
    follow: tuple[str, ...] = option("more ops that are as narrow as their operands", default=())
    deny: tuple[str, ...] = option(
        "more ops that stay in f32, and composites left alone", default=()
    )

    def run(self, module: ir.Module) -> bool:
        wanted = self.policy_text()
        root = module.operation
        for known in recorded(module):
            if known.by != self.name:
                continue
            text = known.details.get("policy", "?")
            if text == wanted:
                return False
            raise PassError(
                f"the module has the precision policy {text!r} already; it cannot have "
                f"{wanted!r} on top",
                where=where_of(root.location),
                hint="start from the module in f32",
            )
        policy = make_policy(self.allow, self.follow, self.deny, module.context)
        if self.compute == "f16":
            self.warn(
                "f16 holds at most 65504: results of ops in f16 beyond it become infinite; "
                "bf16 has the range of f32",
                code="F16_RANGE",
                numbers={"largest": 65504},
            )
        with collection_paused():
            _Converter(self, module, policy).run()
        self.record_approximation(module, "f32", _REASON, policy=wanted)
        return True

    def policy_text(self) -> str:
        """The policy as the module records it."""
        parts = [f"compute={self.compute}", "accumulate=f32"]
        parts.append(f"io={'f32' if self.keep_io else self.compute}")
        parts.append(f"composites={self.composites}")
        for name in ("allow", "follow", "deny"):
            given: tuple[str, ...] = getattr(self, name)
            if given:
                parts.append(f"{name}={','.join(sorted(set(given)))}")
        return " ".join(parts)


class _Converter:
    """The conversion of all functions of a module."""

    def __init__(self, pass_: MixedPrecision, module: ir.Module, policy: Policy) -> None:
        self.pass_, self.policy = pass_, policy
        self.types = Types(DType.of(pass_.compute), module.context)
        self.functions = {function_name(f): f for f in functions(module)}
        self.bodies = {n: Body.of(f) for n, f in self.functions.items() if has_body(f)}
        self.calls = {n: list(dict.fromkeys(self._callees(b))) for n, b in self.bodies.items()}
        self.left = self._left_alone()
        self.changed = frozenset(
            n
            for n, f in self.functions.items()
            if not pass_.keep_io and is_public(f) and n not in self.left
        )

    def run(self) -> None:
        names = self._callers_first()
        narrowings = {
            name: Narrowing(
                self.bodies[name], self.policy, self.types, left=self.left, changed=self.changed
            )
            for name in names
        }
        # What callees want of their parameters, and then what callers have to give.
        wishes: dict[str, list[bool]] = {}
        wanted: dict[str, set[int]] = {}
        for name in reversed(names):
            found = wanted[name] = narrowings[name].wanted(wishes)
            arguments = self.functions[name].regions[0].blocks[0].arguments
            wishes[name] = [hash(a) in found for a in arguments]
        given = {
            name: [True] * len(wishes[name]) for name in names if is_public(self.functions[name])
        }
        for name in names:
            parameters = given.get(name, [True] * len(wishes[name]))
            calls = narrowings[name].run(parameters, wanted[name])
            self._meet(calls, given)
            if name in self.changed:
                retype(self.functions[name])
            self._report(narrowings[name])

    def _meet(self, calls: Mapping[IrOperation, list[bool]], given: dict[str, list[bool]]) -> None:
        """Parameters prefer to be narrow where every call has something narrow to give."""
        for op, flags in calls.items():
            callee = callee_of(op, op.name)
            function = self.functions.get(callee)
            if function is not None and not is_public(function):
                before = given.get(callee, flags)
                given[callee] = [a and b for a, b in zip(before, flags, strict=True)]

    def _report(self, narrowing: Narrowing) -> None:
        result = narrowing.result
        self.pass_.count(f"ops in {self.pass_.compute}", result.narrowed)
        self.pass_.count("converts", result.converts)
        for op, reason in result.kept:
            self.pass_.count("products kept in f32")
            self.pass_.warn(f"'{op.name}' stays in f32: {reason}", op, code="KEPT_IN_F32")

    def _callees(self, body: Body) -> list[str]:
        return [callee for op, name, _ in body.ops if _may_refer(name) for callee in callees(op)]

    def _left_alone(self) -> frozenset[str]:
        """The functions not to convert, and all that they call."""
        pending: list[str] = []
        for name, body in self.bodies.items():
            if len(self.functions[name].regions[0].blocks) != 1:
                self.pass_.warn(
                    f"@{name} has control flow between blocks and stays in f32", code="KEPT_IN_F32"
                )
                pending.append(name)
            for op, kind, closed in body.ops:
                if closed or kind not in CALLS:
                    if _may_refer(kind):
                        pending += callees(op)  # typed by what the op is
                elif kind == "stablehlo.composite" and self._keeps(op):
                    pending.append(callee_of(op, kind))
        declared = (n for n in self.functions if n not in self.bodies)
        return frozenset((*declared, *reached(lambda name: self.calls.get(name, ()), pending)))

    def _keeps(self, op: IrOperation) -> bool:
        name = attribute(op, "name")
        return self.pass_.composites == "keep" or (
            isinstance(name, ir.StringAttr) and self.policy.keeps_composite(name.value)
        )

    def _callers_first(self) -> list[str]:
        """The functions to convert, each before those it calls."""
        calls = {name: called for name, called in self.calls.items() if name not in self.left}
        return order(calls).names[::-1]


def _may_refer(name: str) -> bool:
    """Whether ops of that name can refer to functions."""
    return name in CALLEE_KEYS or kind_of(name) != "pure"
