"""Many files in processes of their own, some of which end them."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from dxir.errors import ConfigurationError, RuntimeFailure
from dxir.loading import load
from dxir.mlir import make_context
from dxir.verify.fleet import Limits, check_files
from dxir.verify.report import Report
from dxir.verify.settings import Settings

GOOD = b"func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }\n"
FAULTY = b"func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  return %y : tensor<2xf32>\n}\n"

RULES = '''
import os, signal, time
from dxir.verify import Rule

class Probe(Rule, id="acme-probe", severity="note"):
    """What happens is what the module asks for.

    For tests.
    """
    remedy = "none"
    def check(self, subject):
        # No process looks at other modules than those of the test.
        text = subject.source.data
        if b"// die" in text:
            os.write(2, b"Check failed: acme\\n")
            os.kill(os.getpid(), signal.SIGSEGV)
        if b"// hang" in text:
            signal.pause()
        if b"// eat" in text:
            whole = []
            while True:
                whole.append(b"x" * (1 << 26))
        if b"// " not in text:
            os._exit(0)
        if b"// raise" in text:
            raise KeyError("acme")
        if b"// junk" in text:
            yield 3
        if b"// wait" in text:
            time.sleep(0.4)
        if b"// pid" in text:
            yield self.found(f"pid {os.getpid()}", None, subject)

class After(Rule, id="acme-quiet", severity="note"):
    """There is a module.

    For tests.
    """
    remedy = "none"
    def check(self, subject):
        yield self.found("seen", None, subject)
'''

ACME = Settings(only=("acme-*", "structure-parse"))


@pytest.fixture
def acme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to check, with the rules of another package installed; those end the process."""
    package = tmp_path / "site"
    described = package / "acme-1.0.dist-info"
    described.mkdir(parents=True)
    (package / "acme_rules.py").write_text(RULES)
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n")
    (described / "entry_points.txt").write_text("[dxir.rules]\nacme = acme_rules\n")
    monkeypatch.setattr(sys, "path", [str(package), *sys.path])
    folder = tmp_path / "modules"
    folder.mkdir()
    return folder


def write(folder: Path, **texts: bytes) -> None:
    """Files of these names, each a good module behind a comment."""
    for name, text in texts.items():
        (folder / f"{name}.mlir").write_bytes(b"// " + text + b"\n" + GOOD)


def rules_of(report: Report) -> list[str]:
    """What was found, but for what is always."""
    return [finding.rule for finding in report.findings if finding.rule != "acme-quiet"]


def test_reports_come_in_the_order_of_the_files_whoever_is_ready_first(tmp_path: Path) -> None:
    for number in range(12):
        (tmp_path / f"{number:02}.mlir").write_bytes(FAULTY if number % 5 == 0 else GOOD)
    found = list(check_files([tmp_path], Settings(), jobs=2, cache=False))
    assert [Path(report.name).name for report in found] == [f"{n:02}.mlir" for n in range(12)]
    assert [bool(report.findings) for report in found] == [n % 5 == 0 for n in range(12)]
    same = list(check_files([tmp_path], Settings(), jobs=0, cache=False))
    assert same == found


@pytest.mark.slow
def test_many_jobs_do_not_wait_for_each_other_for_ever(tmp_path: Path) -> None:
    for number in range(900):
        (tmp_path / f"{number}.mlir").write_bytes(GOOD)
    settings = Settings(only=("structure-parse",))
    assert len(list(check_files([tmp_path], settings, jobs=300, cache=False))) == 900


def test_what_ends_a_worker_is_one_finding_and_the_other_rules_and_files_are_told(
    acme: Path,
) -> None:
    write(acme, a=b"fine", b=b"die", c=b"eat", d=b"raise", e=b"junk", f=b"fine")
    limits = Limits(memory_bytes=400 << 20)
    reports = list(check_files([acme], ACME, jobs=2, cache=False, limits=limits))
    assert [rules_of(report) for report in reports] == [
        [],
        ["structure-crash"],
        ["structure-out-of-memory"],
        ["structure-crash"],
        ["structure-crash"],
        [],
    ]
    assert all("acme-quiet" in [f.rule for f in report.findings] for report in reports)
    said = [f.message for r in reports for f in r.findings if f.rule != "acme-quiet"]
    assert said[0] == (
        "checking this file ended the process by SIGSEGV in the rule acme-probe: Check failed: acme"
    )
    assert "took more memory" in said[1]
    assert "the rule acme-probe ended in KeyError: 'acme'" in said[2]
    assert "ended in TypeError: it found 3, which is no Finding" in said[3]


def test_what_takes_too_long_is_a_finding(acme: Path) -> None:
    write(acme, a=b"hang")
    limits = Limits(seconds=1.0)
    (report,) = check_files([acme], ACME, jobs=1, cache=False, limits=limits)
    assert rules_of(report) == ["structure-overdue"]
    assert report.findings[-1].message.startswith("checking this file did not end within 1 s ")


@pytest.mark.slow
def test_the_parts_of_a_file_have_their_time_each(acme: Path) -> None:
    part = b"// wait\n" + GOOD
    (acme / "a.mlir").write_bytes(b"// -----\n".join([part] * 10))
    (report,) = check_files([acme], ACME, jobs=1, cache=False, limits=Limits(seconds=3.0))
    assert rules_of(report) == []


