"""Programs in a child process: what they give, how they may end, and what is left then."""

import ctypes
import gc
import os
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dxir
from dxir.errors import (
    ArgumentError,
    DxirError,
    DxirWarning,
    RuntimeFailure,
    TargetError,
    VerificationError,
)
from dxir.program import Program
from dxir.runtime import contained_worker, pjrt
from dxir.runtime.backends import runner
from dxir.runtime.calls import register_call
from dxir.runtime.contained import ContainedExecutable
from dxir.runtime.contained_worker import SharedArray
from dxir.runtime.executable import Executable
from dxir.runtime.segments import Segment, layout
from dxir.targets import Source, Target, register_target
from dxir.targets.registry import forget_target
from dxir.types import ALL_DTYPES, DType, TensorType

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

ENDING = Path(__file__).with_name("ending")
LIMITS = dxir.Containment(imports=("ending_target",))
ONE = np.ones(2, np.float32)


@pytest.fixture(autouse=True)
def _ending_target(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(ENDING))
    __import__("ending_target")
    yield
    gc.collect()


def loaded(body: str, kind: str = "tensor<2xf32>") -> Program:
    return dxir.load(f"func.func @main(%x: {kind}) -> {kind} {{\n{body}\n}}")


def doubled(size: int = 2) -> Program:
    kind = f"tensor<{size}xf32>"
    return loaded(f"  %r = stablehlo.add %x, %x : {kind}\n  return %r : {kind}", kind)


def ending(limits: dxir.Containment = LIMITS, **flags: Any) -> ContainedExecutable:
    found = dxir.compile(doubled(), "ending", flags=flags, contained=limits)
    assert isinstance(found, ContainedExecutable)
    return found


def contained(program: Program, target: str = "xla-cpu", **options: Any) -> ContainedExecutable:
    found = dxir.compile(program, target, contained=True, **options)
    assert isinstance(found, ContainedExecutable)
    return found


def pid_of(executable: ContainedExecutable) -> int:
    assert executable.pid is not None
    return executable.pid


def is_alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def descriptors(pid: int | str = "self") -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def segments(pid: int | str = "self") -> int:
    lines = Path(f"/proc/{pid}/maps").read_text().splitlines()
    return sum("memfd:dxir" in line for line in lines)


def test_a_program_gives_what_it_gives_in_this_process() -> None:
    with contained(doubled()) as run:
        assert (repr(run), run.pid == os.getpid()) == (
            "<Executable for xla-cpu: (f32[2]) -> (f32[2])>",
            False,
        )
        result = run([1, 2.5])
        np.testing.assert_array_equal(result.numpy(), [2, 5])
        np.testing.assert_array_equal(run(result).numpy(), [4, 10])
        assert not result.numpy().flags.writeable


def _types(target: str) -> list[DType]:
    return [t for t in ALL_DTYPES if target != "xla-cpu" or pjrt.carries(pjrt.cpu(), t)]


@pytest.mark.parametrize("target", ["xla-cpu", "reference"])
def test_every_element_type_travels_there_and_back_in_every_shape(target: str) -> None:
    random = np.random.default_rng(0)
    types = [
        TensorType(shape, dtype)
        for dtype in _types(target)
        for shape in ((), (3,), (0, 4), (2, 3, 5))
        if dtype.bits != 6 or 0 not in shape
    ]
    b = dxir.Builder("main")
    params = [b.param(t) for t in types]
    function = b.build(*params)
    arrays: list[Any] = []
    for type in types:
        size = type.dtype.numpy.itemsize
        data = random.integers(0, 256, (*type.static_shape, size), np.uint8)
        if type.primitive.bits < 8:
            values = data[..., 0] % (1 << (type.primitive.bits - 1))
            arrays.append(values.astype(type.dtype.numpy))
        elif type.primitive.is_bool:
            arrays.append(data[..., 0] % 2 == 1)
        else:
            flat = np.ascontiguousarray(data).reshape(-1).view(type.dtype.numpy)
            arrays.append(flat.reshape(type.static_shape))
    here = dxir.compile(function, target).run(arrays)
    with dxir.compile(function, target, contained=True) as run:
        there = run.run(arrays)
    for type, given, mine, theirs in zip(types, arrays, here, there, strict=True):
        assert (theirs.type, theirs.dtype, theirs.shape) == (type, given.dtype, given.shape)
        for other in (mine.numpy(), given):
            assert theirs.numpy().tobytes() == other.tobytes(), type


