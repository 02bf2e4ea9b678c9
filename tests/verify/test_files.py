"""Which files are checked."""

import io
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from dxir.errors import ConfigurationError
from dxir.verify.files import File, digest_of, find_files
from dxir.verify.fleet import check_files
from dxir.verify.settings import Settings

GOOD = b"func.func @main() { return }\n"
BYTECODE = b"ML\xefR\x06rest"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(*paths: str, data: bytes = GOOD) -> None:
    for path in paths:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_bytes(data)


def names(*paths: str, exclude: tuple[str, ...] = ()) -> list[str]:
    return [file.name for file in find_files(paths or ("d",), exclude)]


def test_folders_have_files_by_name_and_bytecode_by_its_start_in_order(folder: Path) -> None:
    write("d/b.mlir", "d/a.stablehlo", "d/c.txt", "d/z/a.mlir", "d/e/a.vhlo", "d/b.mlir.bak")
    write("d/model", "d/e/model.bin", "d/model.bc", data=BYTECODE)
    write("d/llvm.bc", data=b"BC\xc0\xde")
    write("d/.git/a.mlir", "d/.a.mlir", "d/e/.b/c.mlir")
    assert names() == [
        "d/a.stablehlo",
        "d/b.mlir",
        "d/model",
        "d/model.bc",
        "d/e/a.vhlo",
        "d/e/model.bin",
        "d/z/a.mlir",
    ]


def test_what_is_named_is_checked_once_whatever_its_name(folder: Path) -> None:
    write("d/b.mlir", "d/notes.txt", "d/.hidden.mlir")
    given = ("d/notes.txt", "d", "d/b.mlir", "./d/b.mlir", "d/../d/.hidden.mlir", "d")
    assert names(*given) == ["d/notes.txt", "d/b.mlir", "d/../d/.hidden.mlir"]


def test_patterns_leave_out_files_and_folders_those_named_too(folder: Path) -> None:
    write("d/a.mlir", "d/gen/a.mlir", "d/e/gen/b.mlir", "d/e/a.mlir")
    assert names(exclude=("gen/",)) == ["d/a.mlir", "d/e/a.mlir"]
    assert names(exclude=("d/gen",)) == ["d/a.mlir", "d/e/a.mlir", "d/e/gen/b.mlir"]
    assert names("d", "d/a.mlir", exclude=("a.mlir",)) == ["d/e/gen/b.mlir"]


def test_links_are_followed_and_circles_come_to_an_end(folder: Path) -> None:
    write("d/e/a.mlir", "elsewhere/b.mlir")
    Path("d/e/up").symlink_to("..")
    Path("d/link").symlink_to("../elsewhere")
    Path("d/self.mlir").symlink_to("self.mlir")
    Path("d/gone.mlir").symlink_to("nowhere")
    assert names() == ["d/gone.mlir", "d/self.mlir", "d/e/a.mlir", "d/link/b.mlir"]


def test_files_that_cannot_be_read_are_findings(folder: Path) -> None:
    write("d/b.mlir")
    Path("d/a.mlir").symlink_to("nowhere")
    reports = list(check_files(["d"], Settings(), jobs=1, cache=False))
    assert [[f.rule for f in report.findings] for report in reports] == [["structure-parse"], []]
    assert reports[0].findings[0].message == "the file cannot be read: No such file or directory"


@pytest.mark.parametrize("path", ["nowhere", "d/a.mlir/b", "a\0b"])
def test_what_is_not_there_is_an_error(folder: Path, path: str) -> None:
    write("d/a.mlir")
    with pytest.raises(ConfigurationError, match="there is nothing to check at"):
        names("d", path)


@pytest.mark.skipif(os.getuid() == 0, reason="root reads every folder")
def test_a_folder_that_cannot_be_read_is_an_error(folder: Path) -> None:
    Path("d/e").mkdir(parents=True)
    Path("d/e").chmod(0)
    with pytest.raises(ConfigurationError, match="cannot be looked through: Permission denied"):
        names()


def test_pipes_are_read_at_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(GOOD)))
    read, write_end = os.pipe()
    os.write(write_end, b"func.func @main(")
    os.close(write_end)
    os.mkfifo("fifo.mlir")  # in a folder, nobody waits for one, nor for what leads to one
    Path("link.mlir").symlink_to("fifo.mlir")
    Path("endless.mlir").symlink_to("/dev/zero")
    assert digest_of("link.mlir") is None is digest_of("endless.mlir")
    files = list(find_files(["-", "-", f"/dev/fd/{read}", "."]))
    os.close(read)
    assert files == [
        File("-", "<stdin>", GOOD),
        File(f"/dev/fd/{read}", f"/dev/fd/{read}", b"func.func @main("),
    ]
    reports = list(check_files(files, Settings(), jobs=1, cache=False))
    assert [[str(f.place) for f in r.findings] for r in reports] == [
        [],
        [f"/dev/fd/{read}:1:16"],
    ]


def test_names_that_are_not_utf8_are_told_all_the_same(folder: Path) -> None:
    Path("d").mkdir()
    with open(b"d/\xff.mlir", "wb") as file:
        file.write(b"func.func @main(")
    (report,) = check_files(["d"], Settings(), jobs=1)
    assert str(report.findings[0].place) == "d/\N{REPLACEMENT CHARACTER}.mlir:1:16"
