import contextlib
from pathlib import Path

import pytest

from dxir.chunks import split, whole_input
from dxir.errors import PassError
from dxir.mlir import ir, make_context
from dxir.tools.expectations import Expectations, Mode
from dxir.tools.messages import Message, reporting
from dxir.tools.sources import ReadFailed, read_module


def at(line: int, message: str, severity: str = "error", file: str = "x") -> Message:
    return Message(severity, message, f"{file}:{line}:1", file, line, 1)


def problems(text: str | bytes, *messages: Message, mode: Mode = "all") -> list[tuple[str, str]]:
    data = text.encode() if isinstance(text, str) else text
    expectations = Expectations(data, "x", mode)
    expectations.check(messages)
    assert expectations.finish() == (not expectations.problems)
    return [(p.where or "", p.message) for p in expectations.problems]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("// expected-error {{bad}}", 1),
        ("op // expected-error{{bad}}  \r", 1),
        ("// expected-error@+1 {{bad}}\nop", 2),
        ("// expected-error @+2 {{bad}}\n\nop", 3),
        ("op\n// expected-error @-1{{bad}}", 1),
        ("op\n// expected-error @-0 {{bad}}", 2),
        ("op\n// expected-error @above {{bad}}", 1),
        ("op\n// expected-error {{x}}\n// expected-error @above {{bad}}", 1),
        ("// expected-error @below {{bad}}\nop", 2),
        ("// expected-error @below {{bad}}\n// expected-note @below {{x}}\nop", 3),
        ("// expected-error @below {{bad}}", 1),
        ("// expected-error@below {{bad}}\n", 2),
    ],
)
def test_an_expectation_is_about_a_line(text: str, line: int) -> None:
    expectations = Expectations(text.encode(), "x")
    expectations.check([at(line, "a bad op")])
    assert expectations.problems == []
    expectations.check([at(line + 1, "a bad op"), at(line - 1, "a bad op")])
    assert len(expectations.problems) == 2


@pytest.mark.parametrize(
    "text",
    [
        "// expected-error {{bad}} trailing",
        "// expected-errors {{bad}}",
        "// expected-error @+ {{bad}}",
        "// expected-error @1 {{bad}}",
        "// expected-error {bad}",
        "// expected-error {{bad}",
        "// expected-fatal {{bad}}",
        "// expected-error @-7 {{bad}} \\",
    ],
)
def test_what_is_spelt_in_another_way_is_no_expectation(text: str) -> None:
    assert problems(text, at(1, "bad")) == [("x:1:1", "unexpected error: bad")]
    assert problems(text) == []


def test_an_expectation_about_a_line_that_is_not_there_is_missed() -> None:
    for place in ("@-7", "@+7"):
        assert problems(f"// expected-error {place} {{{{bad}}}}") == [
            ("x:1:4", 'expected error "bad" was not produced')
        ]


@pytest.mark.parametrize("severity", ["error", "warning", "remark", "note"])
def test_severities_must_agree(severity: str) -> None:
    assert problems(f"// expected-{severity} {{{{bad}}}}", at(1, "bad", severity)) == []
    other = "warning" if severity == "error" else "error"
    assert problems(f"// expected-{severity} {{{{bad}}}}", at(1, "bad", other)) == [
        ("x:1:4", f"'{other}' diagnostic emitted when expecting a '{severity}'"),
        ("x:1:4", f'expected {severity} "bad" was not produced'),
    ]


def test_what_is_not_expected_is_an_error() -> None:
    assert problems("op", at(1, "bad"), at(1, "hm", "warning")) == [
        ("x:1:1", "unexpected error: bad"),
        ("x:1:1", "unexpected warning: hm"),
    ]
    assert problems("op", at(1, "bad"), mode="only-expected") == []
    assert problems("// expected-error {{other}}", at(1, "bad"), mode="only-expected") == [
        ("x:1:4", 'expected error "other" was not produced')
    ]


