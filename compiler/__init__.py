"""dxir: a compiler library for people who write frameworks.

Everything public is here; MLIR and the runtime are imported when first used.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dxir import collectives as collectives
    from dxir import distributed as distributed
    from dxir import nn as nn
    from dxir import numpy as numpy
    from dxir import ops as ops
    from dxir import random as random
    from dxir import testing as testing
    from dxir import tree as tree
    from dxir import verify as verify
    from dxir import view as view
    from dxir.attributes import ChannelHandle as ChannelHandle
    from dxir.attributes import DotAlgorithm as DotAlgorithm
    from dxir.attributes import MeshAxesGroups as MeshAxesGroups
    from dxir.attributes import OutputOperandAlias as OutputOperandAlias
    from dxir.attributes import ResultAccuracy as ResultAccuracy
    from dxir.builder import Builder as Builder
    from dxir.builder import build_function as build_function
    from dxir.collective_costs import Interconnect as Interconnect
    from dxir.collective_costs import Link as Link
    from dxir.compiling import compile as compile  # noqa: A004  said as dxir.compile
    from dxir.compiling import prepare as prepare
    from dxir.control_flow.choices import cond as cond
    from dxir.control_flow.choices import switch as switch
    from dxir.control_flow.loops import fori_loop as fori_loop
    from dxir.control_flow.loops import map as map  # noqa: A004  said as dxir.map
    from dxir.control_flow.loops import scan as scan
    from dxir.control_flow.loops import while_loop as while_loop
    from dxir.costs import CostReport as CostReport
    from dxir.costs import cost_of as cost_of
    from dxir.differences import Difference as Difference
    from dxir.differences import difference as difference
    from dxir.errors import DxirError as DxirError
    from dxir.evaluation import evaluate as evaluate
    from dxir.functions.checking import CheckReport as CheckReport
    from dxir.functions.checking import check as check
    from dxir.functions.jitted import jit as jit
    from dxir.functions.traceable import function as function
    from dxir.graph import Function as Function
    from dxir.graph import Module as Module
    from dxir.graph import Node as Node
    from dxir.graph import Region as Region
    from dxir.graph import Value as Value
    from dxir.json_graph import from_json as from_json
    from dxir.json_graph import to_json as to_json
    from dxir.loading import load as load
    from dxir.locations import Location as Location
    from dxir.locations import at as at
    from dxir.partition_spec import P as P
    from dxir.process_evaluation import evaluate_processes as evaluate_processes
    from dxir.process_grid import process_groups as process_groups
    from dxir.process_grid import process_pairs as process_pairs
    from dxir.program import Program as Program
    from dxir.program import lower as lower
    from dxir.runtime.checkpoints import load_arrays as load_arrays
    from dxir.runtime.checkpoints import save_arrays as save_arrays
    from dxir.runtime.interpreter.running import interpret as interpret
    from dxir.runtime.pjrt import Placement as Placement
    from dxir.runtime.pjrt import from_shards as from_shards
    from dxir.runtime.pjrt import to_device as to_device
    from dxir.runtime.plugins import devices as devices
    from dxir.runtime.saved import load_executable as load_executable
    from dxir.sharding import AxisRef as AxisRef
    from dxir.sharding import DimSharding as DimSharding
    from dxir.sharding import Mesh as Mesh
    from dxir.sharding import Sharding as Sharding
    from dxir.sharding_report import ShardingReport as ShardingReport
    from dxir.sharding_report import explain_sharding as explain_sharding
    from dxir.sharding_rules import ShardingRule as ShardingRule
    from dxir.targets.options import Containment as Containment
    from dxir.tracing.arrays import Array as Array
    from dxir.transforms.custom import custom_jvp as custom_jvp
    from dxir.transforms.custom import custom_vjp as custom_vjp
    from dxir.transforms.gradients import grad as grad
    from dxir.transforms.gradients import stop_gradient as stop_gradient
    from dxir.transforms.gradients import value_and_grad as value_and_grad
    from dxir.transforms.jacobians import hessian as hessian
    from dxir.transforms.jacobians import hvp as hvp
    from dxir.transforms.jacobians import jacfwd as jacfwd
    from dxir.transforms.jacobians import jacrev as jacrev
    from dxir.transforms.mapping import vmap as vmap
    from dxir.transforms.options import LoopOptions as LoopOptions
    from dxir.transforms.products import jvp as jvp
    from dxir.transforms.products import linearize as linearize
    from dxir.transforms.products import vjp as vjp
    from dxir.transforms.registry import register_rules as register_rules
    from dxir.transforms.rematerializing import checkpoint as checkpoint
    from dxir.types import Dim as Dim
    from dxir.types import DType as DType
    from dxir.types import QuantizedType as QuantizedType
    from dxir.types import TensorType as TensorType
    from dxir.types import bf16 as bf16
    from dxir.types import c64 as c64
    from dxir.types import c128 as c128
    from dxir.types import f4e2m1fn as f4e2m1fn
    from dxir.types import f6e2m3fn as f6e2m3fn
    from dxir.types import f6e3m2fn as f6e3m2fn
    from dxir.types import f8e3m4 as f8e3m4
    from dxir.types import f8e4m3 as f8e4m3
    from dxir.types import f8e4m3b11fnuz as f8e4m3b11fnuz
    from dxir.types import f8e4m3fn as f8e4m3fn
    from dxir.types import f8e4m3fnuz as f8e4m3fnuz
    from dxir.types import f8e5m2 as f8e5m2
    from dxir.types import f8e5m2fnuz as f8e5m2fnuz
    from dxir.types import f8e8m0fnu as f8e8m0fnu
    from dxir.types import f16 as f16
    from dxir.types import f32 as f32
    from dxir.types import f64 as f64
    from dxir.types import i1 as i1
    from dxir.types import i2 as i2
    from dxir.types import i4 as i4
    from dxir.types import i8 as i8
    from dxir.types import i16 as i16
    from dxir.types import i32 as i32
    from dxir.types import i64 as i64
    from dxir.types import token as token
    from dxir.types import ui2 as ui2
    from dxir.types import ui4 as ui4
    from dxir.types import ui8 as ui8
    from dxir.types import ui16 as ui16
    from dxir.types import ui32 as ui32
    from dxir.types import ui64 as ui64

    __version__: str

# XLA logs on stderr what it also tells in its errors, and what is of no use to anybody else. It
# reads this once, when its library is loaded; 0 lets everything through.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

_HOMES = {
    "attributes": "ChannelHandle DotAlgorithm MeshAxesGroups OutputOperandAlias ResultAccuracy",
    "builder": "Builder build_function",
    "collective_costs": "Interconnect Link",
    "compiling": "compile prepare",
    "control_flow.choices": "cond switch",
    "control_flow.loops": "fori_loop map scan while_loop",
    "costs": "CostReport cost_of",
    "differences": "Difference difference",
    "errors": "DxirError",
    "evaluation": "evaluate",
    "functions.checking": "CheckReport check",
    "functions.jitted": "jit",
    "functions.traceable": "function",
    "graph": "Function Module Node Region Value",
    "json_graph": "from_json to_json",
    "loading": "load",
    "locations": "Location at",
    "partition_spec": "P",
    "process_evaluation": "evaluate_processes",
    "process_grid": "process_groups process_pairs",
    "program": "Program lower",
    "runtime.interpreter.running": "interpret",
    "runtime.checkpoints": "load_arrays save_arrays",
    "runtime.pjrt": "Placement from_shards to_device",
    "runtime.plugins": "devices",
    "runtime.saved": "load_executable",
    "sharding": "AxisRef DimSharding Mesh Sharding",
    "sharding_report": "ShardingReport explain_sharding",
    "sharding_rules": "ShardingRule",
    "targets.options": "Containment",
    "tracing.arrays": "Array",
    "transforms.custom": "custom_jvp custom_vjp",
    "transforms.gradients": "grad stop_gradient value_and_grad",
    "transforms.jacobians": "hessian hvp jacfwd jacrev",
    "transforms.mapping": "vmap",
    "transforms.options": "LoopOptions",
    "transforms.products": "jvp linearize vjp",
    "transforms.registry": "register_rules",
    "transforms.rematerializing": "checkpoint",
    "types": (
        "Dim DType QuantizedType TensorType token bf16 c64 c128 f16 f32 f64 i1 i2 i4 i8 i16 i32 "
        "i64 ui2 ui4 ui8 ui16 ui32 ui64 f4e2m1fn f6e2m3fn f6e3m2fn f8e3m4 f8e4m3 f8e4m3b11fnuz "
        "f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz f8e8m0fnu"
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

_MODULES = (
    "collectives",
    "distributed",
    "nn",
    "numpy",
    "ops",
    "random",
    "testing",
    "tree",
    "verify",
    "view",
)

__all__ = sorted([*_HOME_OF, *_MODULES])  # pyright: ignore[reportUnsupportedDunderAll]  # one list


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"dxir.{name}")
    if name == "__version__":
        from importlib.metadata import version

        return version("dxir")
    home = _HOME_OF.get(name)
    if home is None:
        if f"dxir.{name}" in sys.modules or _is_import():
            raise AttributeError(f"module 'dxir' has no attribute {name!r}")
        from dxir.other_names import TOP, no_attribute

        raise no_attribute("dxir", name, __all__, TOP)
    value = getattr(importlib.import_module(f"dxir.{home}"), name)
    globals()[name] = value
    return value


def _is_import() -> bool:
    """Whether `from dxir import x` asks for the attribute, before it looks for a module."""
    frame = sys._getframe(2)  # pyright: ignore[reportPrivateUsage]  # it is documented
    return frame.f_code.co_name == "_handle_fromlist"


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
