"""Running a tool in a child process, so that nothing it is given can take the tool down.

MLIR and XLA end the process over some inputs. The child is forked before any of them is loaded,
which costs a millisecond; what the child was doing when it died is told by a page of memory that
both share. Nothing here may import MLIR.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import NoReturn

from dxir.children import cause_of, die_with_parent, limit_resources

_PAGE = 4096
_HEAD = struct.Struct("dH")  # when the stage must be over (0: whenever), bytes of text
_POLL_S = 0.2
_MEMORY_BYTES = 8 << 30
_MEMORY_PER_BYTE = 64
_LOADED = ("jaxlib", "jaxlib.mlir")
_FRONT = "dxir.tools.main"

_SEPARATOR = "\0"
_LATE = "the input is damaged, has no end, or is larger than this tool waits for"

_board: mmap.mmap | None = None


def stage(doing: str, seconds: float | None = None, left: str = "") -> None:
    """Say what the tool does now, "reading x.mlir", and for how long it may; for the supervisor.

    `left` says what there is to look at should the tool die meanwhile.
    """
    if _board is not None:
        text = f"{doing}{_SEPARATOR}{left}".encode("utf-8", "replace")[: _PAGE - _HEAD.size]
        deadline = 0.0 if seconds is None else time.monotonic() + seconds
        _board.seek(0)
        _board.write(_HEAD.pack(deadline, len(text)) + text)


def new_board() -> mmap.mmap:
    """A page on which a child that is forked then tells its stages."""
    return mmap.mmap(-1, _PAGE)


def take_board(board: mmap.mmap) -> None:
    """In a child: have `stage` write on that page."""
    global _board
    _board = board


def is_contained() -> bool:
    """Whether this is the child, whose death the supervisor tells as an error."""
    return _board is not None


@contextlib.contextmanager
def bounded_memory(size: int) -> Generator[None]:
    """Within, the child may take no more memory than reading `size` bytes can need."""
    limits = _memory_limits() if is_contained() else None
    if limits is None:
        yield
        return
    import resource

    soft, hard = limits
    bound = _MEMORY_BYTES + _MEMORY_PER_BYTE * size
    if hard != resource.RLIM_INFINITY:
        bound = min(bound, hard)
    resource.setrlimit(resource.RLIMIT_AS, (bound, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _memory_limits() -> tuple[int, int] | None:
    try:
        import resource
    except ImportError:  # not on Windows
        return None
    return resource.getrlimit(resource.RLIMIT_AS)


@dataclass(frozen=True)
class Advice:
    """What a tool has for a user whose input takes it down, or takes too long."""

    late: str = ""
    crashed: str = ""


def contained(
    name: str,
    module: str,
    main: Callable[[], int],
    *,
    failing: int = 1,
    advice: Advice = Advice(),
) -> NoReturn:
    """Run `main` of the tool `name` in a child, and end as it ends: with an exit code, always.

    A child that crashes or overruns the time of a stage is an error on stderr and exit code
    `failing`, with the tool's `advice`. `module` is what to run with `python -m` where processes
    cannot fork; a `name` of two words is that of a command of `dxir`, which is run by its module.
    """
    _fill_streams()
    if any(loaded in sys.modules for loaded in _LOADED):
        sys.exit(main())  # too late to fork: called from a program that uses MLIR itself
    if not hasattr(os, "fork"):
        _spawn(_FRONT if " " in name else module, main, failing)
    _supervise(name, main, failing, advice)


def _fill_streams() -> None:
    """Put something where a standard stream is closed, so that no file of ours takes its place.

    Reading and writing there fails as it would have; what is said without stderr is lost.
    """
    for number, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)  # the lowest number that is free is this one
    sys.stdin = sys.stdin or os.fdopen(0, closefd=False, encoding="utf-8")
    sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False, encoding="utf-8")
    sys.stderr = sys.stderr or os.fdopen(2, "w", closefd=False, encoding="utf-8")


def _spawn(module: str, main: Callable[[], int], failing: int) -> NoReturn:
    if os.environ.get("DXIR_CONTAINED") == "1":
        sys.exit(main())
    done = subprocess.run(
        [sys.executable, "-m", module, *sys.argv[1:]],
        env={**os.environ, "DXIR_CONTAINED": "1"},
        check=False,
    )
    sys.exit(done.returncode if done.returncode in (0, 1, 2) else failing)


def _supervise(name: str, main: Callable[[], int], failing: int, advice: Advice) -> NoReturn:
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        board = new_board()
        alive, held = os.pipe()  # the child holds one end; it is closed when the child is gone
        orphaned, living = os.pipe()  # and the other way round
        child = os.fork()
    except OSError as error:
        _say(name, f"no process can be started: {error.strerror or error}")
        sys.exit(failing)
    if child == 0:
        os.close(alive)
        os.close(living)
        take_board(board)
        die_with_parent(orphaned)
        _serve(name, main, failing)
    os.close(held)
    os.close(orphaned)
    # A terminal sends the first to the child as well, which has died of it then.
    for passed_on in (signal.SIGINT, signal.SIGTERM):
        signal.signal(passed_on, lambda given, _: _pass_on(child, given))
    overrun = _wait(alive, board)
    if overrun:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    what, left = doing(board)
    if overrun:
        _say(name, f"{what} did not end in time", left or advice.late or _LATE)
    elif os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE):
            _end_by(number)
        _say(
            name,
            f"{what} ended the process with {cause_of(-number)}",
            left or _hint(number, advice),
        )
    else:
        sys.exit(os.WEXITSTATUS(status))
    sys.exit(failing)


def _wait(alive: int, board: mmap.mmap) -> bool:
    """Wait for the child; True when its stage took too long."""
    while True:
        gone, _, _ = select.select([alive], [], [], _POLL_S)
        if gone:
            return False
        if is_overdue(board):
            return True


def _pass_on(child: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, number)


def is_overdue(board: mmap.mmap) -> bool:
    """Whether the stage that the child is in should be over."""
    deadline: float = _HEAD.unpack_from(board)[0]
    return bool(deadline) and time.monotonic() > deadline


def doing(board: mmap.mmap) -> tuple[str, str]:
    """What the child did last, and what it left."""
    _, size = _HEAD.unpack_from(board)
    text = board[_HEAD.size : _HEAD.size + size].decode("utf-8", "replace")
    what, _, left = text.partition(_SEPARATOR)
    return what or "starting", left


def _serve(name: str, main: Callable[[], int], failing: int) -> NoReturn:
    """Run `main` in the child, and leave at once: tearing a damaged module down can crash, too."""
    code = failing
    # Python would wait for native code to come to an end.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    limit_resources(_all_memory())
    try:
        found = main()
        sys.stdout.flush()
        code = found
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else int(error.code is not None)
        if isinstance(error.code, str):
            print(error.code, file=sys.stderr)
    except KeyboardInterrupt:
        code = 128 + signal.SIGINT
    except BrokenPipeError:
        code = 0  # the reader has seen enough
    except OSError as error:  # a full disk, a closed stream
        with contextlib.suppress(OSError):
            _say(name, f"{_now()}: {error.strerror or error}")
    except (ImportError, MemoryError) as error:  # too little memory can be either
        with contextlib.suppress(OSError):
            what = str(error).strip().partition("\n")[0] or "there is not enough memory"
            _say(name, f"{_now()}: {what}")
    except BaseException:  # noqa: BLE001  a mistake of ours: show where
        import traceback

        with contextlib.suppress(OSError):
            traceback.print_exc()
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(code)


def _all_memory() -> int | None:
    """The bytes of memory there are: asking for more is an error, not the end of the machine."""
    try:
        found = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None
    return max(found, _MEMORY_BYTES)


def _now() -> str:
    return "starting" if _board is None else doing(_board)[0]


def _say(name: str, what: str, hint: str | None = None) -> None:
    note = f"\n{name}: note: {hint}" if hint else ""
    print(f"{name}: error: {what}{note}", file=sys.stderr, flush=True)


def _hint(number: int, advice: Advice) -> str:
    if number == signal.SIGKILL:
        return "the system killed it, most likely for want of memory"
    fault = "this is a fault of native code, whose last words, if any, are above"
    return f"{fault}; {advice.crashed}" if advice.crashed else fault


def _end_by(number: int) -> NoReturn:
    """End by the signal that ended the child, as a shell expects."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    sys.exit(128 + number)
