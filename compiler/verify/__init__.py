"""Checks of modules of any producer: rules, what they find, and where that is told."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dxir.pipeline.base import option as option
    from dxir.verify.configuration import find_configuration as find_configuration
    from dxir.verify.finding import Finding as Finding
    from dxir.verify.finding import Place as Place
    from dxir.verify.finding import Severity as Severity
    from dxir.verify.fleet import check_files as check_files
    from dxir.verify.modules import check_module as check_module
    from dxir.verify.report import Report as Report
    from dxir.verify.rule import Rule as Rule
    from dxir.verify.settings import Settings as Settings
    from dxir.verify.subject import Subject as Subject

_HOME_OF = {
    "Finding": "verify.finding",
    "Place": "verify.finding",
    "Report": "verify.report",
    "Rule": "verify.rule",
    "Settings": "verify.settings",
    "Severity": "verify.finding",
    "Subject": "verify.subject",
    "check_files": "verify.fleet",
    "check_module": "verify.modules",
    "find_configuration": "verify.configuration",
    "option": "pipeline.base",
}

__all__ = sorted(_HOME_OF)  # pyright: ignore[reportUnsupportedDunderAll]  # one list


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'dxir.verify' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"dxir.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
