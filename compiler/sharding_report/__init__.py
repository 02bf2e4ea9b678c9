"""What propagation made of a program's shardings, why, and what it costs."""

from dxir.sharding_report.comparing import Comparison
from dxir.sharding_report.explaining import explain_sharding
from dxir.sharding_report.overrides import with_shardings
from dxir.sharding_report.records import CollectiveReport, Memory, Runs, Source, ValueReport, Why
from dxir.sharding_report.report import ShardingReport, Total

__all__ = [
    "CollectiveReport",
    "Comparison",
    "Memory",
    "Runs",
    "ShardingReport",
    "Source",
    "Total",
    "ValueReport",
    "Why",
    "explain_sharding",
    "with_shardings",
]
