"""torchax, which the PyTorch beside it has lost names for."""

from __future__ import annotations

import importlib
from typing import Any

import torch

# torchax 0.0.13 names overloads of named dimensions that PyTorch has dropped since.
_DROPPED = {
    "prod": ("dim_Dimname",),
    "index_copy": ("dimname",),
    "index_copy_": ("dimname",),
    "all": ("dimname", "dimname_out"),
    "index_add": ("dimname",),
    "index_fill": ("Dimname_Scalar", "Dimname_Tensor"),
    "index_fill_": ("Dimname_Scalar", "Dimname_Tensor"),
    "norm": ("names_ScalarOpt_dim", "names_ScalarOpt_dim_dtype", "names_dtype_out", "names_out"),
    "std": ("names_dim", "names_out", "correction_names", "correction_names_out"),
    "std_mean": ("names_dim", "correction_names"),
    "unbind": ("Dimname",),
}


def load() -> Any:
    """Import torchax."""
    for op, overloads in _DROPPED.items():
        packet = getattr(torch.ops.aten, op)
        for overload in overloads:
            if not hasattr(packet, overload):
                setattr(packet, overload, f"aten.{op}.{overload}")
    return importlib.import_module("torchax")
