"""Kernels: routines of a target that stand for composites.

A `KernelDescriptor` says which uses of a composite the routine takes and how the target's
`stablehlo.custom_call` of it is written; `register_kernel` makes it known. The pass
`dxir-decompose` asks each use of a composite which kernel takes it, and why the others do not.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dxir.attributes import DenseArray, OpShardingRule
from dxir.errors import DxirError, TargetError
from dxir.sharding_rules import AnyRule, rule_on
from dxir.targets import kernel_rules
from dxir.targets.kernel_bounds import EXACT, Takes, Tolerance
from dxir.types import DType, TensorType, Type

if TYPE_CHECKING:
    from dxir.costs.calls import CallCost
    from dxir.decoding import Decoder
    from dxir.mlir import IrOperation

_TYPED_FFI = 4
_API_VERSIONS = (1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class CompositeUse:
    """One composite in a program, as policies and kernels see it: free of MLIR.

    `attributes` has Python values: numbers, strings, arrays, tuples and dictionaries of these.
    `where` is the user's `file:line:col`.
    """

    name: str
    operand_types: tuple[Type, ...]
    result_types: tuple[Type, ...]
    attributes: Mapping[str, Any] = field(default_factory=dict[str, Any])
    version: int = 0
    where: str | None = None
    has_regions: bool = False

    @staticmethod
    def of(op: IrOperation, decoder: Decoder | None = None) -> CompositeUse:
        """What a `stablehlo.composite` op says; `decoder` remembers types and attributes.

        Raises RaisingError for a type that dxir has no word for.
        """
        from dxir.targets.uses import use_of

        return use_of(op, decoder)

    @property
    def bytes(self) -> int | None:
        """What the operands and results take together; None when a size is not known."""
        total = 0
        for type in (*self.operand_types, *self.result_types):
            if not isinstance(type, TensorType) or not type.is_static:
                return None
            total += -(-type.size * type.dtype.bits // 8)
        return total


Layouts = tuple[tuple[int, ...], ...]
"""For each tensor its axes from minor to major."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelDescriptor:
    """A routine of a target that computes what a composite means.

    What a descriptor says of layouts, scratch results, the sharding rule and the backend config may
    be given as it is, or as a function of the use.

    `version` is the only version of the composite that it stands for; any, if None.
    `operands` has what the kernel takes for each operand; a single one goes for all of them.
    `refuses` says what else a use must not be: the reason why the kernel does not take it, or None.
    Uses of fewer than `min_bytes`, operands and results together, are not worth a call.
    `config` is the backend config, by default the attributes of the composite: a dictionary, which
    is written as such when `api_version` is 4 and as `k=v;l=w`, sorted, below; or, there, a string.
    `aliases` has, for results that are written into the memory of an operand, its number.
    `scratch` are types of results that the call has beyond the composite's, and nobody uses.
    `sharding_rule` is a ShardingRule or its formula, which leave scratch results alone; or an
    OpShardingRule or the text of one, `#sdy.op_sharding_rule<...>`, which cover those as well. By
    default it is that of the composite, where it has one.
    `vjp(node, g, y)` derives a call as an op of the graph would, see `dxir.derivatives`: `node` is
    the custom call. By default, and in forward mode, the decomposition is derived instead.
    `cost(use)` says what a call costs, see `dxir.costs.register_call_cost`.
    """

    composite: str
    call_target: str
    version: int | None = None
    operands: tuple[Takes, ...] | Takes | None = None
    refuses: Callable[[CompositeUse], str | None] | None = None
    min_bytes: int = 0
    config: Mapping[str, Any] | str | Callable[[CompositeUse], Mapping[str, Any] | str] | None = (
        None
    )
    api_version: int = _TYPED_FFI
    operand_layouts: Layouts | Callable[[CompositeUse], Layouts] | None = None
    result_layouts: Layouts | Callable[[CompositeUse], Layouts] | None = None
    aliases: Mapping[int, int] = field(default_factory=dict[int, int])
    scratch: tuple[TensorType, ...] | Callable[[CompositeUse], Sequence[TensorType]] = ()
    has_side_effect: bool = False
    sharding_rule: AnyRule | Callable[[CompositeUse], AnyRule] | None = None
    vjp: Callable[..., Any] | None = None
    tolerance: Tolerance = EXACT
    cost: CallCost | None = None

    def __post_init__(self) -> None:
        if "." not in self.composite:
            raise TargetError(
                f"the kernel {self.call_target!r} is for {self.composite!r}, which names no "
                "composite",
                hint='a composite is named "namespace.name", with a dot',
            )
        if not self.call_target:
            raise TargetError(f"a kernel for {self.composite} names nothing to call")
        if self.api_version not in _API_VERSIONS:
            raise TargetError(
                f"the kernel {self.call_target!r} has api_version {self.api_version}",
                hint=f"it must be one of {_API_VERSIONS}",
            )
        if self.min_bytes < 0:
            raise TargetError(f"the kernel {self.call_target!r} has min_bytes {self.min_bytes}")
        if isinstance(self.config, str) and self.api_version == _TYPED_FFI:
            raise self._no_string()

    def refusal(self, use: CompositeUse) -> str | None:
        """Why the kernel does not take a use of its composite; None when it does."""
        if use.name != self.composite:
            return f"the kernel is for {self.composite}"
        if self.version not in (None, use.version):
            return f"the composite has version {use.version}; the kernel is for {self.version}"
        if use.has_regions:
            return "the composite has regions, which a custom call cannot hold"
        found = self._operand_refusal(use.operand_types)
        if found is not None:
            return found
        size = use.bytes
        if size is not None and size < self.min_bytes:
            return f"it has {size} bytes; the kernel is used from {self.min_bytes} on"
        if self.refuses is None:
            return None
        reason: object = self._told("refuses", self.refuses, use)
        if reason is not None and not isinstance(reason, str):
            raise self._wrong("refuses", f"gave {reason!r}, not a reason or None", use)
        return reason

    def _told(self, what: str, function: Callable[[CompositeUse], Any], use: CompositeUse) -> Any:
        """What a function of the descriptor says of a use."""
        try:
            return function(use)
        except DxirError:
            raise
        except Exception as error:
            said = f"raised {type(error).__name__}: {error}"
            raise self._wrong(what, said, use) from error

    def _wrong(self, what: str, problem: str, use: CompositeUse) -> TargetError:
        return TargetError(
            f"the kernel {self.call_target!r} for {self.composite}: its {what} {problem}",
            where=use.where,
            hint=f"correct {what} of the descriptor",
        )

    def _operand_refusal(self, types: Sequence[Type]) -> str | None:
        takes = self.operands
        if takes is None:
            return None
        if isinstance(takes, Takes):
            takes = (takes,) * len(types)
        if len(takes) != len(types):
            return f"it has {len(types)} operands; the kernel takes {len(takes)}"
        for i, (each, type) in enumerate(zip(takes, types, strict=True)):
            found = each.refusal(type)
            if found is not None:
                return f"operand {i} {found}"
        return None

    def backend_config(self, use: CompositeUse) -> dict[str, Any] | str:
        """The backend config of the call: a dictionary where `api_version` is 4, else a string."""
        found: Mapping[str, Any] | str = use.attributes
        if self.config is not None:
            found = self._told("config", self.config, use) if callable(self.config) else self.config
        if isinstance(found, str):
            if self.api_version == _TYPED_FFI:
                raise self._no_string()
            return found
        if self.api_version == _TYPED_FFI:
            return {k: _portable(v) for k, v in sorted(found.items())}
        return ";".join([f"{k}={self._text(k, v)}" for k, v in sorted(found.items())])

    def _no_string(self) -> TargetError:
        return TargetError(
            f"the kernel {self.call_target!r} has a backend config in a string, and api_version "
            f"{_TYPED_FFI}",
            hint="give a dictionary, or api_version=2",
        )

    def _text(self, key: str, value: Any) -> str:
        if isinstance(value, (bool, np.bool_)):
            return "true" if value else "false"
        if isinstance(value, (int, float, np.generic)):
            return str(value)
        if isinstance(value, (DType, TensorType)):
            return repr(value)
        if isinstance(value, str) and not {*value} & {*";=,"}:
            return value
        value = _portable(value)
        if isinstance(value, np.ndarray) and value.ndim == 1:
            value = tuple(value.tolist())
        if isinstance(value, (tuple, list)) and not any(
            isinstance(v, (tuple, list, np.ndarray, Mapping)) for v in value
        ):
            return ",".join([self._text(key, v) for v in value])
        raise TargetError(
            f"the backend config of the kernel {self.call_target!r} cannot hold {key}={value!r} in "
            "a string",
            hint="give a function as config that returns plain numbers and words or a string of "
            "its own, or api_version=4, which takes a dictionary",
        )

    def layouts(self, use: CompositeUse) -> tuple[Layouts, Layouts] | None:
        """The layouts of operands and of results, scratch included; None when any will do."""
        if self.operand_layouts is None and self.result_layouts is None:
            return None
        results = (*use.result_types, *self.scratch_types(use))
        if self.result_layouts is None:
            given = row_major(results)
        else:
            own = self.result_layouts
            given = self._told("result_layouts", own, use) if callable(own) else own
            given = (*given, *row_major(results[len(given) :]))
        if self.operand_layouts is None:
            return row_major(use.operand_types), given
        operands = self.operand_layouts
        if callable(operands):
            operands = self._told("operand_layouts", operands, use)
        return operands, given

    def scratch_types(self, use: CompositeUse) -> tuple[TensorType, ...]:
        """The types of the results that nobody uses."""
        given = self.scratch
        return tuple(self._told("scratch", given, use) if callable(given) else given)

    def rule(self, use: CompositeUse) -> OpShardingRule | str | None:
        """The sharding rule of the call; text is an `#sdy.op_sharding_rule`."""
        given = self.sharding_rule
        rule: Any = self._told("sharding_rule", given, use) if callable(given) else given
        if rule is None or (isinstance(rule, str) and rule.startswith("#")):
            return rule
        return rule_on(rule, use.operand_types, (*use.result_types, *self.scratch_types(use)))


