"""Move large constants into an archive, each named by the digest of what it holds.

In the module stands one of three forms for a constant; `dxir-internalize-constants` undoes each.

- argument: a new parameter of its function, after those it has, with the attribute
  `dxir.constant = "sha256:..."`; a private function gets it from those that call it. The module is
  plain StableHLO that runs anywhere: whoever runs it passes what the archive holds under the name
  (`Program.call_arguments` gives it). Each constant op gets a parameter of its own, so that
  bringing it back gives the same program, by its fingerprint; run `cse` before to have one for
  equal constants. `dxir.constant_depth` says in how many regions it was.
- custom-call: `stablehlo.custom_call @dxir.constant() {backend_config = {digest = "sha256:..."}}`
  in its place. Signatures stay; nothing runs it before it is brought back.
- iree: a `util.global` of `#flow.parameter.named<"scope"::"sha256:...">`, and a load in its place.
  IREE compiles it from text, and its runtime reads both kinds of archive. The context must allow
  unregistered dialects; types that IREE stores in another way (i1, below 8 bits) stay inline.

Splats stay inline, and so does what nothing uses. Constants where a parameter cannot be had are
left with a warning: in decompositions and other functions that are not only called, in recursions,
and in regions that take no value from outside (of a reduce or a manual computation).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from dxir.archives import Format
from dxir.constants import bytes_of, stored_as
from dxir.diagnostics import where_of
from dxir.editing import free_name, replace_with, replaced
from dxir.errors import PassError
from dxir.mlir import IrAttribute, IrLocation, IrOperation, IrType, ir, sdy
from dxir.parameters import Uses, add_parameters, uses_of_functions, with_operands
from dxir.pipeline.base import Pass, option
from dxir.reading import (
    SHARDING,
    attribute,
    attribute_names,
    attributes_of,
    function_name,
    functions,
    has_body,
    is_public,
    is_used,
)
from dxir.resources import is_resource
from dxir.types import TensorType
from dxir.weights import (
    CONSTANT,
    Weight,
    data_size,
    digest_of,
    format_of,
    has_known_ending,
    large_constants,
    write_weights,
)

DEPTH = "dxir.constant_depth"
DIGEST = "digest"
CAPTURING = frozenset({"stablehlo.while", "stablehlo.if", "stablehlo.case"})
"""The ops whose regions use values from outside."""

_FRONTEND, _EXPORTED = "mhlo.frontend_attributes", "xla.sdy.sharding"
_PER_VALUE = re.compile(r"#sdy\.sharding_per_value<\[<((?:(?!>, <).)*)>\]>", re.DOTALL)
_TYPED_FFI = 4
_VALUE = ("value",)
_LAYOUTS = (
    "mhlo.xla_entry_computation_parameter_layouts",
    "mhlo.xla_entry_computation_parameter_tiles",
)


@dataclass(frozen=True, slots=True)
class _Constant:
    """A constant op to be moved, in the function of that name."""

    op: IrOperation
    type: TensorType
    function: str
    digest: str = ""


class ExternalizeConstants(Pass, name="dxir-externalize-constants"):
    """Move large constants into an archive, where each is stored once under its digest."""

    file: str = option("the archive to write; must be given", default="")
    min_bytes: int = option("constants of fewer bytes stay in the module", default=1024)
    form: Literal["argument", "custom-call", "iree"] = option(
        "what stands for a constant in the module", default="argument"
    )
    format: Literal["safetensors", "irpa"] | None = option(
        "the layout of the archive; by the ending of its name when not given", default=None
    )
    scope: str = option("the scope of the parameters in the form iree", default="")
    overwrite: bool = option("replace a file that holds something else", default=False)

    def check(self) -> None:
        if not self.file:
            raise PassError(
                "no file to write the constants to",
                hint="write dxir-externalize-constants{file=weights.safetensors}",
            )
        if self.min_bytes < 0:
            raise PassError(f"min-bytes is {self.min_bytes}", hint="0 moves every constant")
        if self.scope and self.form != "iree":
            raise PassError("scope has a meaning in the form iree only")

    def run(self, module: ir.Module) -> bool:
        if self.form == "iree" and not module.context.allow_unregistered_dialects:
            raise PassError(
                "the form iree writes ops of IREE, which this context does not allow",
                hint="use --allow-unregistered-dialect, or load(..., allow_unregistered=True)",
            )
        large = [c for function in functions(module) for c in self._constants(function)]
        if not large:
            self.remark(
                f"no constant is moved: none has {self.min_bytes} bytes (min-bytes) or more and is "
                "no splat",
                code="NOTHING_TO_DO",
                numbers={"min_bytes": self.min_bytes},
            )
            return False
        uses = uses_of_functions(module)
        open_functions = _open(uses) if self.form == "argument" else set[str]()
        found = [constant for constant in large if self._fits(constant, open_functions)]
        if not found:
            return False
        if self.form == "argument":
            _refuse_layouts(module, found)
        if self.format is None and not has_known_ending(self.file):
            self.remark(
                f"{self.file} is written as {format_of(self.file)}: its name does not end in "
                ".safetensors or .irpa, and format is not given",
                code="FORMAT_ASSUMED",
            )
        with module.context:
            found = self._store(found)
            if self.form == "argument":
                _as_parameters(found, uses)
            elif self.form == "custom-call":
                _as_custom_calls(found)
            else:
                _as_globals(module, found, self.scope)
        return True

    def _constants(self, function: IrOperation) -> list[_Constant]:
        """The constants of a function that are large enough."""
        name = function_name(function)
        large = large_constants(function, self.min_bytes)
        return [_Constant(op, type, name) for op, type in large]

    def _fits(self, constant: _Constant, open_functions: set[str]) -> bool:
        """Whether the form can stand for a constant; a warning when not."""
        reason: str | None = None
        if not is_used(constant.op.results[0]):
            self.count("constants nobody uses")
            return False
        if stored_as(constant.type).bits < 8 and is_resource(constant.op):
            reason = "it is a resource, whose layout is not defined for elements below 8 bits"
        elif self.form == "argument":
            reason = _no_parameter(constant, open_functions)
        elif self.form == "iree" and stored_as(constant.type).bits < 8:
            reason = f"IREE stores {stored_as(constant.type)} in another way"
        if reason is not None:
            self.count("constants left inline")
            said = f"the constant of type {constant.type} stays inline: {reason}"
            self.warn(said, constant.op, code="CONSTANT_KEPT_INLINE")
        return reason is None

    def _store(self, found: Sequence[_Constant]) -> list[_Constant]:
        """Write the archive; gives the constants with their digests."""
        named: list[_Constant] = []
        places: dict[str, list[str]] = {}
        first: dict[str, _Constant] = {}
        for constant in found:
            self.budget.check_time()
            data = bytes_of(constant.op, constant.type)
            digest = digest_of(data, stored_as(constant.type), constant.type.static_shape)
            named.append(_Constant(constant.op, constant.type, constant.function, digest))
            first.setdefault(digest, constant)
            where = where_of(constant.op.location)
            places.setdefault(digest, []).append(
                f"@{constant.function}" + (f" {where}" if where else "")
            )
        weights = [
            Weight(
                digest,
                stored_as(constant.type),
                constant.type.static_shape,
                tuple(dict.fromkeys(places[digest])),
                partial(bytes_of, constant.op, constant.type),
            )
            for digest, constant in sorted(first.items())
        ]
        layout: Format = self.format or format_of(self.file)
        write_weights(self.file, weights, layout, overwrite=self.overwrite)
        self.count("constants moved", len(named))
        self.count("constants stored", len(weights))
        self.count("bytes stored", sum(data_size(w.dtype, w.shape) for w in weights))
        return named


def _open(uses: Uses) -> set[str]:
    """The functions that can be given parameters: public ones, and those that only they call."""
    recursive = uses.order().recursive
    callers = uses.callers
    found = {
        name
        for name, function in uses.functions.items()
        if has_body(function) and name not in uses.otherwise and name not in recursive
    }
    while True:
        closed = {
            name
            for name in found
            if not callers[name] <= found
            or (not callers[name] and not is_public(uses.functions[name]))
        }
        if not closed:
            return found
        found -= closed


def _no_parameter(constant: _Constant, open_functions: set[str]) -> str | None:
    """Why a constant cannot become a parameter of its function."""
    if constant.function not in open_functions:
        return f"@{constant.function} is not a function that is called from a public one only"
    op = constant.op.parent
    while op is not None and op.operation.name != "func.func":
        if op.operation.name not in CAPTURING:
            return f"it is in the region of a {op.operation.name}"
        op = op.operation.parent
    for name in attribute_names(constant.op):
        if name != "value" and ("." not in name or attribute(constant.op, name) is None):
            return f"a parameter cannot have its attribute {name}"
    return None


def _refuse_layouts(module: ir.Module, found: Sequence[_Constant]) -> None:
    named = [name for name in _LAYOUTS if name in module.operation.attributes]
    if named:
        raise PassError(
            f"the module gives the layouts of its parameters ({named[0]}), and would have more",
            where=where_of(found[0].op.location),
            hint="use form=custom-call, or drop the attribute",
        )


@dataclass(frozen=True, slots=True)
class _Parameter:
    digest: str
    type: IrType
    attributes: tuple[tuple[str, IrAttribute], ...]
    location: IrLocation
    depth: int = 0

    @property
    def key(self) -> tuple[object, ...]:
        return self.digest, self.type, self.attributes

    @property
    def entry(self) -> dict[str, IrAttribute]:
        entry = {CONSTANT: ir.StringAttr.get(self.digest), **dict(self.attributes)}
        if self.depth:
            entry[DEPTH] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), self.depth)
        return entry


def _parameter(constant: _Constant) -> _Parameter:
    op, depth = constant.op, 0
    parent = op.parent
    while parent is not None and parent.operation.name != "func.func":
        depth += 1
        parent = parent.operation.parent
    kept = sorted(attributes_of(op, without=_VALUE).items())
    attributes = tuple((n, _of_parameter(n, v)) for n, v in kept)
    return _Parameter(constant.digest, op.results[0].type, attributes, op.location, depth)


def _of_parameter(name: str, value: IrAttribute) -> IrAttribute:
    """What a constant's attribute is on a parameter: its sharding is not one of a list there."""
    if name == SHARDING:
        return sdy.TensorShardingPerValueAttr(value).shardings[0]
    text = exported_sharding(name, value)
    match = None if text is None else _PER_VALUE.fullmatch(text)
    return value if match is None else with_exported_sharding(value, f"#sdy.sharding<{match[1]}>")


