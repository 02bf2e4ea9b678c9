"""What to look at in text and bytes from outside before MLIR reads them.

MLIR's parser recurses: modules and lists nested some 3,000 deep, types and locations some 10,000
deep, overflow the stack and end the process. Depth is measured here without recursion.
"""

from __future__ import annotations

import re

import numpy as np

from dxir.errors import ParseError

MAX_DEPTH = 1000
"""How deep brackets may be nested in text; a third of what overflows an 8 MiB stack."""

ELISION_MARK = "dense<elided>"
"""What stands for a constant in text that was printed with element limits; it does not parse."""

_STRINGS_AND_COMMENTS = re.compile(rb'"(?:[^"\\\n]++|\\.)*+"|//[^\n]*')
_NOT_BRACKETS = (b"->", b">=", b"<=", b"=>")
_DROP = bytes(set(range(256)) - set(b"()[]{}<>"))
_STEP = np.zeros(256, np.int32)
for _open, _close in ("()", "[]", "{}", "<>"):
    _STEP[ord(_open)], _STEP[ord(_close)] = 1, -1

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_JAXPR = re.compile(rb"\s*\{ *lambda\b")
_HLO = re.compile(rb"\s*HloModule\s+\S")
# A NUL in text is a space to MLIR.
_CONTROLS = bytes({*range(1, 32), 127} - set(b"\t\n\v\f\r"))
_START = 256

_HUGE_DIMENSION = re.compile(rb"\d{20,}x")
_DIGITS_ALIKE = bytes.maketrans(b"123456789", b"0" * 9)
# The parser allocates as many entries as the largest number in there says.
_CONVOLUTION = re.compile(rb"(?:\bconv\s*<|\bdim_numbers\s*=)(?:[^>{]|(?<=-)>)*")
_NUMBER = re.compile(rb"0x[0-9a-fA-F]+|\d+")
_MOST_DIMENSIONS = 64


def check_text(data: bytes, name: str) -> str:
    """The text of a module, decoded.

    Raises ParseError for what is no text or text of another kind, not UTF-8, nested too deep for
    the parser, holds a dimension beyond 64 bits or a convolution of a dimension beyond 64, or was
    printed with element limits.
    """
    _refuse_other_text(data, name)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        _refuse_controls(data[:_START], _CONTROLS + b"\0", name)
        raise ParseError(
            f"byte 0x{data[error.start]:02x} at offset {error.start} is not UTF-8",
            where=_at(data, error.start, name),
            hint="MLIR text is UTF-8; write other bytes in strings as \\XX",
        ) from None
    if not text.strip():
        raise ParseError(
            "there is no text to read",
            where=name,
            hint="it is empty: see whether what was to write it did",
        )
    quoted = b'"' in data or b"//" in data
    plain = _STRINGS_AND_COMMENTS.sub(b"", data) if quoted else data
    _refuse_controls(plain, _CONTROLS, name)
    mark = ELISION_MARK.encode()
    if mark in plain:
        raise ParseError(
            "the text was printed with element limits: the data of a constant is elided",
            # The first line of such text says so, in a comment.
            where=_at(data, max(data.find(mark, data.find(b"\n") + 1), data.find(mark)), name),
            hint="print it again with elide_above=None, or use program.serialize()",
        )
    deepest = depth(plain)
    if deepest > MAX_DEPTH:
        raise ParseError(
            f"brackets are nested {deepest} deep; the limit is {MAX_DEPTH}",
            where=name,
            hint="MLIR's parser would overflow its stack; flatten the regions or lists, or hand "
            "the module over as bytes",
        )
    # A search for twenty equal bytes is many times faster than one for twenty digits.
    huge = None
    if b"0" * 20 in plain.translate(_DIGITS_ALIKE):
        huge = _HUGE_DIMENSION.search(plain)
    if huge is not None:
        raise ParseError(
            f"the dimension {huge[0][:-1].decode()[:40]} does not fit 64 bits",
            where=_at(data, data.find(huge[0]), name),
        )
    if b"conv" in plain or b"dim_numbers" in plain:
        _check_convolutions(plain, data, name)
    return text


def _refuse_other_text(data: bytes, name: str) -> None:
    if data.startswith(_BYTE_ORDER_MARK):
        raise ParseError(
            "the text starts with a byte order mark (ef bb bf), which MLIR does not read",
            where=name,
            hint="save the file as UTF-8 without it",
        )
    if _JAXPR.match(data):
        raise ParseError(
            "this is a jaxpr of JAX, not MLIR",
            where=name,
            hint="StableHLO of the same function is jax.jit(f).lower(...).as_text()",
        )
    if _HLO.match(data):
        raise ParseError(
            "this is HLO text of XLA, not MLIR",
            where=name,
            hint="convert it with XLA's `hlo-translate -hlo-to-mlir`, or have its producer write "
            "StableHLO: jax.jit(f).lower(...).as_text(), for one",
        )


def _refuse_controls(plain: bytes, controls: bytes, name: str) -> None:
    """Refuse what has control characters outside strings: its lines are nothing to show."""
    if len(plain.translate(None, controls)) == len(plain):
        return
    found = next(byte for byte in plain if byte in controls)
    raise ParseError(
        "this is neither MLIR text, bytecode nor a portable artifact: it holds the byte "
        f"0x{found:02x}",
        where=name,
        hint="bytecode and artifacts start with the four bytes 4d 4c ef 52",
    )


def _check_convolutions(plain: bytes, data: bytes, name: str) -> None:
    for numbers in _CONVOLUTION.findall(plain):
        for number in _NUMBER.findall(numbers):
            digits = number.lstrip(b"0")
            if len(digits) > 2 or (digits.isdigit() and int(digits) > _MOST_DIMENSIONS):
                raise ParseError(
                    f"a convolution names dimension {number.decode()[:40]}; the limit is "
                    f"{_MOST_DIMENSIONS}",
                    where=_at(data, data.find(number, data.find(numbers[:12])), name),
                    hint="MLIR's parser would allocate as many dimensions",
                )


def depth(text: bytes) -> int:
    """How deep brackets are nested in text without strings and comments."""
    for word in _NOT_BRACKETS:
        if word in text:
            text = text.replace(word, b"")
    brackets = text.translate(None, _DROP)
    if not brackets:
        return 0
    levels = np.cumsum(_STEP[np.frombuffer(brackets, np.uint8)])
    # A stray closing bracket must not hide what is nested after it.
    return int((levels - np.minimum.accumulate(np.minimum(levels, 0))).max(initial=0))


def needs_child(text: str, old_bindings: bool) -> bool:
    """Whether text that passed `check_text` can still end the process while it is verified."""
    # jaxlib 0.10 divides by the number of groups before it looks whether there are any.
    return (
        old_bindings
        and "all_to_all" in text
        and re.search(r"tensor<0x|tensor<\d+x0x", text) is not None
    )


def _at(data: bytes, offset: int, name: str) -> str:
    line = data.count(b"\n", 0, offset) + 1
    column = offset - data.rfind(b"\n", 0, offset)
    return f"{name}:{line}:{column}"
