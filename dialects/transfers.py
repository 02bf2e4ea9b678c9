"""Tokens, and values sent to and received from the host or other devices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dxir import checks
from dxir.attributes import ChannelHandle
from dxir.derivatives import Undefined, Zero
from dxir.dialects.host import check_layouts, layouts_of, result_types_of
from dxir.errors import AttributeValueError, EvaluationError, OperandError
from dxir.examples import Example
from dxir.graph import Value
from dxir.op import Primitive, attribute
from dxir.types import TokenType, Type, f32, i32, token


class Effect(Primitive):
    """Base of the ops that talk to the host or to other devices."""

    @property
    def has_side_effect(self) -> bool:
        """Always: it must run, once and in its place."""
        return True

    def reference(self, *operands: Any) -> Any:
        raise EvaluationError(f"{self.op} has no meaning without a device")

    def check_token(self, value: Value) -> None:
        """Raise OperandError unless the operand `token` is one."""
        if not isinstance(value.type, TokenType):
            raise OperandError(
                f"`token` has type {value.type}, but must be a token",
                hint="dxir.ops.create_token() makes the first one",
            )


_ORDER = Zero("a token orders effects, and has no value")
_TOKENS = Undefined("a token orders effects, and there is no batch of it")


class CreateToken(Primitive, name="create_token", mlir="stablehlo.create_token", rounding="moves"):
    """A token, with which ops that have side effects are put in order."""

    examples = (Example(),)
    derivative = _ORDER
    unbatchable = _TOKENS

    def infer(self) -> TokenType:
        return token

    def reference(self) -> None:
        return None


class AfterAll(Primitive, name="after_all", mlir="stablehlo.after_all", rounding="moves"):
    """A token that comes after all of `tokens`."""

    tokens: tuple[Value, ...]

    examples = (
        Example(tokens=(), runs=True),
        Example(tokens=(token, token), runs=False),
    )
    derivative = _ORDER
    unbatchable = _TOKENS

    def infer(self) -> TokenType:
        for value in self.tokens:
            if not isinstance(value.type, TokenType):
                raise OperandError(f"tokens are needed, not {value.type}")
        return token

    def reference(self, *tokens: Any) -> None:
        return None


class Infeed(Effect, name="infeed", mlir="stablehlo.infeed", rounding="moves"):
    """Values of `types` that the host feeds in, and then a token; a tuple."""

    token: Value
    types: tuple[Type, ...]
    infeed_config: str | None = attribute("string", default=None)
    layout: tuple[tuple[int, ...], ...] | None = attribute("any", default=None)

    examples = (
        Example(token=TokenType(), types=(f32[2, 3], i32[()]), infeed_config="x", runs=False),
        Example(token=TokenType(), types=(f32[2, 3],), layout=((0, 1),), runs=False),
    )
    derivative = Zero("what the host feeds in does not depend on the inputs")
    unbatchable = _TOKENS

    @classmethod
    def attributes_from_types(
        cls, operand_types: Sequence[Type], result_types: Sequence[Type]
    ) -> dict[str, Any]:
        """The types of the values."""
        return {"types": tuple(result_types[:-1])}

    def prepare(self) -> None:
        self.update(types=result_types_of(self.types), layout=layouts_of(self.layout))

    def infer(self) -> tuple[Type, ...]:
        self.check_token(self.token)
        check_layouts(self.layout, self.types, "result")
        return (*self.types, token)


class Outfeed(Effect, name="outfeed", mlir="stablehlo.outfeed", rounding="moves"):
    """Values handed to the host; gives a token."""

    inputs: tuple[Value, ...]
    token: Value
    outfeed_config: str | None = attribute("string", default=None)

    examples = (
        Example(inputs=(f32[2, 3], i32[()]), token=TokenType(), outfeed_config="x", runs=False),
        Example(inputs=(), token=TokenType(), runs=False),
    )
    derivative = Zero("what the host gets does not come back")
    unbatchable = Undefined(
        "the host takes what one program hands over, and not a batch of it",
        "return the values, and hand them over outside the batched part",
    )

    def infer(self) -> TokenType:
        self.check_token(self.token)
        return token


class Transfer(Effect):
    """Base of send and recv: a channel, to the host (`is_host_transfer`) or between devices.

    Between devices, `source_target_pairs` says which process sends to which.
    """

    def prepare(self) -> None:
        given: Any = self.attrs["channel_handle"]
        if not isinstance(given, ChannelHandle):
            number = checks.integer(given, "channel_handle")
            given = ChannelHandle(number, self.channel_type())
        pairs = self.attrs["source_target_pairs"]
        if pairs is not None:
            pairs = tuple(checks.integers(p, "a pair") for p in pairs)
        self.update(channel_handle=given, source_target_pairs=pairs)

    def channel_type(self) -> int:
        """The channel's type when only its number was given."""
        return 1

    def check(self, token: Value) -> None:
        """Raise unless the attributes go together."""
        self.check_token(token)
        channel, pairs = self.attrs["channel_handle"], self.attrs["source_target_pairs"]
        host = bool(self.attrs["is_host_transfer"])
        wanted = self.channel_type()
        if channel.type != wanted:
            raise AttributeValueError(
                f"{channel} has type {channel.type}, but {self.op} "
                f"{'with the host' if host else 'between devices'} needs {wanted}",
                hint="give the channel's number alone, and the type follows",
            )
        for pair in pairs or ():
            if len(pair) != 2 or min(pair) < 0:
                raise AttributeValueError(f"{pair} is not a pair of processes")
        for side, what in ((0, "source"), (1, "target")):
            ends = [p[side] for p in pairs or ()]
            if len(set(ends)) != len(ends):
                raise AttributeValueError(f"{pairs} name a {what} twice")


