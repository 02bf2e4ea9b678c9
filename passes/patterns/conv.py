"""A convolution with a bias, and a rectifier if one follows.

    conv    convolution(x, kernel) + bias
            relu(convolution(x, kernel) + bias)

Any dimension numbers, strides, padding, dilation and groups do; the composite says them as the op
`conv2d` does, and `activation` is "relu" or "none". The bias is one number for each feature. A
convolution alone, a residual, a bias for each place, and a result that is transposed before the
bias are left alone. A rectifier that gives 0 for NaN says `form = "select"`.
"""

from __future__ import annotations

from dxir.mlir import IrOperation, ir, stablehlo
from dxir.passes.patterns.blocks import floats
from dxir.passes.patterns.relu import relu
from dxir.pattern import Either, Match, Matcher, Pattern, Rule, Total, Var
from dxir.pattern.forms import made_by
from dxir.pattern.matcher import Then
from dxir.pattern.view import Seen
from dxir.reading import attribute

CONVOLUTION = "stablehlo.convolution"
_FEATURES, _RESULT = "features", "result"


class Convolution(Pattern):
    """A convolution, whatever its dimension numbers; its features are an axis of the pattern."""

    names = frozenset((CONVOLUTION,))

    def __init__(self, x: Pattern, kernel: Pattern) -> None:
        self.x, self.kernel = x, kernel

    def within(self) -> tuple[Pattern, ...]:
        return (self.x, self.kernel)

    def match(self, m: Matcher, seen: Seen, then: Then) -> bool:
        found = m.cores(seen, self.names)
        if found is None:
            return m.miss(lambda: f"a convolution should stand where {made_by(m, seen)} does")
        core, maker = found
        shapes = [m.view.shape(value) for value in maker.operands]
        m.put(m.axes, _FEATURES, core.access[_dims(maker.op).output_feature_dimension])
        m.put(m.axes, _RESULT, tuple([digit for part in core.access for digit in part]))
        m.put(m.named, CONVOLUTION, core)
        # A place of the result reads many of the operands: these have variables of their own.
        x, kernel = (
            core._replace(value=value, access=m.frame.access(shape or ()))
            for value, shape in zip(maker.operands, shapes, strict=True)
        )
        return m.match(self.x, x, lambda: m.match(self.kernel, kernel, then))


def _dims(op: IrOperation) -> stablehlo.ConvDimensionNumbers:
    return stablehlo.ConvDimensionNumbers(op.attributes["dimension_numbers"])


def _layouts(op: IrOperation) -> str:
    """The dimension numbers as text: NCHW,OIHW,NCHW."""
    dims = _dims(op)
    rank = len(dims.input_spatial_dimensions)
    places = "DHW"[-rank:] if rank <= 3 else "0123456789"[:rank]
    sides = (
        ("NC", dims.input_batch_dimension, dims.input_feature_dimension,
         dims.input_spatial_dimensions),
        ("OI", dims.kernel_output_feature_dimension, dims.kernel_input_feature_dimension,
         dims.kernel_spatial_dimensions),
        ("NC", dims.output_batch_dimension, dims.output_feature_dimension,
         dims.output_spatial_dimensions),
    )  # fmt: skip
    texts: list[str] = []
    for letters, first, second, spatial in sides:
        at = {first: letters[0], second: letters[1], **dict(zip(spatial, places, strict=True))}
        texts.append("".join(at[d] for d in sorted(at)))
    return ",".join(texts)


def _numbers(op: IrOperation, name: str, default: int) -> list[int]:
    found = attribute(op, name)
    if isinstance(found, ir.DenseI64ArrayAttr):
        return list(found)
    return [default] * len(_dims(op).input_spatial_dimensions)


def _convolution(match: Match) -> IrOperation:
    value = match.part(CONVOLUTION)
    maker = None if value is None else match.view.maker(value)
    assert maker is not None
    return maker.op


def _where(match: Match) -> str | None:
    result = tuple(digit for part in match.result for digit in part)
    if match.axis(_RESULT) != result:
        return "its result is laid out otherwise than the convolution's"
    read = tuple(digit for part in match.access("bias") for digit in part)
    if read != match.axis(_FEATURES):
        return "what is added is not one number for each feature"
    return floats(match, "x") or floats(match, "kernel") or floats(match, "bias")


def _attributes(match: Match) -> dict[str, object]:
    op = _convolution(match)
    found: dict[str, object] = {
        "dimension_numbers": _layouts(op),
        "window_strides": _numbers(op, "window_strides", 1),
        "padding": _padding(op),
        "lhs_dilation": _numbers(op, "lhs_dilation", 1),
        "rhs_dilation": _numbers(op, "rhs_dilation", 1),
        "feature_group_count": _count(op, "feature_group_count"),
        "batch_group_count": _count(op, "batch_group_count"),
        "activation": match.text("activation") or "none",
    }
    reversal = attribute(op, "window_reversal")
    if isinstance(reversal, ir.DenseBoolArrayAttr) and any(reversal):
        found["window_reversal"] = [bool(flag) for flag in reversal]
    if match.text("form") == "select":
        found["form"] = "select"
    return found


def _padding(op: IrOperation) -> list[list[int]]:
    """Low and high padding of each spatial dimension."""
    found = attribute(op, "padding")
    if not isinstance(found, ir.DenseIntElementsAttr):
        return [[0, 0] for _ in _dims(op).input_spatial_dimensions]
    numbers = [int(number) for number in found]
    return [[low, high] for low, high in zip(numbers[::2], numbers[1::2], strict=True)]


def _count(op: IrOperation, name: str) -> int:
    found = attribute(op, name)
    return int(found.value) if isinstance(found, ir.IntegerAttr) else 1


_BIASED = Total(Convolution(Var("x"), Var("kernel")), Var("bias", spread=True))
RULES = (
    Rule(
        "conv",
        (Either(relu(_BIASED), name="activation", labels=("relu",)), _BIASED),
        operands=("x", "kernel", "bias"),
        where=_where,
        attributes=_attributes,
    ),
)