def exported_sharding(name: str, value: IrAttribute) -> str | None:
    """The text of the sharding in attributes as artifacts have them; None where there is none."""
    if name != _FRONTEND or not isinstance(value, ir.DictAttr) or _EXPORTED not in value:
        return None
    text = value[_EXPORTED]
    return text.value if isinstance(text, ir.StringAttr) else None


def with_exported_sharding(value: IrAttribute, text: str) -> IrAttribute:
    """The attributes with another text of the sharding."""
    given = ir.DictAttr(value)
    entries = {given[i].name: given[i].attr for i in range(len(given))}
    return ir.DictAttr.get({**entries, _EXPORTED: ir.StringAttr.get(text)})


def _as_parameters(found: Sequence[_Constant], uses: Uses) -> None:
    own: dict[str, list[_Constant]] = {}
    for constant in found:
        own.setdefault(constant.function, []).append(constant)
    added: dict[str, list[_Parameter]] = {}
    for name in uses.order().names:
        constants = own.get(name, [])
        parameters = [_parameter(constant) for constant in constants]
        position = {p.key: i for i, p in reversed(list(enumerate(parameters)))}
        calls = [(call, callee) for callee, call in uses.calls.get(name, []) if added.get(callee)]
        for _, callee in calls:
            for passed in added[callee]:
                if passed.key not in position:
                    position[passed.key] = len(parameters)
                    parameters.append(
                        _Parameter(passed.digest, passed.type, passed.attributes, passed.location)
                    )
        if not parameters:
            continue
        added[name] = parameters
        values = add_parameters(
            uses.functions[name],
            [p.type for p in parameters],
            [p.entry for p in parameters],
            [p.location for p in parameters],
        )
        for constant, value in zip(constants, values, strict=False):
            replace_with(constant.op, [value])
        for call, callee in calls:
            given = [values[position[passed.key]] for passed in added[callee]]
            with_operands(call, [*range(len(call.operands)), *given])


