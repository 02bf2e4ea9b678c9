"""Reading modules: what they may be, and that nothing takes the process down."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dxir import quarantine
from dxir.errors import ArtifactError, DxirError, ParseError, VerificationError
from dxir.loading import load
from dxir.mlir import bytecode_of, ir, make_context
from dxir.prescan import MAX_DEPTH, check_text, depth
from dxir.program import Program

ADD = """
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
PROGRAM = load(ADD)


def test_text_bytecode_and_artifacts_are_read_from_bytes_and_files(tmp_path: Path) -> None:
    forms = {
        "text": ADD.encode(),
        "bytecode": PROGRAM.bytecode(),
        "artifact": PROGRAM.serialize("1.0.0"),
    }
    for name, data in forms.items():
        path = tmp_path / name
        path.write_bytes(data)
        for source in (data, path, str(path)):
            assert load(source, trusted=True).fingerprint() == PROGRAM.fingerprint()


def test_untrusted_bytes_are_read_in_a_child_process() -> None:
    for data in (PROGRAM.bytecode(), PROGRAM.serialize()):
        assert load(data).fingerprint() == PROGRAM.fingerprint()


def test_locations_survive_the_child_process() -> None:
    program = load(
        ADD.replace("%a, %a : tensor<4xf32>", '%a, %a : tensor<4xf32> loc("n"("u.py":7:3))')
    )
    for data in (program.bytecode(), program.serialize("1.0.0")):
        assert 'loc("u.py":7:3)' in load(data).text(debug_info=True)


def test_a_file_keeps_its_name_in_locations_and_errors(tmp_path: Path) -> None:
    path = tmp_path / "model.mlir"
    path.write_text(ADD)
    assert f'"{path}":3:8' in load(path).text(debug_info=True)
    path.write_text(ADD.replace("add %a, %a", "add %a, %b"))
    with pytest.raises(ParseError, match="undeclared SSA value") as error:
        load(path)
    assert error.value.where == f"{path}:3:26"


def test_a_missing_file_is_an_error_that_says_what_is_taken_as_a_path() -> None:
    with pytest.raises(ParseError, match="No such file") as error:
        load("model.mlir")
    assert "taken as a path" in str(error.value.hint)


@pytest.mark.parametrize(
    "op",
    ["%0 = tosa.abs %a : (tensor<4xf32>) -> tensor<4xf32>", '"my.op"() : () -> ()'],
)
def test_a_missing_dialect_is_named_with_the_remedy_b59(op: str) -> None:
    text = ADD.replace("%0 = stablehlo.add %a, %a : tensor<4xf32>", op).replace(
        "return %0", "return %a"
    )
    with pytest.raises(DxirError, match=r"dialect|unregistered|my\.op") as error:
        load(text)
    assert "allow_unregistered=True" in str(error.value.hint)
    assert "Available dialects" not in str(error.value)


def test_every_dialect_of_programs_is_registered_b59() -> None:
    load("""
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = chlo.erf %a : tensor<4xf32> -> tensor<4xf32>
      %1 = mhlo.add %0, %0 : tensor<4xf32>
      %2 = "vhlo.tan_v1"(%1) : (tensor<4xf32>) -> tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    sdy.mesh @mesh = <["x"=2]>""")


def test_ops_of_unknown_dialects_can_be_kept() -> None:
    text = ADD.replace("%0 =", '"my.op"() : () -> ()\n%0 =')
    assert load(text, allow_unregistered=True).op_counts()["my.op"] == 1


@pytest.mark.parametrize(
    ("op", "hint"),
    [
        ("stablehlo.ad %a, %a : tensor<4xf32>", "did you mean stablehlo.add?"),
        ('"stablehlo.ad"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>', "add?"),
        ("stablehlo.sub %a, %a : tensor<4xf32>", "did you mean stablehlo.subtract?"),
        ("stablehlo.erf %a : tensor<4xf32>", "did you mean chlo.erf?"),
        ("stablehlo.frobnicate %a : tensor<4xf32>", "newer than this jaxlib, or misspelt"),
        ("cal @f() : () -> tensor<4xf32>", "did you mean func.call or"),
        (
            '"stablehlo.reverse"(%a) {dimensions = dense<[0]> : tensor<1xi64>} : '
            "(tensor<4xf32>) -> tensor<4xf32>",
            "array<i64: 1, 0>",
        ),
    ],
)
def test_what_was_meant_is_told(op: str, hint: str) -> None:
    with pytest.raises(DxirError) as error:
        load(ADD.replace("stablehlo.add %a, %a : tensor<4xf32>", op))
    assert hint in str(error.value.hint)


