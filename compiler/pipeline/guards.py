"""Native passes that end the process, and on what."""

from __future__ import annotations

from dxir.errors import PassError
from dxir.mlir import ir
from dxir.pipeline.steps import Step
from dxir.reading import function_name, functions

# They look up @main and abort without it, unless there is one function alone. (0.10.2, 0.12.0.1)
_NEED_MAIN = frozenset(
    {
        "sdy-add-func-data-flow-edges",
        "sdy-aggressive-propagate",
        "sdy-apply-sharding-constraints",
        "sdy-basic-propagate",
        "sdy-export-pipeline",
        "sdy-op-priority-propagate",
        "sdy-per-instruction-partitioning",
        "sdy-propagate-to-func-results",
        "sdy-propagation-pipeline",
        "sdy-remove-sub-axes-in-input-output-shardings",
        "sdy-user-priority-propagate",
    }
)


def refuse(step: Step, module: ir.Module) -> None:
    """Raise PassError where a native pass is known to abort on the module."""
    if step.name in _NEED_MAIN:
        names = [function_name(f) for f in functions(module)]
        if "main" not in names and len(names) != 1:
            raise PassError(
                f"{step.name}: the module has no function @main, which the pass starts from",
                hint=f"it has {', '.join(f'@{n}' for n in names) or 'no function'}; rename one",
            )
