"""Portable artifacts: StableHLO in its versioned form, as bytes."""

from __future__ import annotations

import re

from dxir.compatibility import explain, explain_attribute, write
from dxir.diagnostics import Diagnostic, collecting, error_from, where_of
from dxir.errors import ArtifactError
from dxir.mlir import (
    IrOperation,
    bytecode_of,
    clone_module,
    export_artifact,
    ir,
    passmanager,
    stablehlo,
)
from dxir.reading import function_name, functions, has_body, ops_below, walk
from dxir.resources import inline_resources
from dxir.versions import (
    Version,
    VersionLike,
    current_version,
    oldest_version,
    resolve_version,
)

MAGIC = b"ML\xefR"

_PRODUCER = re.compile(rb"\AML\xefR.([\x20-\x7e]{1,200})\0", re.DOTALL)
_STABLEHLO = re.compile(r"^StableHLO_v(\d+\.\d+\.\d+)$")
_DETAIL = re.compile(
    r"^(?:Detailed error from MLIR: )?(?P<where>\S+:\d+:\d+): error: (?P<message>.*)$", re.MULTILINE
)
_EXPORTED = frozenset(
    f"sdy.{name}"
    for name in (
        *("mesh", "sharding_constraint", "sharding_group", "manual_computation", "return"),
        *("propagation_barrier", "constant", "collective_permute"),
    )
)
_LEGALIZE_CHLO = "builtin.module(func.func(chlo-legalize-to-stablehlo,shape-legalize-to-stablehlo))"

_CAST = "builtin.unrealized_conversion_cast"


def is_bytecode(data: bytes) -> bool:
    """Whether the bytes are MLIR bytecode, a portable artifact included."""
    return data.startswith(MAGIC)


def producer_of(data: bytes) -> str | None:
    """What wrote the bytecode: `StableHLO_v1.0.0` for an artifact, `MLIR...` for plain bytecode."""
    found = _PRODUCER.match(data)
    return found[1].decode("ascii") if found else None


def artifact_version(data: bytes) -> Version | None:
    """The version of a portable artifact; None for any other bytes."""
    found = _STABLEHLO.match(producer_of(data) or "")
    return Version.parse(found[1]) if found else None


def legalize_chlo(module: ir.Module) -> None:
    """Turn every CHLO and shape op of `module` into StableHLO, in place."""
    run_pipeline(module, _LEGALIZE_CHLO, "the CHLO ops cannot be turned into StableHLO")
    _cancel_casts(module)


def _cancel_casts(module: ir.Module) -> None:
    """Remove casts to a type and back, which MLIR leaves of unknown sizes of CHLO ops.

    Those of several values, which a program may hold, stay as they are.
    """
    casts = [op for op in ops_below(module.operation, {_CAST}) if _is_of_one(op)]
    for cast in casts:
        before = cast.operands[0].owner
        if isinstance(before, ir.Block) or before.name != _CAST or not _is_of_one(before):
            continue
        source = before.operands[0]
        if source.type == cast.results[0].type:
            cast.results[0].replace_all_uses_with(source)
    for cast in reversed(casts):
        if not any(True for result in cast.results for _ in result.uses):
            cast.erase()


def _is_of_one(cast: IrOperation) -> bool:
    return len(cast.operands) == 1 and len(cast.results) == 1


def run_pipeline(module: ir.Module, pipeline: str, failure: str) -> None:
    """Run native passes on `module`; ArtifactError `failure` with MLIR's reason otherwise."""
    with collecting(module.context) as found:
        try:
            passmanager.PassManager.parse(pipeline, module.context).run(module.operation)
        except ir.MLIRError:
            raise error_from(ArtifactError, found, failure) from None


def prepare(module: ir.Module, *, keep_chlo: bool) -> ir.Module:
    """A copy of `module` in the form that is written: without resources, CHLO and Shardy."""
    copy = clone_module(module)
    inline_resources(copy, "write the program")
    if keep_chlo:
        return copy
    # The string table of bytecode names the dialects in use, and writing it is the fastest look.
    strings = bytecode_of(copy)
    if b"chlo\0" in strings or b"shape\0" in strings:
        legalize_chlo(copy)
    return _export_sharding(copy) if b"sdy\0" in strings else copy


