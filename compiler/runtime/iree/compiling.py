"""From a program to what IREE runs: prepared as the target says, and compiled in a child process.

Always there: the compiler ends the process over programs that nobody foresaw, and a child costs a
fifth of a second beside what compiling itself takes.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from dxir.artifact import serialize
from dxir.children import REFUSED, Ended, Work, error_told, run_module
from dxir.diagnostics import node_name_of, where_of
from dxir.errors import DxirError, RuntimeFailure, TargetError
from dxir.mlir import IrOperation, decode_type, ir
from dxir.reading import function_name, functions, signature
from dxir.runtime.arguments import Parameter, parameters_of
from dxir.runtime.iree.child import FAILED
from dxir.runtime.iree.devices import carries, need
from dxir.runtime.iree.executables import CompiledOnly, IreeExecutable
from dxir.runtime.iree.flags import PARAMETERS, flag_texts, merged_flags
from dxir.structure import preflight
from dxir.targets.acceptance import problems
from dxir.targets.options import Flag
from dxir.targets.preparing import prepare_module
from dxir.targets.registry import find_target
from dxir.types import DType, TensorType

if TYPE_CHECKING:
    from dxir.targets.record import Source, Target

_TIMEOUT_S = 1800.0  # against hangs only: a large program may take long
_GLOBAL = "util.global"
_MOST_SAID = 300
_NOWHERE = ("<unknown>", "program:", "iree-lld")
_UNLINKED = re.compile(r"undefined symbol: (\w+)")
_ERROR = re.compile(r"^(?:([^\n]*?:\d+:\d+): )?error: (.*)$", re.MULTILINE)


def compile_cpu(source: Source) -> IreeExecutable:
    """Compile what `dxir.compile` was given for `iree-cpu`, and load it.

    Raises TargetError for what IREE cannot run, for flags that its compiler does not have, and
    where IREE is not installed; RuntimeFailure when its compiler fails.
    """
    with _Compilation(source, "iree-cpu") as made:
        scope = made.target.constants.scope
        vmfb, archive = made.vmfb, made.archive
        executable = IreeExecutable(
            made.target.name, vmfb, made.parameters, made.results, archive=archive, scope=scope
        )
        made.hand_over(executable)
    return executable


def compile_vulkan(source: Source) -> CompiledOnly:
    """Compile what `dxir.compile` was given for `iree-vulkan`, as `compile_cpu` does."""
    with _Compilation(source, "iree-vulkan") as made:
        vmfb, archive = made.vmfb, made.archive
        executable = CompiledOnly(
            made.target.name, vmfb, made.parameters, made.results, archive=archive
        )
        made.hand_over(executable)
    return executable


class _Compilation:
    """One program on its way; a folder for its constants goes with it, or with what it becomes."""

    def __init__(self, source: Source, name: str) -> None:
        need("compiler", name)
        self.target = find_target(name)
        self.flags, self.archive = merged_flags(self.target, source.options)
        self._source = source
        self._folder: str | None = None

    def __enter__(self) -> _Compilation:
        try:
            self._compile()
        except BaseException:
            self._clean()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._clean()

    def _compile(self) -> None:
        module = self._source.program().verify().module
        preflight(module)
        given = self.archive
        if given is None:
            self._folder = tempfile.mkdtemp(prefix="dxir-")
            given = str(Path(self._folder, "weights.irpa"))
        elif _has_globals(module):
            _refuse_missing(given)
        prepared = prepare_module(module, self.target, given)[0]
        refuse_others(prepared, self.target)
        self.parameters, self.results = _typed(prepared, self._source.parameter_names())
        self.archive = given if _has_globals(prepared) else None
        if self.archive is not None and not Path(self.archive).exists():
            _refuse_missing(None)
        self.vmfb = compile_bytes(_data(prepared, self.target), self.flags, self.target.name)

    def hand_over(self, executable: object) -> None:
        """Have the folder stay as long as the executable that reads it."""
        folder, self._folder = self._folder, None
        if folder is not None and self.archive is not None:
            weakref.finalize(executable, shutil.rmtree, folder, ignore_errors=True)
        elif folder is not None:
            shutil.rmtree(folder, ignore_errors=True)

    def _clean(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None


def refuse_others(module: ir.Module, target: Target) -> None:
    """Raise TargetError for the first thing in a prepared module that the target does not take."""
    for problem in problems(module, target.name, target.accepts, target.call_refusal):
        if not problem.doubtful:
            raise TargetError(problem.message, where=problem.where, hint=problem.hint)


def compile_bytes(data: bytes, flags: Mapping[str, Flag], name: str) -> bytes:
    """What IREE's compiler makes of a program as `Prepared.data()` has it, by a child process.

    Raises TargetError for flags that it does not have, RuntimeFailure when it fails, crashes or
    does not end.
    """
    work = Work(
        f"compiling the program for {name}",
        RuntimeFailure,
        unstarted="IREE's compiler may end the process that it runs in",
        late="compile it in parts",
    )
    given = flag_texts(flags)
    run = run_module(work, "dxir.runtime.iree.child", *given, seconds=_TIMEOUT_S, input=data)
    if run.code == 0:
        return run.output
    if run.code == REFUSED:
        raise error_told(run.output)
    if run.code == FAILED:
        raise _refused(run, name)
    raise RuntimeFailure(
        f"IREE's compiler ended with {run.cause} on this program{run.last_words}",
        hint="compile it in parts to see which; xla-cpu may take it",
    )


def _refused(run: Ended, name: str) -> DxirError:
    """The error for what the compiler said, with the place in the user's source if it has one."""
    said = run.errors.decode("utf-8", "replace")
    found = _ERROR.findall(said)
    places = [where for where, _ in found if where and not where.startswith(_NOWHERE)]
    where = places[0] if places else None
    if missing := _UNLINKED.search(said):
        return TargetError(
            f"{name} has no function {missing[1]}, which the program needs",
            where=where,
            hint="convert f64 to f32 where it is used",
        )
    what = found[0][1] if found else said.strip().partition("\n")[0]
    return RuntimeFailure(
        f"IREE's compiler does not take the program for {name}: {what[:_MOST_SAID]}", where=where
    )