def _portable(value: Any) -> Any:
    """The value; of MLIR's dense arrays, which no artifact holds, the numbers as an array."""
    if isinstance(value, DenseArray):
        return np.array(value.values, DType.of(value.dtype).numpy)
    return value


def row_major(types: Sequence[Type]) -> Layouts:
    """The layouts of tensors whose last axis is the minor one, as NumPy's are."""
    return tuple(
        [tuple(reversed(range(t.rank if isinstance(t, TensorType) else 0))) for t in types]
    )


_kernels: dict[str, dict[str, list[KernelDescriptor]]] = {}


def register_kernel(
    target: str, kernel: KernelDescriptor, *, replace: bool = False
) -> KernelDescriptor:
    """Make a kernel known for its composite on the target of that name.

    Where several take a use, the one registered first is called. TargetError for another kernel of
    the same composite and call target, unless it is to `replace` that, as where a cell of a
    notebook runs again.
    """
    known = _kernels.setdefault(target, {}).setdefault(kernel.composite, [])
    for other in list(known):
        if other is kernel:
            return kernel
        if other.call_target == kernel.call_target and other.version == kernel.version:
            if not replace:
                raise TargetError(
                    f"{target} has a kernel {kernel.call_target!r} for {kernel.composite} already",
                    hint="give replace=True to put this one in its place",
                )
            unregister_kernel(target, other)
    known.append(kernel)
    kernel_rules.enter(target, kernel)
    return kernel


