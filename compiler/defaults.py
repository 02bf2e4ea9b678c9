"""The defaults of StableHLO's and CHLO's attributes: what an absent attribute means."""

from __future__ import annotations

import re
from typing import Final

_ONES = r"array<i64(: 1(, 1)*)?>"
_DEFAULTS: Final[dict[str, re.Pattern[str]]] = {
    name: re.compile(pattern)
    for name, pattern in {
        "api_version": r"1 : i32",
        "backend_config": r'""|\{\}',
        "base_dilations": _ONES,
        "called_computations": r"\[\]",
        "channel_handle": r"#stablehlo\.channel_handle<handle = 0, type = \d+>",
        "channel_id": r"0 : i64",
        "compare_type": r"#\w+<comparison_type NOTYPE>",
        "composite_attributes": r"\{\}",
        "dimension": r"-1 : i64",
        "has_side_effect": r"false",
        "indices_are_sorted": r"false",
        "infeed_config": r'""',
        "is_host_transfer": r"false",
        "is_stable": r"false",
        "known_expanding_dimensions": r"array<i64>",
        "known_nonexpanding_dimensions": r"array<i64>",
        "layout": r"\[\]",
        "lhs_dilation": _ONES,
        "lower": r"false",
        "operand_batching_dims": r"array<i64>",
        "operand_layouts": r"\[\]",
        "outfeed_config": r'""',
        "output_operand_aliases": r"\[\]",
        "padding": r"dense<0> : tensor<.*xi64>",
        "precision_config": r"\[(#\w+<precision DEFAULT>(, )?)*\]",
        "result_accuracy": r"#stablehlo\.result_accuracy<mode = #\S+<DEFAULT>>",
        "result_layouts": r"\[\]",
        "rhs_dilation": _ONES,
        "unique_indices": r"false",
        "use_global_device_ids": r"false",
        "version": r"0 : i32",
        "window_dilations": _ONES,
        "window_reversal": r"array<i1(: false(, false)*)?>",
        "window_strides": _ONES,
    }.items()
}
_EMPTY_DICTS = re.compile(r"\[(\{\}(, )?)*\]")


def is_default(op: str, label: str, text: str) -> bool:
    """Whether the attribute `label` of the op, printed as `text`, says what its absence would."""
    if label in ("arg_attrs", "res_attrs"):
        return _EMPTY_DICTS.fullmatch(text) is not None
    pattern = _DEFAULTS.get(label)
    return (
        pattern is not None
        and op.startswith(("stablehlo.", "chlo."))
        and (pattern.fullmatch(text) is not None)
    )


def has_default(op: str, label: str) -> bool:
    """Whether the absence of an attribute of the op says the same as some value of it."""
    if label in ("arg_attrs", "res_attrs"):
        return True
    return label in _DEFAULTS and op.startswith(("stablehlo.", "chlo."))
