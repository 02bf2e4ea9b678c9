"""The syntax of pipelines and of the options in them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dxir.errors import PassError
from dxir.pipeline.text import (
    NestText,
    PassText,
    parse_options,
    parse_pipeline,
    split_list,
    unquoted,
)


def options(text: str) -> list[tuple[str, str | None]]:
    return [(o.name, o.value) for o in parse_options(text)]


def test_passes_and_anchors_are_read_in_order() -> None:
    found = parse_pipeline("builtin.module( cse , func.func(canonicalize{a=1},cse) ,symbol-dce )")
    (module,) = found
    assert isinstance(module, NestText)
    assert str(module) == "builtin.module(cse,func.func(canonicalize{a=1},cse),symbol-dce)"


def test_a_bare_list_needs_no_anchor() -> None:
    assert [str(e) for e in parse_pipeline("cse,symbol-dce")] == ["cse", "symbol-dce"]
    assert parse_pipeline("") == parse_pipeline("  \n ") == ()


def test_the_place_of_each_part_is_kept() -> None:
    second = parse_pipeline("cse, \n symbol-dce")[1]
    assert isinstance(second, PassText)
    assert second.start == 7


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("cse)", "1:4", "closes nothing"),
        ("cse,,cse", "1:5", "expected after the comma"),
        ("cse,", "1:5", "expected after the comma"),
        ("cse cse", "1:5", "a comma is expected"),
        ("func.func(cse", "1:1", "no closing parenthesis"),
        ("cse{a={b}", "1:4", "no closing brace"),
        ("\n  1cse", "2:3", "name of a pass"),
        ("func.func(cse)cse", "1:15", "a comma is expected"),
        ("é", "1:1", "name of a pass"),
        ("a(" * 200, "1:203", "nested more than 100 deep"),
    ],
)
def test_what_is_not_well_formed_is_refused_with_its_place(
    text: str, place: str, message: str
) -> None:
    with pytest.raises(PassError, match=message) as caught:
        parse_pipeline(text)
    assert caught.value.where == f"<pipeline>:{place}"
    assert caught.value.message.splitlines()[-1].strip() == "^"


def test_a_long_line_is_shown_around_the_place() -> None:
    with pytest.raises(PassError) as caught:
        parse_pipeline("cse," * 1000 + "(" + ",cse" * 1000)
    _, line, mark = caught.value.message.splitlines()
    assert len(line) == 120
    assert line[mark.index("^")] == "("


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a=1 b=two", [("a", "1"), ("b", "two")]),
        ("flag  a=", [("flag", None), ("a", "")]),
        ('a="x y" b={p q} c=\'d e\'', [("a", "x y"), ("b", "p q"), ("c", "d e")]),
        ("pipeline=func.func(cse,canonicalize{a=1 b=2}) x=1",
         [("pipeline", "func.func(cse,canonicalize{a=1 b=2})"), ("x", "1")]),
        ("types=tensor<3x4xf32>,tensor<i1>", [("types", "tensor<3x4xf32>,tensor<i1>")]),
        ('a="say \\"hi\\""', [("a", 'say "hi"')]),
        ("a='open", [("a", "'open")]),
    ],
)  # fmt: skip
def test_options_are_read_as_mlir_writes_them(
    text: str, expected: list[tuple[str, str | None]]
) -> None:
    assert options(text) == expected


def test_lists_are_split_at_commas_outside_of_quotes_and_brackets() -> None:
    assert split_list('a,{b,c},"d,e",f(g,h)') == ["a", "b,c", "d,e", "f(g,h)"]
    assert split_list("") == []
    assert split_list("a,") == ["a", ""]


def test_only_quotes_around_all_of_a_value_are_taken_off() -> None:
    assert unquoted('"a"b"c"') == '"a"b"c"'
    assert unquoted("{a}{b}") == "{a}{b}"


@given(st.text(alphabet="ab.-,(){}[]<>=\"'\\ \n", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        elements = parse_pipeline(text)
    except PassError:
        return
    # What was read prints as text that reads the same.
    again = parse_pipeline(",".join(map(str, elements)))
    assert [str(e) for e in again] == [str(e) for e in elements]


@given(st.text(alphabet="ab=\"'{}() \\,", max_size=30))
def test_any_options_are_read(text: str) -> None:
    options(text)
    split_list(text)