def _as_custom_calls(found: Sequence[_Constant]) -> None:
    for constant in found:
        config: dict[str, IrAttribute] = {DIGEST: ir.StringAttr.get(constant.digest)}
        replaced(
            constant.op,
            "stablehlo.custom_call",
            {
                **attributes_of(constant.op, without=_VALUE),
                "call_target_name": ir.StringAttr.get(CONSTANT),
                "api_version": ir.IntegerAttr.get(ir.IntegerType.get_signless(32), _TYPED_FFI),
                "backend_config": ir.DictAttr.get(config),
            },
        )


def _as_globals(module: ir.Module, found: Sequence[_Constant], scope: str) -> None:
    taken = {function_name(op.operation) for op in module.body.operations}
    names: dict[tuple[str, IrType], str] = {}
    at = ir.InsertionPoint.at_block_begin(module.body)
    for constant in found:
        type = constant.op.results[0].type
        name = names.get((constant.digest, type))
        if name is None:
            name = free_name(f"constant_{constant.digest.partition(':')[2][:16]}", taken)
            names[constant.digest, type] = name
            taken.add(name)
            quoted = ir.StringAttr.get(scope)
            key = f'{quoted}::"{constant.digest}"' if scope else f'"{constant.digest}"'
            ir.Operation.create(
                "util.global",
                attributes={
                    "sym_name": ir.StringAttr.get(name),
                    "sym_visibility": ir.StringAttr.get("private"),
                    "type": ir.TypeAttr.get(type),
                    "initial_value": ir.Attribute.parse(f"#flow.parameter.named<{key}> : {type}"),
                },
                loc=constant.op.location,
                ip=at,
            )
        kept = attributes_of(constant.op, without=_VALUE)
        load = {**kept, "global": ir.FlatSymbolRefAttr.get(name)}
        replaced(constant.op, "util.global.load", load)
