"""What to say about a call that an op does not take, and about names that are no ops."""

from __future__ import annotations

import difflib
import functools
import inspect
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NoReturn, ParamSpec, TypeVar

from dxir.errors import DxirError, OperandError, TracingError
from dxir.locations import caller_location
from dxir.naming import function_name

P = ParamSpec("P")
R = TypeVar("R")

MISSING: Any = object()  # the default of what has none: a call without it is explained here

# Words of NumPy, JAX and PyTorch for which an op has another one, where spelling does not tell.
_ATTRIBUTES = {
    "dim": ("axis", "axes"),
    "dims": ("axes", "axis", "permutation"),
    "axes": ("axis", "permutation"),
    "axis": ("axes", "dimension"),
    "keep_dims": ("keepdims",),
    "keepdim": ("keepdims",),
    "newshape": ("shape",),
    "size": ("shape",),
    "type": ("dtype",),
    "epsilon": ("eps",),
    "eps": ("epsilon",),
}
_OPS = {
    "absolute": "abs",
    "amax": "reduce_max",
    "amin": "reduce_min",
    "arange": "iota(shape=..., dtype=..., axis=0)",
    "arccos": "acos",
    "arcsin": "asin",
    "arctan": "atan",
    "arctan2": "atan2",
    "array": "constant",
    "asarray": "constant",
    "astype": "convert",
    "bitcast": "bitcast_convert",
    "broadcast": "broadcast_to",
    "cast": "convert",
    "cat": "concat",
    "clip": "clamp",
    "concatenate": "concat",
    "conv": "convolution",
    "convert_element_type": "convert",
    "cumulative_sum": "cumsum",
    "divide": "div",
    "equal": 'compare(x, y, direction="EQ")',
    "exp2": "pow(2, x)",
    "flip": "reverse",
    "greater": 'compare(x, y, direction="GT")',
    "greater_equal": 'compare(x, y, direction="GE")',
    "invert": "not_",
    "isfinite": "is_finite",
    "isinf": "is_inf",
    "isnan": 'compare(x, x, direction="NE")',
    "less": 'compare(x, y, direction="LT")',
    "less_equal": 'compare(x, y, direction="LE")',
    "logical_and": "and_",
    "logical_not": "not_",
    "logical_or": "or_",
    "logical_xor": "xor",
    "logistic": "sigmoid",
    "maximum": "max",
    "minimum": "min",
    "mm": "matmul",
    "multiply": "mul",
    "negate": "neg",
    "negative": "neg",
    "not_equal": 'compare(x, y, direction="NE")',
    "ones": "full(shape=..., value=1)",
    "ones_like": "full_like",
    "permute": "transpose",
    "power": "pow",
    "reduce_prod": "prod",
    "reduce_sum": "sum",
    "reduce_mean": "mean",
    "remainder": "rem, or mod with the sign of the divisor",
    "subtract": "sub",
    "true_divide": "div",
    "unsqueeze": "expand_dims",
    "view": "reshape",
    "where": "select",
    "while": "while_loop",
    "zeros": "full(shape=..., value=0)",
    "zeros_like": "full_like",
}
_REDUCTIONS = {"max": "reduce_max", "min": "reduce_min", "and": "all", "or": "any"}


def suggestion(name: str, known: Collection[str]) -> str | None:
    """What was probably meant by a name that is no op."""
    other = _OPS.get(name)
    if other is not None:
        return f"did you mean {other}?"
    near = difflib.get_close_matches(name, known, n=3)
    return f"did you mean {' or '.join(near)}?" if near else None


def call_text(cls: Any) -> str:
    """How an op is called: `sum(x, *, axes=None, keepdims=False)`."""
    positional: list[str] = []
    named: list[str] = []
    for field in cls.fields:
        default = "" if field.required else f"={field.default!r}"
        if field.kind == "optional" and field.required:
            default = "=None"
        keyword = field.kind == "attribute" and not field.positional
        (named if keyword else positional).append(field.name + default)
    parts = [*positional, "*", *named] if named else positional
    return f"{function_name(cls.op)}({', '.join(parts)})"


def refuse_arguments(cls: Any, extra: Sequence[Any], unknown: Mapping[str, Any]) -> NoReturn:
    """Raise for arguments that an op has no parameters for."""
    called = f"it is called as {call_text(cls)}"
    if unknown:
        name = next(iter(unknown))
        own = [f.name for f in cls.fields]
        meant = [n for n in _ATTRIBUTES.get(name, ()) if n in own]
        meant = meant or difflib.get_close_matches(name, [*own, "name", "sharding", "location"])
        message = f"{cls.op}: there is no attribute {name!r}"
        hint = f"did you mean {' or '.join(meant)}? {called}" if meant else called
        if cls.op in _REDUCTIONS and name in ("axis", "axes", "dim", "dims", "keepdims"):
            hint = f"dxir.ops.{_REDUCTIONS[cls.op]} reduces over axes; {called}"
    else:
        named = [f.name for f in cls.fields if f.kind == "attribute" and not f.positional]
        most = len(cls.fields) - len(named)
        message = (
            f"{cls.op}: {most + len(extra)} arguments are given by position, but it takes {most}"
        )
        hint = f"attributes are given by keyword; {called}" if named else called
    raise OperandError(message, where=caller_location(), hint=hint)