def unregister_kernel(target: str, kernel: KernelDescriptor) -> None:
    """Forget a kernel; TargetError when it is not registered there."""
    known = _kernels.get(target, {}).get(kernel.composite, [])
    if not any(other is kernel for other in known):
        raise TargetError(f"{target} has no kernel {kernel.call_target!r} for {kernel.composite}")
    known[:] = [other for other in known if other is not kernel]
    kernel_rules.forget(target, kernel)


def kernels_for(target: str, composite: str) -> tuple[KernelDescriptor, ...]:
    """The kernels registered for a composite on a target, in the order they are tried."""
    return tuple(_kernels.get(target, {}).get(composite, ()))


def kernels_of(target: str) -> tuple[KernelDescriptor, ...]:
    """All kernels registered on a target, by composite."""
    found = _kernels.get(target, {})
    return tuple([kernel for name in sorted(found) for kernel in found[name]])


def kernel_called(target: str, call_target: str) -> KernelDescriptor | None:
    """A kernel registered on a target that calls what has this name."""
    return next((k for k in kernels_of(target) if k.call_target == call_target), None)


def near_call_targets(target: str, call_target: str, others: Sequence[str] = ()) -> list[str]:
    """The most similar names, of the target's kernels and of `others`."""
    names = {k.call_target for k in kernels_of(target)} | set(others)
    return difflib.get_close_matches(call_target, sorted(names), n=3)
