"""Constants out of archives: what is missing, damaged or hostile is an error, never a crash."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest

import dxir
from dxir.errors import PassError
from dxir.program import Program

FORMATS = ("safetensors", "irpa")
FOUR = np.array([1, 2, 3, 4], np.float32)


def program_of(values: str) -> Program:
    return dxir.load(
        "func.func @main() -> tensor<4xf32> {\n"
        f"  %c = stablehlo.constant dense<[{values}]> : tensor<4xf32>\n"
        "  return %c : tensor<4xf32>\n}"
    )


def moved(program: Program, path: Path) -> Program:
    return program.run_passes(f"dxir-externalize-constants{{file={path} min-bytes=16}}")


def restored(program: Program, path: Path) -> Program:
    return program.run_passes(f"dxir-internalize-constants{{file={path}}}")


def small(path: Path) -> tuple[Program, Program]:
    """A program of one constant, and what it is with that in an archive."""
    program = program_of("1.0, 2.0, 3.0, 4.0")
    return program, moved(program, path)


@pytest.mark.parametrize("format", FORMATS)
def test_a_missing_damaged_or_wrong_archive_names_the_constant(format: str, tmp_path: Path) -> None:
    path = tmp_path / f"w.{format}"
    _, out = small(path)
    data = path.read_bytes()
    at = data.index(FOUR.tobytes())
    path.write_bytes(data[:at] + b"\1" + data[at + 1 :])
    with pytest.raises(PassError, match=r"the constant sha256:4a6652.* of type f32.4. is not what"):
        restored(out, path)
    path.unlink()
    with pytest.raises(PassError, match="No such file or directory") as refused:
        restored(out, path)
    assert refused.value.where == str(path)
    moved(program_of("2.0, 4.0, 6.0, 8.0"), path)
    with pytest.raises(PassError, match=r"the constant sha256:4a6652.* is not in .*w\.") as refused:
        restored(out, path)
    assert (refused.value.where or "").startswith("<text>:2:8")
    with pytest.raises(PassError, match="this is no file"):
        restored(out, tmp_path)


@pytest.mark.parametrize("format", FORMATS)
def test_no_damage_to_an_archive_goes_unnoticed_or_ends_in_anything_but_an_error(
    format: str, tmp_path: Path
) -> None:
    path = tmp_path / f"w.{format}"
    program, out = small(path)
    data = path.read_bytes()
    length = data.index(FOUR.tobytes()) + 16
    damaged = [data[:n] for n in range(0, length, 7)]
    for position in range(length):
        for bit in (0, 3, 7):
            changed = bytearray(data)
            changed[position] ^= 1 << bit
            damaged.append(bytes(changed))
    failed = 0
    for variant in damaged:
        path.write_bytes(variant)
        try:
            found = restored(out, path)
        except PassError:
            failed += 1
        else:  # the damage is in what nobody needs: padding, the manifest
            assert found.fingerprint() == program.fingerprint()
    assert failed > len(damaged) // 3


def safetensors_of(header: object, data: bytes = b"", length: int | None = None) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it has only 0 bytes"),
        (safetensors_of({}, length=2**63), "a header of 9223372036854775808 bytes in a file of"),
        (safetensors_of({}, length=99_000_000), "a header of 99000000 bytes in a file of 10"),
        (safetensors_of([]), "it is no object"),
        (safetensors_of(b"[" * 100_000), "nested too deep"),
        (safetensors_of(b'{"a": NaN}'), "NaN is not JSON"),
        (safetensors_of(b'{"a": {}, "a": {}}'), "a name is there twice"),
        (safetensors_of(b"\xff\xfe{}"), "header is not as it should be"),
        (safetensors_of({"a": 1}), "the place of 'a' is None"),
        (safetensors_of({"a": {"data_offsets": [0, 5]}}, b"1234"), r"is \[0, 5\], not within"),
        (safetensors_of({"a": {"data_offsets": [-1, 2]}}, b"1234"), "not within"),
        (safetensors_of({"a": {"data_offsets": [3, 2]}}, b"1234"), "not within"),
        (safetensors_of({"a": {"data_offsets": [0, 2.5]}}, b"1234"), "not within"),
        (safetensors_of({"a": {"data_offsets": [False, True]}}, b"1234"), "not within"),
        (safetensors_of({"a": {"data_offsets": [0, 10**30]}}, b"1234"), "not within"),
        (
            safetensors_of({"a": {"data_offsets": [0, 3]}, "b": {"data_offsets": [2, 4]}}, b"1234"),
            "'a' and 'b' overlap",
        ),
        (safetensors_of({"../../etc/passwd": {"data_offsets": [0, 4]}}, b"1234"), "is not in"),
        (safetensors_of({"__metadata__": {"dxir": "[" * 99_999}}), "nested too deep"),
        (b"IRPA" + bytes(20), "ends 64 bytes early"),
        (b"IRPA" + struct.pack("<HH", 7, 0) + bytes(100), "version 7.0 of irpa"),
        (
            b"IRPA" + struct.pack("<HHQQQQQQQQQQ", 0, 0, 88, 0, 0, 2**63, 0, 0, 0, 0, 0, 0),
            "9223372036854775808 entries",
        ),
        (
            b"IRPA"
            + struct.pack("<HHQQQQQQQQQQ", 0, 0, 88, 0, 0, 1, 2**64 - 1, 2**64 - 1, 0, 0, 0, 0),
            "its entries are 18446744073709551615 bytes",
        ),
        (
            b"IRPA" + struct.pack("<HHQQQQQQQQQQ", 0, 0, 88, 0, 0, 1, 0, 0, 0, 0, 0, 0),
            "its entries are cut off",
        ),
        (
            b"IRPA" + struct.pack("<HHQQQQQQQQQQ", 0, 0, 88, 96, 0, 0, 0, 0, 0, 0, 0, 0),
            "a chain of archives",
        ),
    ],
)
def test_a_hostile_archive_is_an_error(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "w"
    _, out = small(path)
    path.write_bytes(content)
    with pytest.raises(PassError, match=message):
        restored(out, path)


def test_an_archive_that_holds_the_bytes_under_another_type_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    _, out = small(path)
    text = str(out).replace("tensor<4xf32>", "tensor<2x2xf32>")
    with pytest.raises(PassError, match=r"of type f32\[2, 2\] is not what .*it says f32\[4\]"):
        restored(dxir.load(text), path)
    text = str(out).replace("tensor<4xf32>", "tensor<4xf64>")
    with pytest.raises(
        PassError, match=r"has 16 bytes in .* where 32 are needed: it is a f32\[4\]"
    ):
        restored(dxir.load(text), path)
    text = str(out).replace("tensor<4xf32>", "tensor<?xf32>")
    with pytest.raises(PassError, match="which no constant has"):
        restored(dxir.load(text), path)


def test_a_module_without_moved_constants_needs_no_archive(tmp_path: Path) -> None:
    program = program_of("1.0, 2.0, 3.0, 4.0")
    assert str(restored(program, tmp_path / "none")) == str(program)
    assert not restored(program, tmp_path / "none").diagnostics
