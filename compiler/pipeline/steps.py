"""What a pipeline comes to: passes in order, each with the ops it runs on."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from dxir.errors import PassError
from dxir.mlir import ir
from dxir.pipeline.base import FUNCTION, MODULE, PASSES, Pass, all_passes, find_foreign, find_pass
from dxir.pipeline.missing import why_missing
from dxir.pipeline.native import ANY, NotNative, WrongOptions, ask, native_passes
from dxir.pipeline.options import make_pass
from dxir.pipeline.text import Element, PassText, parse_pipeline, pipeline_error

PipelineLike = str | Pass | type[Pass] | Sequence["str | Pass | type[Pass]"]


@dataclass(frozen=True, slots=True)
class Step:
    """One pass on its ops: `path` names the ops from the outermost one to those it runs on.

    `pass_` is ours; None for a native one, which `text` spells.
    """

    name: str
    text: str
    path: tuple[str, ...]
    pass_: Pass | None = None

    @property
    def anchor(self) -> str:
        """The ops it runs on."""
        return self.path[-1]

    def __str__(self) -> str:
        text = self.text
        for anchor in reversed(self.path):
            text = f"{anchor}({text})"
        return text


def steps_text(steps: Sequence[Step], root: str = MODULE) -> str:
    """The steps as one pipeline in MLIR's syntax; neighbours on the same ops share anchors."""

    def body(some: Sequence[Step], depth: int) -> str:
        parts: list[str] = []
        at = 0
        while at < len(some):
            path = some[at].path
            if len(path) == depth:
                parts.append(some[at].text)
                at += 1
                continue
            end = at
            while end < len(some) and some[end].path[depth : depth + 1] == path[depth : depth + 1]:
                end += 1
            parts.append(f"{path[depth]}({body(some[at:end], depth + 1)})")
            at = end
        return ",".join(parts)

    return f"{root}({body(steps, 1)})"


def resolve(pipeline: PipelineLike, context: ir.Context, root: str = MODULE) -> tuple[Step, ...]:
    """The steps of a pipeline that is run on an op of the kind `root`.

    A pass is nested by itself in the ops it is for: `cse,chlo-legalize-to-stablehlo` stands for
    `builtin.module(cse,func.func(chlo-legalize-to-stablehlo))`. Raises PassError, with the place in
    the text, for what is not well-formed and for unknown passes, options and anchors.
    """
    if isinstance(pipeline, str):
        return tuple(_Resolver(pipeline, context, root).steps())
    if isinstance(pipeline, (Pass, type)) or not isinstance(pipeline, Sequence):
        return (_own(pipeline, root),)
    found: list[Step] = []
    for part in pipeline:
        found += resolve(part, context, root)
    return tuple(found)


def _own(given: Pass | type[Pass], root: str) -> Step:
    pass_ = given() if isinstance(given, type) else given
    if not isinstance(pass_, Pass):
        raise PassError(
            f"a pipeline is text or passes, not {type(pass_).__name__}",
            hint='write run_passes("cse,dxir-decompose") or run_passes([Decompose(), "cse"])',
        )
    path = (root,) if root == pass_.anchor else (root, pass_.anchor)
    return Step(pass_.name, str(pass_), path, pass_)


