"""The store of compiled programs: atomic, bounded, shared, and proof against damage."""

import errno
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from dxir.runtime import cache as module
from dxir.runtime.cache import Cache, cache_folder, is_on, the_cache
from dxir.runtime.sealed import Damaged, NotSealed, OtherFormat, SealError, seal, unseal

KEYS = [f"{i:064x}" for i in range(16)]

_STOPS_BEFORE_THE_RENAME = """
import sys
from pathlib import Path
from dxir.runtime.cache import Cache

def stop(self, target):
    print("written", flush=True)
    sys.stdin.read()

Path.replace = stop
Cache(Path(sys.argv[1])).put(sys.argv[2], b"new" * 1000, {})
"""

_READS_AND_WRITES = """
import sys
from pathlib import Path
from dxir.runtime.cache import Cache

number = int(sys.argv[2])
cache = Cache(Path(sys.argv[1]), 40_000)
keys = [f"{i:064x}" for i in range(12)]
for turn in range(25):
    for i in (0, 1, 2, 3, 4 + number):
        data = keys[i].encode() * (10 + i)
        found = cache.get(keys[i])
        assert found is None or found == data, (i, found)
        if (turn + i) % 3 == number % 3:
            cache.put(keys[i], data, {"by": number})
"""


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "store")


def used(cache: Cache, key: str, at: float) -> None:
    os.utime(cache.folder / f"{key}.dxir", (at, at))


