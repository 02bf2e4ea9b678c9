"""Assertions about modules of any producer, for pytest or any other runner.

A module is a Program, a graph, an `ir.Module`, text, bytes, the path of a file, or what JAX gives:
a lowered or exported function. The plugin of pytest that gives `--dxir-update` and the fixture
`dxir_snapshot` is loaded by itself. `dxir.testing.op_checks` checks ops against their examples.
"""

from __future__ import annotations

from dxir.testing.assertions import (
    assert_close_on,
    assert_filecheck,
    assert_same_program,
    assert_verifies,
)
from dxir.testing.snapshots import assert_matches_snapshot

__all__ = [
    "assert_close_on",
    "assert_filecheck",
    "assert_matches_snapshot",
    "assert_same_program",
    "assert_verifies",
]
