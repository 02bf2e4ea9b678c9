"""What a program costs to run, told from its ops alone: work, bytes moved, bytes held."""

from dxir.costs.calls import CallUse, register_call_cost, unregister_call_cost
from dxir.costs.cost import Amounts, Cost
from dxir.costs.counting import cost_of
from dxir.costs.report import CompositeCost, CostReport, FunctionCost, KindCost, MemoryCost, OpCost

__all__ = [
    "Amounts",
    "CallUse",
    "CompositeCost",
    "Cost",
    "CostReport",
    "FunctionCost",
    "KindCost",
    "MemoryCost",
    "OpCost",
    "cost_of",
    "register_call_cost",
    "unregister_call_cost",
]
