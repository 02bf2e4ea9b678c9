"""Which composites of a module are ops of dxir: those that decompose as the op itself would."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dxir.attributes import frozen
from dxir.equality import same_attrs, same_structure
from dxir.errors import DxirError
from dxir.graph import Function, Module, Region, building
from dxir.locations import NOWHERE, at
from dxir.making import several
from dxir.op import REGISTRY, Composite, Op, composite_name, make

_PREFIX = "dxir."
_SEGMENTS = "operand_segments"  # which optional operands are there, where the op has such
_MAX_NESTING = 64
_MAX_SEGMENTATIONS = 64


@dataclass(frozen=True, slots=True)
class Candidate:
    """A composite node and its place, `region.nodes[position]`."""

    node: Op
    region: Region
    position: int


def recompose(candidates: Iterable[Candidate], *, trusted: bool) -> set[int]:
    """Put dxir's own ops in the place of the composites that they lower to.

    Gives the ids of the decompositions that no composite of theirs needs any more.
    """
    recognition = _Recognition(candidates, trusted)
    for candidate in recognition.candidates:
        recognition.settle(candidate, 0)
    return recognition.replaced - recognition.kept


class _Recognition:
    def __init__(self, candidates: Iterable[Candidate], trusted: bool) -> None:
        self.candidates = list(candidates)
        self.trusted = trusted
        self.replaced: set[int] = set()
        self.kept: set[int] = set()
        self._settled: set[int] = set()
        self._inside: dict[int, list[Candidate]] = {}
        self._known: dict[Any, Op | None] = {}
        for candidate in self.candidates:
            self._inside.setdefault(id(_root(candidate.region)), []).append(candidate)

    def settle(self, candidate: Candidate, depth: int) -> None:
        """Decide about one composite, after those in its decomposition."""
        node = candidate.node
        if id(node) in self._settled:
            return
        self._settled.add(id(node))
        decomposition: Function = node.attrs["decomposition"]
        if depth < _MAX_NESTING:
            for inner in self._inside.get(id(decomposition), ()):
                self.settle(inner, depth + 1)
        template = self._template(node, decomposition)
        if template is None:
            self.kept.add(id(decomposition))
            return
        self.replaced.add(id(decomposition))
        _replace(candidate, template)

    def _template(self, node: Op, decomposition: Function) -> Op | None:
        attrs = node.attrs
        name = str(attrs["composite_name"])
        cls = REGISTRY.get(name.removeprefix(_PREFIX))
        if cls is None or composite_name(cls.op) != name or not issubclass(cls, Composite):
            return None
        if (attrs["version"] or 0) != cls.version or decomposition.is_declaration:
            return None
        given = attrs["composite_attributes"] or {}
        known = {_SEGMENTS, *(f.name for f in cls.fields)}
        if not isinstance(given, Mapping) or not set(given) <= known:
            return None
        types = tuple(v.type for v in node.operands)
        key = (cls, frozen(given), types, tuple(r.type for r in node.results), id(decomposition))
        if key not in self._known:
            self._known[key] = self._find(cls, given, node, decomposition)
        return self._known[key]

    def _find(
        self, cls: type[Composite], given: Mapping[str, Any], node: Op, decomposition: Function
    ) -> Op | None:
        wanted = given.get(_SEGMENTS)
        given = {k: v for k, v in given.items() if k != _SEGMENTS}
        for segments in _segmentations(cls, len(node.operands)):
            if wanted is not None and segments != wanted:
                continue
            scratch = Function("main", [v.type for v in node.operands])
            made = _built(cls, scratch, segments, given)
            if made is None or [r.type for r in made.results] != [r.type for r in node.results]:
                continue
            if not same_attrs(given, {k: v for k, v in made.attrs.items() if v is not None}):
                continue
            if self.trusted or _decomposes_to(scratch, made, decomposition):
                return made
        return None


def _root(region: Region) -> Region:
    while region.parent is not None:
        region = region.parent
    return region


def _built(
    cls: type[Composite], scratch: Function, segments: tuple[int, ...], attrs: Mapping[str, Any]
) -> Op | None:
    arguments: dict[str, Any] = dict(attrs)
    params = iter(scratch.params)
    operands = [f for f in cls.fields if f.kind in ("operand", "optional", "variadic")]
    for field, size in zip(operands, segments, strict=True):
        part = tuple(itertools.islice(params, size))
        arguments[field.name] = part if field.kind == "variadic" else (part[0] if part else None)
    try:
        with building(scratch), at(NOWHERE):
            built = cls.build(**arguments)
            scratch.seal(several(built))
    except (DxirError, TypeError):
        return None
    made = scratch.nodes[-1]
    return made if isinstance(made, cls) else None


def _segmentations(cls: type[Composite], count: int) -> Iterator[tuple[int, ...]]:
    kinds = [f.kind for f in cls.fields if f.kind in ("operand", "optional", "variadic")]
    choices = [
        (1,) if k == "operand" else (1, 0) if k == "optional" else range(count + 1) for k in kinds
    ]
    found = (sizes for sizes in itertools.product(*choices) if sum(sizes) == count)
    return itertools.islice(found, _MAX_SEGMENTATIONS)


def _decomposes_to(scratch: Function, made: Op, decomposition: Function) -> bool:
    from dxir.lowering import lower_module
    from dxir.raising import Raising

    try:
        raising = Raising(lower_module(Module([scratch]), verify=False), trusted=True)
        raising.module()
    except DxirError:
        return False
    own = raising.functions.get(composite_name(made.op))
    plain = not any(
        (
            decomposition.public,
            decomposition.annotations,
            any(decomposition.param_annotations),
            any(decomposition.result_annotations),
            any(decomposition.param_shardings),
            any(decomposition.result_shardings),
        )
    )
    return own is not None and plain and same_structure(own, decomposition)


def _replace(candidate: Candidate, template: Op) -> None:
    old = candidate.node
    new = make(
        template.__class__, old.operands, template.attrs, (), segments=template.segments,
        location=old.location, name=old.name,
    )  # fmt: skip
    new.results = old.results
    new.sharding, new.annotations = old.sharding, old.annotations
    for result in new.results:
        result.producer = new
    candidate.region.nodes[candidate.position] = new
