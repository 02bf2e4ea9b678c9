"""How processes find each other and agree, without the processes: threads join one coordinator."""

import json
import os
import socket
import threading
import time
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

import dxir
from dxir.errors import ArgumentError, RuntimeFailure
from dxir.runtime.distributed.channel import Channel
from dxir.runtime.distributed.coordinator import Coordinator
from dxir.runtime.distributed.lines import MOST_BYTES, Lines, NotOurs
from dxir.runtime.distributed.settings import Settings, read
from dxir.runtime.distributed.watchdog import Watchdog

VERSIONS = {"dxir": "1", "jaxlib": "0.12"}


def settings_of(environment: Mapping[str, str], **given: Any) -> Settings:
    values: dict[str, Any] = {
        "coordinator": None,
        "processes": None,
        "rank": None,
        "local_devices": None,
        "init_timeout": 5,
        "heartbeat": 5,
        "shutdown_timeout": 5,
        "interface": None,
    }
    return read(**{**values, **given}, environment=environment)


class Group:
    """A coordinator, and those who join it."""

    def __init__(self, count: int, init_timeout: float) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.count = count
        self.init_timeout = init_timeout
        told = {
            "processes": count,
            "local_devices": 1,
            "init_timeout": init_timeout,
            "heartbeat": 1,
            **VERSIONS,
        }
        self.parent = os.pipe()
        coordinator = Coordinator(self.listener, told, "0")
        self.thread = threading.Thread(target=coordinator.serve, args=(self.parent[0],))
        self.thread.start()
        self.pool = ThreadPoolExecutor(8)
        self.channels: list[Channel] = []

    def settings(self, rank: int, **other: Any) -> Settings:
        given = {"processes": self.count, "rank": rank, "init_timeout": 5, **other}
        return settings_of({}, coordinator=f"127.0.0.1:{self.port}", **given)

    def joining(
        self, rank: int, versions: dict[str, str] | None = None, **other: Any
    ) -> Future[Channel]:
        return self.pool.submit(
            Channel.join, self.settings(rank, **other), {**VERSIONS, **(versions or {})}
        )

    def all_joined(self) -> list[Channel]:
        self.channels = [f.result(10) for f in [self.joining(r) for r in range(self.count)]]
        self.said: list[list[str]] = [[] for _ in self.channels]
        for said, channel in zip(self.said, self.channels, strict=True):
            channel.ended = lambda why, hint, said=said: said.append(why)
            channel.listen(10)
        return self.channels

    def close(self) -> None:
        for channel in self.channels:
            channel.close()
        os.close(self.parent[1])
        self.thread.join(10)
        assert not self.thread.is_alive()
        self.pool.shutdown()
        self.listener.close()
        os.close(self.parent[0])


@contextmanager
def group(count: int, init_timeout: float = 5) -> Generator[Group]:
    made = Group(count, init_timeout)
    try:
        yield made
    finally:
        made.close()


def problem(future: Future[Channel]) -> str:
    error = future.exception(10)
    assert isinstance(error, RuntimeFailure)
    return str(error)


def until(condition: Callable[[], object]) -> None:
    deadline = threading.Event()
    for _ in range(500):
        if condition():
            return
        deadline.wait(0.01)
    pytest.fail("it did not come to that within 5 s")