def test_arguments_of_any_layout_and_kind_are_taken() -> None:
    program = loaded("  return %x : tensor<2x3xi32>", "tensor<2x3xi32>")
    wanted = np.arange(6, dtype=np.int32).reshape(2, 3)
    with contained(program) as run:
        for given in (
            wanted.T.copy().T,
            wanted.astype(">i4"),
            wanted.tolist(),
            np.repeat(wanted, 2, 1)[:, ::2],
            dxir.compile(program)(wanted),
        ):
            np.testing.assert_array_equal(run(given).numpy(), wanted)
        with pytest.raises(ArgumentError, match=r"takes i32\[2, 3\], not f32\[2, 3\]"):
            run(wanted.astype(np.float32))
        with pytest.raises(ArgumentError, match="takes 1 argument, not 2"):
            run(wanted, wanted)
        assert is_alive(pid_of(run))


def test_names_and_several_results_and_none_are_as_in_this_process() -> None:
    b = dxir.Builder("main")
    x, y = b.param(dxir.f32[2], name="x"), b.param(dxir.i8[()], name="y")
    with dxir.compile(b.build(y, x), contained=True) as run:
        assert [str(p) for p in run.parameters] == ["parameter 0 (x)", "parameter 1 (y)"]
        first, second = run(ONE, 3)
        assert (first.item(), second.numpy().tolist()) == (3, [1, 1])
    nothing = dxir.load("func.func @main(%x: tensor<2xf32>) { return }")
    with contained(nothing) as run:
        assert run(ONE) == ()


def test_large_results_stay_in_shared_memory_and_go_back_without_a_copy() -> None:
    size = 1 << 20
    with contained(doubled(size)) as run:
        x = np.ones(size, np.float32)
        first = run(x)
        assert isinstance(first, SharedArray)
        second = run(first)
        x[:] = 7
        assert (first[0], second[-1], run(second)[0]) == (2, 4, 8)
    first_view = first.numpy()
    del first
    assert first_view.sum() == 2 * size  # it outlives the array and the process
    with contained(doubled(size)) as other:
        assert other(second)[3] == 8


def test_many_arguments_of_own_segments_are_taken() -> None:
    count, size = 140, 1 << 18
    b = dxir.Builder("main")
    params = [b.param(dxir.f32[size]) for _ in range(count)]
    total = params[0]
    for param in params[1:]:
        total = dxir.ops.add(total, param)
    with dxir.compile(b.build(total, *params[1:]), contained=True) as run:
        arrays: list[Any] = [np.full(size, i, np.float32) for i in range(count)]
        for turn in (1, 2):
            sum_, *arrays[1:] = run.run(arrays)
            arrays[0] = sum_ if turn == 1 else arrays[0]
            assert [int(a[7]) for a in arrays[1:]] == list(range(1, count))
        assert int(sum_[0]) == 2 * sum(range(count))


@pytest.mark.parametrize("dtype", [np.float32, np.int8])
def test_donated_arguments_are_as_they_were_here(dtype: Any) -> None:
    kind = "tensor<4xf32>" if dtype is np.float32 else "tensor<4xi8>"
    program = loaded(f"  %r = stablehlo.negate %x : {kind}\n  return %r : {kind}", kind)
    with contained(program, donate=[0]) as run:
        x = np.arange(4, dtype=dtype)
        for _ in range(2):
            assert run(x).numpy().tolist() == [0, -1, -2, -3]
        assert x.tolist() == [0, 1, 2, 3]


def test_several_devices_are_those_of_the_child() -> None:
    program = dxir.load(
        """
module {
sdy.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %r = stablehlo.add %x, %x : tensor<8xf32>
  return %r : tensor<8xf32>
}
}"""
    )
    x = np.arange(8, dtype=np.float32)
    with contained(program, devices=4) as run:
        np.testing.assert_array_equal(run(x).numpy(), 2 * x)


STAGES = {
    "compiling": "compiling this program for ending",
    "running": "running this program for ending",
    "reading": "reading the results of this program for ending",
}
SAID = {
    "abort": "SIGABRT: .*Check failed: 1 == 2",
    "leave": "exit code 7",
    "SIGFPE": "SIGFPE",
    "SIGKILL": "SIGKILL",
    "SIGSEGV": "SIGSEGV",
}


