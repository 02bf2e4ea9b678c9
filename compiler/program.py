"""A program: an MLIR module of StableHLO, held by dxir."""

from __future__ import annotations

import os
import re
from collections.abc import Container, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dxir import artifact, compatibility
from dxir.approximations import Approximation, approximations
from dxir.diagnostics import Diagnostic, collecting, error_from, verification_error
from dxir.errors import GraphError, PassError, VerificationError
from dxir.fingerprint import fingerprint
from dxir.locations import caller_location, placed
from dxir.mlir import bytecode_of, clone_module, ir
from dxir.passes.decompose import decompose
from dxir.passes.decomposition.ends import Ends
from dxir.prescan import ELISION_MARK
from dxir.quoting import QUOTED
from dxir.reading import composite_counts, function_name, functions, is_public, op_counts
from dxir.structure import faults, preflight
from dxir.versions import VersionLike

if TYPE_CHECKING:
    from dxir.graph import Function, Module
    from dxir.pipeline.running import RunOptions
    from dxir.pipeline.steps import PipelineLike

_ELIDED = re.compile(rf'{QUOTED}|dense_resource<(?:{QUOTED}|[^>"]*)>')


class Program:
    """An MLIR module and the context it lives in.

    Made by `dxir.lower` and `dxir.load`. Whatever writes, prints or measures a program leaves it as
    it is; `run_passes`, `legalize_chlo` and `decompose` return a new one.
    """

    __slots__ = ("_found", "_told", "module")

    module: ir.Module
    """The MLIR module. Hold no op of it across a pass or beyond the life of the program."""

    def __init__(self, module: ir.Module, *, diagnostics: Sequence[Diagnostic] = ()) -> None:
        self.module = module
        self._told = tuple(d for d in diagnostics if d.severity != "error")
        self._found: tuple[Diagnostic, ...] = ()

    @property
    def context(self) -> ir.Context:
        """The context of the module's types and attributes."""
        return self.module.context

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What reading the program, or making it by passes, reported; then its last `verify`."""
        return (*self._told, *(d for d in self._found if d not in self._told))

    def approximations(self) -> tuple[Approximation, ...]:
        """What passes replaced by something that computes other numbers, as they were asked to.

        Those of the whole program come first, then op by op; see `dxir.approximations`.
        """
        return approximations(self.module)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Program {', '.join(f'@{name}' for name in self.function_names) or 'empty'}>"

    def text(
        self, *, debug_info: bool = False, generic: bool = False, elide_above: int | None = None
    ) -> str:
        """The program as MLIR text.

        `debug_info` adds locations, `generic` prints every op in its generic form. With
        `elide_above`, constants of more elements than that, and all resources, are replaced by a
        mark; such text is for reading, says so in its first line, and does not parse.
        """
        data = self.module.operation.get_asm(
            binary=True,
            enable_debug_info=debug_info,
            print_generic_op_form=generic,
            large_elements_limit=elide_above,
            large_resource_limit=None if elide_above is None else 0,
        )
        assert isinstance(data, bytes)
        text = data.decode("utf-8", "replace")
        return text if elide_above is None else _marked(text, elide_above)

    @property
    def function_names(self) -> tuple[str, ...]:
        """The names of all functions, in order."""
        return tuple(function_name(f) for f in functions(self.module))

    @property
    def public_names(self) -> tuple[str, ...]:
        """The names of the functions that can be called from outside, in order."""
        return tuple(function_name(f) for f in functions(self.module) if is_public(f))

    @property
    def main(self) -> str:
        """The name of the function to run: `main`, or the only public one.

        Raises GraphError when there is no such function.
        """
        public = self.public_names
        if "main" in public:
            return "main"
        if len(public) == 1:
            return public[0]
        raise GraphError(
            "the program has no public function @main",
            hint=f"it has {', '.join(f'@{name}' for name in self.function_names) or 'none at all'}",
        )

    def call_arguments(
        self, path: str | os.PathLike[str], *arguments: object
    ) -> tuple[object, ...]:
        """The arguments to call the program with, when its constants are kept in an archive.

        Those given, in order, and in between, for each parameter that dxir-externalize-constants
        made of a constant, what the archive at `path` holds for it. Raises ArtifactError for a
        constant that is not there, ArgumentError for too few or too many arguments, GraphError for
        a program without a `main`.
        """
        from dxir.weights import call_arguments

        entry = next(f for f in functions(self.module) if function_name(f) == self.main)
        return call_arguments(entry, os.fspath(path), arguments)

    def op_counts(self, *, nested: bool = True, function: str | None = None) -> dict[str, int]:
        """How many ops of each name the program has, in all functions or in one.

        `nested=False` leaves out what is inside the regions of other ops (reduction bodies, say).
        Raises ArgumentError for a function that there is none of.
        """
        return op_counts(self.module, nested=nested, function=function)

    def composite_counts(self) -> dict[str, int]:
        """How many composites of each name the program has, those in decompositions with them."""
        return composite_counts(self.module)

    def verify(self) -> Program:
        """Check the program, and give it back.

        Beyond MLIR's verifier: the inputs of a reduce have one shape, replica groups hold every
        device once. What is doubtful but allowed goes to `diagnostics`. Raises VerificationError
        naming the op and the user's file and line.
        """
        found = faults(self.module)
        if not any(d.severity == "error" for d in found):
            with collecting(self.context) as reported:
                try:
                    self.module.operation.verify()
                except ir.MLIRError:
                    raise verification_error(reported) from None
            found += reported
        if any(d.severity == "error" for d in found):
            raise error_from(VerificationError, found, "the program is not valid")
        self._found = tuple(found)
        return self

    def preflight(self) -> Program:
        """Check what would bring a compiler down although the program is valid; give it back.

        Raises VerificationError for calls of functions without a body, recursion, a missing `main`
        and constants without data.
        """
        preflight(self.module)
        return self

    @placed
    def serialize(
        self, version: VersionLike = "current", *, keep_chlo: bool = False, expand: bool = False
    ) -> bytes:
        """The program as a portable artifact; see `dxir.artifact.serialize`."""
        return artifact.serialize(self.module, version, keep_chlo=keep_chlo, expand=expand)

    def bytecode(self) -> bytes:
        """The program as MLIR bytecode: everything as it is, for a reader of the same jaxlib."""
        return bytecode_of(self.module)

    def minimum_version(self, *, keep_chlo: bool = False) -> compatibility.MinimumVersion:
        """The oldest StableHLO version that holds the program, and the feature that needs it."""
        prepared = artifact.prepare(self.module, keep_chlo=keep_chlo)
        return compatibility.minimum_version(prepared, mixed=keep_chlo)

    def fingerprint(self) -> str:
        """64 hexadecimal digits that two programs share when they compute the same expressions.

        Names, locations and the order of independent ops play no part; see `dxir.fingerprint`.
        """
        return fingerprint(self.module)

    def clone(self) -> Program:
        """A copy that shares nothing but the context."""
        return Program(clone_module(self.module), diagnostics=self.diagnostics)

    def run_passes(self, pipeline: PipelineLike, *, options: RunOptions | None = None) -> Program:
        """The program as a pipeline of passes leaves it; this one stays as it is.

        `pipeline` is text in MLIR's syntax, `"cse,dxir-decompose{keep=acme.norm}"`, a pass, or a
        list of these. Passes are nested in the ops they are for by themselves; the module is
        verified after each. What passes reported is in the `diagnostics` of the result. Raises
        PassError that names the pass, and the user's place where there is one.
        """
        from dxir.pipeline.checked import run_checked

        module, found = run_checked(self.module, pipeline, options)
        return Program(module, diagnostics=(*self._told, *found))

    def legalize_chlo(self) -> Program:
        """The program with its CHLO ops turned into StableHLO."""
        module = clone_module(self.module)
        artifact.legalize_chlo(module)
        return Program(module, diagnostics=self._told)

    def decompose(
        self, *, keep: Container[str] = (), only: Container[str] | None = None
    ) -> Program:
        """The program with every composite expanded, but those whose name is in `keep`.

        With `only`, those whose name is not in there stay, too. The pass `dxir-decompose` knows
        targets and their kernels.
        """
        for name, given in (("keep", keep), ("only", only)):
            if isinstance(given, str):
                raise PassError(
                    f"{name} is a collection of names, not the text {given!r}",
                    where=caller_location(),
                    hint=f"write {name}={{{given!r}}}",
                )
        module = clone_module(self.module)
        decompose(module, Ends(keep, only))
        return Program(module, diagnostics=self._told)

    def specialize(
        self,
        shapes: Mapping[str | int, Any] | Sequence[Any] = (),
        *,
        dims: Mapping[str, int] | None = None,
        function: str = "",
        partial: bool = False,
    ) -> Program:
        """The program with dynamic dimensions made static.

        `shapes` gives arguments of the function (`main` unless named) shapes by name or position,
        or in order; a shape is a tuple of sizes or has a `shape`, as arrays do. `dims` gives sizes
        to dimensions that have names. Raises PassError for what does not fit, and for an op that
        stays dynamic, with the reason, unless `partial`; see `dxir.passes.specialize`.
        """
        from dxir.passes.shapes.arguments import shapes_text
        from dxir.passes.specialize import Specialize

        sizes = tuple([f"{name}={size}" for name, size in (dims or {}).items()])
        text = shapes_text(shapes)
        return self.run_passes(
            Specialize(shapes=text, dims=sizes, function=function, partial=partial)
        )

    def raise_(self) -> Module:
        """The program as a graph."""
        from dxir.raising import raise_module

        return raise_module(self)


def _marked(text: str, limit: int) -> str:
    count = 0

    def one(match: re.Match[str]) -> str:
        nonlocal count
        if match[0].startswith('"'):
            return match[0]
        count += 1
        return ELISION_MARK

    marked = _ELIDED.sub(one, text)
    if not count:
        return text
    section = marked.rfind("\n{-#")
    body = marked if section < 0 else marked[:section]
    head = f"// {count} constants of more than {limit} elements are left out ({ELISION_MARK}): "
    return f"{head}this text is for reading and does not parse.\n{body.rstrip()}\n"


def lower(graph: Module | Function, *, entry: Function | None = None) -> Program:
    """The verified program of a module, or of a function and all that it calls.

    `entry` becomes the public function `@main` that runtimes start at, whatever its name is here.
    Raises LoweringError at the user's line when a node cannot be lowered.
    """
    from dxir.graph import Module
    from dxir.lowering import lower_module

    module = graph if isinstance(graph, Module) else Module([graph])
    return Program(lower_module(module, entry=entry))
