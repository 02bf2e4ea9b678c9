"""Which of its three ends each composite meets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from typing import Literal

from dxir.decoding import Decoder
from dxir.errors import DxirError
from dxir.mlir import IrOperation, ir
from dxir.reading import attribute
from dxir.targets.kernels import CompositeUse, KernelDescriptor, kernels_for
from dxir.targets.record import Fate, Target
from dxir.targets.uses import use_of

KEEP: Literal["keep"] = "keep"
EXPAND: Literal["expand"] = "expand"

Report = Callable[[str, IrOperation, str, Mapping[str, float]], None]
"""What is told about a composite: the message, the place, its code and its numbers."""


def _silent(message: str, op: IrOperation, code: str, numbers: Mapping[str, float]) -> None:
    pass


@dataclass(frozen=True, slots=True)
class KernelCall:
    """A composite that a kernel takes."""

    use: CompositeUse
    kernel: KernelDescriptor


End = KernelCall | Literal["keep", "expand"]


@dataclass(slots=True)
class Ends:
    """The end of each composite by its name, the target's kernels, and the target's policy.

    A name in `keep`, or not in `only` where that is given, stays a composite whatever the target
    says. Then the first kernel that takes the use is called, unless `kernels` is False; then the
    granularity of the target says which stay. All others are expanded. `counts` has what became of
    how many, `names` the names met.
    """

    keep: Container[str] = ()
    only: Container[str] | None = None
    target: Target | None = None
    kernels: bool = True
    report: Report = _silent
    counts: Counter[str] = field(default_factory=Counter[str])
    names: dict[str, None] = field(default_factory=dict[str, None])
    _decoder: Decoder | None = None

    def end_of(self, op: IrOperation) -> End:
        """The end of a `stablehlo.composite` op, counted."""
        name = composite_name(op)
        self.names[name] = None
        if name in self.keep or (self.only is not None and name not in self.only):
            self.counts["composites kept"] += 1
            return KEEP
        if self.target is None:
            return EXPAND
        return self._by_target(op, name, self.target)

    def _by_target(self, op: IrOperation, name: str, target: Target) -> End:
        use, fate = self._fate(op, name, target)
        for reason in fate.why:
            self._refused(f"{name} is not called as the kernel {reason}", op)
        if fate.kernel is not None:
            self.counts["composites called as kernels"] += 1
            return KernelCall(use, fate.kernel)
        if fate.kind == "kept":
            self.counts["composites kept"] += 1
            return KEEP
        return EXPAND

    def _fate(self, op: IrOperation, name: str, target: Target) -> tuple[CompositeUse, Fate]:
        kernels = kernels_for(target.name, name) if self.kernels else ()
        use = CompositeUse(name, (), ())
        if not kernels and target.granularity.predicate is None:
            return use, _without_kernels(target, use)  # the name decides
        if self._decoder is None:
            self._decoder = Decoder(op.context, dict)
        try:
            use = use_of(op, self._decoder)
        except DxirError as error:
            if kernels:
                self._refused(f"{name} is not called as a kernel: {error.message}", op)
            return use, _without_kernels(target, use)
        return use, target.fate(use) if kernels else _without_kernels(target, use)

    def _refused(self, message: str, op: IrOperation) -> None:
        self.counts["kernels refused"] += 1
        self.report(message, op, "KERNEL_REFUSED", {})


def _without_kernels(target: Target, use: CompositeUse) -> Fate:
    return Fate("kept" if target.granularity.keeps(use) else "inlined")


def composite_name(op: IrOperation) -> str:
    """The name of a composite."""
    name = attribute(op, "name")
    return str(name.value) if isinstance(name, ir.StringAttr) else ""
