import os
from pathlib import Path

import pytest

from dxir.chunks import Chunk, split, whole_input
from dxir.diagnostics import Diagnostic
from dxir.errors import PassError
from dxir.mlir import ir, make_context
from dxir.tools.messages import Buffers, Message, rendered, reporting
from dxir.tools.sources import ReadFailed, read_module


def shown(data: bytes, name: str = "x.mlir") -> str:
    """What is printed while an input that is wrong is read."""
    return read_wrong(whole_input(data, name))


def read_wrong(chunk: Chunk) -> str:
    context = make_context()
    with reporting(context, chunk, quiet=True) as reporter, pytest.raises(ReadFailed):
        read_module(chunk, context)
    return "".join(rendered(message, reporter.buffers) for message in reporter.messages)


def emitted(location: str, data: bytes = b"", name: str = "x.mlir") -> str:
    """What is printed of an error `boom` at a location."""
    context = make_context()
    module = ir.Module.parse(f"func.func private @a() loc({location})", context)
    with reporting(context, whole_input(data, name), quiet=True) as reporter:
        module.body.operations[0].location.emit_error("boom")
    return "".join(rendered(message, reporter.buffers) for message in reporter.messages)


def at(line: bytes, column: int, span: int = 0) -> str:
    """What is printed of an error in the second line of a text."""
    message = Message("error", "no", f"x:2:{column}", "x", 2, column, span=span)
    text = rendered(message, Buffers("x", b"first\n" + line + b"\nthird"))
    assert text.startswith(f"x:2:{column}: error: no\n")
    return text.partition("\n")[2]


def test_an_error_has_its_line_and_a_caret_and_what_to_do() -> None:
    assert shown(b"module {\n  func.func @f() { foo }\n}\n") == (
        "x.mlir:2:20: error: custom op 'foo' is unknown (tried 'func.foo' as well)\n"
        "  func.func @f() { foo }\n"
        "                   ^\n"
        "x.mlir:2:20: note: the op may be newer than this jaxlib, or misspelt\n"
    )


def test_notes_follow_with_lines_of_their_own() -> None:
    text = b"func.func private @a()\n  func.func private @a()\n"
    assert shown(text) == (
        "x.mlir:2:3: error: redefinition of symbol named 'a'\n"
        "  func.func private @a()\n"
        "  ^\n"
        "x.mlir:2:3: note: see current operation: \n"
        '"func.func"() <{function_type = () -> (), sym_name = "a", sym_visibility = "private"}> '
        "({\n}) : () -> ()\n"
        "x.mlir:1:1: note: see existing symbol definition here\n"
        "func.func private @a()\n"
        "^\n"
        "x.mlir:2:3: note: two functions or meshes have one name; rename one\n"
    )


def test_a_chunk_is_shown_with_the_lines_of_its_input() -> None:
    chunk = split(b"module {}\n// ----- x\n", "x.mlir")[1]
    assert read_wrong(chunk) == (
        "x.mlir:2:10: error: custom op 'x' is unknown (tried 'builtin.x' as well)\n"
        "// ----- x\n"
        "         ^\n"
        "x.mlir:2:10: note: the op may be newer than this jaxlib, or misspelt\n"
    )


@pytest.mark.parametrize(
    ("line", "column", "below"),
    [
        (b"abc", 1, "abc\n^\n"),
        (b"abc", 3, "abc\n  ^\n"),
        (b"abc", 4, "abc\n   ^\n"),
        (b"abc", 5, ""),
        (b"abc", 1000, ""),
        (b"abc", 0, ""),
        (b"", 1, "\n^\n"),
        (b"\tab", 2, "        ab\n        ^\n"),
        (b"a\tb\tc", 5, "a       b       c\n                ^\n"),
        (b"a\tb", 2, "a       b\n ^^^^^^^\n"),
        (b"ab\t", 1, "ab      \n^\n"),
        ("é b".encode(), 4, "é b\n"),
        ("\té\tb".encode(), 2, "        é      b\n"),
        (b"\xff b", 3, "� b\n"),
        (b"abc\r", 2, "abc\n ^\n"),
        (b"abc\r", 4, "abc\n   ^\n"),
        (b"abc\r", 5, ""),
        (b"ab\rcd", 5, ""),
    ],
)
def test_the_caret_is_below_the_column(line: bytes, column: int, below: str) -> None:
    assert at(line, column) == below


