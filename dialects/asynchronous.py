"""Operations that are started in one place and waited for in another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from dxir import checks, ops
from dxir.derivatives import Undefined
from dxir.errors import GraphError, OperandError
from dxir.examples import Example
from dxir.graph import Region, Value, place
from dxir.op import Primitive
from dxir.transforms.reverse import replaced
from dxir.types import FutureType, Type, bf16, f32, i32

if TYPE_CHECKING:
    from dxir.transforms.batching import Batch
    from dxir.transforms.forward import Forward
    from dxir.transforms.reverse import Pull, Reverse

_STARTABLE = [
    "all_gather",
    "all_reduce",
    "all_to_all",
    "collective_broadcast",
    "collective_permute",
    "reduce_scatter",
    "slice",
    "dynamic_slice",
    "dynamic_update_slice",
]


class AsyncStart(Primitive, name="async_start", mlir="stablehlo.async_start", rounding="moves"):
    """Starts `body(*inputs)`, one collective or slice op, and gives its result as a future.

    The body cannot use values from outside. `async_done` waits for the result. Differentiated and
    batched, the body runs where the result is waited for, and XLA may make it asynchronous again.
    """

    inputs: tuple[Value, ...]
    body: Region

    examples = (
        Example(inputs=(f32[4],), body=lambda x: ops.slice(x, starts=(0,), limits=(2,))),
        Example(
            inputs=(bf16[4, 0], i32[()], i32[()]),
            body=lambda x, i, j: ops.dynamic_slice(x, (i, j), sizes=(2, 0)),
        ),
    )

    def region_params(self) -> Sequence[Sequence[Type]]:
        return [[v.type for v in self.inputs]]

    def infer(self) -> FutureType:
        names = [n.mlir or n.op for n in self.body.nodes if isinstance(n, Primitive)]
        if len(self.body.nodes) != 1 or names[0] not in {f"stablehlo.{s}" for s in _STARTABLE}:
            raise GraphError(
                f"the body holds {[n.op for n in self.body.nodes]}, not one op that can be started",
                hint=f"it must be one of {', '.join(_STARTABLE)}",
            )
        checks.captures_nothing(self.body, "the body", constants=False)
        if len(self.body.results) != 1:
            raise OperandError(
                f"the body returns {len(self.body.results)} values, but a future holds one"
            )
        return FutureType(self.body.result_types)

    def pullback(self, sweep: Reverse) -> tuple[Sequence[Value], Pull]:
        """Nothing yet: see `async_done`."""
        place(self)
        return self.results, lambda g: ()

    def pushforward(self, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
        """A mark that the future moves: see `async_done`."""
        place(self)
        given = [sweep.tangents[v] for v in self.inputs if v in sweep.tangents]
        sweep.tangents[self.results[0]] = given[0]
        return self.results, (None,)

    def batch(self, batch: Batch) -> Value:
        """The value itself, in place of the future."""
        ((value, flag),) = batch.run(self.body, batch.operands, batch.batched)
        return value if flag else batch.spread(value)

    def reference(self, *inputs: Any, body: Callable[..., Any]) -> tuple[tuple[Any, ...]]:
        return (body(*inputs),)


class AsyncDone(Primitive, name="async_done", mlir="stablehlo.async_done", rounding="moves"):
    """Waits for what `async_start` started, and gives its result."""

    future: Value

    examples = (Example(future=FutureType((f32[2, 3],)), runs=False),)

    def infer(self) -> Type:
        given = self.future.type
        if not isinstance(given, FutureType):
            raise OperandError(f"a future is needed, not a {given}")
        return given.types[0]

    def _start(self) -> AsyncStart | None:
        found = self.future.producer
        return found if isinstance(found, AsyncStart) else None

    def lacks(self, rule: str) -> Undefined | None:
        if self._start() is None:
            return Undefined("what was started is not seen here")
        return None

    def pullback(self, sweep: Reverse) -> tuple[Sequence[Value], Pull]:
        start = self._start()
        assert start is not None
        return sweep.inlined(start.body, start.operands), replaced

    def pushforward(self, sweep: Forward) -> tuple[Sequence[Value], Sequence[Value | None]]:
        start = self._start()
        assert start is not None
        return sweep.inlined(start.body, start.operands)

    def batch(self, batch: Batch) -> Value:
        """What `async_start` has given already."""
        return batch.operands[0]

    def reference(self, future: tuple[Any, ...]) -> Any:
        return future[0]
