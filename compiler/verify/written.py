"""What a module is in the form in which it is written, and why it cannot be."""

from __future__ import annotations

from dataclasses import dataclass

from dxir.artifact import prepare
from dxir.compatibility import MinimumVersion, explain, minimum_version, write
from dxir.errors import DxirError
from dxir.mlir import clone_module, ir
from dxir.versions import current_version


@dataclass(frozen=True, slots=True)
class Written:
    """A copy of a module without CHLO, Shardy and resources, as it is written.

    `error` is why the current version of StableHLO does not hold it, and `minimum` the oldest
    version that does; one of them is None. Without `module`, it could not be brought in that form.
    """

    module: ir.Module | None
    error: DxirError | None
    minimum: MinimumVersion | None = None


def written(module: ir.Module) -> Written:
    """What becomes of a module when it is written."""
    current = current_version()
    try:
        prepared = prepare(module, keep_chlo=False)
    except DxirError as error:
        return Written(None, error)
    if write(clone_module(prepared), str(current), mixed=False)[0] is None:
        return Written(prepared, explain(prepared, current, mixed=False))
    return Written(prepared, None, minimum_version(prepared, mixed=False))
