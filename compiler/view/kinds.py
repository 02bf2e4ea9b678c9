"""What kind of work an op does, for the colours of a picture."""

from __future__ import annotations

_KINDS = {
    "contraction": "convolution dot dot_general dynamic_conv einsum ragged_dot",
    "reduction": "reduce reduce_window select_and_scatter sort top_k map scan",
    "movement": (
        "bitcast_convert broadcast broadcast_in_dim concatenate dynamic_broadcast_in_dim "
        "dynamic_gather dynamic_pad dynamic_reshape dynamic_slice dynamic_update_slice gather pad "
        "real_dynamic_slice reshape reverse scatter slice torch_index_select transpose "
        "set_dimension_size get_dimension_size get_tuple_element tuple"
    ),
    "constant": "constant create_token dynamic_iota iota",
    "control": "case if optimization_barrier while",
    "call": "call composite custom_call manual_computation named_computation",
    "collective": (
        "all_gather all_reduce all_slice all_to_all collective_broadcast collective_permute "
        "collective_reduce infeed outfeed partition_id recv reduce_scatter replica_id send "
        "after_all sharded_to_unreduced sharding_constraint reshard propagation_barrier "
        "sharding_group data_flow_edge cross-replica-sum"
    ),
    "end": "return",
}  # fmt: skip
_KIND_OF = {name: kind for kind, names in _KINDS.items() for name in names.split()}

CATEGORIES = (
    "contraction", "elementwise", "reduction", "movement", "constant", "control", "call",
    "collective", "argument", "end", "group", "function",
)  # fmt: skip
"""Every kind, in the order in which a legend tells them."""

_DIALECTS = ("stablehlo", "chlo", "sdy", "func", "mhlo", "arith", "tensor")


def short(name: str) -> str:
    """The name of an op, without its dialect where everybody knows it."""
    dialect, dot, rest = name.partition(".")
    return rest if dot and dialect in ("stablehlo", "func") else name


def category_of(name: str) -> str:
    """The kind of an op; what is not known, computes element by element."""
    dialect, _, rest = name.partition(".")
    return _KIND_OF.get(rest, "elementwise") if dialect in _DIALECTS else "elementwise"