@pytest.mark.parametrize(
    ("source", "message", "hint"),
    [
        (b"\xef\xbb\xbf" + ADD.encode(), "byte order mark", "UTF-8 without it"),
        ("HloModule f\nENTRY main { ROOT p = f32[4] parameter(0) }", "HLO text", "hlo-translate"),
        (b"\x01\x1b[31mred\x07 there are no zeros", "neither MLIR text", "4d 4c ef 52"),
        (b"\x93\x1b[31mred\x07 there are no zeros", "neither MLIR text", "4d 4c ef 52"),
        ("", "there is no text to read", "the path of a file"),
        (" ", "there is no text to read", "the path of a file"),
    ],
)
def test_what_is_no_mlir_is_told_apart(source: str | bytes, message: str, hint: str) -> None:
    with pytest.raises(ParseError, match=message) as error:
        load(source)
    assert hint in str(error.value.hint)
    assert str(error.value).replace("\n", "").isprintable()


def test_control_characters_in_strings_and_comments_are_text() -> None:
    text = "// \x1b[1m\n" + ADD.replace(
        "func.func @main", 'func.func private @g() attributes {k = "\x07"}\nfunc.func @main'
    )
    assert load(text).op_counts() == {**PROGRAM.op_counts(), "func.func": 2}


@pytest.mark.parametrize("key", ["w", "__elided__"])
def test_a_constant_without_data_is_refused_by_name_and_place_b01(key: str) -> None:
    text = f"""func.func @main() -> tensor<40xi32> {{
      %0 = stablehlo.constant dense_resource<{key}> : tensor<40xi32>
      return %0 : tensor<40xi32>
    }}"""
    with pytest.raises(
        ParseError, match=f"tensor<40xi32> has no data, the resource '{key}' is"
    ) as error:
        load(text)
    assert error.value.where == "<text>:2:12"
    assert load(text, allow_elided=True).op_counts()["stablehlo.constant"] == 1


NEST = "module {" * 4000 + "}" * 4000
HOSTILE_TEXT = {
    "empty": "",
    "blank": " \n ",
    "nested modules": NEST,
    "nested modules behind closing brackets": "}" * 4000 + NEST,
    "nested lists": "module attributes {x = " + "[" * 20_000 + "]" * 20_000 + "} {}",
    "nested tuples": "func.func private @f(" + "tuple<" * 20_000 + ">" * 20_000 + ")",
    "nested locations": "module {} loc(" + 'callsite("a" at ' * 20_000 + '"b"' + ")" * 20_001,
    "nested regions": "func.func @f(%p: tensor<i1>) {" + '"stablehlo.if"(%p) ({' * 5000,
    "huge dimension": "func.func private @f(tensor<99999999999999999999xf32>)",
    "huge integer": "module attributes {x = 99999999999999999999999999999 : i64} {}",
    "huge width": "func.func private @f(i99999999999999999999)",
    "huge convolution": "#stablehlo.conv<[b, 5000000000, f]x[i, 0, o]->[b, 0, f]>",
    "huge dimension numbers": "func.func @f(%x: tensor<1x1x1xf32>) {\n%0 = stablehlo.convolution("
    "%x, %x) dim_numbers = [b, 1000000000, f]x[i, 0, o]->[b, 0x3B9ACA00, f], window = {}",
    "unclosed string": 'module attributes {x = "' + "a" * 100,
    "nul": "module\0 {}",
    "no utf-8 in a symbol": 'func.func @"\\FF"() -> tensor<f32> { return }',
    "no utf-8 in a file name": 'func.func @f() -> tensor<f32> { return } loc("\\FF":1:1)',
    "unknown attribute": "module attributes {x = #nope<1>} {}",
    "unknown type": "func.func private @f(!nope.t)",
    "two of one name": "func.func @f() { return }\nfunc.func @f() { return }",
    "not mlir": "def f(x):\n  return x {\n",
    "alias loop": "#a = #b\n#b = #a\nmodule attributes {x = #a} {}",
    "call of itself in a type": "!a = tuple<!a>\nfunc.func private @f(!a)",
}


