"""What a pass is: a class whose fields are its options."""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import inspect
import pkgutil
import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, dataclass_transform

from dxir.approximations import Approximation, Detail, record
from dxir.diagnostic_codes import check_code
from dxir.diagnostics import Diagnostic, where_of
from dxir.errors import PassError
from dxir.mlir import IrLocation, IrOperation, ir
from dxir.pipeline.budget import Budget

PASSES: dict[str, type[Pass]] = {}
"""The passes declared so far, by name; `all_passes` finds those not yet imported, too."""

MODULE = "builtin.module"
FUNCTION = "func.func"

ENTRY_POINTS = "dxir.passes"
"""The entry-point group in which other packages name their passes."""

_PREFIX = "dxir-"
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


def option(help: str, *, default: Any, name: str | None = None) -> Any:
    """A field: what it means in one line, and its default.

    `name` is how pipelines spell it, where that is not the field's name with hyphens.
    """
    return dataclasses.field(default=default, metadata={"help": help, "name": name})


@dataclass_transform(kw_only_default=True, field_specifiers=(option,))
class Pass:
    """A transformation of a module, or of each function of one.

    A subclass says its `name`, as pipelines spell it, and has a docstring whose first line is its
    row in `dxir passes`. Its fields are its options: `limit: int = option("...", default=5)` is
    `pass{limit=5}`; an underscore is a hyphen there. `run` is given a verified module (a function
    where `anchor` is "func.func"), leaves a verified one, says whether it changed anything, and
    changes nothing when it is run once more. What cannot be done is a PassError at the user's
    place; what is doubtful goes to `warn`.
    """

    name: ClassVar[str]
    anchor: ClassVar[str] = MODULE
    native: ClassVar[tuple[str, ...]] = ()
    """The native passes that `run` calls, for those who know which modules these do not take."""

    statistics: dict[str, int] = dataclasses.field(init=False, repr=False, compare=False)
    budget: Budget = dataclasses.field(init=False, repr=False, compare=False)
    sink: Callable[[Diagnostic], None] = dataclasses.field(init=False, repr=False, compare=False)

    def __init_subclass__(cls, *, name: str, anchor: str = MODULE) -> None:
        if _NAME.fullmatch(name) is None:
            raise PassError(f"{name!r} cannot name a pass: lower case words with hyphens between")
        if anchor not in (MODULE, FUNCTION):
            raise PassError(f"the pass {name} cannot run on {anchor!r}: {MODULE} or {FUNCTION}")
        if not inspect.cleandoc(cls.__dict__.get("__doc__") or ""):
            raise PassError(f"the pass {name} needs a docstring: its first line is what users see")
        known = PASSES.get(name)
        if known is not None and (known.__module__, known.__qualname__) != (
            cls.__module__,
            cls.__qualname__,
        ):
            raise PassError(f"there are two passes of the name {name}: {known} and {cls}")
        cls.name, cls.anchor = name, anchor
        dataclasses.dataclass(kw_only=True, eq=False)(cls)
        PASSES[name] = cls

    def __post_init__(self) -> None:
        self.statistics = {}
        self.budget = Budget(self.name)
        self.sink = _ignore
        _check_options(self)
        self.check()

    def check(self) -> None:
        """Refuse options that make no sense together, with a PassError; nothing by default."""

    def run(self, module: Any, /) -> bool:
        """Transform the module (or function), in place; whether anything changed."""
        raise PassError(f"the pass {self.name} has no method run", hint="define run(self, module)")

    def count(self, what: str, number: int = 1) -> None:
        """Add to one of the numbers that `--mlir-pass-statistics` shows."""
        self.statistics[what] = self.statistics.get(what, 0) + number

    def warn(
        self,
        message: str,
        at: IrOperation | IrLocation | None = None,
        *,
        code: str | None = None,
        numbers: Mapping[str, float] | None = None,
    ) -> None:
        """Report what is done as asked, but hardly as meant.

        `code` is one of `dxir.diagnostic_codes`, `numbers` what the message is about by name.
        """
        self._report("warning", message, at, code, numbers)

    def remark(
        self,
        message: str,
        at: IrOperation | IrLocation | None = None,
        *,
        code: str | None = None,
        numbers: Mapping[str, float] | None = None,
    ) -> None:
        """Report what somebody who asks wants to know; see `warn`."""
        self._report("remark", message, at, code, numbers)

    def _report(
        self,
        severity: str,
        message: str,
        at: IrOperation | IrLocation | None,
        code: str | None,
        numbers: Mapping[str, float] | None,
    ) -> None:
        if code is not None:
            check_code(code)
        location = at if at is None or isinstance(at, ir.Location) else at.location
        self.sink(
            Diagnostic(
                severity,
                message,
                where_of(location),
                op=None if at is None or isinstance(at, ir.Location) else at.name,
                code=code,
                pass_name=self.name,
                numbers=dict(numbers or {}),
            )
        )

    def record_approximation(
        self,
        op: ir.Module | IrOperation,
        legalized_from: str,
        reason: str,
        *,
        max_abs_error: float | None = None,
        max_rel_error: float | None = None,
        **details: Detail,
    ) -> bool:
        """Write on an op, or the module, that it computes other numbers than what was asked for.

        See `dxir.approximations`. Gives whether that is news; a pass whose results differ says so
        by `warn`, too, and does it only where it was asked to.
        """
        made = Approximation(
            legalized_from, reason, self.name, max_abs_error, max_rel_error, details
        )
        return record(op, made)

    def __str__(self) -> str:
        """The pass with the options that differ from their defaults, as pipelines spell it."""
        from dxir.pipeline.options import format_options

        options = format_options(self)
        return f"{self.name}{{{options}}}" if options else self.name


