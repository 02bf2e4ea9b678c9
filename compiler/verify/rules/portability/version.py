"""Programs that older versions of StableHLO do not hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from dxir.artifact import artifact_version
from dxir.compatibility import MinimumVersion
from dxir.errors import ArtifactError, ConfigurationError
from dxir.features import Feature, needed_versions
from dxir.pipeline.base import option
from dxir.verify.finding import Finding
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject
from dxir.versions import Version, resolve_version


class VersionRule(Rule, id="portability-version", severity="error"):
    """The program needs a newer version of StableHLO than one it is to be written in.

    A reader takes artifacts of its own version and of older ones. The option `versions` says which
    readers there are, by number or as `4w`, `12w` (built that many weeks ago) and `minimum` (the
    oldest that can be written); without it nothing is found, but an artifact newer than this jaxlib
    reads. What is told is the op, type or attribute that is too new, and since when it is there.

    The oldest version that holds a module is among the facts of a report as `minimum_version`; with
    it are `minimum_version_for`, what needs it, and `artifact_version` of what was read.
    """

    remedy = (
        "write what is too new by older ops: dxir.Program.serialize(expand=True) does for some; or "
        "upgrade the readers, and take the version out of the list"
    )
    versions: tuple[str, ...] = option("the versions to be written in", default=())
    messages = (r"the artifact was written as StableHLO .* (older|newer) side",)
    example_options: ClassVar[Mapping[str, Any]] = {"versions": ["1.0.0"]}
    faulty = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf4E2M1FN> {
  %0 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xf4E2M1FN>
  return %0 : tensor<2xf4E2M1FN>
}
"""
    fixed = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf8E4M3FN> {
  %0 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xf8E4M3FN>
  return %0 : tensor<2xf8E4M3FN>
}
"""

    def __post_init__(self) -> None:
        for version in self.versions:
            try:
                resolve_version(version)
            except ArtifactError as error:
                raise ConfigurationError(
                    f"the option versions of {self.id}: {error.message}", hint=error.hint
                ) from None

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        if not self.versions:
            return
        minimum, module = subject.written.minimum, subject.written.module
        if minimum is None or module is None:
            return  # other rules say why it cannot be written at all
        asked = {resolve_version(version): version for version in self.versions}
        least = Version.parse(minimum.version)
        refused = sorted(version for version in asked if version < least)
        if not refused:
            return
        newer = [f for f in needed_versions(module) if Version.parse(f.version) > refused[0]]
        told: list[Feature | MinimumVersion] = [*newer] or [minimum]
        for feature in told:
            since = Version.parse(feature.version)
            named = [_named(v, asked[v]) for v in refused if v < since]
            yield self.found(
                f"the {feature.kind} {feature.feature} needs StableHLO {feature.version}; it is to "
                f"be written in {', '.join(named)}",
                subject.at(feature.where, feature.feature),
                subject,
            )

    def facts(self, subject: Subject, /) -> Mapping[str, Any]:
        found: dict[str, Any] = {}
        minimum = subject.written.minimum
        if minimum is not None:
            found["minimum_version"] = minimum.version
            if minimum.feature is not None:
                found["minimum_version_for"] = f"{minimum.kind} {minimum.feature}"
        artifact = artifact_version(subject.source.data)
        if artifact is not None:
            found["artifact_version"] = str(artifact)
        return found


def _named(version: Version, asked: str) -> str:
    return str(version) if str(version) == asked else f"{version} ({asked})"
