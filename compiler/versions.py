"""Versions of the StableHLO format, by number or by name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from dxir.errors import ArtifactError
from dxir.mlir import stablehlo

VersionLike = str | Sequence[int]

_WINDOWS = {"4w": "WEEK_4", "12w": "WEEK_12"}
NAMES = ("current", "minimum", *_WINDOWS)


class Version(NamedTuple):
    """A version of the StableHLO format; versions compare as numbers."""

    major: int
    minor: int
    patch: int = 0

    @classmethod
    def parse(cls, text: str) -> Version:
        """The version that `text` (`1.0.0`) spells; ValueError otherwise."""
        if re.fullmatch(r"\d{1,6}\.\d{1,6}\.\d{1,6}", text) is None:
            raise ValueError(text)
        return cls(*map(int, text.split(".")))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


def current_version() -> Version:
    """The newest version that this jaxlib reads and writes."""
    return Version.parse(stablehlo.get_current_version())


def oldest_version() -> Version:
    """The oldest version that this jaxlib reads and writes."""
    return Version.parse(stablehlo.get_minimum_version())


def window_version(name: str) -> Version:
    """The newest version that readers of a given age (`4w`, `12w`) understand."""
    requirement = getattr(stablehlo.StablehloCompatibilityRequirement, _WINDOWS[name])
    return Version.parse(stablehlo.get_version_from_compatibility_requirement(requirement))


def _meant(given: object) -> str:
    """What was probably meant by what is no version, as the beginning of a hint."""
    if given in ("latest", "newest", None):
        return 'did you mean "current"? '
    if isinstance(given, float) or re.fullmatch(r"v?\d+\.\d+", str(given)):
        return f'did you mean "{str(given).removeprefix("v")}.0"? '
    if re.search(r"[/\\]|\.mlir", str(given)):
        return "the bytes are given back: path.write_bytes(program.serialize()); "
    return ""


def resolve_version(version: VersionLike) -> Version:
    """The version that a name, a number or a plugin's attribute (three integers) stands for.

    `current` and `minimum` are the ends of what this jaxlib writes; `4w` and `12w` what a reader
    that was built 4 or 12 weeks ago understands. Raises ArtifactError for anything else and for
    versions outside that range.
    """
    if version == "current":
        return current_version()
    if version == "minimum":
        return oldest_version()
    if isinstance(version, str) and version in _WINDOWS:
        return window_version(version)
    oldest, current = oldest_version(), current_version()
    try:
        if isinstance(version, str):
            found = Version.parse(version)
        else:
            found = Version.parse(".".join(str(int(part)) for part in version))
    except (ValueError, TypeError):
        raise ArtifactError(
            f"{version!r} is not a version of StableHLO",
            hint=_meant(version)
            + f"use one of {', '.join(NAMES)}, or a number from {oldest} to {current}",
        ) from None
    if found > current:
        raise ArtifactError(
            f"cannot write StableHLO {found}: the writer, this jaxlib, is the older side and ends "
            f"at {current}",
            hint=f"use version='current', --target=current ({current}), which a newer reader "
            "understands, or upgrade jaxlib",
        )
    if found < oldest:
        raise ArtifactError(
            f"cannot write StableHLO {found}: the reader is the older side, and this jaxlib "
            f"writes {oldest} to {current} only",
            hint=f"upgrade the reader to at least StableHLO {oldest}",
        )
    return found


def known_versions() -> list[Version]:
    """Every minor version from the oldest to the current one, oldest first."""
    oldest, current = oldest_version(), current_version()
    # 0.20 was the last before 1.0.
    minors = [Version(0, minor) for minor in range(oldest.minor, 21)] if oldest.major == 0 else []
    minors += [Version(1, minor) for minor in range(current.minor + 1)]
    return [v for v in minors if oldest <= v < current] + [current]