@pytest.mark.parametrize(
    ("line", "column", "span", "below"),
    [
        (b"  abcdef", 3, 4, "  abcdef\n  ^~~~\n"),
        (b"  abc", 3, 100, "  abc\n  ^~~\n"),
        (b"\tab", 2, 2, "        ab\n        ^~\n"),
        (b"a\tb", 1, 3, "a       b\n^~~~~~~~~\n"),
        ("é abc".encode(), 4, 2, "é abc\n"),
    ],
)
def test_a_range_is_underlined(line: bytes, column: int, span: int, below: str) -> None:
    assert at(line, column, span) == below


def test_places_outside_of_a_text_have_no_line() -> None:
    buffers = Buffers("x", b"one\ntwo")
    for line, column in ((0, 0), (0, 1), (1, 0), (2, 5), (3, 1), (1 << 31, 1)):
        message = Message("warning", "no", f"x:{line}:{column}", "x", line, column)
        assert rendered(message, buffers) == f"x:{line}:{column}: warning: no\n"
    empty = Message("error", "no", "x:1:1", "x", 1, 1)
    assert rendered(empty, Buffers("x", b"")) == "x:1:1: error: no\n\n^\n"


@pytest.mark.parametrize(
    ("location", "text"),
    [
        ("unknown", "<unknown>:0: error: boom\n"),
        ('"name"', '<unknown>:0: error: loc("name"): boom\n'),
        ('"f.py":3:4', "f.py:3:4: error: boom\n"),
        ('"f.py":3:4 to 5:6', "f.py:3:4: error: boom\n"),
        ('"f.py":0:0', "f.py:0:0: error: boom\n"),
        ('"name"("f.py":3:4)', "f.py:3:4: error: boom\n"),
        ('fused["name", "f.py":3:4, "g.py":1:1]', "f.py:3:4: error: boom\n"),
        ('fused<"what">["f.py":3:4]', "f.py:3:4: error: boom\n"),
        ('"caf\\C3\\A9 \\22q\\22.py":3:4', 'café "q".py:3:4: error: boom\n'),
        ('"\\FF.py":3:4', "�.py:3:4: error: boom\n"),
        (
            'callsite("f.py":1:2 at "g.py":3:4)',
            "f.py:1:2: error: boom\ng.py:3:4: note: called from\n",
        ),
        (
            'callsite("in"("f.py":1:2) at "out"(callsite("g.py":3:4 at "h.py":5:6)))',
            "f.py:1:2: error: boom\ng.py:3:4: note: called from\nh.py:5:6: note: called from\n",
        ),
        (
            'fused["n", callsite("f.py":1:2 at "name")]',
            'f.py:1:2: error: boom\n<unknown>:0: note: loc("name"): called from\n',
        ),
    ],
)
def test_a_location_is_told_by_its_first_file(location: str, text: str) -> None:
    assert emitted(location) == text


def test_a_call_stack_is_told_up_to_ten_deep() -> None:
    location = '"f.py":99:1'
    for depth in range(20, 0, -1):
        location = f'callsite("f.py":{depth}:1 at {location})'
    assert emitted(location).count("called from") == 10


def test_the_input_is_shown_for_locations_in_it() -> None:
    assert emitted('"x.mlir":2:3', b"one\ntwo") == "x.mlir:2:3: error: boom\ntwo\n  ^\n"
    assert emitted('"-":2:3', b"one\ntwo", "<stdin>") == "<stdin>:2:3: error: boom\ntwo\n  ^\n"


def test_files_that_locations_name_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.py").write_bytes(b"one\r\ntwo\r\n")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    assert emitted('"f.py":2:2') == "f.py:2:2: error: boom\ntwo\n ^\n"
    for name in ("folder", "pipe", "/dev/zero", "missing", "a\\00b", "x" * 5000):
        assert emitted(f'"{name}":1:1').count("\n") == 1