def test_an_expectation_may_match_many_diagnostics_and_one_may_match_one_of_many() -> None:
    text = "// expected-error @below {{bad}}\n// expected-error @below {{other}}\nop"
    assert problems(text, at(3, "bad"), at(3, "other"), at(3, "bad too")) == []
    assert problems(text, at(3, "bad, other")) == [
        ("x:2:4", 'expected error "other" was not produced')
    ]


def test_notes_are_expected_like_errors() -> None:
    note = at(2, "here", "note")
    message = Message("error", "bad", "x:1:1", "x", 1, 1, notes=(note,))
    assert problems("// expected-error {{bad}}\n// expected-note {{here}}", message) == []
    assert problems("// expected-error {{bad}}\n", message) == [("x:2:1", "unexpected note: here")]


def test_several_expectations_fit_on_a_line() -> None:
    text = (
        "// expected-error {{bad}} expected-note @+1 {{he{{re}} expected-warning-re {{a{{b+}}}}\n"
    )
    messages = (at(1, "bad"), at(2, "he{{re", "note"), at(1, "abbb", "warning"))
    assert problems(text, *messages) == []
    assert problems(text) == [
        ("x:1:4", 'expected error "bad" was not produced'),
        ("x:1:27", 'expected note "he{{re" was not produced'),
        ("x:1:56", 'expected warning "a{{b+}}" was not produced'),
    ]


def test_braces_belong_to_the_text() -> None:
    assert problems("// expected-error {{a }} b}}", at(1, "a }} b")) == []
    assert problems("// expected-error {{{a = 1}}}", at(1, "{a = 1}")) == []
    assert problems("// expected-error {{}}", at(1, "anything")) == []


@pytest.mark.parametrize(
    ("pattern", "message", "fits"),
    [
        ("a{{[0-9]+}}b", "xa12bx", True),
        ("a{{[0-9]+}}b", "ab", False),
        ("a.{{b|c}}", "a.c", True),
        ("a.{{b|c}}", "axc", False),
        ("(a){{.*}}[z]", "(a) \n [z]", True),
        ("{{^}}op", "an op", False),
        ("{{[[:alpha:]_]+}}!", "abc!", True),
        ("{{[[:digit:]]}}", "abc", False),
        ("no expression", "no expression at all", True),
        ("{{a}}{{b}}", "ab", True),
    ],
)
def test_patterns_stand_in_braces(pattern: str, message: str, fits: bool) -> None:
    assert (problems(f"// expected-error-re {{{{{pattern}}}}}", at(1, message)) == []) == fits


def test_a_pattern_that_is_none_is_an_error() -> None:
    assert problems("// expected-error-re {{a{{b}}")[0] == (
        "x:1:4",
        "found start of regex with no end '}}'",
    )
    ((where, message),) = problems("// expected-error-re {{a{{(}}}}")
    assert where == "x:1:4"
    assert message.startswith("invalid regex: ")


def test_places_can_be_unknown() -> None:
    unknown = Message("error", "bad")
    assert problems("// expected-error @unknown {{bad}}", unknown, unknown) == []
    assert problems("// expected-error @unknown {{bad}}", at(1, "bad")) == [
        ("x:1:1", "unexpected error: bad"),
        ("", 'expected error "bad" was not produced'),
    ]
    assert problems("// expected-error {{bad}}", unknown)[0] == ("", "unexpected error: bad")


def test_files_that_locations_name_have_expectations_of_their_own(tmp_path: Path) -> None:
    other = tmp_path / "other.mlir"
    other.write_text("// expected-error {{bad}}\n// expected-error {{missing}}\n")
    assert problems("", at(1, "bad", file=str(other))) == [
        (f"{other}:2:4", 'expected error "missing" was not produced')
    ]
    assert problems("", at(1, "bad", file="/no/file")) == [
        ("/no/file:1:1", "unexpected error: bad")
    ]