def _ignore(_: Diagnostic) -> None:
    pass


def _check_options(pass_: Pass) -> None:
    from dxir.pipeline.options import checked, options_of

    for option in options_of(type(pass_)).values():
        value = getattr(pass_, option.field)
        if value != option.default:
            setattr(pass_, option.field, checked(option, value, pass_.name))


def find_pass(name: str) -> type[Pass] | None:
    """The pass of that name if dxir has it, imported if need be, or it is declared already."""
    if name not in PASSES and _NAME.fullmatch(name):
        # A pass dxir-some-thing lives in the file some_thing of its package; so does one of
        # another prefix, in a file of its whole name.
        file = f"dxir.passes.{name.removeprefix(_PREFIX).replace('-', '_')}"
        if importlib.util.find_spec(file) is not None:
            importlib.import_module(file)
    return PASSES.get(name)


def find_foreign(name: str) -> type[Pass] | None:
    """The pass of that name that another package declares as an entry point; None without one.

    Looking takes tens of milliseconds: packages are many.
    """
    _load_entry_points(name)
    return PASSES.get(name)


BROKEN: dict[str, PassError] = {}
"""The entry points that cannot be imported, found when all were asked for."""


def all_passes() -> dict[str, type[Pass]]:
    """Every pass of dxir and of the packages that declare an entry point, by name, sorted.

    Entry points that cannot be imported are left out; `BROKEN` has them.
    """
    package = importlib.import_module("dxir.passes")
    for module in pkgutil.iter_modules(package.__path__, "dxir.passes."):
        if not module.ispkg:
            importlib.import_module(module.name)
    _load_entry_points(None)
    return dict(sorted(PASSES.items()))


def _load_entry_points(name: str | None) -> None:
    from importlib.metadata import entry_points

    for entry in entry_points(group=ENTRY_POINTS):
        if name not in (None, entry.name):
            continue
        try:
            entry.load()
        except Exception as error:
            broken = PassError(
                f"the pass {entry.name} of {entry.value} cannot be imported: "
                f"{type(error).__name__}: {error}",
                hint=f"the package that declares it in {ENTRY_POINTS} is broken: reinstall it",
            )
            broken.__cause__ = error
            if name is not None:
                raise broken from error
            BROKEN[entry.name] = broken
