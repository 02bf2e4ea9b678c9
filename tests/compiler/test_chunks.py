import pytest

from dxir.chunks import Chunk, near_misses, split


def pieces(data: bytes, marker: str | None = "// -----") -> list[tuple[bytes, int, int]]:
    return [(c.data, c.line, c.column) for c in split(data, "x.mlir", marker)]


@pytest.mark.parametrize(
    ("data", "chunks"),
    [
        (b"a\n// -----\nb\n", [(b"a\n", 1, 1), (b"\nb\n", 2, 9)]),
        (b"a // ----- b\nc", [(b"a ", 1, 1), (b" b\nc", 1, 11)]),
        (b"a\r\n// -----\r\nb\r\n", [(b"a\r\n", 1, 1), (b"\r\nb\r\n", 2, 9)]),
        (b'"// -----"', [(b'"', 1, 1), (b'"', 1, 10)]),
        (b"// // -----b", [(b"// ", 1, 1), (b"b", 1, 12)]),
        (b"a// -----// -----b", [(b"a", 1, 1), (b"", 1, 10), (b"b", 1, 18)]),
        (b"a\n// -----\n\n// -----\nb", [(b"a\n", 1, 1), (b"\n\n", 2, 9), (b"\nb", 4, 9)]),
        (b"// -----\na", [(b"\na", 1, 9)]),
        (b"a\n// -----", [(b"a\n", 1, 1)]),
        (b"a\n// -----\n", [(b"a\n", 1, 1), (b"\n", 2, 9)]),
        (b"a\n// ------\nb", [(b"a\n// ------\nb", 1, 1)]),
        (b"// ----------// -----b", [(b"// ----------", 1, 1), (b"b", 1, 22)]),
        (b"//-----\n// ----\n", [(b"//-----\n// ----\n", 1, 1)]),
        (b"\xff\n// -----\n\xfe", [(b"\xff\n", 1, 1), (b"\n\xfe", 2, 9)]),
        (b"\n", [(b"\n", 1, 1)]),
        (b"", []),
        (b"// -----", []),
    ],
)
def test_an_input_is_split_at_markers(data: bytes, chunks: list[tuple[bytes, int, int]]) -> None:
    assert pieces(data) == chunks


def test_without_a_marker_nothing_is_split() -> None:
    assert pieces(b"a\n// -----\nb", None) == [(b"a\n// -----\nb", 1, 1)]
    assert pieces(b"", None) == [(b"", 1, 1)]


def test_a_marker_can_be_anything() -> None:
    assert pieces("aéb".encode(), "é") == [(b"a", 1, 1), (b"b", 1, 4)]
    assert pieces(b"a%%%%b", "%%") == [(b"a", 1, 1), (b"", 1, 4), (b"b", 1, 6)]
    assert pieces(b"a // ----- b", "//") == [(b"a ", 1, 1), (b" ----- b", 1, 5)]


def test_bytecode_is_one_chunk_whatever_is_in_it() -> None:
    data = b"ML\xefR\x0d// -----\nrest"
    assert pieces(data) == [(data, 1, 1)]


def test_placed_data_keeps_lines_and_columns() -> None:
    data = b"one\ntwo // ----- three\nfour"
    chunk = split(data, "x.mlir")[1]
    assert chunk.placed == b"\n" + b" " * 12 + b" three\nfour"
    for word in (b"three", b"four"):
        lines, placed = data.split(b"\n"), chunk.placed.split(b"\n")
        at = [(i, line.find(word)) for i, line in enumerate(lines) if word in line]
        assert at == [(i, line.find(word)) for i, line in enumerate(placed) if word in line]


def test_a_chunk_that_is_the_whole_input_shares_its_data() -> None:
    data = b"module {}\n"
    assert split(data, "x.mlir") == [Chunk(data, "x.mlir", data)]
    assert split(data, "x.mlir")[0].data is data


def test_names_that_are_not_utf_8_become_characters() -> None:
    assert split(b"a", "x\udcff.mlir", None)[0].name == "x�.mlir"


@pytest.mark.parametrize(
    ("data", "places"),
    [
        (b"a\n// ----\nb", ["x.mlir:2:7"]),
        (b"// ---- x\n// -----\n// ------\n", ["x.mlir:1:7", "x.mlir:3:7"]),
        (b"a\n// -----\nb", []),
        (b"a\n// -----", []),
        (b"// --", []),
        (b"", []),
    ],
)
def test_what_is_almost_a_marker_is_warned_of(data: bytes, places: list[str]) -> None:
    found = near_misses(data, "x.mlir")
    assert [d.where for d in found] == places
    assert all(d.severity == "warning" for d in found)
    assert all(d.message == "near miss with file split marker" for d in found)


def test_a_marker_of_two_characters_has_no_near_misses() -> None:
    assert near_misses(b"% %% %", "x", "%%") == []


def test_many_chunks_and_long_lines_take_no_time() -> None:
    data = b"x" * 1_000_000 + b"\n// -----\n" * 20_000
    chunks = split(data, "x.mlir")
    assert len(chunks) == 20_001
    assert chunks[-1].line == 39_999 + 1
    assert near_misses(data, "x.mlir") == []
