"""dxir-opt where things go wrong around it: streams, disks, folders, limits, signals, odd bytes."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dxir.pipeline import native

TEXT = "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }\n"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="about POSIX streams and signals")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "in.mlir").write_text(TEXT, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def tool(
    *arguments: str | bytes,
    redirected: str = "",
    limit: str = "",
    **environment: str,
) -> subprocess.CompletedProcess[bytes]:
    """The tool in processes of its own, its streams redirected and limited as a shell says it."""
    words = [sys.executable, "-m", "dxir.tools.opt", *arguments]
    return subprocess.run(
        ["/bin/sh", "-c", f'{limit}exec "$@" {redirected}', "sh", *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env={**os.environ, **environment},
        timeout=120,
    )


def refused(done: subprocess.CompletedProcess[bytes], message: str) -> bool:
    return (
        done.returncode == 1
        and message.encode() in done.stderr
        and b"error: " in done.stderr
        and b"Traceback" not in done.stderr
    )


def test_closed_streams_are_errors_where_they_are_needed() -> None:
    assert refused(tool("-", redirected="<&-"), "cannot read the standard input")
    assert refused(tool("in.mlir", redirected=">&-"), "Bad file descriptor")
    assert refused(tool("-", redirected="<&- >&-"), "cannot read the standard input")
    done = tool("in.mlir", redirected="2>&-")
    assert (done.returncode, done.stdout[:6]) == (0, b"module")
    assert tool("missing.mlir", redirected="2>&-").returncode == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("arguments", [("in.mlir",), ("in.mlir", "--emit-bytecode"), ("--help",)])
def test_a_full_disk_is_an_error(arguments: tuple[str, ...]) -> None:
    assert refused(tool(*arguments, redirected="> /dev/full"), "No space left on device")


def test_a_pipe_given_as_the_file_of_a_reproducer_stays_one(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    reader = os.open(folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    for option in ("crash-reproducer", "-o"):
        arguments = [f"--mlir-pass-pipeline-{option}=pipe"] if option[0] != "-" else ["-o", "pipe"]
        assert tool("in.mlir", "--cse", *arguments).returncode == 0
        assert os.read(reader, 1 << 16)
        assert (folder / "pipe").is_fifo()
    os.close(reader)


def test_an_output_that_is_a_link_is_written_through_it(folder: Path) -> None:
    (folder / "link").symlink_to("target")
    assert tool("in.mlir", "-o", "link").returncode == 0
    assert (folder / "link").is_symlink()
    assert (folder / "target").read_bytes().startswith(b"module")


def test_a_name_as_long_as_the_system_allows_is_written(folder: Path) -> None:
    assert tool("in.mlir", "-o", "a" * 254).returncode == 0
    assert refused(tool("in.mlir", "-o", "a" * 5000), "the output cannot be written")
    assert sorted(p.name for p in folder.iterdir()) == ["a" * 254, "in.mlir"]


def test_the_folder_of_printed_modules_is_made_or_refused(folder: Path) -> None:
    flags = ["--cse", "--mlir-print-ir-after-all"]
    assert tool("in.mlir", *flags, "--mlir-print-ir-tree-dir=a/b/c").returncode == 0
    assert list((folder / "a/b/c").rglob("*.mlir"))
    done = tool("in.mlir", *flags, "--mlir-print-ir-tree-dir=in.mlir/x")
    assert refused(done, "the folder cannot be made")


def test_arguments_that_are_not_utf8_are_refused_and_file_names_taken(folder: Path) -> None:
    assert refused(tool("in.mlir", b"--c\xffse"), "is not UTF-8")
    assert refused(tool("in.mlir", b"--pass-pipeline=cse{\xff}"), "is not UTF-8")
    assert refused(tool("in.mlir", "--pass-pipeline", b"\xff"), "is not UTF-8")
    (folder / os.fsdecode(b"\xff.mlir")).write_text(TEXT, "utf-8")
    assert tool(b"\xff.mlir", "-o", b"\xfe.mlir").returncode == 0
    assert (folder / os.fsdecode(b"\xfe.mlir")).exists()


def test_numbers_beyond_64_bits_are_refused() -> None:
    for option in ("--emit-bytecode-version", "--mlir-elide-elementsattrs-if-larger"):
        assert refused(tool("in.mlir", f"{option}=99999999999999999999"), "invalid for integer")


@pytest.mark.parametrize("body", ["x = = 1", "raise ValueError(3)", "import sys; sys.exit(7)"])
def test_an_import_that_fails_in_any_way_is_an_error(folder: Path, body: str) -> None:
    (folder / "odd_module.py").write_text(body, "utf-8")
    assert refused(tool("in.mlir", "--import=odd_module"), "--import=odd_module")


def test_a_working_folder_that_is_gone_does_not_matter(folder: Path) -> None:
    (folder / "gone").mkdir()
    words = [sys.executable, "-m", "dxir.tools.opt", str(folder / "in.mlir"), "--cse"]
    done = subprocess.run(
        ["/bin/sh", "-c", 'cd gone && rmdir ../gone && exec "$@"', "sh", *words],
        capture_output=True,
        timeout=120,
    )
    assert (done.returncode, done.stdout[:6]) == (0, b"module")


def test_too_few_file_numbers_are_an_error() -> None:
    done = tool("in.mlir", limit="ulimit -n 5; ")
    assert done.returncode in (0, 1)
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("damaged", ['[{"name": 5, "anchor": 1}]', "[" * 100_000, "[]", "{"])
def test_a_damaged_list_of_passes_is_made_anew(
    folder: Path, damaged: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = {"cse": native.NativePass("cse", native.ANY)}
    monkeypatch.setattr(native, "_look", lambda: made)
    monkeypatch.setattr(native.platformdirs, "user_cache_dir", lambda _: str(folder / "cache"))
    assert native.native_passes() == made
    (kept,) = (folder / "cache").iterdir()
    kept.write_text(damaged, "utf-8")
    assert native.native_passes() == made
    assert "cse" in kept.read_text("utf-8")


def test_bytecode_that_mlir_refuses_in_silence_is_an_error(folder: Path) -> None:
    tool("in.mlir", "--emit-bytecode", "-o", "good")
    good = (folder / "good").read_bytes()
    for size in range(5, len(good), 97):
        (folder / "bad").write_bytes(good[:size])
        assert refused(tool("bad"), "")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="about Linux processes")
def test_the_tool_dies_of_a_signal_with_its_child_and_the_child_with_it() -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        read, write = os.pipe()  # kept open: the tool waits for its input
        waiting = subprocess.Popen(
            [sys.executable, "-m", "dxir.tools.opt"], stdin=read, stdout=subprocess.PIPE
        )
        os.close(read)
        children = Path(f"/proc/{waiting.pid}/task/{waiting.pid}/children")
        end = time.monotonic() + 60
        while not (child := children.read_text("ascii").split()):
            assert time.monotonic() < end
        waiting.send_signal(number)
        assert waiting.wait(60) == -number
        assert waiting.stdout is not None
        assert waiting.stdout.read() == b""  # ends when the child is gone, too
        waiting.stdout.close()
        os.close(write)
        assert not Path(f"/proc/{child[0]}/exe").exists()


def test_types_that_print_without_end_are_an_error(folder: Path) -> None:
    aliases = [f"!t{i + 1} = tuple<!t{i}, !t{i}>" for i in range(40)]
    text = "\n".join(["!t0 = tuple<f32, f32>", *aliases, "func.func private @f(!t40)", ""])
    (folder / "types.mlir").write_text(text, "utf-8")
    assert refused(tool("types.mlir", "--timeout=3"), "types.mlir did not end in time")
