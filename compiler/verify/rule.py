"""What a rule is: a class whose fields are its options, in a file of its own."""

from __future__ import annotations

import dataclasses
import difflib
import functools
import importlib
import importlib.util
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, dataclass_transform

from dxir.errors import ConfigurationError, DxirError
from dxir.mlir import IrLocation, IrOperation
from dxir.pipeline.base import option
from dxir.pipeline.options import accepted, options_of
from dxir.verify.finding import SEVERITIES, Finding, Place, Related, Severity
from dxir.verify.ids import FAMILIES as FAMILIES
from dxir.verify.subject import Source, Subject

RULES: dict[str, type[Rule]] = {}
"""The rules declared so far, by id; `all_rules` finds those not yet imported, too."""

ENTRY_POINTS = "dxir.rules"
"""The entry-point group in which other packages name their rules."""

_ID = re.compile(r"([a-z][a-z0-9]*)(?:-[a-z0-9]+)+")


@dataclass_transform(kw_only_default=True, field_specifiers=(option,))
class Rule:
    """Something to look for in a module.

    A subclass says its `id`, whose first word is its family, and how bad what it finds is unless
    the user says otherwise. The first line of its docstring says what is wrong, the rest why, and
    `remedy` what to do about it; `faulty` is a module in which it finds something, `fixed` the same
    without. Its fields are its options: `limit: int = option("...", default=5)`; an underscore is
    a hyphen for users.

    `visit` is called for each op whose name is in `ops`, outer before inner; `check` once for the
    module. Both give findings, made by `found`, and leave the module as it is. `messages` are
    regular expressions of what MLIR says of a file that cannot be read, or of a module that is not
    valid, and that is this rule's to tell.

    A rule that can put right what it finds has `repair`, which changes the module in place.

    What was found in a file is kept, and told again as long as the same rules with the same options
    are to look at the same bytes. A rule that goes by anything else says so: by other files, in
    `reads`; by what no file has (a time, a device, a chance), with `repeatable = False`. What was
    found with such a rule is never kept. Who a module is for, or what it is called, is no matter:
    a rule that goes by `subject.source.name` has it in `reads`.
    """

    id: ClassVar[str]
    family: ClassVar[str]
    severity: ClassVar[Severity]
    enabled: ClassVar[bool]
    """Whether the rule runs when nobody asks for it."""

    ops: ClassVar[tuple[str, ...]] = ()
    """The ops to visit: their names, or `("*",)` for all."""

    messages: ClassVar[tuple[str, ...]] = ()
    remedy: ClassVar[str]
    faulty: ClassVar[str] = ""
    fixed: ClassVar[str] = ""
    no_example: ClassVar[str] = ""
    """Why there is no module to show, where there is none."""

    paths: ClassVar[tuple[str, ...]] = ()
    """The options that are paths: in a file of settings, from the folder that it is in.

    A bare name is none where the default is one, too: it is to be looked for.
    """

    repeatable: ClassVar[bool] = True
    """Whether it always finds the same in the same bytes, `reads` and options."""

    example_options: ClassVar[Mapping[str, Any]] = {}
    """The options with which the rule finds something in `faulty`, as a configuration has them."""

    def __init_subclass__(cls, *, id: str, severity: Severity, enabled: bool = True) -> None:
        named = _ID.fullmatch(id)
        if named is None:
            raise ConfigurationError(
                f"{id!r} cannot name a rule: its family, and lower case words with hyphens between"
            )
        for member in ("__doc__", "remedy"):
            if not inspect.cleandoc(getattr(cls, member, None) or ""):
                raise ConfigurationError(f"the rule {id} needs a {member.strip('_')}")
        if severity not in SEVERITIES:
            raise ConfigurationError(
                f"the rule {id} has the severity {severity!r}",
                hint=f"one of {', '.join(SEVERITIES)}",
            )
        if cls.visit is not Rule.visit and not cls.ops:
            raise ConfigurationError(
                f"the rule {id} has `visit`, and no ops that it is called for",
                hint='ops = ("stablehlo.sort",), or ("*",) for all; `check` looks at the module',
            )
        known = RULES.get(id)
        if known is not None and (known.__module__, known.__qualname__) != (
            cls.__module__,
            cls.__qualname__,
        ):
            raise ConfigurationError(f"there are two rules of the id {id}: {known} and {cls}")
        cls.id, cls.family, cls.severity, cls.enabled = id, named[1], severity, enabled
        dataclasses.dataclass(kw_only=True, eq=False)(cls)
        RULES[id] = cls

    @classmethod
    def configured(cls, given: Mapping[str, Any]) -> Rule:
        """The rule with options as a configuration has them; ConfigurationError for others."""
        known = options_of(cls)
        values: dict[str, Any] = {}
        for name, value in given.items():
            option = known.get(name) or known.get(name.replace("_", "-"))
            if option is None:
                raise _no_option(cls.id, name, known)
            try:
                values[option.field] = accepted(option.type, value)
            except ValueError as error:
                # What Python calls a tuple is an array in files of settings.
                wanted = 'an array, such as ["..."]' if str(error) == "a tuple" else str(error)
                raise ConfigurationError(
                    f"the option {option.name} of {cls.id} is {wanted}, not {value!r}"
                ) from None
        return cls(**values)

    @classmethod
    def summary(cls) -> str:
        """What the rule finds, in one line."""
        return (inspect.getdoc(cls) or "").partition("\n")[0]

    @classmethod
    def can_repair(cls) -> bool:
        """Whether the rule can put right what it finds."""
        return cls.repair is not Rule.repair

    def visit(self, op: IrOperation, subject: Subject, /) -> Iterable[Finding]:
        """What there is to say of an op."""
        return ()

    def check(self, subject: Subject, /) -> Iterable[Finding]:
        """What there is to say of the module as a whole."""
        return ()

    def reads(self, subject: Subject, /) -> Iterable[str]:
        """The paths of other files that what it finds in a module depends on, such as a golden one.

        One that is not there counts, too: it could come.
        """
        return ()

    def facts(self, subject: Subject, /) -> Mapping[str, Any]:
        """What there is to know of the module that is no finding: goes into `Report.facts`."""
        return {}

    def tells(self, error: DxirError, source: Source, /) -> bool:
        """Whether an error of reading a file is this rule's to tell: one of its `messages` fits."""
        return any(re.search(message, error.message) for message in self.messages)

    def reworded(self, error: DxirError, source: Source, /) -> DxirError:
        """An error that this rule `tells`, in words and at a place that lead to its cause."""
        return error

    def repair(self, finding: Finding, subject: Subject, /) -> bool:
        """Put right what was found at `finding.at`, in place; whether that could be done.

        A repair changes no result: where it may, it is not made.
        """
        return False

    def found(
        self,
        message: str,
        at: IrOperation | IrLocation | Place | None,
        subject: Subject,
        *,
        hint: str | None = None,
        related: Iterable[tuple[str, IrOperation | None]] = (),
        numbers: Mapping[str, float] | None = None,
        fixable: bool | None = None,
        severity: Severity | None = None,
    ) -> Finding:
        """A finding of this rule at an op, a place, or (None) in the module as a whole.

        `hint` is the remedy of the rule unless given. `related` are other ops and what they are.
        A `severity` of its own is for what is clearly better or worse than the rule usually finds.
        """
        op = None
        if isinstance(at, Place):
            place, origin = at, None
        else:
            if at is not None and not isinstance(at, IrLocation):
                op = at
            place, origin = subject.places(at)
        return Finding(
            self.id,
            severity or self.severity,
            message,
            place,
            origin,
            op=None if op is None else op.name,
            function=None if op is None else subject.function_of(op),
            hint=self.remedy if hint is None else hint,
            related=tuple(
                [
                    Related(text, None if other is None else _with_line(*subject.places(other)))
                    for text, other in related
                ]
            ),
            fixable=self.can_repair() if fixable is None else fixable,
            numbers=dict(numbers or {}),
            at=op,
        )


