"""What a derivative leaves out without an error: told as warnings, or to a pass."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Container, Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar

from dxir.derivatives import has_tangent
from dxir.errors import DxirWarning
from dxir.graph import Node, Value
from dxir.locations import caller_location
from dxir.types import TensorType

Tell = Callable[[str, str | None], None]
_tell: ContextVar[Tell | None] = ContextVar("dxir_doubts", default=None)
_CUSTOM = ("custom_vjp.", "custom_jvp.")
_BITS = (
    "bits of a float become a float again, and count as constants: the derivative through them "
    "is 0, which is hardly meant; give the function that does so a rule (dxir.custom_vjp, or "
    "dxir.register_rules for a composite), or use an op that has one, as chlo.lgamma"
)


@contextmanager
def doubts_to(tell: Tell) -> Generator[None]:
    """Have doubts told to a function of the message and the place, and not as warnings."""
    reset = _tell.set(tell)
    try:
        yield
    finally:
        _tell.reset(reset)


def doubt(message: str, place: str | None) -> None:
    """Say what is done as asked, but hardly as meant."""
    tell, where = _tell.get(), caller_location()
    if tell is not None:
        tell(message, place)
        return
    text = f"{place}: {message}" if place else message
    if where is None:
        warnings.warn(text, DxirWarning, stacklevel=2)
    else:
        warnings.warn_explicit(text, DxirWarning, where.file, where.line)


def without_its_rule(node: Node, *, batched: bool) -> str | None:
    """What to say of a composite that brought a derivative which is not known here."""
    name = node.attrs.get("composite_name", "")
    if not name.startswith(_CUSTOM):
        return None
    done = "batched, and loses its name" if batched else "differentiated instead"
    return (
        f"composite @{name} comes from a function with a derivative of its own, which is not known "
        f"in this process: its decomposition is {done}; define the function before, with name= for "
        "a name that stays, or register rules for the name"
    )


class Bits:
    """Looks for floats made of the bits of varied ones.

    Truth values, as of comparisons, are no bits; nor are bits without the lowest ones: what is
    made of these is constant between jumps, and its derivative is 0 indeed.
    """

    def __init__(self) -> None:
        self._made: set[Value] = set()

    def lost(
        self,
        nodes: Iterable[Node],
        varied: Container[Value],
        reached: Callable[[], Container[Value]],
    ) -> tuple[str, Node] | None:
        """What to say, and the first node at which a derivative that is wanted ends so.

        `reached` gives the values whose derivatives are wanted.
        """
        found = [node for node in nodes if self._ends(node, varied)]
        if not found:
            return None
        wanted = reached()
        first = next((node for node in found if node.results[0] in wanted), None)
        return None if first is None else (f"{first.op}: {_BITS}", first)

    def _ends(self, node: Node, varied: Container[Value]) -> bool:
        made, is_cast = self._made, node.op == "bitcast_convert"
        if is_cast and (node.operands[0] in varied or node.operands[0] in made):
            made.add(node.results[0])
            return has_tangent(node.results[0].type)
        if made and any(v in made for v in node.operands) and not _drops_lowest(node):
            made.update([r for r in node.results if _is_whole(r)])
        return False


def _drops_lowest(node: Node) -> bool:
    if node.op == "and":
        return any(n is not None and not n & 1 for n in map(_number, node.operands))
    return node.op.startswith("shift_right") and bool(_number(node.operands[1]))


def _number(value: Value) -> int | None:
    """The integer that all elements of a value are, where that is known."""
    node = value.producer
    while node is not None and node.op in ("broadcast_in_dim", "broadcast_to", "reshape"):
        node = node.operands[0].producer
    if node is None or node.op != "constant":
        return None
    array = node.attrs["value"]
    if array.dtype.kind not in "iu" or not array.size or (array != array.flat[0]).any():
        return None
    return int(array.flat[0])


def _is_whole(value: Value) -> bool:
    type = value.type
    return isinstance(type, TensorType) and type.dtype.kind in ("int", "uint")
