"""Names and strings in MLIR's text: what is quoted, escaped and named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dxir
from dxir.mlir import ir
from dxir.quoting import quoted, references_in, symbols_in, unescaped, unquoted

NAMES = ("plain_name.1", "my fn", 'a"b', "a\\b", "mé sh", "日本", "a\n\tb", "\x7f", "a\\22b")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("plain", "plain"), (r"a\22b", 'a"b'), (r"a\\22b", r"a\22b"), (r"a\"b", 'a"b'),
        (r"m\C3\A9 sh", "mé sh"), ("mé sh", "mé sh"), (r"mé \C3\A9", "mé é"),
        (r"a\nb\tc", "a\nb\tc"), (r"\FF", "\ufffd"), (r"\E6\97\A5", "日"),
    ],
)  # fmt: skip
def test_escaped_bytes_are_put_together_before_they_are_characters(text: str, meant: str) -> None:
    assert unescaped(text) == meant
    assert unquoted(f'"{text}"') == meant


@given(st.text(st.characters(codec="utf-8")))
def test_what_is_quoted_comes_back(text: str) -> None:
    assert unquoted(quoted(text)) == text


@pytest.mark.parametrize("name", NAMES)
def test_strings_and_symbols_are_read_as_mlir_prints_them(name: str) -> None:
    context = dxir.load("module {}").module.context
    string, symbol = ir.StringAttr.get(name, context), ir.FlatSymbolRefAttr.get(name, context)
    assert unquoted(str(string)) == name
    assert str(string) == quoted(name)
    assert symbols_in(str(symbol)) == [name]
    with context:
        nested = ir.SymbolRefAttr.get([name, "f", name])
        array = ir.ArrayAttr.get([string, nested, symbol])
    assert symbols_in(str(array)) == [name, "f", name, name]


def test_what_stands_in_a_string_is_no_reference() -> None:
    text = r'{a = "@f", b = "\"@g", c = @"h \22@i\22", d = @j::@k}'
    assert symbols_in(text) == ['h "@i"', "j", "k"]
    assert [text[start:end] for start, end, _ in references_in(text)] == [
        r'@"h \22@i\22"', "@j", "@k",
    ]  # fmt: skip
