"""Python functions traced: arrays that stand for values of a graph, and containers of them."""

from dxir.tracing import staging as staging  # tells the ops how they take arrays
