"""A target whose programs end the process they are in, as their flags say; for tests.

A flag is called as what the process does when it happens: `compiling`, `running`, `reading`. With
the flag `once`, which names a file, it happens only while there is no such file.
"""

import os
import signal
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dxir.errors import DxirWarning, TargetError
from dxir.program import Program
from dxir.runtime.array import Array, HostArray
from dxir.runtime.executable import Executable
from dxir.targets import Source, Target, find_target, register_target

BODYLESS = """
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @g(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @g(tensor<2xf32>) -> tensor<2xf32>
"""


def happen(what: str) -> None:
    """End the process, or hang, or fail, in the way that is named."""
    if what == "abort":
        os.write(2, b"F1130 some.cc:7] Check failed: 1 == 2 (1 vs. 2)\n")
        os.abort()
    elif what == "hang":
        while True:  # with Python's lock held
            pass
    elif what == "wait":
        signal.pause()
    elif what == "allocate":
        taken = []
        while True:
            taken.append(np.ones(1 << 22))
    elif what == "interrupt":
        os.kill(os.getppid(), signal.SIGINT)
        signal.pause()
    elif what == "shout":
        os.write(2, b"a word\n" * (1 << 16))
    elif what == "leave":
        sys.stdout.write("goodbye")
        os._exit(7)
    elif what == "refuse":
        raise TargetError("it is refused", where="model.py:7", hint="do not")
    elif what == "fail":
        raise ValueError("a mistake")
    elif what == "warn":
        warnings.warn("hardly as meant", DxirWarning, stacklevel=1)
    elif what == "crash the compiler":
        import dxir
        from dxir.runtime import pjrt

        assignment = pjrt.Assignment(pjrt.cpu_client().devices[:1])
        assignment.load(dxir.load(BODYLESS).serialize(), assignment.options())
    else:
        os.kill(os.getpid(), getattr(signal, what))


class _Ending(Array):
    """An array that ends the process when it is read."""

    def __init__(self, array: Array, flags: "Flags") -> None:
        self.array, self.flags, self.type = array, flags, array.type

    def numpy(self) -> Any:
        """The data, if it comes to that."""
        self.flags.at("reading")
        return self.array.numpy()


class Flags:
    """The flags of a program."""

    def __init__(self, given: Any) -> None:
        self.given = dict(given)

    def at(self, stage: str) -> None:
        """Do what is to happen in that stage."""
        what = self.given.get(stage)
        once = self.given.get("once")
        if not what or (once and Path(once).exists()):
            return
        if once:
            Path(once).touch()
        happen(what)


class EndingExecutable(Executable):
    """NumPy's, until something happens."""

    def __init__(self, source: Source) -> None:
        self.flags = Flags(source.options.flags)
        self.flags.at("compiling")
        plain = find_target("reference").compile
        assert plain is not None
        self.inner = plain(Bare(source.program()))
        self.target, self.parameters = "ending", self.inner.parameters
        self.results = self.inner.results

    def run(self, arguments: Sequence[Any]) -> tuple[Array, ...]:
        """Run it, if it comes to that."""
        assert all(not np.asarray(a).flags.writeable for a in arguments)
        self.flags.at("running")
        return tuple(
            _Ending(HostArray(a.numpy(), a.type), self.flags) for a in self.inner.run(arguments)
        )


class Bare:
    """A program as a source, without options."""

    def __init__(self, program: Program) -> None:
        from dxir.targets.options import CompileOptions

        self.options, self.given = CompileOptions(), program

    def program(self) -> Program:
        """The program."""
        return self.given

    def graph(self) -> Any:
        """The graph."""
        return self.given.raise_()

    def parameter_names(self) -> tuple[str | None, ...]:
        """Nobody knows them."""
        return ()


register_target(Target("ending", "ends the process it is in", EndingExecutable))
