"""Several processes that run one program: how they find each other, and how they end together.

One process has number 0 and starts the *coordinator*, a process of its own, so that the others
learn of its end as of any other's. It holds a connection to each process (`lines`, `channel`): over
these they join, wait for each other, compare what they compile, tell each other what went wrong,
and see at once when one of them is gone. XLA's coordination service, which its collectives need, is
in the same process; it tells of processes that are there and do not move (`watchdog`).
"""