class Send(Transfer, name="send", mlir="stablehlo.send", rounding="moves"):
    """Values sent on a channel; gives a token."""

    inputs: tuple[Value, ...]
    token: Value
    channel_handle: ChannelHandle = attribute("channel_handle")
    is_host_transfer: bool | None = attribute("bool", default=None)
    source_target_pairs: tuple[tuple[int, int], ...] | None = attribute("pairs", default=None)

    examples = (
        Example(
            inputs=(f32[2, 3],), token=TokenType(), channel_handle=3, is_host_transfer=True,
            runs=False,
        ),
        Example(
            inputs=(f32[2], i32[()]), token=TokenType(), channel_handle=ChannelHandle(1, 1),
            source_target_pairs=((0, 1), (1, 2)), runs=False,
        ),
    )  # fmt: skip
    unbatchable = Undefined(
        "the other side takes what one program sends, and not a batch of it",
        "between devices, use dxir.ops.collective_permute",
    )

    def lacks(self, rule: str) -> Undefined | None:
        if self.is_host_transfer:
            return None
        return Undefined(
            "what another device makes of it, and sends back, is not seen here",
            "use dxir.ops.collective_permute, which sends cotangents back",
        )

    def channel_type(self) -> int:
        return 2 if self.is_host_transfer else 1

    def infer(self) -> TokenType:
        self.check(self.token)
        return token


class Recv(Transfer, name="recv", mlir="stablehlo.recv", rounding="moves"):
    """Values of `types` received on a channel, and then a token; a tuple."""

    token: Value
    types: tuple[Type, ...]
    channel_handle: ChannelHandle = attribute("channel_handle")
    is_host_transfer: bool | None = attribute("bool", default=None)
    source_target_pairs: tuple[tuple[int, int], ...] | None = attribute("pairs", default=None)

    examples = (
        Example(
            token=TokenType(), types=(f32[2, 3],), channel_handle=3, is_host_transfer=True,
            runs=False,
        ),
        Example(
            token=TokenType(), types=(f32[2], i32[()]), channel_handle=ChannelHandle(1, 1),
            source_target_pairs=((0, 1),), runs=False,
        ),
    )  # fmt: skip
    derivative = Zero(
        "what is received does not depend on this program's inputs, as far as it says"
    )
    unbatchable = _TOKENS

    @classmethod
    def attributes_from_types(
        cls, operand_types: Sequence[Type], result_types: Sequence[Type]
    ) -> dict[str, Any]:
        """The types of the values."""
        return {"types": tuple(result_types[:-1])}

    def channel_type(self) -> int:
        return 3 if self.is_host_transfer else 1

    def prepare(self) -> None:
        super().prepare()
        self.update(types=result_types_of(self.types))

    def infer(self) -> tuple[Type, ...]:
        self.check(self.token)
        return (*self.types, token)
