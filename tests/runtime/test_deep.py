"""Calls on a deep stack."""

import sys
import threading

import pytest

from dxir.runtime.deep import call_deep


def depth(n: int) -> int:
    return 0 if n == 0 else 1 + depth(n - 1)


def test_results_and_exceptions_come_back() -> None:
    assert call_deep(lambda: 3) == 3
    with pytest.raises(KeyError, match="gone"):
        call_deep(lambda: {}["gone"])


def test_the_stack_is_deep_and_later_threads_are_as_before() -> None:
    before = threading.stack_size()
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(50_000)
    try:
        assert call_deep(lambda: depth(40_000)) == 40_000
    finally:
        sys.setrecursionlimit(limit)
    assert threading.stack_size() == before


def test_work_is_done_here_when_there_is_no_room_for_the_stack() -> None:
    assert call_deep(threading.get_ident, 1 << 46) == threading.get_ident()
