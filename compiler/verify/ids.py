"""The ids of rules, which are known without importing a rule, and so without MLIR."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

FAMILIES = ("structure", "portability", "numerics", "distribution", "contract", "equivalence")
"""What rules are about, in the order in which they are listed."""

UNREADABLE = frozenset(
    {
        "structure-crash",
        "structure-out-of-memory",
        "structure-overdue",
        "structure-parse",
        "structure-verify",
    }
)
"""The rules whose findings leave nothing for other rules to look at."""


def own_ids() -> list[str]:
    """The ids of dxir's own rules: the names of their files."""
    root = Path(__file__).with_name("rules")
    return [
        f"{family}-{module.name.replace('_', '-')}"
        for family in FAMILIES
        for module in pkgutil.iter_modules([str(root / family)])
    ]


def first_unknown(
    patterns: Iterable[str], imports: Iterable[str] = ()
) -> tuple[str, list[str]] | None:
    """The first of some patterns of ids that names no rule, with all ids; None when all do.

    Rules of other packages, and of the modules `imports`, are imported only when dxir has none of
    that name.
    """
    ids = own_ids()
    for pattern in patterns:
        if not _is_known(pattern, ids):
            from dxir.verify.rule import all_rules, import_rules

            import_rules(imports)
            ids = list(all_rules())
            if not _is_known(pattern, ids):
                return pattern, ids
    return None


def _is_known(pattern: str, ids: Iterable[str]) -> bool:
    return any(fnmatchcase(id, pattern) for id in ids)
