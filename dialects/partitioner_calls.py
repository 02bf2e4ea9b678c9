"""Rules of the custom calls by which JAX told XLA's older partitioner of shardings.

`Sharding` is the identity: the cotangent gets the same sharding. The calls around code for one
device have a batched form; for derivatives the program must say it with `sdy.manual_computation`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from dxir import ops
from dxir.derivatives import Cotangent, Undefined
from dxir.graph import Value
from dxir.transforms.batching import Batch
from dxir.transforms.registry import Rules, enter
from dxir.types import TensorType

_SHARDING = "mhlo.sharding"
_MANUAL = Undefined(
    "how values of one device make up the whole is not said here",
    "export the program with Shardy: jax.config.update('jax_use_shardy_partitioner', True)",
)


def _called(node: Any, x: Value, type: TensorType, *, batched: bool) -> Value:
    """The call on another value, with the same annotations."""
    found: Any = ops.custom_call(
        (x,),
        types=(type,),
        call_target_name=node.call_target_name,
        backend_config=node.backend_config,
        api_version=node.api_version,
        has_side_effect=node.attrs["has_side_effect"],
    )
    annotations = dict(node.annotations or {})
    said = annotations.get(_SHARDING)
    if batched and isinstance(said, str):
        annotations[_SHARDING] = re.sub(r"devices=\[", "devices=[1,", said)
    made: Any = found.producer
    made.annotations = annotations
    result: Value = found
    return result


def _sharding_vjp(node: Any, g: Value, _: Value) -> Sequence[Cotangent]:
    return (lambda: _called(node, g, g.tensor, batched=False),)


def _sharding_jvp(node: Any, tangents: Sequence[Value | None], _: Value) -> Value:
    (x,) = tangents
    assert x is not None
    return _called(node, x, x.tensor, batched=False)


def _batched(node: Any, batch: Batch) -> Value:
    """The call on a batch that is not split."""
    type = node.results[0].tensor
    full = TensorType((batch.size, *type.static_shape), type.primitive)
    return _called(node, batch.operands[0], full, batched=True)


enter(Rules("Sharding", vjp=_sharding_vjp, jvp=_sharding_jvp, batch=_batched))
for _name in ("SPMDFullToShardShape", "SPMDShardToFullShape"):
    enter(Rules(_name, vjp=_MANUAL, jvp=_MANUAL, batch=_batched))
