from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import dxir
from dxir.tools import doctor, doctor_environment, doctor_trials, doctor_versions
from dxir.tools.doctor_environment import VARIABLES, cache, environment
from dxir.tools.doctor_findings import Finding
from dxir.tools.doctor_versions import fits, requirements_of, versions
from dxir.tools.main import main

FOUND: dict[str, dict[str, Any]] = {
    "bindings": {"jaxlib": "0.10", "current": "1.13.0", "oldest": "0.9.0", "12w": "1.10.0"},
    "plugins": {"plugins": {}},
    "devices": {"version": "", "devices": [{"id": 0, "kind": "cpu", "memory": {}}]},
    "targets": {"targets": [], "broken": []},
    "extension": {},
    "program": {"compile_seconds": 0.1, "difference": 0.0, "close": True},
    "process": {"processes": 2, "total": 1.0},
}


def statuses(findings: list[Finding]) -> dict[str, str]:
    return {finding.name: finding.status for finding in findings}


def given(monkeypatch: pytest.MonkeyPatch, **changed: dict[str, Any]) -> None:
    """Have probes find what is given, without any process."""
    found = {**FOUND, **changed}

    def tried(name: str, given: str = "", **_: Any) -> dict[str, Any]:
        return found[name]

    monkeypatch.setattr(doctor, "tried", tried)


def run_doctor(tmp_path: Path, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dxir.tools.main", "doctor", *options],
        cwd=tmp_path,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=250,
    )


def declare(folder: Path, name: str, version: str, entry_points: str = "") -> None:
    """Install a package of that name in a folder, as far as its description goes."""
    info = folder / f"{name}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (info / "entry_points.txt").write_text(entry_points)


@pytest.mark.slow
def test_where_all_is_well_there_is_a_line_for_each_thing_and_exit_code_0(tmp_path: Path) -> None:
    done = run_doctor(tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    for words in (
        f"ok       dxir {dxir.__version__}",
        "StableHLO 0.9.0 to",
        "xla-cpu:0, cpu",
        "xla-cpu compiles here",
        "a small program compiles in",
        "two processes compute together",
        "no problems",
    ):
        assert words in done.stdout
    assert "\x1b" not in done.stdout


@pytest.mark.slow
def test_whatever_is_broken_is_a_line_with_what_to_do(tmp_path: Path) -> None:
    declare(
        tmp_path / "site", "acme", "1", "[dxir.targets]\nlost = acme_lost:T\nkill = acme_kill:T\n"
    )
    declare(tmp_path / "site", "jaxlib", "0.9.0")
    (tmp_path / "site" / "acme_kill.py").write_text("import os\nos.abort()\n")
    library = tmp_path / "plugin.so"
    library.write_text("no library")
    done = run_doctor(
        tmp_path,
        "--json",
        PYTHONPATH=str(tmp_path / "site"),
        PJRT_NAMES_AND_LIBRARY_PATHS=f"npu:{library}",
        DXIR_CACHE_DIR=str(library),
        DXIR_CHACHE="1",
        XLA_FLAGS="--xla_nothing=1",
    )
    assert (done.returncode, done.stderr) == (1, "")
    report = json.loads(done.stdout)
    assert report["good"] is False
    found = {check["name"]: check for check in report["checks"]}
    for name, status, message in (
        ("jaxlib", "problem", "0.9.0 is installed, and dxir is for jaxlib"),
        ("npu", "problem", "cannot be used"),
        ("dxir.targets:lost", "problem", "No module named 'acme_lost'"),
        ("dxir.targets:kill", "problem", "SIGABRT"),
        ("targets", "problem", "cannot be listed"),
        ("folder", "warning", "cannot be used"),
        ("DXIR_CHACHE", "warning", "no such variable"),
        ("xla-cpu", "problem", "xla_nothing"),
        ("gloo", "warning", "do not find together"),
    ):
        assert found[name]["status"] == status
        assert message in found[name]["message"]
        assert found[name]["advice"]


def test_without_a_jaxlib_that_loads_the_rest_is_told_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "jaxlib").mkdir()
    (tmp_path / "jaxlib" / "__init__.py").write_text("raise ImportError('libfoo.so: not found')\n")
    done = run_doctor(tmp_path, PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stderr) == (1, "")
    assert "MLIR cannot be loaded: ImportError: libfoo.so: not found" in done.stdout
    assert "cache\n" in done.stdout


def test_a_problem_is_exit_code_1_and_a_warning_is_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given(monkeypatch)
    assert main(["doctor"]) == 0
    assert "no problems" in capsys.readouterr().out
    given(monkeypatch, process={"error": "no sockets", "hint": None})
    assert main(["doctor"]) == 0
    assert "warning  two processes do not find together: no sockets" in capsys.readouterr().out
    given(monkeypatch, program={**FOUND["program"], "close": False, "difference": 0.5})
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert "problem  a small program differs from its reference by 0.5" in out
    assert "1 problem" in out