@pytest.mark.parametrize(
    ("stage", "what"),
    [
        *(("compiling", "abort"), ("compiling", "SIGKILL"), ("running", "SIGFPE")),
        *(("running", "SIGSEGV"), ("reading", "abort"), ("reading", "leave")),
    ],
)
def test_an_end_is_an_error_that_names_signal_stage_and_place_and_the_next_call_works(
    stage: str, what: str, tmp_path: Path
) -> None:
    told, said = STAGES[stage], SAID[what]
    flags = {stage: what, "once": str(tmp_path / "happened")}
    if stage == "compiling":
        with pytest.raises(RuntimeFailure, match=f"{told} ended its process with {said}") as error:
            ending(**flags)
        executable = ending(**flags)
    else:
        executable = ending(**flags)
        before = pid_of(executable)
        with pytest.raises(RuntimeFailure, match=f"{told} ended its process with {said}") as error:
            executable(ONE)
        assert not is_alive(before)
        assert executable.pid is None
    assert error.value.where == "<text>:1:1"
    assert error.value.code == contained_worker.CRASHED
    assert ("want of memory" in str(error.value.hint)) == (what == "SIGKILL")
    with executable:
        assert executable(ONE)[1] == 2


def test_a_program_that_crashes_the_compiler_itself_is_an_error() -> None:
    told = "compiling this program for ending ended its process with SIGSEGV"
    with pytest.raises(RuntimeFailure, match=told):
        ending(compiling="crash the compiler")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stage", "limit", "what"),
    [
        ("compiling", "compile_s", "wait"),
        ("running", "run_s", "hang"),
        ("reading", "run_s", "wait"),
    ],
)
def test_what_takes_too_long_is_ended(stage: str, limit: str, what: str, tmp_path: Path) -> None:
    flags = {stage: what, "once": str(tmp_path / "happened")}
    limits = dxir.Containment(**{limit: 3.0}, imports=("ending_target",))
    with pytest.raises(RuntimeFailure, match=f"{STAGES[stage]} did not end within 3 s") as error:
        ending(limits, **flags)(ONE)
    assert error.value.hint == f"Containment({limit}=...) gives it more"
    with ending(limits, **flags) as executable:
        assert executable(ONE)[0] == 2


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["compiling", "running"])
def test_what_takes_too_much_memory_is_ended(stage: str, tmp_path: Path) -> None:
    limits = dxir.Containment(memory_bytes=600 << 20, imports=("ending_target",))
    flags = {stage: "allocate", "once": str(tmp_path / "happened")}
    told = f"{STAGES[stage]} took more than {600 << 20} bytes of memory"
    with pytest.raises(RuntimeFailure, match=told) as error:
        ending(limits, **flags)(ONE)
    assert error.value.code == contained_worker.EXCESSIVE
    with ending(limits, **flags) as executable:
        assert executable(ONE)[0] == 2


def test_what_fits_into_the_memory_allowed_runs() -> None:
    size = 1 << 24
    limits = dxir.Containment(memory_bytes=1 << 30)
    with dxir.compile(doubled(size), contained=limits) as run:
        assert run(np.ones(size, np.float32))[size - 1] == 2


def test_errors_of_the_child_arrive_with_their_class_place_and_hint() -> None:
    with pytest.raises(TargetError) as error:
        ending(compiling="refuse")
    assert (error.value.message, error.value.where) == ("it is refused", "model.py:7")
    assert error.value.hint == "do not"
    with ending(running="refuse") as executable:
        before = executable.pid
        for _ in range(2):
            with pytest.raises(TargetError, match="it is refused"):
                executable(ONE)
        assert executable.pid == before
    with (
        ending(running="fail") as executable,
        pytest.raises(RuntimeFailure, match="failed: ValueError: a mistake"),
    ):
        executable(ONE)


def test_warnings_of_the_child_are_given_here() -> None:
    with pytest.warns(DxirWarning, match="hardly as meant"):
        ending(compiling="warn")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ending()


def test_what_the_child_writes_does_not_stop_it_nor_come_out(capfd: Any) -> None:
    with ending(running="shout") as executable:
        for _ in range(3):
            assert executable(ONE)[0] == 2
    assert capfd.readouterr() == ("", "")


