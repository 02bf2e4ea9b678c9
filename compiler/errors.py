"""Every exception that dxir raises on purpose."""

from __future__ import annotations

import re
from typing import ClassVar


class DxirError(Exception):
    """A mistake in the user's graph, module, file or options.

    `where` is the user's place (`file:line` or `file:line:col`), `hint` says what to do about it.
    `code` is what programs go by, by default the name of the class (`PASS_ERROR`); `pass_name` the
    pass that raised it, if one did.
    """

    default_code: ClassVar[str] = "DXIR_ERROR"

    def __init_subclass__(cls) -> None:
        cls.default_code = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__).upper()

    def __init__(
        self,
        message: str,
        *,
        where: object = None,
        hint: str | None = None,
        code: str | None = None,
        pass_name: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.where = None if where is None else str(where)
        self.hint = hint
        self.code = code or self.default_code
        self.pass_name = pass_name

    def __str__(self) -> str:
        where = f"{self.where}: " if self.where else ""
        hint = f"\n  hint: {self.hint}" if self.hint else ""
        return f"{where}{self.message}{hint}"


class GraphError(DxirError):
    """A graph that is put together wrongly: foreign values, duplicate names, recursion."""


class OperandError(DxirError, TypeError):
    """An op was called with the wrong operands: how many, or what kind of object."""


class ShapeError(DxirError, ValueError):
    """Shapes, ranks or axes that an op cannot take."""


class DTypeError(DxirError, TypeError):
    """Element types that an op cannot take."""


class AttributeValueError(DxirError, ValueError):
    """An attribute of an op with a value it cannot have."""


class ShardingError(DxirError, ValueError):
    """A mesh or sharding that contradicts itself or the tensor it is for."""


class SchemaError(DxirError, ValueError):
    """A serialized graph (JSON) that this version cannot read."""


class ParseError(DxirError, ValueError):
    """A file or text that is not a readable module."""


class LoweringError(DxirError):
    """A graph that could not become a program."""


class RaisingError(DxirError):
    """A program that could not become a graph."""


class VerificationError(DxirError):
    """A program that MLIR's verifier rejects."""


class PassError(DxirError):
    """A pass or pipeline that failed."""


class TransformError(DxirError):
    """A derivative or a batched form that does not exist, or is asked for wrongly."""


class TracingError(GraphError, TypeError):
    """A Python function that cannot be traced, or not with these arguments."""


class ArtifactError(DxirError):
    """A program that cannot be written as, or read from, a portable artifact."""


class TargetError(DxirError):
    """A target that is unknown, absent, or cannot take the program."""


class EvaluationError(DxirError):
    """What a reference, NumPy's or StableHLO's, cannot evaluate; or a check that failed."""


class MismatchError(EvaluationError):
    """A compiled function that gives other values than it does in NumPy."""


class ReductionError(DxirError):
    """A program that cannot be reduced: it is not interesting, or what should tell cannot run."""


class ConfigurationError(DxirError, ValueError):
    """Settings of a tool, in a file or on its command line, that it cannot go by."""


class RuntimeFailure(DxirError, RuntimeError):
    """Compiling or running a program on a device failed."""


class ArgumentError(DxirError, TypeError):
    """A compiled program was called with the wrong arguments."""


class DxirWarning(UserWarning):
    """Something that is done as asked, but hardly as meant."""


class RetracingWarning(DxirWarning):
    """A function that is traced and compiled again and again."""


class ShardingWarning(DxirWarning):
    """A sharding that Shardy or the partitioner will not follow to the letter."""