def serialize(
    module: ir.Module,
    version: VersionLike = "current",
    *,
    keep_chlo: bool = False,
    expand: bool = False,
) -> bytes:
    """The module as a portable artifact of a StableHLO version; `module` stays as it is.

    CHLO ops are turned into StableHLO first, Shardy ops and attributes into what XLA reads
    (`mhlo.frontend_attributes`, `mhlo.sharding`, custom calls; ops without effect and use are
    dropped on that way). With `keep_chlo` both stay as they are, for a reader that has these
    dialects in the same version. `expand` rewrites ops newer than the version by older ones.
    Raises ArtifactError naming the op, attribute or type at fault.
    """
    target = resolve_version(version)
    copy = prepare(module, keep_chlo=keep_chlo)
    if expand:
        run_pipeline(
            copy,
            f"builtin.module(stablehlo-compatibility-expander{{target={target}}})",
            f"the program cannot be rewritten for StableHLO {target}",
        )
    data, _ = write(clone_module(copy), str(target), mixed=keep_chlo)
    if data is None:
        raise explain(copy, target, mixed=keep_chlo)
    return data


def _export_sharding(module: ir.Module) -> ir.Module:
    _refuse_bodyless(module)
    current = current_version()
    try:
        data = export_artifact(bytecode_of(module), str(current), mixed=False)
    except RuntimeError as error:
        # Places are told in another form here, so that ops are looked up by name alone.
        at_fault = explain_attribute(module, Diagnostic("error", str(error)), current)
        if at_fault is not None:
            raise at_fault from None
        if foreign := _unexported(module):
            raise ArtifactError(
                f"the program with its shardings cannot be written: {foreign.name} has no form "
                "that XLA reads",
                where=where_of(foreign.location),
                hint="say with sdy.sharding_constraint what the sharding shall be, or write the "
                "program with keep_chlo=True, --allow-other-dialects, for a reader that has Shardy",
            ) from None
        found = _DETAIL.search(str(error))
        raise ArtifactError(
            "the program with its shardings cannot be written: "
            + (found["message"] if found else str(error).partition("\n")[0]),
            where=found["where"] if found and not found["where"].startswith("-:") else None,
        ) from None
    return deserialize(data, module.context)


def _refuse_bodyless(module: ir.Module) -> None:
    # Shardy's export ends the process on them. (0.10.2, 0.12.0.1)
    for function in functions(module):
        if not has_body(function):
            raise ArtifactError(
                "the program with its shardings cannot be written: function "
                f"@{function_name(function)} has no body",
                where=where_of(function.location),
                hint="link the module that defines it, or remove it (symbol-dce removes what is "
                "not called); keep_chlo=True, --allow-other-dialects, writes the program for a "
                "reader that has Shardy",
            )


def _unexported(module: ir.Module) -> IrOperation | None:
    """The first Shardy op that is not among those XLA reads."""
    found: list[IrOperation] = []

    def visit(op: IrOperation) -> None:
        if not found and op.name.startswith("sdy.") and op.name not in _EXPORTED:
            found.append(op)

    walk(module, visit)
    return found[0] if found else None


def deserialize(data: bytes, context: ir.Context, name: str = "the artifact") -> ir.Module:
    """The module of a portable artifact from a source that can be trusted.

    Hostile bytes end the process or never end: `dxir.loading.load` reads those in a child process.
    Raises ArtifactError for bytes that are no artifact, and for one newer or older than this
    jaxlib reads.
    """
    if not data:
        raise ArtifactError("there are no bytes to read", where=name)
    version = artifact_version(data)
    if version is None:
        raise ArtifactError(
            f"these bytes are no portable artifact (producer: {producer_of(data) or 'unknown'})",
            where=name,
            hint="dxir.load reads text and plain bytecode, too",
        )
    check_readable(version, name)
    with collecting(context) as found:
        try:
            return stablehlo.deserialize_portable_artifact(context, data)
        except (ValueError, ir.MLIRError):
            pass
    raise error_from(
        ArtifactError,
        found,
        f"the artifact of StableHLO {version} cannot be read",
        where=name,
        hint="the file is damaged, or holds ops of another dialect: write it again",
    )


def check_readable(version: Version, name: str) -> None:
    """Refuse an artifact that this jaxlib is too old or too new for."""
    oldest, current = oldest_version(), current_version()
    if version > current:
        raise ArtifactError(
            f"the artifact was written as StableHLO {version}; the reader, this jaxlib, is the "
            f"older side and ends at {current}",
            where=name,
            hint=f"upgrade jaxlib, or write it with version='{current}' (or '12w'), "
            f"--target={current}",
        )
    if version < oldest:
        raise ArtifactError(
            f"the artifact was written as StableHLO {version}; the writer is the older side, and "
            f"this jaxlib reads {oldest} to {current}",
            where=name,
            hint="write it again with a newer StableHLO",
        )
