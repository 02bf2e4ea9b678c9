import os
from pathlib import Path

import pytest

from dxir.chunks import Chunk, split, whole_input
from dxir.errors import ArtifactError, DxirError, ParseError
from dxir.loading import load
from dxir.mlir import bytecode_of, ir, make_context
from dxir.tools import sources
from dxir.tools.messages import reporting
from dxir.tools.sources import ReadFailed, read_module

TWO = b"func.func private @a()\n  func.func private @b(tensor<f32>)\n"
BODY = b"func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n  return %x : tensor<2xf32>\n}\n"


def read(chunk: Chunk, **options: bool) -> str:
    context = make_context()
    with reporting(context, chunk, quiet=True):
        module = read_module(chunk, context, **options)
    text = module.operation.get_asm(enable_debug_info=True, use_local_scope=True)
    assert isinstance(text, str)
    return text


def failure(chunk: Chunk, **options: bool) -> list[tuple[str | None, str]]:
    context = make_context()
    with reporting(context, chunk, quiet=True) as reporter:
        with pytest.raises(ReadFailed):
            read_module(chunk, context, **options)
        return [(r.where, r.message) for r in reporter.messages]


@pytest.mark.parametrize("name", ["<stdin>", "/a/b.mlir", "../x.mlir", 'q"\n\\.mlir', "é.mlir"])
def test_places_are_in_the_input_by_its_name(name: str) -> None:
    shown = str(ir.Location.file(name, 1, 1, make_context())).removesuffix(":1:1)")
    text = read(whole_input(TWO, name))
    assert f"@a() {shown}:1:1)" in text
    assert f"@b(tensor<f32>) {shown}:2:3)" in text
    assert f"}} {shown}:0:0)" in text


@pytest.mark.parametrize("name", ["<stdin>", "/a/b.mlir"])
def test_arguments_and_what_is_inside_have_places(name: str) -> None:
    text = read(whole_input(BODY, name))
    assert f'%arg0: tensor<2xf32> loc("{name}":1:14)' in text
    assert f'return %arg0 : tensor<2xf32> loc("{name}":2:3)' in text


@pytest.mark.parametrize("name", ["<stdin>", "/a/b.mlir"])
def test_places_that_the_input_gives_stay(name: str) -> None:
    given = (
        b'func.func private @a() loc("f"("g.py":3:4))\nfunc.func private @b() loc("h":1:2 to :3)'
    )
    text = read(whole_input(given, name))
    assert '@a() loc("f"("g.py":3:4))' in text
    assert '@b() loc("h":1:2 to :3)' in text


@pytest.mark.parametrize("name", ["<stdin>", "/a/b.mlir"])
def test_places_in_a_chunk_are_those_in_the_whole_input(name: str) -> None:
    chunks = split(b"module {}\n// ----- module @m {}\n// -----\n\n" + BODY, name)
    assert [c.line for c in chunks] == [1, 2, 3]
    assert read(chunks[1]) == f'module @m {{\n}} loc("{name}":2:10)'
    assert f'return %arg0 : tensor<2xf32> loc("{name}":6:3)' in read(chunks[2])


def test_a_file_is_read_by_mlir_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "x.mlir"
    path.write_bytes(TWO)
    monkeypatch.setattr(sources, "_named", None)
    for name in ("x.mlir", "./x.mlir", str(path)):
        assert f'@a() loc("{name}":1:1)' in read(whole_input(path.read_bytes(), name))


def test_text_that_differs_from_its_file_is_read_as_given(tmp_path: Path) -> None:
    path = tmp_path / "x.mlir"
    path.write_bytes(BODY)
    assert f'@a() loc("{path}":1:1)' in read(whole_input(TWO, str(path)))


@pytest.mark.timeout(20)
def test_a_pipe_is_not_read_again(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)  # opening it would wait for a writer for ever
    assert f'@a() loc("{path}":1:1)' in read(whole_input(TWO, str(path)))


def test_the_standard_input_is_as_before_afterwards(tmp_path: Path) -> None:
    before = os.fstat(0)
    read(whole_input(TWO, "<stdin>"))
    assert failure(whole_input(b"nonsense", "<stdin>"))
    after = os.fstat(0)
    assert (before.st_dev, before.st_ino) == (after.st_dev, after.st_ino)


def test_an_empty_input_is_an_empty_module() -> None:
    assert read(whole_input(b"", "<stdin>")) == 'module {\n} loc("<stdin>":0:0)'
    assert read(whole_input(b" \r\n\t\n", "/a")) == 'module {\n} loc("/a":0:0)'
    assert read(whole_input(b"// only this", "/a")) == 'module {\n} loc("/a":0:0)'