def _data(module: ir.Module, target: Target) -> bytes:
    """The program as IREE reads it: an artifact, or text where it has ops of IREE's own."""
    if module.context.allow_unregistered_dialects:
        text = module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True)
        return str(text).encode()
    return serialize(module, target.version)


def _has_globals(module: ir.Module) -> bool:
    return any(op.operation.name == _GLOBAL for op in module.body.operations)


def _refuse_missing(archive: str | None) -> None:
    if archive is None or not Path(archive).is_file():
        raise TargetError(
            "the program has constants in an archive, "
            + ("which is not given" if archive is None else f"and there is no file {archive}"),
            hint=f'name the one written with it: flags={{"{PARAMETERS}": "weights.irpa"}}',
        )


def _typed(
    module: ir.Module, names: tuple[str | None, ...]
) -> tuple[tuple[Parameter, ...], tuple[TensorType, ...]]:
    """The parameters and result types of the `main` of a module."""
    main = next(f for f in functions(module) if function_name(f) == "main")
    type = signature(main)
    arguments: list[Any] = list(cast(Any, main).regions[0].blocks[0].arguments)
    own = tuple(node_name_of(a.location) for a in arguments)
    padded = names + (None,) * (len(own) - len(names))
    known = tuple(a or b for a, b in zip(padded, own, strict=False))
    given = tuple(_tensor(t, f"parameter {i}", main) for i, t in enumerate(type.inputs))
    made = tuple(_tensor(t, f"result {i}", main) for i, t in enumerate(type.results))
    return parameters_of(given, known), made


def _tensor(type: ir.Type, what: str, main: IrOperation) -> TensorType:
    found = decode_type(type)
    where = where_of(main.location)
    if not isinstance(found, TensorType):
        raise TargetError(
            f"{what} of main has type {found}; an executable takes and gives tensors only",
            where=where,
        )
    if not found.is_static:
        raise TargetError(
            f"{what} of main has type {found}, whose size is unknown",
            where=where,
            hint="dxir-specialize makes sizes known",
        )
    if not isinstance(found.dtype, DType) or not carries(found.dtype):
        raise TargetError(
            f"{what} of main has type {found}, which IREE's arrays cannot have",
            where=where,
            hint="convert it to a wider type",
        )
    return found