def refuse_missing(cls: Any, name: str) -> NoReturn:
    """Raise for an argument that an op needs and a call left out."""
    hint = f"it is called as {call_text(cls)}"
    if cls.op in _REDUCTIONS:
        hint += f"; dxir.ops.{_REDUCTIONS[cls.op]} reduces over axes"
    raise OperandError(f"{cls.op}: `{name}` is missing", where=caller_location(), hint=hint)


def number_hint(given: Any) -> str | None:
    """How a Python number is given where nothing says which element type it has."""
    for kind, word in ((bool, "bool_"), (int, "int32"), (float, "float32"), (complex, "complex64")):
        if type(given) is kind:
            return f"say which element type it has, as in np.{word}({given!r})"
    if isinstance(given, (tuple, list)):
        return "say which element type it has, as in np.array([...], np.float32)"
    return None


def explained(function: Callable[P, R]) -> Callable[P, R]:
    """`function`, with an OperandError at the user's line for arguments it has no place for."""

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            if not miscalled(error):
                raise
            refuse_call(function, error, kwargs)

    return call


# Words of NumPy, JAX and PyTorch for parameters that have another name here.
_OTHER_NAMES = {
    "a": "x", "a_max": "max", "a_min": "min", "axes": "axis", "ddof": "correction", "dim": "axis",
    "dims": "axis", "keep_dims": "keepdims", "keepdim": "keepdims", "newshape": "shape",
    "size": "shape",
    "eps": "epsilon", "in_features": "inputs", "lr": "learning_rate", "maxval": "high",
    "minval": "low", "num_heads": "heads", "out_features": "outputs", "p": "rate",
    "use_bias": "bias",
}  # fmt: skip
_REFUSED_NAMES = {
    "out": "arrays are not written to; use the result",
    "where": "mask the argument instead: dxir.numpy.where(mask, x, neutral)",
    "order": "elements are in row-major order",
    "subok": "there is one class of arrays",
    "casting": "convert before: dxir.numpy.astype(x, dtype)",
    "kind": "`stable=` is all there is to choose",
    "initial": "combine it with the result",
}
_IN_ONE = {"shape": "a shape is one tuple: (2, 3)", "arrays": "arrays are one list: [x, y]"}


def refuse_call(
    function: Callable[..., Any], error: TypeError, given: Mapping[str, Any]
) -> NoReturn:
    """Raise OperandError for a call of a function that Python refused with `error`."""
    name = function.__name__.rstrip("_")
    parameters = inspect.signature(function).parameters
    hint = f"it is called as {signature_text(name, function)}"
    unknown = [k for k in given if k not in parameters]
    if unknown:
        word = unknown[0]
        meant = [_OTHER_NAMES[word]] if _OTHER_NAMES.get(word) in parameters else []
        meant = meant or difflib.get_close_matches(word, parameters)
        if meant:
            hint = f"did you mean {meant[0]}? {hint}"
        elif word in _REFUSED_NAMES:
            hint = f"{_REFUSED_NAMES[word]}; {hint}"
    elif "were given" in str(error):
        in_one = [
            _IN_ONE[p.name]
            for p in parameters.values()
            if p.name in _IN_ONE and p.kind is not p.KEYWORD_ONLY
        ]
        named = [p.name for p in parameters.values() if p.kind is p.KEYWORD_ONLY]
        if in_one:
            hint = f"{in_one[0]}; {hint}"
        elif named:
            hint = f"what is after * goes by name, {named[0]}=; {hint}"
    problem = str(error).split("() ", 1)[-1]
    raise OperandError(f"{name}: {problem}", where=caller_location(), hint=hint) from None


class _Shown:
    """A default in a signature, by the text that stands for it."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def signature_text(name: str, function: Callable[..., Any]) -> str:
    """How a function is called, without annotations: `sum(x, /, *, axis=None)`."""
    try:
        given = inspect.signature(function)
    except (TypeError, ValueError):  # a built-in function, whose parameters Python does not tell
        return f"{name}(...)"
    plain = [
        p.replace(
            annotation=p.empty,
            default=_Shown("...") if repr(p.default).startswith("<") else p.default,
        )
        if p.default is not p.empty
        else p.replace(annotation=p.empty)
        for p in given.parameters.values()
        if p.name != "self"
    ]
    return f"{name}{inspect.Signature(plain)}"


def miscalled(error: TypeError) -> bool:
    """Whether a TypeError, caught where a function is called, is of the call and not of its body.

    The handler must be in the function that calls.
    """
    trace = error.__traceback__
    return not isinstance(error, DxirError) and (trace is None or trace.tb_next is None)


_OF_ARRAYS = (
    "T", "astype", "at", "dtype", "max", "mean", "min", "ndim", "reshape", "shape", "size", "sum",
    "transpose",
)  # fmt: skip


def call_python(function: Any, args: Sequence[Any], kwargs: dict[str, Any], name: str) -> Any:
    """What a Python function gives; TracingError for arguments that it has no parameters for."""
    try:
        return function(*args, **kwargs)
    except TypeError as error:
        if not miscalled(error):
            raise
        problem = re.sub(r"^.*?\(\) ", "", str(error))
        raise TracingError(
            f"{name}: {problem}",
            where=caller_location(),
            hint=f"it is called as {signature_text(name, function)}",
        ) from None
    except AttributeError as error:
        if isinstance(error.obj, (list, tuple)) and error.name in _OF_ARRAYS:
            error.add_note(
                f"hint: a {type(error.obj).__name__} given to a traced function is a container; "
                "give np.asarray(...) of it for one array"
            )
        raise
