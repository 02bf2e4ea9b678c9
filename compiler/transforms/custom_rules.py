"""Rules of derivatives that users bring, on composites: their sweeps and their batched forms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from dxir import ops
from dxir.derivatives import Cotangent, Undefined, has_tangent, zeros
from dxir.errors import TransformError
from dxir.graph import Function, Node, Region, Value, building, current_region
from dxir.making import several
from dxir.tracing.calls import Call, as_value, on_its_own
from dxir.tracing.trees import Tree, flatten, leaves_like
from dxir.transforms.batching import Batch, Batching, spread
from dxir.transforms.calling import checked_seed
from dxir.transforms.forward import Forward
from dxir.transforms.functions import without_dead_nodes
from dxir.transforms.linearity import depends, is_affected, is_nothing
from dxir.transforms.mapping import vmap
from dxir.transforms.registry import Rules, enter
from dxir.transforms.reverse import Reverse
from dxir.transforms.sharing import shared

Python = Callable[..., Any]
_NO_FORWARD = "it has a reverse rule of its own, by dxir.custom_vjp, and no forward one"


class Flat:
    """A rule for composites of one name, on the values that they take and give.

    `inner` are the containers of the arguments; None for values alone. A batched form is one more,
    under a name of its own.
    """

    def __init__(self, name: str, inner: Tree | None) -> None:
        self.name = name
        self.inner = inner
        self._batched: dict[tuple[int, tuple[bool, ...]], Flat] = {}
        enter(self.rules())

    def rules(self) -> Rules:
        """What is registered for it."""
        raise NotImplementedError

    def mapped(self, name: str, size: int, flags: tuple[bool, ...]) -> Flat:
        """The rule of the function on a batch, which the arguments flagged have at axis 0."""
        raise NotImplementedError

    def packed(self, leaves: Sequence[Any]) -> Any:
        """The arguments in their containers."""
        return tuple(leaves) if self.inner is None else self.inner.build(leaves)

    def unpacked(self, given: Any, count: int, what: str) -> list[Any]:
        """One entry for each leaf of the arguments, of what a rule gave for these."""
        if not isinstance(given, (tuple, list)):
            given = (given,)
        inner = Tree(tuple, (Tree(None),) * count) if self.inner is None else self.inner
        return leaves_like(given, inner, what)

    def placed(self, inputs: Sequence[Value], body: Function) -> tuple[Value, ...]:
        """The results of a composite of this name; equal decompositions are one."""
        return several(ops.composite(self.name, inputs, decomposition=shared(body)))

    def batch(self, node: Any, batch: Batch) -> Sequence[Value]:
        """The batch rule of the composite: a composite again."""
        key = (batch.size, batch.batched)
        known = self._batched.get(key)
        if known is None:
            flags = "".join(["01"[flag] for flag in batch.batched])
            known = self.mapped(f"{self.name}_batch{batch.size}_{flags}", *key)
            self._batched[key] = known
        body: Function = node.decomposition
        made = Function(known.name, [v.type for v in batch.operands], public=False)
        with building(made):
            found = Batching(batch.size).run(body, made.params, batch.batched)
            made.seal([v if flag else spread(v, batch.size) for v, flag in found])
        return known.placed(batch.operands, without_dead_nodes(made))


class FlatVjp(Flat):
    """`fwd(*args) -> (result, residuals)` and `bwd(residuals, g) -> cotangents`."""

    def __init__(self, name: str, inner: Tree | None, fwd: Python, bwd: Python) -> None:
        self.fwd, self.bwd = fwd, bwd
        super().__init__(name, inner)

    def rules(self) -> Rules:
        no_forward = Undefined(_NO_FORWARD, "dxir.custom_jvp has one rule for both directions")
        return Rules(self.name, jvp=no_forward, batch=self.batch, pullback=self.pullback)

    def forward(self, leaves: Sequence[Value]) -> tuple[list[Value], Tree, Any]:
        """The results, the containers they are in, and the residuals."""
        what = f"the fwd of {self.name}"
        found = on_its_own(what, self.fwd, *self.packed(leaves))
        if not isinstance(found, tuple) or len(found) != 2:
            raise TransformError(
                f"{what} returns {found!r}",
                hint="it must return a pair: the result, and what bwd needs",
            )
        results, out = flatten(found[0])
        return [as_value(r, f"the result of {what}") for r in results], out, found[1]

    def backward(self, residuals: Any, out: Tree, g: Sequence[Any], count: int) -> list[Any]:
        """The cotangent of each of `count` arguments, or None."""
        what = f"the bwd of {self.name}"
        pulled = on_its_own(what, self.bwd, residuals, out.build(g))
        return self.unpacked(pulled, count, f"the result of {what}")

    def pullback(self, node: Node, sweep: Reverse) -> tuple[Sequence[Value], Any]:
        """The results by `fwd`, and what gives the cotangents by `bwd`."""
        del sweep
        results, out, residuals = self.forward(node.operands)
        _check_results(f"the fwd of {self.name}", results, node)

        def pull(g: Sequence[Value | None]) -> Iterable[tuple[Value, Cotangent]]:
            given = [_dense(v, r) for v, r in zip(g, node.results, strict=True)]
            found = self.backward(residuals, out, given, len(node.operands))
            what = f"the cotangent by the bwd of {self.name}"
            checked = [
                checked_seed(v, x.type, what) for v, x in zip(found, node.operands, strict=True)
            ]
            return zip(node.operands, checked, strict=True)

        return results, pull

    def mapped(self, name: str, size: int, flags: tuple[bool, ...]) -> Flat:
        def fwd(*leaves: Value) -> Any:
            kept = _Kept()

            def one(*inner: Value) -> tuple[Any, ...]:
                results, out, residuals = self.forward(inner)
                return tuple(results), kept.values_of(residuals, out)

            axes = tuple([0 if flag else None for flag in flags])
            results, residuals = vmap(one, axes, axis_size=size)(*leaves)
            return results, (residuals, kept)

        def bwd(residuals: Any, g: Any) -> Any:
            values, kept = residuals

            def one(inner: Sequence[Value], given: Any) -> tuple[Any, ...]:
                found = self.backward(kept.with_values(inner), kept.out, given, len(flags))
                return tuple(found)

            found = vmap(one, axis_size=size)(values, g)
            return tuple([_summed(v, flag) for v, flag in zip(found, flags, strict=True)])

        return FlatVjp(name, None, fwd, bwd)


class _Kept:
    """What a batched fwd leaves for its bwd beside values: containers, and all that is no value."""

    out: Tree

    def values_of(self, residuals: Any, out: Tree) -> tuple[Value, ...]:
        self.out = out
        self._leaves, self._tree = flatten(residuals)
        self._places = [i for i, leaf in enumerate(self._leaves) if Call.is_value(leaf)]
        return tuple([self._leaves[i] for i in self._places])

    def with_values(self, values: Sequence[Value]) -> Any:
        leaves = list(self._leaves)
        for place_, value in zip(self._places, values, strict=True):
            leaves[place_] = value
        return self._tree.build(leaves)


class FlatJvp(Flat):
    """`rule(primals, tangents) -> (result, its tangent)`; reverse mode transposes it."""

    def __init__(self, name: str, inner: Tree | None, rule: Python) -> None:
        self.rule = rule
        super().__init__(name, inner)

    def rules(self) -> Rules:
        return Rules(
            self.name, batch=self.batch, pullback=self.pullback, pushforward=self.pushforward
        )

    def both(
        self, primals: Sequence[Value], tangents: Sequence[Value | None]
    ) -> tuple[list[Value], list[Value | None]]:
        """The results and their tangents."""
        what = f"the jvp of {self.name}"
        found = on_its_own(what, self.rule, self.packed(primals), self.packed(tangents))
        if not isinstance(found, tuple) or len(found) != 2:
            raise TransformError(
                f"{what} returns {found!r}",
                hint="it must return a pair: the result, and its tangent",
            )
        leaves, out = flatten(found[0])
        results = [as_value(v, f"the result of {what}") for v in leaves]
        moved = leaves_like(found[1], out, f"the tangent of {what}")
        checked = [
            checked_seed(t, r.type, f"the tangent of {what}")
            for t, r in zip(moved, results, strict=True)
        ]
        return results, checked

    def pushforward(
        self, node: Node, sweep: Forward
    ) -> tuple[Sequence[Value], Sequence[Value | None]]:
        """The results and their tangents by the rule."""
        given = [_dense(sweep.tangents.get(v), v) for v in node.operands]
        results, moved = self.both(node.operands, given)
        _check_results(f"the jvp of {self.name}", results, node)
        return results, moved

    def pullback(self, node: Node, sweep: Reverse) -> tuple[Sequence[Value], Any]:
        """The rule at tangents of zero, and the reverse of what takes these to its tangents."""
        moving = [v for v in dict.fromkeys(node.operands) if v in sweep.varied]
        types = [v.type for v in moving]
        region = Region(types, current_region())
        with building(region):
            given = dict(zip(moving, region.params, strict=True))
            tangents = [_dense(given.get(v), v) for v in node.operands]
            results, moved = self.both(node.operands, tangents)
            active = [t for t in moved if t is not None]
            region.seal([*results, *active])
        roots = [t for t in tangents if t is not None]
        if any(not is_nothing(t) and not depends(t, roots, node.operands) for t in active):
            raise self._not_linear(node, "does not depend on")
        _check_results(f"the jvp of {self.name}", results, node)
        inner = Reverse(sweep.options)
        starts = [zeros(v) for v in moving]
        found = inner.run(region, starts, [True] * len(starts))
        ends = iter(found[len(results) :])
        reached = [None if t is None else next(ends) for t in moved]

        def pull(g: Sequence[Value | None]) -> Iterable[tuple[Value, Cotangent]]:
            inner.backward([(t, v) for t, v in zip(reached, g, strict=True) if t is not None])
            pulled = [inner.cotangent(s) for s in starts]
            ends = [*node.operands, *found[: len(results)], *[v for v in g if v is not None]]
            if is_affected([v for v in pulled if v is not None], starts, ends):
                raise self._not_linear(node, "is not linear in")
            return list(zip(moving, pulled, strict=True))

        return found[: len(results)], pull

    def _not_linear(self, node: Node, how: str) -> TransformError:
        return TransformError(
            f"the tangent by the jvp of {self.name} {how} the tangents that it is given",
            where=node.location,
            hint="a tangent is a sum of those given, each times something made of the primals; for "
            "no derivative, give zeros",
        )

    def mapped(self, name: str, size: int, flags: tuple[bool, ...]) -> Flat:
        axes = tuple([0 if flag else None for flag in flags])

        def rule(primals: Any, tangents: Any) -> Any:
            def one(inner: Any, moved: Any) -> Any:
                results, found = self.both(inner, moved)
                return tuple(results), tuple(found)

            return vmap(one, (axes, axes), axis_size=size)(primals, tangents)

        return FlatJvp(name, None, rule)


def _dense(given: Value | None, like: Value) -> Value | None:
    """A cotangent or tangent, zeros where there is none; None for types that have none."""
    if given is None and has_tangent(like.type):
        return zeros(like)
    return given


def _summed(cotangent: Value | None, batched: bool) -> Value | None:
    if cotangent is None or batched:
        return cotangent
    found: Value = ops.sum(cotangent, axes=(0,))
    return found


def _check_results(what: str, results: Sequence[Value], node: Node) -> None:
    found = [r.type for r in results]
    wanted = [r.type for r in node.results]
    if found != wanted:
        raise TransformError(
            f"{what} gives {', '.join(map(str, found)) or 'nothing'}, but the function itself "
            f"{', '.join(map(str, wanted))}",
            where=node.location,
        )
