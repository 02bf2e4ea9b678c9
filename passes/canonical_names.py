"""Give functions and meshes names that depend on nothing but what the module is.

    func.func private @_silu_7(...)        func.func private @function_0(...)
    func.func private @impl.softmax(...)   func.func private @decomposition_0(...)
    sdy.mesh @devices = <["x"=2]>          sdy.mesh @mesh_0 = <["x"=2]>

Two producers of one program so come to the same text. Meshes come first, then public functions
(`main` before all, the others by name), each followed by the private functions it is first to use,
in the order it uses them; private functions that nothing uses come last, as they stood. A private
function is named for what it is used as first: `decomposition` of a composite, `function` that is
called, `computation` of a custom call or another op. Names that others may rely on stay: those of
public functions, of functions without a body, and of symbols of any other kind, and so do the names
of composites. Names that are taken are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from dxir.diagnostics import where_of
from dxir.editing import free_name
from dxir.effects import Known, named_by
from dxir.errors import PassError
from dxir.mlir import IrOperation, ir, passmanager
from dxir.pipeline.base import Pass, option
from dxir.reading import attribute, attribute_names, has_body, is_public, symbol, walk

_USES = {
    "func.call": ("callee", "function"),
    "stablehlo.composite": ("decomposition", "decomposition"),
}
_OTHER = "computation"
_UNUSED = "unused"
_NAMES_OF_VALUES = ("jax.arg_info", "jax.result_info")


class CanonicalNames(Pass, name="dxir-canonical-names"):
    """Give functions and meshes names and an order that depend only on the program."""

    prefix: str = option("what the new names start with", default="")
    keep: tuple[str, ...] = option("functions and meshes whose names stay", default=())
    module_name: Literal["drop", "keep"] = option(
        "what becomes of the module's own name", default="drop"
    )
    io_names: Literal["drop", "keep"] = option(
        "what becomes of JAX's names of parameters and results", default="keep"
    )
    locations: Literal["drop", "keep"] = option("what becomes of files and lines", default="keep")

    def run(self, module: ir.Module) -> bool:
        symbols = _Symbols.of(module)
        for name in self.keep:
            if name not in symbols.named:
                raise PassError(
                    f"there is no function or mesh @{name} to keep the name of",
                    where=where_of(module.operation.location),
                    hint=f"it has {', '.join(f'@{n}' for n in symbols.named) or 'none at all'}",
                )
        renamed = _rename(symbols, self._names(symbols), module)
        moved = _reorder(symbols, module)
        self.count("symbols renamed", renamed)
        changed = renamed > 0 or moved
        root = module.operation
        if self.module_name == "drop" and "sym_name" in root.attributes:
            del root.attributes["sym_name"]
            changed = True
        if self.io_names == "drop":
            for function in symbols.functions:
                changed = _drop_value_names(function) or changed
        if self.locations == "drop":
            changed = _drop_locations(module) or changed
        return changed

    def _names(self, symbols: _Symbols) -> dict[str, str]:
        """The new names, by the old ones; only those that differ."""
        free = [name for name in symbols.order if self._is_free(symbols, name)]
        taken = symbols.named.keys() - set(free)
        counts: dict[str, int] = {}
        names: dict[str, str] = {}
        for old in free:
            role = symbols.roles[old]
            while True:
                number = counts.get(role, 0)
                counts[role] = number + 1
                new = f"{self.prefix}{role}_{number}"
                if new not in taken:
                    break
            names[old] = new
        return {old: new for old, new in names.items() if old != new}

    def _is_free(self, symbols: _Symbols, name: str) -> bool:
        op = symbols.named[name]
        if name in self.keep:
            return False
        return op.name == "sdy.mesh" or (
            op.name == "func.func" and not is_public(op) and has_body(op)
        )


@dataclass(slots=True)
class _Symbols:
    """The symbols of a module, in their canonical order, and the ops that refer to them.

    `direct` are references from attributes that hold the one symbol alone; symbols in `nested` are
    referred to from within other attributes, a sharding for instance, too.
    """

    named: dict[str, IrOperation] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)
    roles: dict[str, str] = field(default_factory=dict)
    direct: list[tuple[IrOperation, str, str]] = field(default_factory=list)
    nested: set[str] = field(default_factory=set)
    _known: Known = field(default_factory=dict)

    @property
    def functions(self) -> Iterator[IrOperation]:
        return (op for op in self.named.values() if op.name == "func.func")

    @classmethod
    def of(cls, module: ir.Module) -> _Symbols:
        found = cls()
        for view in module.body.operations:
            name = attribute(view.operation, "sym_name")
            if isinstance(name, ir.StringAttr):
                found.named[str(name.value)] = view.operation
        found._read(module)
        return found

    def _read(self, module: ir.Module) -> None:
        uses = {name: self._uses(op) for name, op in self.named.items()}
        public = [n for n, op in self.named.items() if op.name == "func.func" and is_public(op)]
        public.sort(key=lambda name: (name != "main", name))
        for view in module.body.operations:
            if "sym_name" not in view.operation.attributes:
                self._take(self._uses(view.operation), uses, public)
        for name in public:
            self._take([(name, "function")], uses, public)
        for name in self.named:
            self._take([(name, _UNUSED)], uses, public)
        self.order.sort(key=lambda name: self.named[name].name == "func.func")
        self.order.sort(key=lambda name: self.named[name].name != "sdy.mesh")

    def _take(
        self,
        first: list[tuple[str, str]],
        uses: dict[str, list[tuple[str, str]]],
        public: list[str],
    ) -> None:
        """Put symbols in order, each before the private ones that it is first to use."""
        pending = first[::-1]
        while pending:
            name, role = pending.pop()
            op = self.named.get(name)
            if op is None or name in self.roles:
                continue
            self.roles[name] = "mesh" if op.name == "sdy.mesh" else role
            self.order.append(name)
            pending += [use for use in reversed(uses[name]) if use[0] not in public]

    def _uses(self, root: IrOperation) -> list[tuple[str, str]]:
        """The symbols that are referred to in an op and below, in order, and what as."""
        found: dict[str, str] = {}

        def visit(op: IrOperation) -> ir.WalkResult | None:
            name = op.name
            if name == "builtin.module":
                return ir.WalkResult.SKIP  # it names its own functions only
            known = _USES.get(name)
            if known is not None:
                key, role = known
                callee = symbol(op, key)
                if callee is not None:
                    self.direct.append((op, key, callee))
                    found.setdefault(callee, role)
            for entry in attribute_names(op):
                if known is None or entry != known[0]:
                    for inner in named_by(attribute(op, entry), self._known):
                        self.nested.add(inner)
                        found.setdefault(inner, _OTHER)
            return None

        walk(root, visit)
        return list(found.items())


def _rename(symbols: _Symbols, names: dict[str, str], module: ir.Module) -> int:
    """Give symbols their new names, all at once: one may get the old name of another."""
    context = module.context
    nested = [old for old in names if old in symbols.nested]
    taken = {*symbols.named, *names.values()}
    passing: dict[str, str] = {}
    for number, old in enumerate(nested):
        stop = passing[old] = free_name(f"dxir.passing.{number}", taken)
        taken.add(stop)
        _replace_uses(old, stop, module)
    for op, key, callee in symbols.direct:
        if callee in names and callee not in passing:
            op.attributes[key] = ir.FlatSymbolRefAttr.get(names[callee], context)
    for old in nested:
        _replace_uses(passing[old], names[old], module)
    for old, new in names.items():
        symbols.named[old].attributes["sym_name"] = ir.StringAttr.get(new, context)
    return len(names)


def _replace_uses(old: str, new: str, module: ir.Module) -> None:
    try:
        ir.SymbolTable.replace_all_symbol_uses(old, new, module.operation)
    except RuntimeError:
        raise PassError(
            f"@{old} cannot get another name: the module has ops of unknown dialects with regions, "
            "which may hold symbols of their own",
            where=where_of(module.operation.location),
            hint=f"keep the name: keep={old}",
        ) from None


def _reorder(symbols: _Symbols, module: ir.Module) -> bool:
    """Put the symbols in their order; other ops at the top level stay before the functions."""
    first = [symbols.named[n] for n in symbols.order if symbols.named[n].name == "sdy.mesh"]
    last = [symbols.named[n] for n in symbols.order if symbols.named[n].name != "sdy.mesh"]
    before = [view.operation for view in module.body.operations]
    unnamed = [op for op in before if "sym_name" not in op.attributes]
    wanted = [*first, *unnamed, *last]
    if wanted == before:
        return False
    if wanted[0] != before[0]:
        wanted[0].move_before(before[0])
    for earlier, later in pairwise(wanted):
        later.move_after(earlier)
    return True


def _drop_value_names(function: IrOperation) -> bool:
    """Remove JAX's names of a function's parameters and results; whether there were any."""
    changed = False
    for key in ("arg_attrs", "res_attrs"):
        given = attribute(function, key)
        if not isinstance(given, ir.ArrayAttr):
            continue
        before = [ir.DictAttr(one) for one in given]
        left = [_without_value_names(one) for one in before]
        if left == before:
            continue
        changed = True
        if any(len(one) for one in left):
            function.attributes[key] = ir.ArrayAttr.get(left)
        else:
            del function.attributes[key]
    return changed


def _without_value_names(given: ir.DictAttr) -> ir.DictAttr:
    entries = [given[index] for index in range(len(given))]
    return ir.DictAttr.get({e.name: e.attr for e in entries if e.name not in _NAMES_OF_VALUES})


def _drop_locations(module: ir.Module) -> bool:
    unknown = ir.Location.unknown(module.context)
    located = False

    def visit(op: IrOperation) -> ir.WalkResult | None:
        nonlocal located
        located = located or op.location != unknown
        if op.name == "func.func" and not located and has_body(op):
            located = any(a.location != unknown for a in op.regions[0].blocks[0].arguments)
        return ir.WalkResult.INTERRUPT if located else None

    walk(module, visit)
    if located:
        manager = passmanager.PassManager.parse("builtin.module(strip-debuginfo)", module.context)
        manager.run(module.operation)
    return located
