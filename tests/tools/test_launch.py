"""`dxir-launch`: what it shows, what it ends with, and that it leaves nobody behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dxir.tools.launch import main, parse_arguments

LAUNCH = (sys.executable, "-P", "-m", "dxir.tools.launch")


def launch(*arguments: str, seconds: float = 60) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*LAUNCH, *arguments], capture_output=True, text=True, timeout=seconds, check=False
    )


def shell(text: str, count: int = 3, *options: str) -> subprocess.CompletedProcess[str]:
    return launch("-n", str(count), *options, "--", "sh", "-c", text)


def test_processes_know_who_they_are_and_lines_have_their_numbers() -> None:
    done = shell(
        "echo $DXIR_PROCESS_ID of $DXIR_NUM_PROCESSES, $DXIR_LOCAL_DEVICES;"
        "echo at $DXIR_COORDINATOR; printf 'no end' >&2",
        2,
        "--devices-per-process=4",
    )
    assert done.returncode == 0
    lines = sorted(done.stdout.splitlines())
    where = lines[1].removeprefix("[0] ")
    assert where.startswith("at 127.0.0.1:")
    assert lines == ["[0] 0 of 2, 4", f"[0] {where}", "[1] 1 of 2, 4", f"[1] {where}"]
    assert sorted(done.stderr.splitlines()) == ["[0] no end", "[1] no end"]
    assert shell("echo x", 1, "--plain").stdout == "x\n"


def test_what_gloo_says_of_connections_is_left_out() -> None:
    done = shell(
        "echo '[Gloo] Rank 1 is connected to 1 peer ranks. "
        "Expected number of connected peer ranks is : 1'; echo '[Gloo] x'",
        1,
        "--plain",
    )
    assert done.stdout == "[Gloo] x\n"


@pytest.mark.parametrize("begun", ["0 ", "the loss is "])
def test_a_line_that_gloo_broke_is_whole_again(begun: str) -> None:
    noise = "[Gloo] Rank 1 is connected to 1 peer ranks. Expected number of connected peer ranks is"
    done = shell(f"printf '{begun}'; echo '{noise} : 1'; echo 0.5; echo 1 0.4", 1, "--plain")
    assert done.stdout == f"{begun}0.5\n1 0.4\n"
    assert shell(f"printf '{begun}'; echo '{noise} : 1'", 1, "--plain").stdout == f"{begun}\n"


def test_the_first_to_fail_is_told_and_decides_the_exit_code() -> None:
    done = shell(
        "case $DXIR_PROCESS_ID in 1) echo my reason >&2; exit 3;; 2) sleep 0.3; exit 75;; "
        "*) sleep 100;; esac",
        3,
        "--grace=1",
    )
    assert done.returncode == 3
    assert "dxir-launch: process 1 failed with exit code 3; 2 others ended because of it" in (
        done.stderr
    )
    assert done.stderr.endswith("the last lines of process 1 were:\n  my reason\n")


def test_a_process_that_a_signal_ends_gives_128_and_its_number() -> None:
    done = shell("kill -9 $$", 1)
    assert done.returncode == 128 + signal.SIGKILL
    assert "process 0 failed with SIGKILL" in done.stderr


def test_processes_that_take_too_long_are_ended() -> None:
    done = shell("trap '' TERM; echo here; sleep 100 & wait; sleep 100", 1, "--timeout=0.5")
    assert done.returncode == 124
    assert "did not end within 0.5 s" in done.stderr
    assert done.stdout == "[0] here\n"


def alive(pids: list[int]) -> list[int]:
    """Those that are still there after some time to end; what is dead may wait for init."""
    deadline = time.monotonic() + 30
    while (left := [pid for pid in pids if _is_running(pid)]) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nobody_is_left_when_the_launcher_is_ended(number: int, tmp_path: Path) -> None:
    text = f"sleep 300 & echo $! > {tmp_path}/$DXIR_PROCESS_ID; echo $$ >> {tmp_path}/"
    text += "$DXIR_PROCESS_ID; wait"
    with subprocess.Popen(
        [*LAUNCH, "-n", "2", "--", "sh", "-c", text], stderr=subprocess.DEVNULL
    ) as tool:
        written = [tmp_path / "0", tmp_path / "1"]
        deadline = time.monotonic() + 30
        while not all(p.exists() and p.read_text().count("\n") == 2 for p in written):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        pids = [int(pid) for p in written for pid in p.read_text().split()]
        tool.send_signal(number)
        expected = -number if number == signal.SIGKILL else 128 + number
        assert tool.wait(20) == expected
    assert alive(pids) == []


def test_what_the_tool_cannot_do_is_told() -> None:
    for arguments, message, code in (
        (["x.py"], "how many processes to start is not said", 2),
        (["-n", "2"], "there is nothing to run", 2),
        (["-n", "0", "x.py"], "'0' is not a number from 1 to 1024", 2),
        (["-n", "2", "--devises-per-process=2", "x.py"], "Unknown command line argument", 2),
        (["-n", "2", "--", "/no/such/program"], "cannot be started: No such file", 1),
    ):
        done = launch(*arguments)
        assert done.returncode == code
        assert message in done.stderr


def test_what_follows_the_script_is_the_scripts() -> None:
    python = sys.executable
    assert parse_arguments(["-n", "2", "a.py", "-n", "3", "--", "x"]).command == (
        *(python, "a.py", "-n", "3", "--", "x"),
    )
    assert parse_arguments(["-n=2", "-m", "a.b", "--help"]).command == (
        python,
        "-m",
        "a.b",
        "--help",
    )
    assert parse_arguments(["-n", "2", "--", "ls", "-l"]).command == ("ls", "-l")


def test_help_names_the_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert "--devices-per-process=N" in text
    assert all(len(line) <= 100 for line in text.splitlines())


def test_a_second_interrupt_ends_what_ignores_the_first() -> None:
    text = "trap '' INT; echo ready; while :; do sleep 0.1; done"
    with subprocess.Popen(
        [*LAUNCH, "-n", "2", "--", "sh", "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as tool:
        assert tool.stdout is not None
        assert tool.stderr is not None
        for _ in range(2):
            assert b"ready" in tool.stdout.readline()
        tool.send_signal(signal.SIGINT)
        time.sleep(0.3)  # two at once are one
        tool.send_signal(signal.SIGINT)
        assert tool.wait(4) == 128 + signal.SIGINT
        assert tool.stderr.read() == b""


def test_where_nothing_can_be_written_that_is_told() -> None:
    with open("/dev/full", "wb") as full:
        command = [*LAUNCH, "-n", "1", "--", "sh", "-c", "echo x; sleep 60"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=20, check=False)
    assert done.returncode == 1
    said = done.stderr.decode().splitlines()
    assert said == [
        "dxir-launch: error: what the processes write cannot be passed on: No space left on device"
    ]
    text = '"$@" >&-'
    closed = ["sh", "-c", text, "sh", *LAUNCH, "-n", "1", "--", "sh", "-c", "echo x; exit 3"]
    assert subprocess.run(closed, capture_output=True, timeout=20, check=False).returncode == 3


def test_a_reader_that_goes_away_ends_the_processes() -> None:
    read, write = os.pipe()
    with subprocess.Popen(
        [*LAUNCH, "-n", "1", "--", "sh", "-c", "while :; do echo x; sleep 0.01; done"],
        stdout=write,
        stderr=subprocess.DEVNULL,
    ) as tool:
        os.close(write)
        os.read(read, 4)
        os.close(read)
        assert tool.wait(20) == 128 + signal.SIGPIPE