def test_problems_are_printed_as_errors(capsys: pytest.CaptureFixture[str]) -> None:
    expectations = Expectations(b"  // expected-error {{worse}}\n\top\n", "x")
    expectations.check([Message("warning", "hm", "x:2:2", "x", 2, 2), Message("remark", "what")])
    assert not expectations.finish()
    assert capsys.readouterr().err == (
        "x:2:2: error: unexpected warning: hm\n"
        "        op\n"
        "        ^\n"
        "<unknown>:0: error: unexpected remark: what\n"
        'x:1:6: error: expected error "worse" was not produced\n'
        "  // expected-error {{worse}}\n"
        "     ^~~~~\n"
    )


def verified(text: str, mode: Mode = "all") -> list[str]:
    """The problems of reading an input chunk by chunk."""
    data = text.encode()
    expectations = Expectations(data, "/x", mode)
    for chunk in split(data, "/x"):
        context = make_context()
        with (
            reporting(context, chunk, quiet=True) as reporter,
            contextlib.suppress(ReadFailed),
        ):
            read_module(chunk, context)
        expectations.check(reporter.messages)
    expectations.finish()
    return [f"{p.where}: {p.message}" for p in expectations.problems]


def test_chunks_are_checked_against_their_input() -> None:
    text = (
        "module {}\n// -----\n// expected-note @below {{see existing symbol}}\n"
        "func.func private @a()\n// expected-error @+1 {{redefinition}}\nfunc.func private @a()\n"
        "// -----\n// expected-error @+1 {{custom op 'foo' is unknown}}\nfoo\n"
    )
    assert verified(text) == []
    assert verified(text.replace("redefinition", "repetition")) == [
        "/x:6:1: unexpected error: redefinition of symbol named 'a'",
        '/x:5:4: expected error "repetition" was not produced',
    ]


def test_the_op_in_a_note_may_be_expected_and_need_not() -> None:
    wrong = (
        "func.func @f(%x: tensor<2xf32>) {\n"
        "  // expected-error @below {{requires the same shape}}\n"
        '  %0 = "stablehlo.add"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>\n'
        "  return\n}\n"
    )
    assert verified(wrong) == []
    assert verified(wrong + "// expected-note @-3 {{see current operation}}\n") == []
    assert verified(wrong + "// expected-note @-3 {{something else}}\n") == [
        '/x:6:4: expected note "something else" was not produced'
    ]


def test_the_op_of_a_warning_need_not_be_expected() -> None:
    context = make_context()
    with reporting(context, whole_input(b"op", "x"), quiet=True) as reporter:
        location = ir.Location.file("x", 1, 1, context)
        location.emit_error("bad")
        reporter.report(PassError("refused", where="x:1:1", hint="do this"))
    refused = reporter.messages[1]
    assert problems("// expected-error {{refused}}", refused) == []
    for text, optional in (
        ('%0 = "stablehlo.add"(%1, %1) : (f32, f32) -> f32', True),
        ("\n%0:2 = stablehlo.while(%a = %b) : f32", True),
        ("sdy.mesh @m = <[]>", True),
        ("the op is here", False),
        ("see stablehlo.add", False),
    ):
        about = Message("warning", "hm", "x:1:1", "x", 1, 1, "l")
        note = reporter._note(Message("note", text, "x:1:1", "x", 1, 1, "l"), about)
        assert note.optional == optional, text


@pytest.mark.parametrize(
    "data",
    [
        b"\xff expected-error {{bad}}",
        b"// expected-error {{\xff}}",
        b"expected-error {{" * 50_000,
        b"expected-error " * 50_000 + b"}}",
        b"expected-error" + b" " * 500_000 + b"}}",
        b"expected-error {{x}} " * 500,
        b"// " + b"x" * 500_000 + b" expected-error {{x}}",
        b"expected-error {{x}}" + b" " * 500_000 + b"y}}",
        b"expected-error @+99999999999999999999 {{x}}",
        b"{{" * 500_000 + b"expected-error-re {{" + b"{{}}" * 1000 + b"}}",
        b"\r" * 500_000 + b"expected-",
    ],
)
@pytest.mark.timeout(20)
def test_hostile_texts_are_read_in_time(data: bytes) -> None:
    problems(data, at(1, "bad"))
