"""What an op itself costs, with its reducers and the like, but without what it calls or loops."""

from __future__ import annotations

from collections.abc import Mapping

from dxir.costs.asked import Asked, Work
from dxir.costs.calls import cost_of_call
from dxir.costs.collectives import NAMES, SHARDED, sent_by
from dxir.costs.collectives import work_of as collective_work
from dxir.costs.cost import NO_COST, TRAFFIC, UNKNOWN_COST, WORK, Amounts, Cost
from dxir.costs.elementwise import ARITHMETIC, TRANSCENDENTAL
from dxir.costs.sizes import Sizes, UnknownSize
from dxir.costs.traffic import traffic_of
from dxir.costs.work import MOVES, work_of
from dxir.mlir import IrOperation
from dxir.reading import target_of
from dxir.sharding import Mesh

_ENDS = frozenset(("func.return", "stablehlo.return", "sdy.return"))
_SENT = frozenset(("sent",))
_SENT_UNKNOWN = Cost(unknown=_SENT)
_SHARDED_WHY = "its operand is whole: `dxir sharding` tells what is sent"
_CHLO_CALLS = {"mhlo.topk": "top_k", **{f"mhlo.{name}": name for name in TRANSCENDENTAL}}
"""The custom calls that portable artifacts of JAX have for ops of CHLO."""
_BY_TYPES = ARITHMETIC | TRANSCENDENTAL | frozenset(MOVES)
"""Ops of which neither attributes nor regions tell what they cost."""


class OwnCosts:
    """The costs of ops; those that their types tell are worked out once."""

    def __init__(self, sizes: Sizes, meshes: Mapping[str, Mesh]) -> None:
        self._sizes = sizes
        self._meshes = meshes
        self._known: dict[tuple[object, ...], tuple[Cost, str]] = {}

    def of(self, op: IrOperation, name: str, inside: Mapping[int, Cost]) -> tuple[Cost, str]:
        """What a run of an op costs, and why that is not known, where it is not.

        `inside` has what a run of each region costs.
        """
        if name in _ENDS:
            return NO_COST, ""
        dialect, _, short = name.partition(".")
        if dialect == "sdy":
            return (_SENT_UNKNOWN, _SHARDED_WHY) if name in SHARDED else (NO_COST, "")
        if dialect not in ("stablehlo", "chlo"):
            return UNKNOWN_COST, f"ops of {dialect or 'no dialect'} are not known"
        asked = Asked(op, self._sizes, self._meshes, inside)
        if short == "custom_call":
            try:
                return cost_of_call(op), ""
            except UnknownSize as why:
                target = _CHLO_CALLS.get(target_of(op))
                return (UNKNOWN_COST, str(why)) if target is None else _counted(target, asked)
        if short not in _BY_TYPES:
            return _counted(short, asked)
        key = (short, *asked.operands, None, *asked.results)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = _counted(short, asked)
        return found


def _counted(short: str, asked: Asked) -> tuple[Cost, str]:
    kind = NAMES.get(short)
    unknown: frozenset[str] = frozenset()
    why: list[str] = []
    work, read, written, sent = Work(), 0, 0, 0
    try:
        work = work_of(short, asked) if kind is None else collective_work(kind, asked)
    except UnknownSize as error:
        unknown |= WORK
        why.append(str(error))
    try:
        read, written = traffic_of(short, asked)
    except UnknownSize as error:
        unknown |= TRAFFIC
        why.append(str(error))
    if kind is not None:
        try:
            sent = sent_by(kind, asked)
        except UnknownSize as error:
            unknown |= _SENT
            why.append(str(error))
    if not (unknown or any(work) or read or written or sent):
        return NO_COST, ""
    return Cost(Amounts(*work, read, written, sent), unknown), "; ".join(dict.fromkeys(why))