@pytest.mark.parametrize("case", HOSTILE_TEXT)
def test_hostile_text_ends_in_an_error(case: str) -> None:
    with pytest.raises((ParseError, VerificationError)) as error:
        load(HOSTILE_TEXT[case].encode())
    assert str(error.value)


@pytest.mark.parametrize("number", ["65", "1000000000", "5000000000", "0x3B9ACA00", "9" * 5000])
def test_a_convolution_of_a_huge_dimension_is_refused_before_it_is_parsed(number: str) -> None:
    for text in (
        f"func.func @f(%x: tensor<1xf32>) {{\n%0 = stablehlo.convolution(%x, %x)\n"
        f"dim_numbers = [b, 0, f]x[i, 0, o]->[b, {number}, f], window = {{}}",
        f"#a = #stablehlo.conv<[b, 0, f]x[i, {number}, o]->[b, 0, f]>",
        f"#a = #stablehlo.conv<raw input_batch_dimension = {number}>",
    ):
        with pytest.raises(ParseError, match=r"names dimension .* the limit is 64") as error:
            load(text.encode())
        assert error.value.where is not None
    check_text(
        f"dim_numbers = [b, 64, f]->[f, 0, b], window = {{stride = [{number}]}}".encode(), ""
    )


HOSTILE_BYTES = {
    "empty": b"",
    "magic only": b"ML\xefR",
    "zip": b"PK\x03\x04",
    "gzip": b"\x1f\x8b\x08",
    "latin-1": 'module attributes {x = "é"} {}'.encode("latin-1"),
    "utf-16": "module {}".encode("utf-16"),
    "truncated artifact": PROGRAM.serialize()[:-40],
    "truncated bytecode": PROGRAM.bytecode()[:60],
    "binary": bytes(range(256)),
    "old artifact": PROGRAM.serialize("1.0.0").replace(b"v1.0.0", b"v0.1.0"),
}


@pytest.mark.parametrize("case", HOSTILE_BYTES)
def test_hostile_bytes_end_in_an_error(case: str) -> None:
    with pytest.raises((ParseError, ArtifactError)) as error:
        load(HOSTILE_BYTES[case])
    assert error.value.where is not None


def test_the_offending_byte_of_text_is_located() -> None:
    with pytest.raises(ParseError, match="byte 0xe9 at offset 17 is not UTF-8") as error:
        load("module {\n} // caf\xe9\n".encode("latin-1"))
    assert error.value.where == "<bytes>:2:9"


def test_bytes_that_crash_or_hang_the_reader_end_in_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for script, message in (
        ("kill -SEGV $$", "SIGSEGV"),
        ("exit 7", "exit code 7"),
        ("sleep 60", "did not end within"),
    ):
        fake = tmp_path / "python"
        fake.write_text(f"#!/bin/sh\n{script}\n")
        fake.chmod(0o755)
        monkeypatch.setattr(sys, "executable", os.fspath(fake))
        with pytest.raises(ParseError, match=message):
            load(PROGRAM.bytecode(), timeout_s=0.3 if "sleep" in script else 30)


def test_an_error_of_the_child_arrives_as_it_was_raised() -> None:
    with pytest.raises(ArtifactError, match="missing data for top-level section"):
        quarantine.read_in_child(
            PROGRAM.serialize()[:60], "artifact", "m.mlirbc", allow_unregistered=False, timeout_s=60
        )


def outcome(data: bytes) -> Program | DxirError:
    try:
        return load(data, timeout_s=20)
    except (ParseError, ArtifactError, VerificationError) as error:
        return error


@settings(max_examples=6, deadline=None)
@given(st.integers(8, len(PROGRAM.serialize()) - 1), st.integers(0, 7), st.booleans())
def test_a_flipped_bit_gives_a_program_or_an_error(offset: int, bit: int, plain: bool) -> None:
    data = bytearray(PROGRAM.bytecode() if plain else PROGRAM.serialize())
    data[offset % len(data)] ^= 1 << bit
    assert str(outcome(bytes(data)))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(ADD) - 1), st.text(max_size=3), st.integers(0, 4))
@example(len(ADD) - 2, "\x00", 0)
def test_text_with_a_part_replaced_gives_a_program_or_an_error(
    offset: int, new: str, cut: int
) -> None:
    text = ADD[:offset] + new + ADD[offset + cut :]
    assert str(outcome(text.encode("utf-8", "surrogatepass")))