def test_what_json_has_is_what_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given(monkeypatch, process={"processes": 2, "total": 7.0})
    assert main(["doctor", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["version"], report["good"]) == (1, False)
    assert set(report["checks"][0]) == {
        "section", "name", "status", "message", "advice", "details"
    }  # fmt: skip
    assert {check["status"] for check in report["checks"]} <= {"ok", "warning", "problem"}


def test_devices_are_told_with_their_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = {"bytes_limit": 80 << 30, "bytes_in_use": 1024}
    seen = {"version": "PJRT 1", "devices": [{"id": 0, "kind": "H", "memory": memory}]}
    found = list(doctor_trials.plugins({"plugins": {"cuda": "/p.so"}}, lambda _: seen))
    assert [f.message for f in found] == [
        "cuda loads: PJRT 1",
        "cuda:0, H, 80 GiB of memory, 1,024 bytes in use",
    ]
    none = list(doctor_trials.devices("npu", {"version": "", "devices": []}))
    assert statuses(none) == {"npu": "warning"}


def test_targets_that_need_something_say_what() -> None:
    target = {"name": "npu", "described_only": False, "compiles_here": False, "kernels": ["k"]}
    found = {"targets": [{**target, "needs": "an NPU"}], "broken": []}
    (finding,) = doctor_trials.targets(found)
    assert finding.message == "npu does not compile here: it needs an NPU; 1 kernel"


def test_a_probe_that_dies_or_never_ends_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    assert "no process can be started" in doctor_trials.tried("bindings")["error"]

    def late(*_: Any, **options: Any) -> None:
        raise subprocess.TimeoutExpired("python", options["timeout"])

    monkeypatch.setattr(subprocess, "run", late)
    assert doctor_trials.tried("bindings", seconds=2)["error"] == "it did not end within 2 s"


@pytest.mark.parametrize(
    ("version", "bounds", "fitting"),
    [
        ("0.10.2", ">=0.10,<0.13", True),
        ("0.13.0", ">=0.10,<0.13", False),
        ("0.9", "<0.13,>=0.10", False),
        ("0.10.0.dev1", ">=0.10", True),
        ("2", ">=2.0", True),
        ("1.0", "!=1.0.0", False),
        ("1.5", "==1.5.0,>1,<=2", True),
        ("1.5", "~=9.9", True),
        ("1.5", "", True),
        ("unknown", ">=1", False),
    ],
)
def test_versions_are_held_against_bounds(version: str, bounds: str, fitting: bool) -> None:
    assert fits(version, bounds) is fitting


def test_what_dxir_requires_is_read_from_its_own_description() -> None:
    assert requirements_of("dxir", extras=False)["jaxlib"] == "<0.13,>=0.10"
    assert "iree-base-compiler" in requirements_of("dxir", extras=True)
    assert requirements_of("no-such-package", extras=False) == {}


def test_packages_that_are_missing_or_of_other_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    there = {"dxir": "1", "jaxlib": "0.20", "jax": "0.10"}
    monkeypatch.setattr(doctor_versions, "_version", there.get)
    found = {finding.name: finding for finding in versions()}
    assert found["numpy"].status == "problem"
    assert found["numpy"].advice == "pip install 'numpy>=2.0'"
    assert "0.20 is installed" in found["jaxlib"].message
    assert found["iree-base-compiler"].status == "ok"


def test_every_variable_that_dxir_reads_is_known() -> None:
    specs = map(importlib.util.find_spec, ("dxir", "dxir.dialects", "dxir.passes", "dxir.tools"))
    folders = {Path(spec.origin).parent for spec in specs if spec is not None and spec.origin}
    read = {
        name
        for folder in folders
        for path in folder.rglob("*.py")
        for name in re.findall(r"\"(DXIR_[A-Z_]+)\"", path.read_text("utf-8"))
    }
    assert read - {"DXIR_ERROR", "DXIR_"} == {n for n in VARIABLES if n.startswith("DXIR_")}


def test_variables_are_told_and_misspelt_ones_corrected() -> None:
    found = list(
        environment({"DXIR_CACHE_BYTES": "many", "DXIR_CASHE": "0", "DXIR_X": "", "HOME": "/"})
    )
    assert statuses(found) == {
        "DXIR_CACHE_BYTES": "problem",
        "DXIR_CASHE": "warning",
        "DXIR_X": "warning",
    }
    assert [f.advice for f in found][1] == "did you mean DXIR_CACHE?"
    assert statuses(list(environment({}))) == {"variables": "ok"}
    assert statuses(list(environment({"DXIR_CONTAINED": "1"}))) == {"variables": "ok"}


def test_the_folder_of_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DXIR_CACHE_DIR", str(tmp_path / "none" / "yet"))
    (finding,) = cache()
    assert finding.status == "ok"
    assert finding.details["programs"] == 0
    assert not (tmp_path / "none").exists()
    folder = tmp_path / "open" / "executables"
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    monkeypatch.setenv("DXIR_CACHE_DIR", str(folder.parent))
    assert statuses(list(cache())) == {"folder": "ok", "permissions": "warning"}
    monkeypatch.setattr(doctor_environment, "_LITTLE_ROOM", 1 << 60)
    assert statuses(list(cache()))["room"] == "warning"
    monkeypatch.setenv("DXIR_CACHE", "0")
    assert statuses(list(cache()))["switch"] == "ok"


def test_a_cache_that_cannot_be_written_to_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "executables").mkdir()
    monkeypatch.setenv("DXIR_CACHE_DIR", str(tmp_path))

    def refused(**_: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(doctor_environment.tempfile, "TemporaryFile", refused)
    (finding,) = cache()
    assert (finding.status, "Permission denied" in finding.message) == ("warning", True)
    (tmp_path / "file").touch()
    monkeypatch.setenv("DXIR_CACHE_DIR", str(tmp_path / "file"))
    (finding,) = cache()
    assert "is no folder" in finding.message


def test_the_doctor_itself_imports_nothing_that_can_be_broken() -> None:
    program = (
        "import sys\n"
        "import dxir.tools.doctor\n"
        "assert not {'jaxlib', 'numpy', 'ml_dtypes'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
