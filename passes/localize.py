"""The program of one device, out of one over a mesh in which collectives stand over axes.

    %0 = stablehlo.add {[{"x"}, {}]} : tensor<8x4xf32>    %0 = stablehlo.add : tensor<2x4xf32>
    %1 = sdy.all_reduce {"y"} %0                          %1 = stablehlo.all_reduce, with groups
    %2 = sdy.all_slice [{}, {"y"}] %1                     %2 = stablehlo.dynamic_slice, by the id

For a module that `dxir-insert-collectives` leaves. Types become those of a device's parts,
Shardy's collectives StableHLO's with groups of devices, and what depends on which device it is
(pieces of constants, of counted numbers) is looked up by `partition_id`. Then every trace of
sharding goes, but for two strings on each parameter and result of public functions, `dxir.whole`
and `dxir.lies`, which say of what it is a part, and where that lies. All devices run the same
program, each on its own parts.

What its axes do not divide is a PassError that names the value, unless `pad`: then every device
has a part of the larger size, and what is beyond the end of a value is kept out of what is summed
up. `stablehlo.rng` is refused: it gives other numbers on every device.
"""

from __future__ import annotations

from dxir.diagnostics import where_of
from dxir.errors import PassError
from dxir.mlir import IrAttribute, IrOperation, TypeCache, bytecode_of, ir
from dxir.passes.insert_collectives import INSERTED
from dxir.passes.partitioning.localizing import Localizing, random_ops
from dxir.passes.partitioning.lying import Lying
from dxir.passes.strip_sharding import StripSharding
from dxir.pipeline.base import Pass, option
from dxir.reading import attribute, functions, is_public, signature
from dxir.sharding import Mesh, Sharding
from dxir.sharding_codec import encode_sharding

WHOLE = "dxir.whole"
LIES = "dxir.lies"


class Localize(Pass, name="dxir-localize"):
    """Make a program over a mesh the program of one device, on its parts of all values."""

    pad: bool = option(
        "give every device a part of the larger size where axes do not divide", default=False
    )

    def run(self, module: ir.Module) -> bool:
        before = bytecode_of(module)
        localize(self, module, pad=self.pad)
        return bytecode_of(module) != before


def localize(pass_: Pass, module: ir.Module, *, pad: bool) -> None:
    """Do it in place."""
    lying = Lying(module)
    mesh = lying.mesh()
    if mesh is None:
        _strip(pass_, module)
        return
    for op in random_ops(module):
        raise PassError(
            f"'{op.name}' gives other numbers on every device, where the whole program has one",
            where=where_of(op.location),
            hint="use rng_bit_generator, whose numbers follow from its state",
        )
    notes = _notes(module, lying, mesh)
    Localizing(module, pad=pad).run()
    _strip(pass_, module)
    for function, key, entries in notes:
        _add(function, key, entries)


def _strip(pass_: Pass, module: ir.Module) -> None:
    strip = StripSharding()
    strip.sink = lambda d: None if d.code == "NEEDS_DEVICES" else pass_.sink(d)
    strip.run(module)
    if INSERTED in module.operation.attributes:
        del module.operation.attributes[INSERTED]


Notes = list[tuple[IrOperation, str, list[dict[str, IrAttribute]]]]


def _notes(module: ir.Module, lying: Lying, mesh: Mesh) -> Notes:
    """What is to be written on parameters and results, about the whole values."""
    types = TypeCache(module.context)
    found: Notes = []
    for function in filter(is_public, functions(module)):
        type = signature(function)
        for key, shardings, given in (
            ("arg_attrs", lying.parameters(function), type.inputs),
            ("res_attrs", lying.results(function), type.results),
        ):
            entries: list[dict[str, IrAttribute]] = []
            for sharding, whole in zip(shardings, given, strict=True):
                rank = whole.rank if isinstance(whole, ir.RankedTensorType) else 0
                lies = sharding or Sharding(mesh, *[None] * rank)
                entries.append(
                    {
                        WHOLE: ir.StringAttr.get(str(whole)),
                        LIES: ir.StringAttr.get(str(_inlined(lies, types))),
                    }
                )
            found.append((function, key, entries))
    return found


def _inlined(sharding: Sharding, types: TypeCache) -> IrAttribute:
    """The sharding with its mesh spelled out."""
    mesh = sharding.mesh
    unnamed = Mesh("", mesh.axes, mesh.device_ids)
    return encode_sharding(
        Sharding(
            unnamed,
            *sharding.dims,
            replicated=sharding.replicated,
            unreduced=sharding.unreduced,
            reduction=sharding.reduction,
        ),
        types,
    )


def _add(function: IrOperation, key: str, entries: list[dict[str, IrAttribute]]) -> None:
    """Add attributes to those of a function's parameters or results."""
    if not entries:
        return
    given = attribute(function, key)
    known = [ir.DictAttr(d) for d in given] if isinstance(given, ir.ArrayAttr) else []
    made = []
    for i, entry in enumerate(entries):
        old = {known[i][j].name: known[i][j].attr for j in range(len(known[i]))} if known else {}
        made.append(ir.DictAttr.get({**old, **entry}))
    function.attributes[key] = ir.ArrayAttr.get(made)
