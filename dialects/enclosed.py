"""Bodies that run on every device, or under a label: derivatives and batches that stay in them.

The way along and the way back are an op of the same kind each. What is kept between them is local
to a device: it leaves the first op as parts of a whole that is split along all manual axes, and
enters the second one the same way. Cotangents have the shardings of their values.

A result that does not vary along a manual axis is one value with a copy on each device, so that
each copy gets its share of the cotangent; and the cotangent of an input that does not vary along it
is the sum of what comes back on all devices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from dxir import ops
from dxir.derivatives import Cotangent
from dxir.dialects.collective_rules import add
from dxir.dialects.fold_trees import folded_op
from dxir.dialects.process_groups import listed
from dxir.graph import Function, Region, Value, building
from dxir.making import inline
from dxir.mesh_layout import coordinates, device_ids, index_along
from dxir.sharding import DimSharding, Mesh, Sharding
from dxir.transforms.batching import Unbatched
from dxir.transforms.forward import Forward
from dxir.transforms.functions import closed
from dxir.transforms.joint import Joint, chosen, forward_joint, some_or_zeros
from dxir.transforms.reverse import Pull, Reverse
from dxir.transforms.splitting import Split, split
from dxir.types import TensorType

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch

Shardings = Sequence[Sharding | None]
Body = Callable[..., Sequence[Value]]
Rows = tuple[tuple[int, ...], ...]

_OPEN = DimSharding(open=True)


class Shell:
    """What surrounds a body: how to put down another one in the same surroundings.

    Subclasses say so for one op each.
    """

    ins: Shardings
    outs: Shardings

    def put(self, inputs: Sequence[Value], body: Body, ins: Shardings, outs: Shardings) -> Any:
        """The results of another body."""
        raise NotImplementedError

    def kept(self, type: TensorType) -> Sharding | None:
        """How a value of the body, of this type there, lies on the devices."""
        raise NotImplementedError

    def copies(self, sharding: Sharding | None) -> Rows:
        """The devices that have a copy of one part each; empty where all parts differ."""
        return ()


class Manual(Shell):
    """The surroundings of a `manual_computation`."""

    def __init__(self, node: Any) -> None:
        self.manual: tuple[str, ...] = node.manual_axes
        self.ins, self.outs = node.in_shardings, node.out_shardings
        known: Sequence[Sharding] = (*node.in_shardings, *node.out_shardings)
        self.mesh: Mesh | None = known[0].mesh if known else None

    def put(self, inputs: Sequence[Value], body: Body, ins: Shardings, outs: Shardings) -> Any:
        return ops.manual_computation(
            tuple(inputs),
            body=body,
            in_shardings=tuple([whole(s) for s in ins if s is not None]),
            out_shardings=tuple([whole(s) for s in outs if s is not None]),
            manual_axes=self.manual,
        )

    def kept(self, type: TensorType) -> Sharding:
        assert self.mesh is not None
        names = [name for name, _ in self.mesh.axes]
        manual = tuple(sorted(self.manual, key=names.index))
        rest = DimSharding(open=len(names) > len(manual))
        return Sharding(self.mesh, manual, *[rest] * (max(type.rank, 1) - 1))

    def copies(self, sharding: Sharding | None) -> Rows:
        if self.mesh is None or sharding is None:
            return ()
        return _copies(sharding, self.manual)


@lru_cache(maxsize=256)
def _copies(sharding: Sharding, manual: tuple[str, ...]) -> Rows:
    """The devices with a copy of one part each, along manual axes that do not split it."""
    mesh = sharding.mesh
    split = [a for d in sharding.dims for a in d.axes if a.name in manual]
    free = [name for name, _ in mesh.axes if name not in manual]
    groups: dict[tuple[int, ...], list[int]] = {}
    for device, at in zip(device_ids(mesh), coordinates(mesh), strict=True):
        key = [*[at[name] for name in free], *[index_along(mesh, a, at[a.name]) for a in split]]
        groups.setdefault(tuple(key), []).append(device)
    rows = tuple([tuple(row) for row in groups.values()])
    return rows if len(rows[0]) > 1 else ()


class Named(Shell):
    """The surroundings of a `named_computation`."""

    def __init__(self, node: Any) -> None:
        self.label: str = node.label
        given: Sequence[Shardings | None] = (node.in_shardings, node.out_shardings)
        self.sharded = [s is not None for s in given]
        known = [s for many in given for s in many or () if s is not None]
        self.mesh = known[0].mesh if known else None
        self.ins = node.in_shardings or (None,) * len(node.inputs)
        self.outs = node.out_shardings or (None,) * len(node.results)

    def put(self, inputs: Sequence[Value], body: Body, ins: Shardings, outs: Shardings) -> Any:
        def full(shardings: Shardings, types: Sequence[Any]) -> tuple[Sharding, ...] | None:
            if self.mesh is None or not any(s is not None for s in shardings):
                return None
            return tuple([
                Sharding(self.mesh, *[_OPEN] * t.rank) if s is None else whole(s)
                for s, t in zip(shardings, types, strict=True)
            ])  # fmt: skip

        region = Region([v.type for v in inputs], None)
        with building(region):
            region.seal(body(*region.params))
        return ops.named_computation(
            tuple(inputs),
            body=region,
            label=self.label,
            in_shardings=full(ins, [v.type for v in inputs]),
            out_shardings=full(outs, region.result_types),
        )

    def kept(self, type: TensorType) -> None:
        return None


def whole(sharding: Sharding) -> Sharding:
    """A sharding without axes along which devices hold terms: cotangents are whole there."""
    if not sharding.unreduced:
        return sharding
    return Sharding(sharding.mesh, *sharding.dims, replicated=sharding.replicated)


def _enclosed(region: Region, shell: Shell) -> tuple[Function, tuple[Value, ...], Shardings]:
    """A body as a function, what it captures, and the shardings of all its inputs."""
    function, outside = closed(region)
    more = [_whole(shell, v) for v in outside]
    return function, outside, (*shell.ins, *more)


def _whole(shell: Shell, value: Value) -> Sharding | None:
    if not isinstance(shell, Manual):
        return None
    assert shell.mesh is not None
    return Sharding(shell.mesh, *[None] * value.rank)


def pulled_body(node: Any, shell: Shell, sweep: Reverse) -> tuple[Sequence[Value], Pull]:
    """Both sweeps of a body: one like it each."""
    function, outside, ins = _enclosed(node.body, shell)
    inputs = (*node.inputs, *outside)
    varied = [v in sweep.varied for v in inputs]
    joint = _reverse_joint(function, varied, shell, ins, sweep)
    halves = split(joint.function, joint.known, joint.outputs, along=joint.along)
    results, kept = _along(shell, halves, joint, inputs, ins)

    def pull(gs: Sequence[Value | None]) -> list[tuple[Value, Cotangent]]:
        if not joint.found:
            return []
        seeds = some_or_zeros([gs[i] for i in joint.given], chosen(results, joint.given))
        outs = [shell.outs[i] for i in joint.given]
        found = _later(
            shell, halves, inputs, ins, kept, (seeds, outs), [ins[i] for i in joint.found]
        )
        return list(zip(chosen(inputs, joint.found), found, strict=True))

    return results, pull


def _reverse_joint(
    function: Function, varied: Sequence[bool], shell: Shell, ins: Shardings, sweep: Reverse
) -> Joint:
    """The body with its way back, of shares of cotangents and to sums of them."""
    count = len(function.params)
    given = tuple([i for i, r in enumerate(sweep.reached) if r])
    types = [*function.param_types, *[function.results[i].type for i in given]]
    made = Function("joint", types, public=False)
    with building(made):
        inner = Reverse(sweep.options)
        inputs = made.params[:count]
        results = inner.run(function, inputs, varied, given)
        along = len(made.nodes)
        seeds = made.params[count:]
        inner.backward([
            _share(results[i], g, shell.copies(shell.outs[i]))
            for i, g in zip(given, seeds, strict=True)
        ])  # fmt: skip
        found: dict[int, Value] = {}
        for i, value in enumerate(inputs):
            g = inner.cotangent(value) if varied[i] else None
            if g is not None:
                found[i] = _sum(g, shell.copies(ins[i]))
        made.seal([*results, *found.values()])
    return Joint(made, count, len(results), given, tuple(found), along)


def _share(result: Value, g: Value, copies: Rows) -> tuple[Value, Value]:
    """What a copy of a result gets of its cotangent.

    Where the result is the sum over the devices with a copy, each term gets all of it.
    """
    if not copies:
        return result, g
    node: Any = result.producer
    if node is not None and node.op == "all_reduce" and folded_op(node.body) == "add":
        rows = {frozenset(row) for row in listed(node.replica_groups)}
        term = node.operands[result.index]
        if (
            node.use_global_device_ids
            and rows == {frozenset(row) for row in copies}
            and term.type == result.type
        ):
            return term, g
    return result, ops.mul(g, 1 / len(copies[0]))


def _sum(g: Value, copies: Rows) -> Value:
    if not copies:
        return g
    (total,) = ops.all_reduce(
        (g,), body=add, replica_groups=copies, channel=1, use_global_device_ids=True
    )
    found: Value = total
    return found


def _along(
    shell: Shell, halves: Split, joint: Joint, inputs: Sequence[Value], ins: Shardings
) -> tuple[tuple[Value, ...], list[tuple[Value, Sharding | None, TensorType]]]:
    """The results, and what is kept with its sharding and its type within the body."""
    places, types = halves.places, [v.tensor for v in halves.computed]
    count = joint.outputs
    more = [i for i, p in enumerate(places) if p >= count or _in_terms(shell.outs[p])]
    lies = [shell.kept(types[i]) for i in more]

    def body(*values: Value) -> Sequence[Value]:
        found = inline(halves.forward, values)
        extra = chosen(found, [places[i] for i in more])
        packed = [v if s is None else _packed(v) for v, s in zip(extra, lies, strict=True)]
        return (*found[:count], *packed)

    made = tuple(shell.put(inputs, body, ins, (*shell.outs, *lies)))
    found = dict(zip(more, zip(made[count:], lies, strict=True), strict=True))
    kept = []
    for i, place in enumerate(places):
        value, sharding = found[i] if i in found else (made[place], shell.outs[place])
        kept.append((value, sharding, types[i]))
    return made[:count], kept


def _in_terms(sharding: Sharding | None) -> bool:
    """Whether devices have terms of a value, so that each does not get its own back."""
    return sharding is not None and bool(sharding.unreduced)


def _packed(value: Value) -> Value:
    """A scalar as a vector of one, that can be a part of a whole."""
    return value if value.rank else ops.reshape(value, shape=(1,))


def _later(
    shell: Shell,
    halves: Split,
    inputs: Sequence[Value],
    ins: Shardings,
    kept: Sequence[tuple[Value, Sharding | None, TensorType]],
    given: tuple[Sequence[Value], Shardings],
    outs: Shardings,
) -> Sequence[Value]:
    """What comes out of the second half, which gets what is kept and then `given`."""
    first = chosen(inputs, halves.inputs)
    count = len(first)

    def body(*values: Value) -> Sequence[Value]:
        residuals = [
            v if v.rank == t.rank else ops.reshape(v, shape=t.static_shape)
            for v, (_, _, t) in zip(values[count:], kept, strict=False)
        ]
        rest = values[count + len(kept) :]
        return inline(halves.backward, [*values[:count], *residuals, *rest])

    operands = [*first, *[v for v, _, _ in kept], *given[0]]
    lies = [*[ins[i] for i in halves.inputs], *[s for _, s, _ in kept], *given[1]]
    found: Sequence[Value] = shell.put(operands, body, lies, outs)
    return found


def pushed_body(
    node: Any, shell: Shell, sweep: Forward
) -> tuple[Sequence[Value], Sequence[Value | None]]:
    """A body with tangents: one that gives those too, or two where they are wanted apart."""
    function, outside, ins = _enclosed(node.body, shell)
    inputs = (*node.inputs, *outside)
    varied = [v in sweep.tangents for v in inputs]
    joint = forward_joint(function, varied, separate=sweep.separate)
    moved = [sweep.tangents[inputs[i]] for i in joint.given]
    lies = [ins[i] for i in joint.given]
    outs = [shell.outs[i] for i in joint.found]
    if sweep.separate:
        halves = split(joint.function, joint.known, joint.outputs)
        results, kept = _along(shell, halves, joint, inputs, ins)
        late = _later(shell, halves, inputs, ins, kept, (moved, lies), outs) if outs else ()
    else:
        made = tuple(shell.put(
            (*inputs, *moved),
            lambda *values: inline(joint.function, values),
            (*ins, *lies),
            (*shell.outs, *outs),
        ))  # fmt: skip
        results, late = made[: joint.outputs], made[joint.outputs :]
    tangents = dict(zip(joint.found, late, strict=True))
    return results, [tangents.get(i) for i in range(joint.outputs)]


def batched_body(node: Any, shell: Shell, batch: Batch) -> list[Value | Unbatched]:
    """A body on a batch, whose axis is not split along manual axes."""
    flags = batch.flags(node.body, batch.batched)

    def leading(shardings: Shardings, batched: Sequence[bool]) -> Shardings:
        return [
            Sharding(s.mesh, _OPEN if _is_open(shell) else None, *s.dims, replicated=s.replicated)
            if flag and s is not None
            else s
            for s, flag in zip(shardings, batched, strict=True)
        ]

    def body(*values: Value) -> Sequence[Value]:
        found = batch.run(node.body, values, batch.batched)
        return [
            batch.spread(v) if flag and not f else v
            for (v, f), flag in zip(found, flags, strict=True)
        ]

    made = shell.put(
        batch.operands, body, leading(shell.ins, batch.batched), leading(shell.outs, flags)
    )
    return [v if flag else Unbatched(v) for v, flag in zip(made, flags, strict=True)]


def _is_open(shell: Shell) -> bool:
    """Whether axes are left to propagation."""
    return not isinstance(shell, Manual) or (
        shell.mesh is not None and len(shell.mesh.axes) > len(shell.manual)
    )