def run(script: str, *arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_what_was_put_is_there_with_its_description(cache: Cache) -> None:
    assert cache.get(KEYS[0]) is None
    for data in (b"", b"\0\n\x1a", bytes(range(256)) * 100):
        cache.put(KEYS[0], data, {"target": "xla-cpu"})
        assert cache.get(KEYS[0]) == data
    (entry,) = cache.entries()
    assert entry.key == KEYS[0]
    assert entry.description() == {"target": "xla-cpu", "key": KEYS[0]}
    assert [f.name for f in cache.folder.iterdir()] == [f"{KEYS[0]}.dxir"]
    assert cache.folder.stat().st_mode & 0o077 == 0


def test_a_process_killed_while_it_writes_loses_and_breaks_nothing(cache: Cache) -> None:
    cache.put(KEYS[0], b"old", {})
    for key in KEYS[:2]:
        with run(_STOPS_BEFORE_THE_RENAME, str(cache.folder), key) as child:
            assert child.stdout is not None
            assert child.stdout.readline() == "written\n"
            child.kill()
        assert child.returncode == -signal.SIGKILL
    assert cache.get(KEYS[0]) == b"old"
    assert cache.get(KEYS[1]) is None
    assert [entry.key for entry in cache.entries()] == KEYS[:1]
    left = [f for f in cache.folder.iterdir() if f.suffix == ".part"]
    assert len(left) == 2
    os.utime(left[0], (0, 0))
    cache.put(KEYS[2], b"another", {})  # somebody may still be writing the younger one
    assert [f for f in cache.folder.iterdir() if f.suffix == ".part"] == left[1:]


def test_processes_read_and_write_the_same_and_other_keys(cache: Cache) -> None:
    children = [run(_READS_AND_WRITES, str(cache.folder), str(n)) for n in range(8)]
    said = [child.communicate()[1] for child in children]
    assert said == [""] * 8
    assert [child.returncode for child in children] == [0] * 8
    entries = cache.entries()
    assert entries
    for entry in entries:
        assert cache.get(entry.key) == entry.key.encode() * (10 + KEYS.index(entry.key))
    assert not [f for f in cache.folder.iterdir() if f.suffix == ".part"]


def test_threads_read_and_write_the_same_key(cache: Cache) -> None:
    wrong: list[object] = []

    def work(number: int) -> None:
        for _ in range(20):
            cache.put(KEYS[0], bytes([number]) * 1000, {})
            found = cache.get(KEYS[0])
            if found is None or len(found) != 1000 or len(set(found)) != 1:
                wrong.append(found)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_an_entry_with_any_byte_changed_is_a_miss_and_goes(
    cache: Cache, caplog: pytest.LogCaptureFixture
) -> None:
    cache.put(KEYS[0], b"program", {"x": 1})
    path = cache.folder / f"{KEYS[0]}.dxir"
    whole = path.read_bytes()
    for i in range(len(whole)):
        for flip in (0x01, 0x80):
            path.write_bytes(whole[:i] + bytes([whole[i] ^ flip]) + whole[i + 1 :])
            assert cache.get(KEYS[0]) is None, i
            assert not path.exists()
    assert len(caplog.records) == 2 * len(whole)
    path.write_bytes(whole)
    assert cache.get(KEYS[0]) == b"program"


def test_an_entry_cut_short_or_prolonged_is_a_miss_with_a_note(
    cache: Cache, caplog: pytest.LogCaptureFixture
) -> None:
    cache.put(KEYS[0], b"program", {})
    path = cache.folder / f"{KEYS[0]}.dxir"
    whole = path.read_bytes()
    for data in (*(whole[:n] for n in range(len(whole))), whole + b"x"):
        path.write_bytes(data)
        assert cache.get(KEYS[0]) is None
        assert not path.exists()
    assert caplog.records[-1].name == "dxir.cache"
    assert caplog.records[-1].levelno == logging.WARNING
    assert caplog.messages[-1].startswith(f"{path} is damaged: it has ")
    assert caplog.messages[-1].endswith("; the program is compiled again")


def test_the_entry_of_another_key_is_a_miss(cache: Cache, caplog: pytest.LogCaptureFixture) -> None:
    cache.put(KEYS[0], b"program", {})
    (cache.folder / f"{KEYS[0]}.dxir").rename(cache.folder / f"{KEYS[1]}.dxir")
    assert cache.get(KEYS[1]) is None
    assert "is the entry of another key" in caplog.text


def test_files_of_other_kinds_and_formats_are_told_apart() -> None:
    data = b"".join(seal(b"cached", {}, b"p"))
    assert unseal(b"cached", data) == ({}, b"p")
    with pytest.raises(NotSealed, match="of another kind: b'cached'"):
        unseal(b"saved", data)
    with pytest.raises(NotSealed, match="no file of dxir's"):
        unseal(b"cached", b"\x7fELF" + data[4:])
    with pytest.raises(OtherFormat, match="has format 9"):
        unseal(b"cached", data[:16] + b"\x09" + data[17:])
    for wrong in (b"[]", b"{", b'"' * 3, b"[" * 20_000):
        changed = seal(b"cached", {}, b"")
        head = changed[0][:20] + len(wrong).to_bytes(8, "little") + changed[0][28:]
        with pytest.raises(Damaged):
            unseal(b"cached", head + changed[1] + wrong)
    assert issubclass(Damaged, SealError)


def test_what_was_not_used_for_longest_leaves_first(cache: Cache) -> None:
    for key in KEYS[:4]:
        cache.put(key, b"x" * 1000, {})
    size = cache.entries()[0].bytes
    for age, key in enumerate(KEYS[:4]):
        used(cache, key, 1_000_000.0 + age)
    assert cache.get(KEYS[0]) is not None  # and so it is the one used last
    small = Cache(cache.folder, 3 * size)
    small.put(KEYS[4], b"x" * 1000, {})
    assert {entry.key for entry in small.entries()} == {KEYS[0], KEYS[3], KEYS[4]}
    small.put(KEYS[5], b"x" * 4000, {})  # more than all of it
    assert {entry.key for entry in small.entries()} == {KEYS[0], KEYS[3], KEYS[4]}
    Cache(cache.folder, 0).put(KEYS[6], b"", {})
    assert len(small.entries()) == 3


def test_clearing_takes_what_is_the_caches_and_nothing_else(cache: Cache) -> None:
    assert cache.clear() == []
    for key in KEYS[:3]:
        cache.put(key, b"x", {})
    used(cache, KEYS[1], time.time() - 1000)
    strangers = ["notes.txt", "x.dxir", ".part", f"{KEYS[0]}.dxir.bak"]
    for name in strangers:
        (cache.folder / name).write_text("mine")
    (cache.folder / f"{KEYS[9]}.dxir").mkdir()
    assert [entry.key for entry in cache.clear(older_than=500)] == [KEYS[1]]
    assert {entry.key for entry in cache.clear()} == {KEYS[0], KEYS[2]}
    assert {f.name for f in cache.folder.iterdir()} == {*strangers, f"{KEYS[9]}.dxir"}
    assert cache.get(KEYS[9]) is None


def test_a_folder_that_cannot_be_written_to_is_told_of_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_told", set())
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        broken = Cache(folder)
        for key in KEYS[:3]:
            broken.put(key, b"x", {})
            assert broken.get(key) is None
        assert broken.entries() == []
        assert broken.clear() == []
    assert len(caplog.records) == 2
    assert "DXIR_CACHE_DIR names another folder" in caplog.text


def test_a_full_disk_leaves_no_half_entry(
    cache: Cache, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_told", set())

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    cache.put(KEYS[0], b"old", {})
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        cache.put(KEYS[0], b"new", {})
        cache.put(KEYS[1], b"new", {})
    assert [f.name for f in cache.folder.iterdir()] == [f"{KEYS[0]}.dxir"]
    assert cache.get(KEYS[0]) == b"old"
    assert caplog.messages == [
        f"compiled programs cannot be kept in {cache.folder}: No space left on device; "
        "DXIR_CACHE_DIR names another folder, DXIR_CACHE=0 does without"
    ]


def test_the_environment_says_where_how_much_and_whether(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("DXIR_CACHE_DIR", str(tmp_path))
    assert cache_folder() == tmp_path / "executables"
    monkeypatch.delenv("DXIR_CACHE_DIR")
    monkeypatch.setattr(module.platformdirs, "user_cache_dir", lambda name: f"/caches/{name}")
    assert cache_folder() == Path("/caches/dxir/executables")
    monkeypatch.setenv("DXIR_CACHE_BYTES", "1000")
    assert the_cache().bound == 1000
    monkeypatch.setattr(module, "_told", set())
    for wrong in ("2G", "-1", "1e9", "٣"):
        monkeypatch.setenv("DXIR_CACHE_BYTES", wrong)
        assert the_cache().bound == 2 << 30
    assert "DXIR_CACHE_BYTES is a number of bytes, not '2G'" in caplog.text
    monkeypatch.setenv("DXIR_CACHE", "0")
    assert [is_on(asked) for asked in (None, True, False)] == [False, True, False]
    monkeypatch.delenv("DXIR_CACHE")
    assert [is_on(asked) for asked in (None, True, False)] == [True, True, False]
