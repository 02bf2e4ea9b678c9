"""The report of a program: propagation and insertion of collectives, read."""

from __future__ import annotations

from collections.abc import Mapping

from dxir.collective_costs import Interconnect
from dxir.errors import PassError
from dxir.graph import Function, Module
from dxir.locations import caller_location
from dxir.passes.partitioning.lying import alike
from dxir.program import Program, lower
from dxir.sharding import Sharding
from dxir.sharding_report.causes import Causes
from dxir.sharding_report.chains import Chains
from dxir.sharding_report.collectives import Collectives
from dxir.sharding_report.edges import read_edges
from dxir.sharding_report.entries import entry_of
from dxir.sharding_report.given import PLACING, Given, changed, read_given
from dxir.sharding_report.memory import memory_of
from dxir.sharding_report.records import ValueReport
from dxir.sharding_report.report import ShardingReport
from dxir.sharding_report.runs import Frequencies
from dxir.sharding_report.scan import Item, Scan, scan
from dxir.sharding_report.stages import stages_of
from dxir.sharding_report.texts import text_of


def explain_sharding(
    program: Program | Module | Function,
    *,
    interconnect: Interconnect | None = None,
    name: str = "",
) -> ShardingReport:
    """How every value of a program lies on its mesh and why, what it sends, and what it holds.

    Runs Shardy's propagation and the insertion of collectives on a copy. `interconnect` describes
    the links that the seconds of collectives are for; `name` is what comparisons call the program.
    Raises PassError where Shardy does not take the program, GraphError for one without functions.
    """
    if isinstance(program, (Function, Module)):
        program = lower(program)
    if not isinstance(program, Program):
        raise PassError(
            f"explain_sharding takes a Program, a Module or a Function, "
            f"not {type(program).__name__}",
            where=caller_location(),
            hint="make a Program with dxir.load or dxir.lower",
        )
    if interconnect is not None and not isinstance(interconnect, Interconnect):
        raise PassError(
            f"the interconnect is {interconnect!r}",
            where=caller_location(),
            hint="make one with dxir.Interconnect, or read it with dxir.Interconnect.load",
        )
    entry = entry_of(program)
    stages = stages_of(program)
    given = scan(stages.given.module)
    propagated = scan(stages.propagated.module)
    inserted = scan(stages.inserted.module)
    chains = Chains(propagated, read_edges(propagated), read_given(given), entry)
    causes = Causes(inserted, propagated, given)
    made = _made(propagated, read_given(inserted))
    runs = Frequencies(inserted, entry)
    return ShardingReport(
        name=name,
        entry=entry,
        meshes=propagated.layouts.meshes,
        values=tuple([_value(propagated, item, chains, made) for item in propagated.items]),
        collectives=Collectives(inserted, runs, causes, interconnect).all(),
        memory=memory_of(inserted, given, entry),
        notices=stages.told,
        interconnect=interconnect,
        text=text_of(stages.propagated),
        missing=stages.missing,
    )


def _made(propagated: Scan, inserted: Given) -> dict[int, Sharding]:
    """How ops give their results where collectives are in, if not as propagation has them."""
    marks = inserted.marks(propagated)
    found: dict[int, Sharding] = {}
    for item in propagated.items:
        mark = marks.get(id(item))
        if item.sharding is None or item.kind != "value" or mark is None:
            continue
        final = inserted.shardings.get(mark)
        if item.made_by not in PLACING and not alike(item.sharding, final):
            dims = [None] * len(item.sharding.dims)
            found[id(item)] = final or Sharding(item.sharding.mesh, *dims)
    return found


def _value(found: Scan, item: Item, chains: Chains, made: Mapping[int, Sharding]) -> ValueReport:
    given = chains.given(item)
    local, size = found.layouts.local(item.type, item.sharding)
    whole, _ = found.layouts.local(item.type, None)
    return ValueReport(
        name=item.name,
        function=item.function,
        kind=item.kind,
        op=item.made_by,
        where=item.where,
        type=whole,
        local=local,
        bytes=size,
        sharding=item.sharding,
        why=chains.why(item),
        given=given,
        note=changed(item, given),
        label=item.label,
        made=made.get(id(item)),
    )