def test_settings_and_paths_that_are_wrong_are_told_before_any_report(tmp_path: Path) -> None:
    (tmp_path / "a.mlir").write_bytes(GOOD)
    wrong = Settings(options={"structure-parse": {"depth": 1}})
    with pytest.raises(ConfigurationError, match="has no option 'depth'"):
        next(check_files([tmp_path], wrong, cache=False))
    with pytest.raises(ConfigurationError, match="nothing to check at"):
        check_files([tmp_path / "b.mlir"], Settings())
    with pytest.raises(ConfigurationError, match="cannot be -1 jobs"):
        check_files([tmp_path], Settings(), jobs=-1)


def test_a_program_with_threads_and_mlir_loaded_checks_in_any_of_them(tmp_path: Path) -> None:
    (tmp_path / "a.mlir").write_bytes(FAULTY)
    context = make_context()
    found: list[list[Report]] = []
    threads = [
        threading.Thread(
            target=lambda: found.append(list(check_files([tmp_path], Settings(), cache=False)))
        )
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [len(reports) for reports in found] == [1, 1]
    assert found[0][0].findings[0].place.line == 2
    del context


def is_running(pid: int) -> bool:
    """Whether a process is there and not only waited for."""
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until(what: Callable[[], bool], seconds: float = 20.0) -> None:
    """Until it is so, or the test has failed."""
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_no_process_is_left_when_nobody_wants_more_reports(acme: Path) -> None:
    write(acme, a=b"pid", b=b"pid", c=b"hang")
    reports = check_files([acme], ACME, jobs=1, cache=False)
    pid = int(next(f.message for f in next(reports).findings if "pid" in f.message).split()[1])
    assert is_running(pid)
    reports.close()  # type: ignore[attr-defined]
    wait_until(lambda: not is_running(pid))


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGTERM,
        pytest.param(signal.SIGINT, marks=pytest.mark.slow),
        pytest.param(signal.SIGKILL, marks=pytest.mark.slow),
    ],
)
def test_no_process_is_left_however_the_program_ends(acme: Path, number: signal.Signals) -> None:
    write(acme, a=b"pid", b=b"hang")
    program = (
        "import signal, sys; sys.path.insert(0, sys.argv[2])\n"
        # Ignored by whoever runs in the background of a shell, and by what that starts.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from dxir.verify.fleet import check_files\n"
        "from dxir.verify.settings import Settings\n"
        "for report in check_files([sys.argv[1]], Settings(only=('acme-*',)), cache=False):\n"
        "    print(*[f.message for f in report.findings if 'pid' in f.message], flush=True)\n"
    )
    started = subprocess.Popen(
        [sys.executable, "-c", program, str(acme), str(acme.parent / "site")],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with started:
        assert started.stdout is not None
        pid = int(started.stdout.readline().split()[1])
        assert is_running(pid)
        started.send_signal(number)
        assert started.wait(20) == -number
        wait_until(lambda: not is_running(pid))


def test_that_the_processes_are_gone_is_an_error(acme: Path) -> None:
    write(acme, a=b"pid", b=b"hang")
    reports = check_files([acme], ACME, jobs=1, cache=False)
    pid = int(next(f.message for f in next(reports).findings if "pid" in f.message).split()[1])
    parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill(parent, signal.SIGKILL)
    with pytest.raises(RuntimeFailure, match="ended by SIGKILL"):
        next(reports)
    wait_until(lambda: not is_running(pid))


HOSTILE = {
    "empty": b"",
    "zeros": b"\0" * 1000,
    "not_utf8": GOOD + b"\xff\xfe",
    "nul": GOOD.replace(b"x", b"\0"),
    "deep": b"module {" * 100_000,
    "deep_types": b"func.func @f(%x: " + b"tuple<" * 100_000,
    "deep_locations": b"module {} loc(" + b"fused[" * 100_000,
    "huge_dimensions": GOOD.replace(b"2xf32", b"9223372036854775807x9223372036854775807xf32"),
    "beyond": GOOD.replace(b"2xf32", b"99999999999999999999999xf32"),
    "convolution": b"#a = #stablehlo.conv<[b, 99999999999, f]x[0, i, o]->[b, 0, f]>\n" + GOOD,
    "markers": b"// -----\n" * 500,
    "magic": b"ML\xefR",
    "gzip": b"\x1f\x8b\x08" + b"\0" * 50,
    "long_line": b"// " + b"x" * 1_000_000 + b"\n" + GOOD,
    "splat": b"func.func @f() -> tensor<100000000x100000000xf32> {\n"
    b"  %0 = stablehlo.constant dense<1.0> : tensor<100000000x100000000xf32>\n"
    b"  return %0 : tensor<100000000x100000000xf32>\n}\n",
}


def test_hostile_files_are_findings_or_nothing(tmp_path: Path) -> None:
    chance = random.Random(8)
    for name, data in HOSTILE.items():
        (tmp_path / f"{name}.mlir").write_bytes(data)
    whole = load(GOOD, trusted=True)
    for kind, good in (("bytecode", whole.bytecode()), ("artifact", whole.serialize())):
        for number in range(30):
            damaged = bytearray(good)
            for _ in range(1 + number % 4):
                damaged[chance.randrange(4, len(damaged))] ^= 1 << chance.randrange(8)
            end = chance.randrange(4, len(damaged)) if number % 3 == 0 else len(damaged)
            (tmp_path / f"{kind}{number}").write_bytes(damaged[:end])
    settings = Settings(only=("structure-*",))
    reports = list(check_files([tmp_path], settings, cache=False, limits=Limits(seconds=300)))
    assert len(reports) == len(HOSTILE) + 60
    found = {Path(r.name).stem: {f.rule for f in r.findings} for r in reports}
    assert all(found[name] == {"structure-parse"} for name in ("empty", "zeros", "deep", "nul"))
