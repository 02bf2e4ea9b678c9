"""StableHLO's reference interpreter, in child processes: `running` is the part to be used.

A module is made ready (`preparing`) with probes in it (`probes`), evaluated by `child`, and what
the probes of its checks saw is judged (`judging`).
"""
