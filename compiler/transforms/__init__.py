"""Derivatives and batching, of graphs: what the passes and `dxir.grad` and its like go by."""

from dxir.derivatives import Undefined, Zero
from dxir.transforms.batching import Batch, Unbatched
from dxir.transforms.functions import (
    grad_function,
    jvp_function,
    vjp_function,
    vmap_function,
)
from dxir.transforms.options import LoopOptions, using
from dxir.transforms.registry import Rules, register_rules
from dxir.transforms.splitting import Split, split

__all__ = [
    "Batch", "LoopOptions", "Rules", "Split", "Unbatched", "Undefined", "Zero", "grad_function",
    "jvp_function", "register_rules", "split", "using", "vjp_function", "vmap_function",
]  # fmt: skip
