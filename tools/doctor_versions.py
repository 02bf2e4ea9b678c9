"""What `dxir doctor` tells of versions: dxir, Python, and the packages that dxir works with."""

from __future__ import annotations

import importlib.metadata
import platform
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import dxir
from dxir.tools.doctor_findings import Finding

_SECTION = "versions"
_OLDEST_PYTHON = (3, 11)
_OPTIONAL = ("jax", "iree-base-compiler", "iree-base-runtime")
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9._-]+)\s*(?:\[[^\]]*\])?\s*\(?([^;)]*)")
_BOUND = re.compile(r"(>=|<=|==|!=|>|<)\s*(\d+(?:\.\d+)*)$")


def versions() -> Iterator[Finding]:
    """A finding for dxir, for Python, and for each package."""
    yield _own()
    yield _python()
    needed = requirements_of("dxir", extras=False)
    for name, bounds in needed.items():
        yield _package(name, bounds, "dxir", is_needed=True)
    optional = requirements_of("dxir", extras=True)
    for name in _OPTIONAL:
        yield _package(name, optional.get(name, ""), "dxir", is_needed=False)
    wanted = requirements_of("jax", extras=False).get("jaxlib", "")
    found = _version("jaxlib")
    if found is not None and not fits(found, wanted):
        yield Finding(
            _SECTION,
            "jax with jaxlib",
            "warning",
            f"jax {_version('jax')} wants jaxlib {wanted}, and {found} is installed",
            "dxir works, and `import jax` may not: pip install -U jax jaxlib",
        )


def _own() -> Finding:
    folder = str(Path(dxir.__file__).parent)
    version = _version("dxir")
    if version is None:
        return Finding(
            _SECTION,
            "dxir",
            "warning",
            f"dxir is imported from {folder}, and not installed",
            "pip install it: plugins of pytest and console scripts are only found then",
            {"folder": folder},
        )
    return Finding(
        _SECTION, "dxir", "ok", f"dxir {version} in {folder}", details={"version": version}
    )


def _python() -> Finding:
    version = platform.python_version()
    where = f"{platform.system()} {platform.machine()}, {sys.executable or 'embedded'}"
    message = f"{platform.python_implementation()} {version} on {where}"
    details = {"version": version, "executable": sys.executable}
    if sys.version_info[:2] < _OLDEST_PYTHON:
        return Finding(
            _SECTION, "python", "problem", message, "dxir needs Python 3.11 or newer", details
        )
    return Finding(_SECTION, "python", "ok", message, details=details)


def _package(name: str, bounds: str, by: str, *, is_needed: bool) -> Finding:
    version = _version(name)
    details = {"version": version, "needed": bounds or None}
    install = f"pip install '{name}{bounds}'"
    if version is None:
        message = f"{name} is not installed"
        if is_needed:
            return Finding(_SECTION, name, "problem", message, install, details)
        return Finding(_SECTION, name, "ok", f"{message}, nor needed", details=details)
    if not fits(version, bounds):
        message = f"{name} {version} is installed, and {by} is for {name}{bounds}"
        return Finding(
            _SECTION, name, "problem" if is_needed else "warning", message, install, details
        )
    return Finding(_SECTION, name, "ok", f"{name} {version}", details=details)


def _version(name: str) -> str | None:
    """The version of a package; None where it is not installed, or damaged."""
    try:
        found: str | None = importlib.metadata.version(name)
    except (importlib.metadata.PackageNotFoundError, KeyError, OSError, ValueError):
        return None
    return found


def requirements_of(name: str, *, extras: bool) -> dict[str, str]:
    """What a package requires, by name: the bounds of versions. With `extras`, of its extras."""
    try:
        texts = importlib.metadata.requires(name) or []
    except (importlib.metadata.PackageNotFoundError, OSError, ValueError):
        return {}
    found: dict[str, str] = {}
    for text in texts:
        match = _REQUIREMENT.match(text)
        if match is not None and ("extra ==" in text) == extras:
            found.setdefault(match[1], match[2].strip())
    return found


def fits(version: str, bounds: str) -> bool:
    """Whether a version is within bounds (`>=0.10,<0.13`); bounds of other kinds let it through."""
    given = _release(version)
    for text in filter(None, (part.strip() for part in bounds.split(","))):
        match = _BOUND.match(text)
        if match is None:
            continue
        operator, bound = match[1], _release(match[2])
        width = max(len(given), len(bound))
        left, right = given + (0,) * (width - len(given)), bound + (0,) * (width - len(bound))
        if not {
            ">=": left >= right,
            "<=": left <= right,
            "==": left == right,
            "!=": left != right,
            ">": left > right,
            "<": left < right,
        }[operator]:
            return False
    return True


def _release(version: str) -> tuple[int, ...]:
    match = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(map(int, match[0].split("."))) if match is not None else ()