class _Resolver:
    def __init__(self, text: str, context: ir.Context, root: str) -> None:
        self.text, self.context, self.root = text, context, root

    def steps(self) -> Iterator[Step]:
        for element in parse_pipeline(self.text):
            yield from self.element(element, (self.root,), outermost=True)

    def element(
        self, element: Element, path: tuple[str, ...], *, outermost: bool = False
    ) -> Iterator[Step]:
        if isinstance(element, PassText):
            yield from self.pass_(element, path)
            return
        anchor = element.anchor
        if anchor != ANY and not self.context.is_registered_operation(anchor):
            raise self.error(element, f"no op is called {anchor!r}", _near_anchor(anchor))
        inner = path if outermost and anchor in (self.root, ANY) else (*path, anchor)
        for part in element.body:
            yield from self.element(part, inner)

    def pass_(self, given: PassText, path: tuple[str, ...]) -> Iterator[Step]:
        cls = find_pass(given.name)
        if cls is not None:
            self._refuse_native_name(given, cls)
            pass_ = make_pass(cls, given.options, self.text, given.start)
            yield Step(given.name, str(given), self.nested(given, cls.anchor, path), pass_)
            return
        alias = all_aliases().get(given.name)
        if alias is not None:
            if given.options:
                raise self.error(given, f"the pipeline {given.name} takes no options", None)
            for part in parse_pipeline(alias.text()):
                yield from self.element(part, path)
            return
        try:
            native = ask(given.name, given.options, self.context)
        except NotNative:
            if find_foreign(given.name) is not None:
                yield from self.pass_(given, path)
                return
            raise self.error(
                given, f"there is no pass called {given.name!r}", near_pass(given.name)
            ) from None
        except WrongOptions as error:
            options = _native_options(given.name, self.context)
            raise self.error(
                given,
                f"the pass {given.name} does not take {{{given.options}}}: {error}",
                f"it takes {options}" if options else None,
            ) from None
        yield Step(given.name, str(given), self.nested(given, native.anchor, path))

    def _refuse_native_name(self, given: PassText, cls: type[Pass]) -> None:
        if cls.__module__.startswith("dxir."):
            return
        with suppress(NotNative):
            with suppress(WrongOptions):
                ask(given.name, "", self.context)
            raise self.error(
                given,
                f"{cls.__module__} declares a pass {given.name}, which is one of MLIR's",
                "give it a name of its own, with its package in front",
            )

    def nested(self, given: PassText, anchor: str, path: tuple[str, ...]) -> tuple[str, ...]:
        """The path to the ops of a pass that is for `anchor` ops, written at `path`."""
        if anchor in (ANY, path[-1]):
            return path
        if path[-1] == MODULE:
            return (*path, anchor)
        raise self.error(
            given,
            f"the pass {given.name} runs on {anchor} ops and cannot be nested in {path[-1]}(...)",
            f"write it outside of {path[-1]}(...)",
        )

    def error(self, at: Element, message: str, hint: str | None) -> PassError:
        return pipeline_error(self.text, at.start, message, hint)


def _native_options(name: str, context: ir.Context) -> str:
    try:
        return ask(name, "", context).options
    except (NotNative, WrongOptions):
        return ""


def is_pass(name: str, context: ir.Context) -> bool:
    """Whether there is a pass or a named pipeline of that name."""
    if find_pass(name) is not None or name in all_aliases():
        return True
    try:
        ask(name, "", context)
    except NotNative:
        return find_foreign(name) is not None
    except WrongOptions:
        pass
    return True


def pass_names() -> set[str]:
    """The names of all passes and named pipelines there are."""
    return {*all_passes(), *all_aliases(), *native_passes()}


def near_pass(name: str) -> str:
    """Why there is no pass of this name, or those whose names are like it, as a hint."""
    why = why_missing(name)
    if why is not None:
        return why
    names = pass_names()
    near = difflib.get_close_matches(name, names, n=3)
    near += sorted(n for n in names if name in n and n not in near)[: 3 - len(near)]
    if near:
        return f"did you mean {' or '.join(near)}?"
    return "`dxir passes` lists them all; a module that declares its own is imported before"


_USUAL_ANCHORS = (MODULE, FUNCTION, ANY)


def _near_anchor(anchor: str) -> str:
    near = difflib.get_close_matches(anchor, _USUAL_ANCHORS, n=1)
    if near:
        return f"did you mean {near[0]}?"
    if anchor in PASSES or "-" in anchor:
        return "options of a pass are written in braces: pass{option=value}"
    return f"the usual ones are {MODULE} and {FUNCTION}"


@dataclass(frozen=True, slots=True)
class Alias:
    """A pipeline with a name: what it is made of, and what it does in one line."""

    name: str
    help: str
    text: Callable[[], str]


ALIASES: dict[str, Alias] = {}
"""The pipelines given names so far, by name; `all_aliases` has dxir's own, too."""


def all_aliases() -> dict[str, Alias]:
    """Every pipeline with a name, by name."""
    importlib.import_module("dxir.pipeline.aliases")
    return ALIASES


def register_alias(name: str, help: str, text: str | Callable[[], str]) -> None:
    """Give a pipeline a name, by which other pipelines can hold it."""
    ALIASES[name] = Alias(name, help, text if callable(text) else lambda: text)
