"""Several real processes: what they compute together, and how they end when one fails."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from dxir.distributed import EXIT_CODE

LAUNCH = (sys.executable, "-P", "-m", "dxir.tools.launch")
SCRIPTS = Path(__file__).parent / "inputs"


def launched(
    count: int, script: str, *arguments: str, devices: int = 1, seconds: float = 120
) -> subprocess.CompletedProcess[str]:
    options = ["-n", str(count), f"--devices-per-process={devices}"]
    command = [*LAUNCH, *options, str(SCRIPTS / script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)


def said(done: subprocess.CompletedProcess[str], word: str) -> list[str]:
    """The lines that begin with a word: on stderr, since gloo writes to stdout in pieces."""
    lines = done.stderr.splitlines()
    return sorted(line for line in lines if line[4:].startswith(word))


def test_two_processes_compute_with_shards_of_both() -> None:
    """Some 6 s: that is what it takes to start processes that use XLA."""
    done = launched(2, "shards.py", devices=2)
    assert done.returncode == 0, done.stderr
    assert said(done, "agreed") == ["[0] agreed", "[1] agreed"]


@pytest.mark.slow
def test_forked_processes_and_signals_are_no_end() -> None:
    done = launched(2, "forking.py")
    assert done.returncode == 0, done.stderr
    assert said(done, "together") == ["[0] together 1", "[1] together 1"]


@pytest.mark.slow
def test_a_process_that_waits_at_its_end_is_ended_with_the_reason() -> None:
    """Python lets no thread begin by then."""
    done = launched(2, "leaving.py")
    assert done.returncode == EXIT_CODE, done.stderr
    for rank in (0, 1):
        assert f"[{rank}] dxir: process {rank} ends: the processes wait for each" in done.stderr


@pytest.mark.slow
def test_four_processes_train_to_the_losses_of_one() -> None:
    one, four = launched(1, "train.py"), launched(4, "train.py")
    assert one.returncode == four.returncode == 0, one.stderr + four.stderr
    (expected,) = [json.loads(line[11:]) for line in said(one, "losses")]
    found = [json.loads(line[11:]) for line in said(four, "losses")]
    assert len(found) == 4
    for losses in found:
        assert losses == pytest.approx(expected, rel=1e-5)
    assert expected[-1] < expected[0] / 2


@dataclass
class Running:
    """Processes that were started one by one, as on several machines."""

    children: list[subprocess.Popen[str]]
    outputs: list[Path]

    def output(self, rank: int) -> str:
        return self.outputs[rank].read_text()

    def until_all_say(self, text: str, seconds: float = 90) -> None:
        deadline = time.monotonic() + seconds
        while not all(text in self.output(rank) for rank in range(len(self.children))):
            assert time.monotonic() < deadline, [self.output(r) for r in range(len(self.children))]
            time.sleep(0.05)


@contextmanager
def running(folder: Path, count: int, *arguments: str) -> Generator[Running]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    children: list[subprocess.Popen[str]] = []
    outputs = [folder / f"{rank}.txt" for rank in range(count)]
    for rank, output in enumerate(outputs):
        told = {"DXIR_COORDINATOR": address, "DXIR_NUM_PROCESSES": str(count)}
        with open(output, "w") as file:
            child = subprocess.Popen(
                [sys.executable, "-P", str(SCRIPTS / "steps.py"), *arguments],
                env={**os.environ, **told, "DXIR_PROCESS_ID": str(rank)},
                stdout=file,
                stderr=file,
                text=True,
                start_new_session=True,
            )
        children.append(child)
    try:
        yield Running(children, outputs)
    finally:
        for child in children:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()


def survivors_end(found: Running, victim: int, seconds: float) -> list[str]:
    """What the others wrote, which have ended within so many seconds."""
    deadline = time.monotonic() + seconds
    others = [rank for rank in range(len(found.children)) if rank != victim]
    for rank in others:
        code = found.children[rank].wait(max(deadline - time.monotonic(), 0.01))
        assert code == EXIT_CODE, found.output(rank)
    return [found.output(rank) for rank in others]


@pytest.mark.slow
@pytest.mark.parametrize("victim", [0, 2])
def test_when_one_of_four_is_killed_the_others_end_with_the_reason(
    victim: int, tmp_path: Path
) -> None:
    with running(tmp_path, 4, "work") as found:
        found.until_all_say("at work")
        found.children[victim].kill()
        for said in survivors_end(found, victim, 10):
            assert f"process {victim} (pid {found.children[victim].pid} on " in said
            assert "ended without a word: it was killed" in said


@pytest.mark.slow
def test_a_process_that_is_stopped_ends_the_others(tmp_path: Path) -> None:
    with running(tmp_path, 3, "work") as found:
        found.until_all_say("at work")
        found.children[1].send_signal(signal.SIGSTOP)
        for said in survivors_end(found, 1, 30):
            assert f"process 1 (pid {found.children[1].pid} on " in said
            assert "was not heard of for 3 s" in said


@pytest.mark.slow
def test_an_exception_in_one_ends_the_others_with_it(tmp_path: Path) -> None:
    with running(tmp_path, 3, "raise") as found:
        found.until_all_say("at work")
        for said in survivors_end(found, 1, 20):
            assert "failed: ValueError: a bad batch (steps.py:" in said
        assert found.children[1].wait(20) == 1
        assert "ValueError: a bad batch" in found.output(1)


@pytest.mark.slow
def test_what_native_code_ends_is_no_lost_coordinator(tmp_path: Path) -> None:
    with running(tmp_path, 3, "abort") as found:
        found.until_all_say("at work")
        for said in survivors_end(found, 1, 20):
            assert "native code ended it (SIGABRT)" in said
        assert found.children[1].wait(20) == -signal.SIGABRT


@pytest.mark.slow
def test_exiting_with_a_code_within_a_with_ends_the_others(tmp_path: Path) -> None:
    with running(tmp_path, 2, "exit") as found:
        found.until_all_say("at work")
        assert "process 1 (pid" in survivors_end(found, 1, 20)[0]
        assert found.children[1].wait(20) == 3


@pytest.mark.slow
def test_processes_that_compile_different_programs_are_told_so(tmp_path: Path) -> None:
    with running(tmp_path, 3, "differ") as found:
        for child in found.children:
            assert child.wait(60) in (1, EXIT_CODE)
        for rank in range(3):
            said = found.output(rank)
            assert "the processes differ at compiling a program: processes 0, 2: @main (" in said


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_without_a_coordinator_all_processes_end(number: int, tmp_path: Path) -> None:
    with running(tmp_path, 2, "work") as found:
        found.until_all_say("coordinator=")
        found.until_all_say("at work")
        pid = found.output(0).partition("coordinator=")[2].split()[0]
        os.kill(int(pid), number)
        for child in found.children:
            assert child.wait(30) == EXIT_CODE
        for rank in range(2):
            said = found.output(rank)
            assert "the coordinator is gone" in said or "the coordinator was not heard of" in said
    assert not is_running(int(pid))


def is_running(pid: int) -> bool:
    """Whether there is such a process, after some time to end; what is dead may wait for init."""
    for _ in range(100):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return False
        except OSError:
            return False
        time.sleep(0.05)
    return True


@pytest.mark.slow
def test_python_may_be_kept_from_running_for_longer_than_the_heartbeat(tmp_path: Path) -> None:
    with running(tmp_path, 2, "hold") as found:
        for rank, child in enumerate(found.children):
            assert child.wait(90) == 0, found.output(rank)