def test_messages_may_have_many_lines_and_characters_of_any_kind() -> None:
    context = make_context()
    with reporting(context, whole_input(b"", "x"), quiet=True) as reporter:
        ir.Location.file("f", 1, 2, context).emit_error("one\ntwo é\n")
        ir.Location.unknown(context).emit_error("")
    texts = [rendered(message, reporter.buffers) for message in reporter.messages]
    assert texts == ["f:1:2: error: one\ntwo é\n\n", "<unknown>:0: error: \n"]


def test_a_message_that_is_not_utf_8_is_told_of() -> None:
    context = make_context()
    text = 'func.func private @"\\FF"()\nfunc.func private @"\\FF"()'
    chunk = whole_input(text.encode(), "x")
    with reporting(context, chunk, quiet=True) as reporter, pytest.raises(ir.MLIRError):
        ir.Module.parse(text, context)
    assert "not UTF-8" in reporter.messages[0].message
    assert reporter.messages[0].where == "x:2:1"


@pytest.mark.parametrize(
    ("where", "text"),
    [
        ("x.mlir:1:3", "x.mlir:1:3: error: bad\none\n  ^\nx.mlir:1:3: note: do this\n"),
        ("<text>:1:3", "x.mlir:1:3: error: bad\none\n  ^\nx.mlir:1:3: note: do this\n"),
        ("x.mlir:1", "x.mlir:1: error: bad\nx.mlir:1: note: do this\n"),
        ("x.mlir", "x.mlir: error: bad\nx.mlir: note: do this\n"),
        ("a:b:1:2", "a:b:1:2: error: bad\na:b:1:2: note: do this\n"),
        (None, "<unknown>:0: error: bad\n<unknown>:0: note: do this\n"),
        ("x.mlir:²:1", "x.mlir:²:1: error: bad\nx.mlir:²:1: note: do this\n"),
        ("1:2:3", "1:2:3: error: bad\n1:2:3: note: do this\n"),
        ("x:" + "9" * 5000, None),
    ],
)
def test_errors_of_dxir_have_their_hint_as_a_note(where: str | None, text: str | None) -> None:
    with reporting(make_context(), whole_input(b"one\ntwo", "x.mlir"), quiet=True) as reporter:
        reporter.report(PassError("bad", where=where, hint="do this"))
    (message,) = reporter.messages
    assert text in (None, rendered(message, reporter.buffers))
    assert [note.optional for note in message.notes] == [True]


def test_diagnostics_of_passes_are_reported_with_their_notes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with reporting(make_context(), whole_input(b"one\ntwo", "x.mlir")) as reporter:
        note = Diagnostic("note", "here", "x.mlir:2:1")
        reporter.report(Diagnostic("warning", "hm", "x.mlir:1:2", (note,)))
        reporter.report(Diagnostic("error", "no"))
    assert capsys.readouterr().err == (
        "x.mlir:1:2: warning: hm\none\n ^\nx.mlir:2:1: note: here\ntwo\n^\n<unknown>:0: error: no\n"
    )


def test_a_quiet_reporter_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    context = make_context()
    with reporting(context, whole_input(b"", "x"), quiet=True) as reporter:
        ir.Location.unknown(context).emit_error("boom")
    assert [message.message for message in reporter.messages] == ["boom"]
    assert capfd.readouterr() == ("", "")


def test_what_goes_wrong_while_printing_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    context = make_context()

    class Broken:
        def write(self, text: str) -> None:
            raise BrokenPipeError

    def report() -> None:
        with reporting(context, whole_input(b"", "x")) as reporter:
            reporter.stream = Broken()  # type: ignore[assignment]
            ir.Location.unknown(context).emit_error("boom")

    with pytest.raises(BrokenPipeError):
        report()


def test_long_lines_and_many_messages_take_no_time() -> None:
    buffers = Buffers("x", b"a\tb" * 300_000 + b"\n" * 100_000)
    last = Message("error", "no", "x:1:900000", "x", 1, 900_000)
    text = rendered(last, buffers)
    assert text.endswith("^\n")
    for line in range(2, 10_000):
        rendered(Message("error", "no", "x:1:1", "x", line, 1), buffers)
