"""What `dxir.compile` gives."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Self

from dxir.errors import TargetError
from dxir.locations import placed
from dxir.runtime.arguments import Parameter
from dxir.runtime.array import Array
from dxir.types import TensorType


class Executable(ABC):
    """A compiled program.

    Call it with one argument for each parameter: arrays of exactly the parameter's shape and dtype
    (NumPy's, or results of executables, which are used in place), or Python numbers and lists that
    the dtype holds exactly. One result is given as it is, several as a tuple, none as `()`.
    Raises ArgumentError naming the parameter for anything else, RuntimeFailure when running fails.
    May be called from several threads at once.
    """

    target: str
    parameters: tuple[Parameter, ...]
    results: tuple[TensorType, ...]

    @abstractmethod
    def run(self, arguments: Sequence[Any]) -> tuple[Array, ...]:
        """Run on the arguments; every result in a tuple, however many there are."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file that `dxir.load_executable` reads, in whole or not at all.

        The file is for machines of this kind and this version of jaxlib; it is machine code, as
        trusted as a program is. Raises TargetError for a target whose executables are not written,
        ArtifactError where the file cannot be.
        """
        raise TargetError(
            f"a {type(self).__name__} for {self.target} cannot be written to a file",
            where=os.fspath(path),
            hint="XLA's executables for known sizes can, those of this process; else keep the "
            "program: Program.serialize writes it, dxir.load reads it",
        )

    def close(self) -> None:  # noqa: B027  most have nothing to give up
        """Give up what it holds beyond memory: the process of a contained program, say."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @placed
    def __call__(self, *arguments: Any) -> Any:
        """Run on the arguments: the result, or a tuple of them when there is not exactly one."""
        results = self.run(arguments)
        return results[0] if len(results) == 1 else results

    def __repr__(self) -> str:
        takes = ", ".join(
            f"{p.name}: {p.type}" if p.name else repr(p.type) for p in self.parameters
        )
        gives = ", ".join(map(repr, self.results))
        return f"<Executable for {self.target}: ({takes}) -> ({gives})>"