def test_settings_come_from_arguments_and_variables() -> None:
    ours = {"DXIR_COORDINATOR": "host0:7788", "DXIR_NUM_PROCESSES": "4", "DXIR_PROCESS_ID": "3"}
    ours["DXIR_COORDINATOR"] = "localhost:7788"
    found = settings_of({**ours, "DXIR_LOCAL_DEVICES": "2"})
    assert (found.processes, found.rank, found.local_devices) == (4, 3, 2)
    assert found.coordinator == "localhost:7788"
    assert settings_of(ours, rank=1).rank == 1
    slurm = {"SLURM_NTASKS": "8", "SLURM_PROCID": "5", "DXIR_COORDINATOR": "[::1]:80"}
    found = settings_of(slurm)
    assert (found.processes, found.rank, found.host) == (8, 5, "::1")
    assert settings_of({**slurm, "DXIR_PROCESS_ID": "2"}).rank == 2
    mpi = {"OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "0", **ours}
    assert settings_of(mpi).processes == 4


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "DXIR_NUM_PROCESSES is not set"),
        ({"processes": 2}, "DXIR_PROCESS_ID is not set"),
        ({"processes": 2, "rank": 2}, "process_id is 2, and there are 2 processes"),
        ({"processes": 2, "rank": -1}, "process_id is -1"),
        ({"processes": 0, "rank": 0}, "num_processes is 0"),
        ({"processes": 2, "rank": 0}, "DXIR_COORDINATOR is not set"),
        ({"processes": 2, "rank": 0, "coordinator": "host0"}, "no host with a port"),
        ({"processes": 2, "rank": 0, "coordinator": "a:99999"}, "no host with a port"),
        ({"processes": 2, "rank": 0, "coordinator": "a:" + "9" * 5000}, "no host with a port"),
        ({"processes": 2, "rank": 0, "coordinator": "nosuch.invalid:80"}, "is not known here"),
        ({"processes": 2, "rank": True}, "process_id is True"),
        ({"processes": 2, "rank": 0, "local_devices": 0}, "local_devices is 0"),
        ({"processes": 2, "rank": 0, "heartbeat": 0}, "heartbeat is 0 s"),
    ],
)
def test_settings_that_cannot_be_are_refused_by_name(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        settings_of({}, **given)
    with pytest.raises(ArgumentError, match="DXIR_PROCESS_ID is 'x'"):
        settings_of({"DXIR_PROCESS_ID": "x"}, processes=2)


def test_processes_exchange_texts_and_leave_together() -> None:
    with group(3) as joined:
        channels = joined.all_joined()
        assert "pid" in channels[0].names[2]
        found = [joined.pool.submit(c.exchange, "a", str(i)) for i, c in enumerate(channels)]
        assert [f.result(5) for f in found] == [["0", "1", "2"]] * 3
        left = [joined.pool.submit(c.leave, 5) for c in channels[:2]]
        assert not any(f.done() for f in left)
        assert channels[2].leave(5)
        assert all(f.result(5) for f in left)


def test_long_texts_of_many_processes_come_whole() -> None:
    texts = [mark * 100_000 for mark in ("x", "é", "😀", "\x01", "\ud800", "y", "z", "語")]
    with group(8) as joined:
        channels = joined.all_joined()
        asked = [
            joined.pool.submit(channel.exchange, "a", text)
            for channel, text in zip(channels, texts, strict=True)
        ]
        assert all(future.result(10) == texts for future in asked)


def test_two_processes_of_one_number_are_told_both() -> None:
    with group(3) as joined:
        tries = [joined.joining(0), joined.joining(1), joined.joining(1)]
        for found in map(problem, tries):
            assert "two processes have the number 1: pid " in found
            assert "DXIR_PROCESS_ID is 0 to 2, each once" in found


@pytest.mark.parametrize(
    ("versions", "other", "message"),
    [
        ({"jaxlib": "0.10"}, {}, "has jaxlib 0.10, and process 0 has 0.12"),
        ({"dxir": "2"}, {}, "has dxir 2, and process 0 has 1"),
        ({}, {"processes": 3}, "one of 3 processes, and process 0 as one of 2"),
        ({}, {"local_devices": 4}, "devices of its own: 4, and process 0 has 1"),
    ],
)
def test_processes_that_differ_are_told_how(
    versions: dict[str, str], other: dict[str, Any], message: str
) -> None:
    with group(2) as joined:
        odd = joined.joining(1, versions, **other)
        first = joined.joining(0)
        assert message in problem(odd)
        assert message in problem(first)


def test_who_does_not_come_in_time_is_named() -> None:
    with group(4, init_timeout=1) as joined:
        tries = [joined.joining(0), joined.joining(2)]
        for found in map(problem, tries):
            assert "of 4 processes, processes 1, 3 did not come within 1 s" in found


def test_who_comes_when_all_are_there_is_refused_and_the_others_go_on() -> None:
    with group(2) as joined:
        channels = joined.all_joined()
        assert "came when all 2 processes were there already" in problem(joined.joining(1))
        found = [joined.pool.submit(c.exchange, "a", "x") for c in channels]
        assert [f.result(5) for f in found] == [["x", "x"]] * 2
        assert joined.said == [[], []]


def test_nobody_to_join_and_another_server_are_told_apart() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        given: dict[str, Any] = {"processes": 2, "rank": 1, "init_timeout": 1}
        settings = settings_of({}, coordinator=f"127.0.0.1:{port}", **given)
        with ThreadPoolExecutor(1) as pool:
            tried = pool.submit(Channel.join, settings, VERSIONS)
            answered, _ = other.accept()
            with answered:
                answered.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                with pytest.raises(RuntimeFailure, match="does not answer as a coordinator does"):
                    tried.result(10)
    with pytest.raises(RuntimeFailure, match=r"process 1 found no coordinator at .* within 1 s"):
        Channel.join(settings, VERSIONS)


def test_the_end_of_one_is_told_to_all_others() -> None:
    with group(3) as joined:
        channels = joined.all_joined()
        channels[1].close()
        until(lambda: joined.said[0] and joined.said[2])
        assert joined.said[0] == joined.said[2]
        assert "process 1 (pid" in joined.said[0][0]
        assert "ended without a word" in joined.said[0][0]


def test_the_first_failure_is_the_reason() -> None:
    with group(3) as joined:
        channels = joined.all_joined()
        channels[2].failed("ValueError: bad (train.py:3)")
        until(lambda: joined.said[0])
        channels[1].failed("RuntimeFailure: gloo")
        until(lambda: joined.said[1])
        assert all("process 2" in said[0] and "train.py:3" in said[0] for said in joined.said[:2])


def test_processes_that_wait_at_different_places_are_told_where() -> None:
    with group(3) as joined:
        channels = joined.all_joined()
        for channel, name in zip(channels, "aab", strict=True):
            joined.pool.submit(channel.exchange, f"the barrier {name!r}", "")
        until(lambda: all(joined.said))
        assert (
            "processes 0, 1 at the barrier 'a', process 2 at the barrier 'b'" in (joined.said[0][0])
        )


def test_waiting_has_an_end_and_names_who_did_not_come() -> None:
    with group(2) as joined:
        channels = joined.all_joined()
        joined.pool.submit(channels[0].exchange, "the barrier 'a'", "", 0.3)
        until(lambda: joined.said[1])
        assert "process 1 did not come to the barrier 'a' within 0.3 s" in joined.said[1][0]


def test_strangers_are_no_processes() -> None:
    with group(2) as joined:
        for data in (b"GET / HTTP/1.1\r\n\r\n", b'{"join": 3}\n', b"[]\n", b'{"failed": "x"}\n'):
            with socket.create_connection(("127.0.0.1", joined.port)) as stranger:
                stranger.sendall(data)
                stranger.settimeout(5)
                while stranger.recv(1024):
                    pass
        spoilt = {"protocol": "dxir-coordinator 1", "rank": "x", "host": "h", "pid": 1}
        with socket.create_connection(("127.0.0.1", joined.port)) as stranger:
            stranger.sendall(json.dumps({"join": spoilt}).encode() + b"\n")
            assert not stranger.recv(1024)
        joined.all_joined()
    with pytest.raises(NotOurs):
        Lines().add(b"x" * (MOST_BYTES + 1))


def test_a_process_alone_is_the_first_of_one() -> None:
    assert not dxir.distributed.is_initialized()
    assert (dxir.distributed.process_index(), dxir.distributed.process_count()) == (0, 1)
    dxir.distributed.barrier("nobody", timeout=0.5)
    for timeout in (0, -1, float("nan"), "5", True):
        with pytest.raises(ArgumentError, match="timeout of the barrier 'a' is"):
            dxir.distributed.barrier("a", timeout)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="a bytes cannot be exchanged"):
        dxir.distributed.exchange("a", b"b")  # type: ignore[arg-type]
    assert dxir.distributed.exchange("name", "text") == ["text"]
    dxir.distributed.shutdown()


def test_joining_comes_before_devices_are_used() -> None:
    dxir.devices()
    with pytest.raises(RuntimeFailure, match="used its devices already"):
        dxir.distributed.initialize("localhost:1", 2, 1)


def test_native_code_that_ends_a_process_is_told_to_the_others_as_that() -> None:
    """Not as a coordinator that is gone, which is the other reason that XLA has."""
    with group(2) as found:
        channels = found.all_joined()
        watchdog = Watchdog(channels[1], 1, 10)
        watchdog.give_up = lambda: pytest.fail("the coordinator is there")
        watchdog._aborted()
        until(lambda: found.said[0])
        assert "process 1 (pid" in found.said[0][0]
        assert "failed: native code ended it (SIGABRT)" in found.said[0][0]


def test_the_coordinator_is_heard_of_more_often_than_the_shortest_heartbeat() -> None:
    with group(1) as found:
        (channel,) = found.all_joined()
        longest = 0.0
        end = time.monotonic() + 1.5
        while time.monotonic() < end:
            longest = max(longest, channel.silence)
            time.sleep(0.02)
        assert longest < 0.8