@settings(max_examples=60, deadline=None)
@given(st.text('([{<>}])-= x"/\n', max_size=60))
def test_depth_is_never_less_than_the_deepest_brackets_that_close(text: str) -> None:
    for opening, closing in ("()", "[]", "{}", "<>"):
        nested = opening * 7 + closing * 7
        assert depth((text.replace('"', "").replace("/", "") + " " + nested).encode()) >= 7


def test_nesting_up_to_the_limit_is_read() -> None:
    levels = MAX_DEPTH - 1
    text = "func.func private @f() attributes {x = " + "[" * levels + "]" * levels + "}"
    assert check_text(text.encode(), "m")
    load(text)


def test_brackets_in_strings_and_comments_do_not_count() -> None:
    text = 'func.func private @f() attributes {x = "' + "[" * 5000 + '"} // ' + "{" * 5000
    load(text)


_BYTES_IN_NAMES = {
    "function": 'func.func @"\\FF"(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }',
    "attribute": 'func.func @f(%x: tensor<f32> {"a.\\FF" = 1 : i32}) { return }',
    "module": 'module @"\\FF" {}',
    "file": 'func.func @f(%x: tensor<f32>) { return loc("\\FF":1:2) }',
    "node": 'func.func @f(%x: tensor<f32>) { return loc("\\FF"("a.py":1:2)) }',
    "fused": 'func.func @f(%x: tensor<f32>) { return loc(fused["\\FF", "a"]) }',
    "parameter": 'func.func @f(%x: tensor<f32> loc("\\FF")) { return }',
    "mesh": 'sdy.mesh @"\\FF" = <["x"=2]>\n',
    "axis": 'sdy.mesh @m = <["\\FF"=2]>\n',
    "key": 'module attributes {a.b = {"\\FF" = "x"}} {}',
    "called": 'func.func @f(%x: tensor<f32>) { %0 = stablehlo.custom_call @"\\FF"(%x) '
    ": (tensor<f32>) -> tensor<f32>\n return }",
}


@pytest.mark.parametrize("case", _BYTES_IN_NAMES)
def test_a_name_that_is_not_utf8_is_refused(case: str) -> None:
    with pytest.raises(ParseError, match="is not UTF-8"):
        load(_BYTES_IN_NAMES[case])


def test_a_name_that_is_not_utf8_is_refused_in_bytecode() -> None:
    module = ir.Module.parse(_BYTES_IN_NAMES["node"], make_context())
    with pytest.raises(ParseError, match="is not UTF-8"):
        load(bytecode_of(module))


def test_attribute_values_may_hold_any_bytes_and_names_any_text() -> None:
    program = load(
        'func.func @"\\C3\\A9"(%x: tensor<f32>) -> tensor<f32> {\n'
        '  %0 = stablehlo.custom_call @t(%x) {backend_config = "\\FF\\00", a.b = ["\\FE", "x"]} '
        ": (tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}"
    )
    assert program.function_names == ("é",)
    assert load(program.bytecode()).fingerprint() == program.fingerprint()


WHOLE = """\
module {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}"""


def test_what_is_unreadable_is_told_from_what_is_wrong() -> None:
    for text in (b"hello", b"stablehlo.foo", b"module", b"func.func", b"}", b"%0 ="):
        with pytest.raises(ParseError):
            load(text)
    for end in range(1, len(WHOLE)):
        with pytest.raises(ParseError):
            load(WHOLE[:end].encode())
    for old, new in (
        ("-> tensor<4xf32>\n", "-> tensor<5xf32>\n"),
        ("return %0 : tensor<4xf32>", "return"),
        ('"stablehlo.add"(%x, %x) : (tensor<4xf32>, ', '"stablehlo.add"(%x) : ('),
    ):
        assert old in WHOLE
        for tail in ("", "\n", "\n// the end\n"):
            with pytest.raises(VerificationError):
                load(WHOLE.replace(old, new).replace("5xf32>\n    return %0 : tensor<4x",
                     "5xf32>\n    return %0 : tensor<5x").encode() + tail.encode())  # fmt: skip


def test_an_error_in_a_file_whose_name_is_not_ascii_names_it(tmp_path: Path) -> None:
    path = tmp_path / "modèle.mlir"
    path.write_text("func.func @main() { foo.bar }", encoding="utf-8")
    with pytest.raises(ParseError) as caught:
        load(path)
    assert caught.value.where is not None
    assert caught.value.where.endswith("modèle.mlir:1:21")
