"""`dxir cache`."""

import json
import os
import time
from pathlib import Path

import pytest

from dxir.runtime.cache import Cache, the_cache
from dxir.tools.main import main
from dxir.verify.keeping import the_reports

KEYS = [f"{i:064x}" for i in range(4)]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cache:
    monkeypatch.setenv("DXIR_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("DXIR_CACHE_BYTES", "5000000")
    monkeypatch.delenv("DXIR_CACHE", raising=False)
    return the_cache()


def fill(cache: Cache) -> None:
    for days, key in enumerate(KEYS):
        known = {"target": "xla-cpu", "program": f"model{days}", "compile_seconds": 1.5}
        cache.put(key, b"x" * 1000, {**known, "devices": 1 + days})
        used = time.time() - days * 86_400 - 60
        os.utime(cache.folder / f"{key}.dxir", (used, used))


def test_info_of_no_cache_says_so(cache: Cache, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "info"]) == 0
    assert capsys.readouterr().out == (
        f"folder: {cache.folder}\nprograms: 0\nbytes: 0 of 5,000,000\n"
    )
    assert not cache.folder.exists()


def test_info_lists_what_was_used_last_first(
    cache: Cache, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(cache)
    (cache.folder / f"{KEYS[3]}.dxir").write_bytes(b"")
    monkeypatch.setenv("DXIR_CACHE", "0")
    assert main(["cache", "info"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"folder: {cache.folder} (switched off: DXIR_CACHE)"
    assert lines[1] == "programs: 4"
    assert [line.split()[-1] for line in lines[-4:]] == ["damaged", "model0", "model1", "model2"]
    assert "1.5 s           xla-cpu on 3 devices  model2" in lines[-1]


def test_info_as_json_has_everything(cache: Cache, capsys: pytest.CaptureFixture[str]) -> None:
    fill(cache)
    (cache.folder / f"{KEYS[0]}.dxir").write_bytes(b"")
    assert main(["cache", "info", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["folder"] == str(cache.folder)
    assert (found["on"], found["programs"], found["bound"]) == (True, 4, 5_000_000)
    assert found["bytes"] == sum(entry["bytes"] for entry in found["entries"])
    by_key = {entry["key"]: entry for entry in found["entries"]}
    assert by_key[KEYS[0]]["damaged"]
    assert by_key[KEYS[2]]["program"] == "model2"
    assert by_key[KEYS[2]]["devices"] == 3


def test_what_was_found_in_files_is_told_and_removed_as_well(
    cache: Cache, capsys: pytest.CaptureFixture[str]
) -> None:
    the_reports().put(KEYS[0], b"{}", {"file": "a.mlir"})
    size = the_reports().entries()[0].bytes
    assert main(["cache", "info"]) == 0
    said = capsys.readouterr().out
    assert said.endswith(f"\nchecks: of 1 file, {size} bytes of 5,000,000\n")
    assert main(["cache", "info", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["checks"]["files"] == 1
    assert main(["cache", "clear"]) == 0
    assert capsys.readouterr().out.endswith(f"\nremoved checks of 1 file, {size} bytes\n")
    assert the_reports().entries() == []


def test_clear_removes_all_or_what_is_old(cache: Cache, capsys: pytest.CaptureFixture[str]) -> None:
    fill(cache)
    size = cache.entries()[0].bytes
    assert main(["cache", "clear", "--older-than", "2.5"]) == 0
    assert capsys.readouterr().out == f"removed 1 program, {size:,} bytes; 3 programs stay\n"
    assert main(["cache", "clear", "--older-than", "0.5"]) == 0
    assert capsys.readouterr().out.endswith("; 1 program stays\n")
    assert main(["cache", "clear"]) == 0
    assert capsys.readouterr().out.startswith("removed 1 program, ")
    assert main(["cache", "clear"]) == 0
    assert capsys.readouterr().out == "removed 0 programs, 0 bytes\n"


def test_what_cannot_be_removed_is_an_error(
    cache: Cache, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(cache)

    def refuse(self: Path, missing_ok: bool = False) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "unlink", refuse)
    assert main(["cache", "clear"]) == 1
    said = capsys.readouterr().err
    assert "error: the cache of compiled programs: Permission denied" in said
    assert "note: DXIR_CACHE_DIR names another folder" in said


@pytest.mark.parametrize(
    "arguments", [[], ["what"], ["clear", "--older-than", "x"], ["clear", "--older-than", "-1"]]
)
def test_what_is_asked_wrongly_has_exit_code_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["cache", *arguments])
    assert ended.value.code == 2
