"""What a target decides by policy: which composites stay composites, and where constants are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Literal

from dxir.archives import Format
from dxir.errors import TargetError
from dxir.pipeline.base import find_pass
from dxir.targets.kernels import CompositeUse
from dxir.wording import size_text

EXTERNALIZE = "dxir-externalize-constants"

Predicate = Callable[[CompositeUse], bool]


@dataclass(frozen=True, slots=True)
class Granularity:
    """Which composites a target takes as they are, instead of what they are made of.

    Made by `keep_only`, `keep_all_but` and `keep_where`, or one of KEEP_NOTHING and KEEP_ALL.
    `names` may have wildcards, as in `dxir.*`.
    """

    kind: Literal["only", "all but", "where"]
    names: tuple[str, ...] = ()
    predicate: Predicate | None = None
    words: str = ""

    def keeps(self, use: CompositeUse) -> bool:
        """Whether a use of a composite stays one."""
        if self.predicate is not None:
            try:
                return bool(self.predicate(use))
            except Exception as error:  # whatever a predicate of another package does
                raise TargetError(
                    f"the policy that keeps composites where {self.words} fails on {use.name}: "
                    f"{type(error).__name__}: {error}",
                    where=use.where,
                ) from error
        named = any(fnmatchcase(use.name, name) for name in self.names)
        return named == (self.kind == "only")

    def __str__(self) -> str:
        if self.kind == "where":
            return f"keep composites where {self.words}"
        if not self.names:
            return f"keep {'no' if self.kind == 'only' else 'all'} composites"
        return f"keep {'only' if self.kind == 'only' else 'all but'} {', '.join(self.names)}"


KEEP_NOTHING = Granularity("only")
KEEP_ALL = Granularity("all but")


def keep_only(*names: str) -> Granularity:
    """Keep the composites of these names."""
    return Granularity("only", names)


def keep_all_but(*names: str) -> Granularity:
    """Keep every composite, except those of these names."""
    return Granularity("all but", names)


def keep_where(predicate: Predicate, words: str) -> Granularity:
    """Keep the uses of composites for which the predicate holds; `words` say which, for people."""
    return Granularity("where", (), predicate, words)


@dataclass(frozen=True, slots=True)
class Constants:
    """Where a target has the constants of a program: in it, or the large ones in an archive.

    Constants of `min_bytes` and more go to an archive, in the form and layout that
    dxir-externalize-constants knows; none do when it is None, all when it is 0.
    """

    min_bytes: int | None = None
    form: Literal["argument", "custom-call", "iree"] = "argument"
    format: Format | None = None
    scope: str = ""

    def __post_init__(self) -> None:
        if self.min_bytes is not None and self.min_bytes < 0:
            raise TargetError(f"min_bytes is {self.min_bytes}", hint="0 moves every constant")

    def pass_text(self, archive: str) -> str:
        """The pass that moves the constants to an archive, as pipelines spell it."""
        cls: Any = find_pass(EXTERNALIZE)
        fields = {"form": self.form, "format": self.format, "scope": self.scope}
        return str(cls(file=archive, min_bytes=self.min_bytes, **fields))

    def __str__(self) -> str:
        if self.min_bytes is None:
            return "inline"
        size = f"of {size_text(self.min_bytes)} and more " if self.min_bytes else ""
        layout = f", {self.format}" if self.format else ""
        return f"{size}in an archive (form {self.form}{layout})"


INLINE = Constants()