def test_a_child_that_ended_while_nobody_asked_is_replaced() -> None:
    with ending() as executable:
        before = pid_of(executable)
        with os.fdopen(os.pidfd_open(before), closefd=True) as gone:
            os.kill(before, signal.SIGKILL)
            _wait_for(gone.fileno())
        assert executable(ONE)[0] == 2
        assert executable.pid != before


def _wait_for(descriptor: int) -> None:
    import select

    assert select.select([descriptor], [], [], 60)[0]


def test_an_interrupt_ends_the_child_and_the_next_call_works(tmp_path: Path) -> None:
    executable = ending(running="interrupt", once=str(tmp_path / "happened"))
    before = pid_of(executable)
    # Processes that a script starts in the background ignore interrupts.
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            executable(ONE)
    finally:
        signal.signal(signal.SIGINT, ours)
    assert not is_alive(before)
    with executable:
        assert executable(ONE)[0] == 2


SCRIPT = """
import sys
sys.path.insert(0, {folder!r})
import ending_target, dxir, numpy as np, os
limits = dxir.Containment(imports=("ending_target",))
program = dxir.load({program!r})
executable = dxir.compile(program, "ending", flags={flags!r}, contained=limits)
print(executable.pid, flush=True)
{rest}
"""


def script(rest: str, **flags: Any) -> subprocess.Popen[str]:
    text = SCRIPT.format(folder=str(ENDING), program=str(doubled()), flags=flags, rest=rest)
    return subprocess.Popen(
        [sys.executable, "-P", "-W", "error", "-c", text],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("what", ["hang", ""])
def test_a_parent_that_is_killed_takes_the_child_along(what: str) -> None:
    call = "executable(np.ones(2, np.float32))" if what else "input()"
    parent = script(call, running=what)
    with parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        with os.fdopen(os.pidfd_open(child)) as gone:
            parent.kill()
            _wait_for(gone.fileno())


def test_a_process_that_ends_leaves_nothing_and_says_nothing() -> None:
    parent = script("executable(np.ones(2, np.float32))")
    out, said = parent.communicate()
    assert (parent.returncode, said) == (0, "")
    assert not is_alive(int(out))


def test_a_process_that_is_forked_has_a_child_of_its_own() -> None:
    rest = """
first = executable.pid
forked = os.fork()
result = executable(np.ones(2, np.float32))
assert result[0] == 2, result
if forked:
    assert executable.pid == first
    _, status = os.waitpid(forked, 0)
    assert status == 0, status
    assert executable(result)[0] == 4
else:
    assert executable.pid != first
    executable.close()
"""
    parent = script("import warnings; warnings.simplefilter('default')\n" + rest)
    _, said = parent.communicate()
    assert parent.returncode == 0, said


def test_threads_share_a_child_and_each_gets_its_own_results() -> None:
    with contained(doubled(1 << 17)) as run, ThreadPoolExecutor(4) as pool:
        arrays = [np.full(1 << 17, i, np.float32) for i in range(40)]
        results = list(pool.map(run, arrays))
        assert [float(r[5]) for r in results] == [2.0 * i for i in range(40)]


def test_closing_ends_a_call_of_another_thread() -> None:
    executable = ending(running="wait")
    errors: list[DxirError] = []

    def call() -> None:
        try:
            executable(ONE)
        except DxirError as error:
            errors.append(error)

    thread = threading.Thread(target=call)
    child = pid_of(executable)
    thread.start()
    executable.close()
    thread.join()
    assert "the executable was closed" in errors[0].message
    assert not is_alive(child)
    with pytest.raises(RuntimeFailure, match="the executable was closed"):
        executable(ONE)
    executable.close()


def test_an_executable_that_nobody_has_ends_its_child() -> None:
    executable = ending()
    child = pid_of(executable)
    del executable
    gc.collect()
    assert not is_alive(child)


@pytest.mark.slow
@pytest.mark.parametrize("size", [2, 1 << 18])
def test_calls_leave_no_descriptors_nor_memory(size: int) -> None:
    with contained(doubled(size)) as run:
        x = np.ones(size, np.float32)

        def state() -> list[int]:
            gc.collect()
            child = pid_of(run)
            return [descriptors(), descriptors(child), segments(), segments(child)]

        run(run(x))
        before = state()
        for _ in range(200):
            run(run(x))
        assert state() == before
    gc.collect()
    assert not [n for n in os.listdir("/dev/shm") if "dxir" in n]


@pytest.mark.slow
def test_a_crash_leaves_no_descriptors_folders_nor_memory(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = [descriptors(), segments()]
    for what in ("SIGSEGV", "refuse"):
        executable = ending(running=what)
        for _ in range(2):
            with pytest.raises(DxirError):
                executable(ONE)
        executable.close()
        del executable
    gc.collect()
    assert [descriptors(), segments()] == before
    assert os.listdir(tmp_path) == []


@pytest.mark.slow
def test_half_a_gigabyte_goes_there_and_back() -> None:
    size = 1 << 27
    with contained(doubled(size)) as run:
        x = np.arange(size, dtype=np.float32)
        result = run(x)
        assert (result[0], result[size - 1], result.nbytes) == (0, 2 * x[-1], 1 << 29)


def _no_process(*_: object) -> Any:
    raise AssertionError("a process is started")


REFUSED = {
    "a call without a body": (
        "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %0 = call @g(%a) : (tensor<2xf32>) -> tensor<2xf32>\n"
        "  return %0 : tensor<2xf32>\n}\n"
        "func.func private @g(tensor<2xf32>) -> tensor<2xf32>",
        VerificationError,
        "function @g is called by func.call but has no body",
        "<text>:2:8",
    ),
    "a donation to a result of another size": (
        "func.func @main(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<2xf32> {\n"
        "  %0 = stablehlo.slice %a [0:2] : (tensor<4xf32>) -> tensor<2xf32>\n"
        "  return %0 : tensor<2xf32>\n}",
        VerificationError,
        "parameter 0 of main, f32[4], is donated to result 0, which is f32[2]: of another size",
        "<text>:1:17",
    ),
    "a constant without data": (
        "func.func @main() -> tensor<40xi32> {\n"
        "  %0 = stablehlo.constant dense_resource<__elided__> : tensor<40xi32>\n"
        "  return %0 : tensor<40xi32>\n}",
        VerificationError,
        "the resource '__elided__' is elided",
        "<text>:2:8",
    ),
    "a custom call that nobody registered": (
        "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %0 = stablehlo.custom_call @nobody(%a) : (tensor<2xf32>) -> tensor<2xf32>\n"
        "  return %0 : tensor<2xf32>\n}",
        TargetError,
        "stablehlo.custom_call of @nobody",
        "<text>:2:8",
    ),
    "an op that stays in the program": (
        "func.func @main(%t: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %k = stablehlo.create_token : !stablehlo.token\n"
        '  %o = "stablehlo.outfeed"(%t, %k) : (tensor<2xf32>, !stablehlo.token) -> '
        "!stablehlo.token\n"
        "  return %t : tensor<2xf32>\n}",
        TargetError,
        "cannot run stablehlo.outfeed",
        "<text>:3:8",
    ),
}


@pytest.mark.parametrize("target", ["xla-cpu", "reference"])
@pytest.mark.parametrize("case", REFUSED)
def test_what_can_be_told_before_is_told_without_a_process(
    case: str, target: str, monkeypatch: Any
) -> None:
    text, kind, said, where = REFUSED[case]
    monkeypatch.setattr(contained_worker, "Child", _no_process)
    with pytest.raises(kind) as error:
        contained(dxir.load(text, allow_elided=True), target)
    assert said in error.value.message
    assert error.value.where == where


def test_donations_that_cannot_be_are_told_without_a_process(monkeypatch: Any) -> None:
    monkeypatch.setattr(contained_worker, "Child", _no_process)
    with pytest.raises(ArgumentError, match="parameter 3 is to be donated, and main has 1"):
        contained(doubled(), "reference", donate=[3])


DYNAMIC = """
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = stablehlo.add %x, %x : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}"""


def test_dynamic_programs_are_specialized_before_and_share_a_child() -> None:
    with dxir.compile(dxir.load(DYNAMIC), contained=True) as run:
        pids = set()
        for rows in (1, 3, 1):
            x = np.ones((rows, 4), np.float32)
            np.testing.assert_array_equal(run(x).numpy(), 2 * x)
            inner = run.for_arguments([x])  # type: ignore[attr-defined]
            pids.add(pid_of(inner))
        assert len(pids) == 1
    assert not is_alive(*pids)


def test_what_stays_dynamic_is_told_without_a_process(monkeypatch: Any) -> None:
    monkeypatch.setattr(contained_worker, "Child", _no_process)
    program = dxir.load(
        "func.func @main(%n: tensor<1xi32>) -> tensor<?xf32> {\n"
        "  %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>\n"
        "  return %0 : tensor<?xf32>\n}"
    )
    with pytest.raises(TargetError, match="dynamic_iota") as error:
        dxir.compile(program, contained=True)
    assert error.value.where == "<text>:2:8"


def test_what_the_pipeline_of_a_target_mends_is_not_refused() -> None:
    program = loaded(
        "  %r = chlo.sinh %x : tensor<2xf32> -> tensor<2xf32>\n  return %r : tensor<2xf32>"
    )
    with contained(program) as run:
        np.testing.assert_allclose(run(ONE).numpy(), np.sinh(ONE), rtol=1e-6)


def _compile(source: Source) -> Executable:
    return dxir.compile(source.program())


def test_a_target_that_the_child_cannot_find_is_refused() -> None:
    target = Target("only-here", "a target of this process", _compile)
    with pytest.raises(TargetError, match="there is no target 'only-here'"):
        dxir.compile(doubled(), target, contained=True)
    register_target(target)
    try:
        with pytest.raises(TargetError, match="knows no target 'only-here'") as error:
            dxir.compile(doubled(), target, contained=True)
        assert "Containment(imports=...)" in str(error.value.hint)
        other = Target("only-here", "another one", _compile)
        with pytest.raises(TargetError, match="not the one registered under its name"):
            dxir.compile(doubled(), other, contained=True)
    finally:
        forget_target("only-here")


def test_a_custom_call_that_only_this_process_has_is_an_error_that_says_so() -> None:
    register_call("dxir_test_here", ctypes.pythonapi.Py_IsInitialized, typed=False)
    kind = "tensor<2xf32>"
    program = loaded(
        f"  %r = stablehlo.custom_call @dxir_test_here(%x) : ({kind}) -> {kind}\n"
        f"  return %r : {kind}"
    )
    with pytest.raises(TargetError, match="@dxir_test_here") as error:
        contained(program)
    assert "Containment(imports=...)" in str(error.value.hint)


def test_options_that_only_this_process_has_are_refused() -> None:
    with pytest.raises(ArgumentError, match="the devices of this process"):
        contained(doubled(), devices=dxir.devices("xla-cpu"))
    flags: Any = {"a": None}
    with pytest.raises(ArgumentError, match="the flag a is a NoneType"):
        contained(doubled(), flags=flags)
    with pytest.raises(ArgumentError, match="one copy of a contained program"):
        contained(doubled(), replicas=2)
    with pytest.raises(TargetError, match="'no_such_module', which a contained program imports"):
        ending(dxir.Containment(imports=("no_such_module",)))


@pytest.mark.parametrize("limit", [0, -1.0, float("nan")])
def test_limits_that_are_none_are_refused(limit: float) -> None:
    with pytest.raises(ArgumentError, match="run_s must be above 0"):
        dxir.Containment(run_s=limit)
    text: Any = "json"
    with pytest.raises(ArgumentError, match="is the text 'json'"):
        dxir.Containment(imports=text)
    with pytest.raises(ArgumentError, match="contained= takes True, False or a Containment"):
        dxir.compile(doubled(), contained=text)


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["xla-cpu", "reference", "interpreter"])
def test_every_backend_runs_in_a_child(backend: str) -> None:
    (found,) = runner(doubled(), backend, contained=True)([ONE])
    np.testing.assert_array_equal(found, 2 * ONE)
    assert isinstance(found, np.ndarray)


def test_arrays_lie_aligned_one_behind_another() -> None:
    types = [TensorType(s, d) for s, d in (((3,), dxir.i8), ((), dxir.f64), ((0,), dxir.i4))]
    offsets, end = layout(types, 10)
    assert (offsets, end) == ([64, 128, 192], 192)
    segment = Segment.make(end)
    for offset, type in zip(offsets, types, strict=True):
        segment.put(offset, np.full(type.static_shape, 5, type.dtype.numpy))
        array = segment.array(offset, type)
        assert array.tolist() == np.full(type.static_shape, 5, type.dtype.numpy).tolist()
        assert not array.flags.writeable
    with pytest.raises(PermissionError):
        os.ftruncate(segment.descriptor, 1)


def test_memory_that_cannot_be_had_is_an_error() -> None:
    with pytest.raises(RuntimeFailure, match="bytes of memory to share with another process"):
        Segment.make(1 << 62).writable  # noqa: B018