def _with_line(place: Place, origin: Place | None) -> Place:
    """Where an op is, or where it was made, should its file have no lines."""
    return place if place.line or origin is None else origin


def _no_option(id: str, name: str, known: Iterable[str]) -> ConfigurationError:
    near = difflib.get_close_matches(name, list(known), n=1)
    has = ", ".join(known)
    hint = (
        f"did you mean {near[0]!r}?" if near else f"it has {has}" if has else "it takes no options"
    )
    return ConfigurationError(f"the rule {id} has no option {name!r}", hint=hint)


def find_rule(id: str) -> type[Rule] | None:
    """The rule of that id, imported if need be."""
    if id not in RULES and _ID.fullmatch(id):
        family, _, name = id.partition("-")
        if family in FAMILIES:
            file = f"dxir.verify.rules.{family}.{name.replace('-', '_')}"
            if importlib.util.find_spec(file) is not None:
                importlib.import_module(file)
        if id not in RULES:
            _load_entry_points(tuple(sys.path))
    return RULES.get(id)


def import_rules(modules: Iterable[str]) -> None:
    """Import modules that declare rules; ConfigurationError for whatever goes wrong in one."""
    for name in modules:
        try:
            importlib.import_module(name)
        except DxirError as error:
            raise ConfigurationError(
                f"the rules of {name} cannot be imported: {error.message}", hint=error.hint
            ) from error
        except (Exception, SystemExit) as error:
            is_missing = isinstance(error, ModuleNotFoundError)
            raise ConfigurationError(
                f"the rules of {name} cannot be imported: {type(error).__name__}: {error}",
                hint="modules are found from the folder of the settings, the current folder for "
                "--import, or installed"
                if is_missing
                else f"`python -c 'import {name}'` in that folder shows where",
            ) from error


def all_rules() -> dict[str, type[Rule]]:
    """Every rule of dxir and of the packages that declare an entry point: by family, then id."""
    _import_own()
    _load_entry_points(tuple(sys.path))
    order = {family: rank for rank, family in enumerate(FAMILIES)}
    return dict(sorted(RULES.items(), key=lambda r: (order.get(r[1].family, len(order)), r[0])))


@functools.cache
def _import_own() -> None:
    for family in FAMILIES:
        package = importlib.import_module(f"dxir.verify.rules.{family}")
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)


@functools.lru_cache(maxsize=8)
def _load_entry_points(_path: tuple[str, ...]) -> None:
    """Import what other packages declare; looked for once, as long as `sys.path` is the same."""
    from importlib.metadata import entry_points

    for entry in entry_points(group=ENTRY_POINTS):
        try:
            entry.load()
        except Exception as error:
            raise ConfigurationError(
                f"the rule {entry.name} of {entry.value} cannot be imported: "
                f"{type(error).__name__}: {error}",
                hint=f"the package that declares it in {ENTRY_POINTS} is broken: reinstall it",
            ) from error
