"""Which version of StableHLO a program needs, and why one cannot be written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from dxir.diagnostics import Diagnostic, collecting, error_from, where_of
from dxir.errors import ArtifactError
from dxir.mlir import IrAttribute, IrOperation, clone_module, ir, passmanager, stablehlo
from dxir.reading import attribute, attribute_names, attribute_text, walk
from dxir.versions import Version, current_version, known_versions

_ILLEGAL = re.compile(r"failed to legalize operation '([\w.]+)'")
_VERSIONED = re.compile(r"^vhlo\.(\w+)_v\d+$")

# What a portable artifact holds; func and the module itself have versioned forms too.
STABLE_DIALECTS = frozenset({"stablehlo", "func", "builtin", "vhlo"})

_FOREIGN_HINTS = {
    "chlo": "leave out keep_chlo, --allow-other-dialects: CHLO ops then become StableHLO",
    "shape": "leave out keep_chlo, --allow-other-dialects: shape ops go together with chlo",
    "sdy": "leave out keep_chlo, --allow-other-dialects: Shardy's ops then become what XLA reads",
    "mhlo": "convert it in the producer: the artifact holds StableHLO only",
}


_EXPAND = "try expand=True, --expand, which rewrites newer ops by older ones"
_OLDER = {
    "stablehlo.composite": "expand the composites first, by the pass dxir-decompose: "
    'program.run_passes("dxir-decompose"), dxir-opt --dxir-decompose',
}


@dataclass(frozen=True, slots=True)
class MinimumVersion:
    """The oldest version that holds a program, and the feature that needs it.

    `kind` is `op`, `type` or `attribute`, `feature` its spelling and `where` its first use; all
    three are None when the oldest version of all is enough.
    """

    version: str
    kind: str | None = None
    feature: str | None = None
    where: str | None = None

    def __str__(self) -> str:
        if self.feature is None:
            return f"StableHLO {self.version}, the oldest there is"
        where = f", first used at {self.where}" if self.where else ""
        return f"StableHLO {self.version}, for the {self.kind} {self.feature}{where}"


def write(module: ir.Module, version: str, *, mixed: bool) -> tuple[bytes | None, list[Diagnostic]]:
    """The artifact, or None, and what MLIR reported. `module` is spent either way."""
    with collecting(module.context) as found:
        try:
            return stablehlo.serialize_portable_artifact(module, version, mixed), found
        except ValueError:
            return None, found


def minimum_version(module: ir.Module, *, mixed: bool) -> MinimumVersion:
    """The oldest version that holds the module as it is.

    Raises ArtifactError when even the current one does not.
    """
    versions = known_versions()
    base = clone_module(module)
    others = "{allow-other-dialects=true}" if mixed else ""
    if _run(base, f"builtin.module(stablehlo-legalize-to-vhlo{others})") is not None:
        raise explain(module, versions[-1], mixed=mixed)

    def problem(version: Version) -> Diagnostic | None:
        return _run(clone_module(base), f"builtin.module(vhlo-to-version{{target={version}}})")

    reason = problem(versions[0])  # what most programs fit
    if reason is None:
        return MinimumVersion(str(versions[0]))
    low, high = 0, len(versions) - 1  # what `high` holds, `low` does not
    while high - low > 1:
        middle = (low + high) // 2
        failed = problem(versions[middle])
        if failed is None:
            high = middle
        else:
            low, reason = middle, failed
    kind, feature = _feature(module, reason, versions[low])
    return MinimumVersion(str(versions[high]), kind, feature, reason.where)


def _run(module: ir.Module, pipeline: str) -> Diagnostic | None:
    """The first error of a pipeline, or None when it ran through."""
    with collecting(module.context) as found:
        try:
            passmanager.PassManager.parse(pipeline, module.context).run(module.operation)
        except ir.MLIRError:
            return _first_error(found)
    return None


def _first_error(found: list[Diagnostic]) -> Diagnostic:
    errors = [d for d in found if d.severity == "error"]
    return errors[0] if errors else Diagnostic("error", "failed to serialize module")


def _illegal_name(reason: Diagnostic) -> str | None:
    """The StableHLO name of the op that an error says has no form in the version."""
    found = _ILLEGAL.search(reason.message)
    if found is None:
        return None
    versioned = _VERSIONED.match(found[1])
    if versioned is None:
        return found[1]
    base = versioned[1]
    return f"func.{base}" if base in ("func", "call", "return") else f"stablehlo.{base}"


def _candidates(module: ir.Module, name: str, where: str | None) -> list[IrOperation]:
    found: list[IrOperation] = []

    def visit(op: IrOperation) -> None:
        if op.name == name and (where is None or where_of(op.location) == where):
            found.append(op)

    walk(module, visit)
    return found


def _feature(module: ir.Module, reason: Diagnostic, below: Version) -> tuple[str, str]:
    """What in the op that `below` does not hold is new: a type, an attribute or the op itself."""
    name = _illegal_name(reason)
    if name is None:
        return "op", reason.message
    for op in _candidates(module, name, reason.where):
        for type in _types(op):
            if not _type_fits(type, below):
                return "type", str(_element(type))
        for key in attribute_names(op):
            if _is_new_attribute(op, key, below):
                value = attribute(op, key)
                return "attribute", f"{key} of {name}" + (
                    f" ({attribute_text(value)})" if value is not None else ""
                )
    return "op", name


def _types(op: IrOperation) -> Iterator[ir.Type]:
    for value in (*op.operands, *op.results):
        yield value.type
    signature = attribute(op, "function_type")
    if isinstance(signature, ir.TypeAttr) and isinstance(signature.value, ir.FunctionType):
        yield from (*signature.value.inputs, *signature.value.results)
    for region in op.regions:
        for block in region.blocks:
            yield from (argument.type for argument in block.arguments)


def _element(type: ir.Type) -> ir.Type:
    return type.element_type if isinstance(type, ir.RankedTensorType) else type


def _type_fits(type: ir.Type, version: Version) -> bool:
    with type.context:
        probe = ir.Module.create(ir.Location.unknown())
        with ir.InsertionPoint(probe.body), ir.Location.unknown():
            _declare([type])
    return write(probe, str(version), mixed=False)[0] is not None


def _declare(types: list[ir.Type], extra: dict[str, IrAttribute] | None = None) -> IrOperation:
    signature = ir.TypeAttr.get(ir.FunctionType.get(types, []))
    named = {"sym_name": ir.StringAttr.get("p"), "sym_visibility": ir.StringAttr.get("private")}
    attributes = {**named, "function_type": signature, **(extra or {})}
    return ir.Operation.create("func.func", attributes=attributes, regions=1)


def _is_new_attribute(op: IrOperation, key: str, version: Version) -> bool:
    """Whether the op fits the version once the attribute is left out."""
    if op.regions or op.name == "func.func":
        return False
    with op.context, ir.Location.unknown():
        probe = ir.Module.create()
        with ir.InsertionPoint(probe.body):
            function = _declare([value.type for value in op.operands])
        block = function.regions[0].blocks.append(*[value.type for value in op.operands])
        with ir.InsertionPoint(block):
            copy = op.clone()
            for index, argument in enumerate(block.arguments):
                copy.operands[index] = argument
            del copy.attributes[key]
            ir.Operation.create("func.return")
        with collecting(op.context):
            try:
                probe.operation.verify()
            except ir.MLIRError:
                return False
    return write(probe, str(version), mixed=False)[0] is not None


def explain(module: ir.Module, version: Version, *, mixed: bool) -> ArtifactError:
    """Why the module cannot be written in that version, as an error to raise."""
    foreign = None if mixed else _foreign(module)
    if foreign is not None:
        dialect = foreign.name.partition(".")[0]
        return ArtifactError(
            f"{foreign.name} cannot be written to a StableHLO {version} artifact: "
            f"the dialect {dialect} has no versioned form",
            where=where_of(foreign.location),
            hint=_FOREIGN_HINTS.get(
                dialect, "convert it to StableHLO, or use program.bytecode() between equal versions"
            ),
        )
    reason = _first_error(write(clone_module(module), str(version), mixed=mixed)[1])
    name = _illegal_name(reason)
    if name is None:
        text = f"the program cannot be written to a StableHLO {version} artifact"
        return error_from(ArtifactError, [reason], text)
    attribute_error = explain_attribute(module, reason, version)
    if attribute_error is not None:
        return attribute_error
    current = str(current_version())
    if version < current_version() and write(clone_module(module), current, mixed=mixed)[0]:
        needed = minimum_version(module, mixed=mixed)
        older = _OLDER.get(needed.feature or "", _EXPAND)
        return ArtifactError(
            f"the program cannot be written as StableHLO {version}: the {needed.kind} "
            f"{needed.feature} needs at least {needed.version}",
            where=needed.where or reason.where,
            hint=f"the reader is the older side: upgrade it to {needed.version} and write that "
            f"version, or {older}",
        )
    return ArtifactError(
        f"{name} cannot be written to a StableHLO {version} artifact",
        where=reason.where,
        hint="one of its types or attributes has no versioned form",
    )


def explain_attribute(
    module: ir.Module, reason: Diagnostic, version: Version
) -> ArtifactError | None:
    """The error for an attribute that no version holds, if that is behind `reason`."""
    name = _illegal_name(reason)
    for op in _candidates(module, name, reason.where) if name else ():
        for found in unversioned(op):
            return ArtifactError(
                f"{found.message} (target version {version})",
                where=where_of(op.location),
                hint=found.hint,
            )
    return None


@dataclass(frozen=True, slots=True)
class Unversioned:
    """An attribute of an op that no version of StableHLO holds: its path, and how it is spelt."""

    op: str
    path: str
    text: str

    @property
    def message(self) -> str:
        """What is wrong."""
        return (
            f"the attribute {self.path} of {self.op} has no form in a StableHLO artifact: "
            f"{_shortened(self.text)}"
        )

    @property
    def hint(self) -> str:
        """What to write in its place."""
        return _attribute_hint(self.text)


def _foreign(module: ir.Module) -> IrOperation | None:
    found: list[IrOperation] = []

    def visit(op: IrOperation) -> None:
        if not found and op.name.partition(".")[0] not in STABLE_DIALECTS:
            found.append(op)

    walk(module, visit)
    return found[0] if found else None


def unversioned(op: IrOperation) -> Iterator[Unversioned]:
    """The innermost attributes of an op that no version of StableHLO holds."""
    for key in attribute_names(op):
        value = attribute(op, key)
        open_ended = isinstance(value, (ir.DictAttr, ir.ArrayAttr)) or "." in key
        if value is not None and open_ended and not _attribute_fits(value):
            path, inner = _innermost(key, value)
            yield Unversioned(op.name, path, attribute_text(inner))


def _innermost(path: str, value: IrAttribute) -> tuple[str, IrAttribute]:
    while True:
        for inner_path, inner in _parts(path, value):
            if not _attribute_fits(inner):
                path, value = inner_path, inner
                break
        else:
            return path, value


def _parts(path: str, value: IrAttribute) -> Iterator[tuple[str, IrAttribute]]:
    """What a dictionary or list holds, but for what the bindings cannot hand out (complex)."""
    keys: list[tuple[str, Any]] = []
    if isinstance(value, ir.DictAttr):
        keys = [(f"{path}.{key}", key) for key in _keys(value)]
    elif isinstance(value, ir.ArrayAttr):
        keys = [(f"{path}[{index}]", index) for index in range(len(value))]
    container: Any = value
    for inner_path, key in keys:
        with suppress(TypeError):
            yield inner_path, container[key]


def _keys(value: ir.DictAttr) -> list[str]:
    return [value[index].name for index in range(len(value))]


def _attribute_fits(value: IrAttribute) -> bool:
    with value.context, ir.Location.unknown():
        probe = ir.Module.create()
        with ir.InsertionPoint(probe.body):
            _declare([], {"dxir.probe": value})
    return write(probe, str(current_version()), mixed=False)[0] is not None


def _attribute_hint(text: str) -> str:
    if text.startswith("array<"):
        return (
            "write the numbers as a dense tensor (`dense<[0, 1]> : tensor<2xi32>`) "
            "or as a list of integers (`[0 : i32, 1 : i32]`)"
        )
    return "use strings, integers, floats, booleans, dense tensors, lists and dictionaries of these"


def _shortened(text: str, limit: int = 80) -> str:
    return text if len(text) <= limit else text[: limit - 3] + "..."