def test_aliases_and_resources_are_read() -> None:
    text = (
        b'!t = tensor<1xf32>\n#l = loc("g.py":3:4)\nfunc.func @f() -> !t {\n'
        b"  %0 = stablehlo.constant dense_resource<r> : !t\n  return %0 : !t loc(#l)\n}\n"
        b'{-#\n  dialect_resources: {builtin: {r: "0x040000000000803F"}}\n#-}\n'
    )
    for name in ("<stdin>", "/a"):
        context = make_context()
        module = read_module(whole_input(text, name), context)
        assert 'r: "0x040000000000803F"' in str(module)
        found = read(whole_input(text, name))
        assert 'return %cst : tensor<1xf32> loc("g.py":3:4)' in found


def test_carriage_returns_are_space() -> None:
    found = read(whole_input(TWO.replace(b"\n", b"\r\n"), "/a"))
    assert '@b(tensor<f32>) loc("/a":2:3)' in found


def test_without_an_implicit_module_the_input_is_one_op() -> None:
    assert read(whole_input(b"\nfunc.func private @a()", "/a"), no_implicit_module=True) == (
        'func.func private @a() loc("/a":2:1)'
    )
    assert read(whole_input(b"module {}", "/a"), no_implicit_module=True).startswith("module {\n}")
    for data, count in ((TWO, 2), (b"", 0)):
        assert failure(whole_input(data, "/a"), no_implicit_module=True) == [
            ("/a:0:0", f"source must contain a single top-level operation, found: {count}")
        ]


@pytest.mark.parametrize("name", ["<stdin>", "/a/b.mlir"])
def test_what_mlir_finds_wrong_is_reported_at_its_place(name: str) -> None:
    chunk = split(b"module {}\n// -----\n  foo.bar\n", name)[1]
    ((where, message),) = failure(chunk)
    assert where == f"{name}:3:3"
    assert "foo" in message
    wrong = BODY.replace(b"return %x", b"return")
    assert failure(whole_input(wrong, name))[0][0].startswith(f"{name}:2:")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff\xfe", "is not UTF-8"),
        (b"// caf\xe9\nmodule {}", "is not UTF-8"),
        (b"module {" * 5000, "nested 5000 deep"),
        (b"module attributes {a = [" + b"[" * 100_000, "deep"),
        (b"func.func private @f(tensor<99999999999999999999999xf32>)", "64 bits"),
        (b'func.func private @"\\FF"()', "is not UTF-8"),
    ],
)
def test_hostile_text_is_refused(data: bytes, message: str) -> None:
    for name in ("<stdin>", "/a"):
        with pytest.raises(ParseError, match=message):
            read(whole_input(data, name))


@pytest.mark.parametrize(
    "data", [b"module {", b"}", b"\0", b"module {}\0", b"MLIR", b'"', b"#" * 1_000_000]
)
def test_garbage_is_reported_or_refused(data: bytes) -> None:
    for name in ("<stdin>", "/a"):
        try:
            read(whole_input(data, name))
        except (ReadFailed, DxirError):
            continue
        assert b"\0" in data  # MLIR stops reading there


def test_long_lines_are_read() -> None:
    text = b"func.func private @a() /" + b"/" * 1_000_000 + b"\nfunc.func private @b()"
    assert '@b() loc("/a":2:1)' in read(whole_input(text, "/a"))


def test_bytecode_and_artifacts_are_read_in_a_child() -> None:
    program = load(BODY.decode())
    for data in (bytecode_of(program.module), program.serialize()):
        assert "func.func" in read(whole_input(data, "x.bc"))
        with pytest.raises(DxirError):
            read(whole_input(data[: len(data) // 2], "x.bc"))


def test_an_artifact_of_another_version_is_refused() -> None:
    data = load(BODY.decode()).serialize().replace(b"StableHLO_v1", b"StableHLO_v9", 1)
    with pytest.raises(ArtifactError, match=r"reads|ends at"):
        read(whole_input(data, "x.bc"))


def test_the_child_of_a_contained_tool_reads_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "is_contained", lambda: True)
    monkeypatch.setattr(sources, "_from_child", None)
    program = load(BODY.decode())
    for data in (bytecode_of(program.module), program.serialize()):
        assert "func.func" in read(whole_input(data, "x.bc"))
        assert "func.func" in read(whole_input(data, "x.bc"), no_implicit_module=True)
