"""docs/mistakes.md: each mistake is made, its message is the one of the page, what is right runs.

The page is the table. An entry is a heading, what is written wrongly (a `py` block, or a `text`
block that begins with a command), the message, and what to write instead. Run as a script, this
file writes the messages of the page anew.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dxir
import dxir.numpy as xp
from dxir import nn, ops, random
from dxir.tools.main import main

PAGE = Path(__file__).parents[2] / "docs" / "mistakes.md"
FILE = "mistake.py"
ENTRY = re.compile(r"^### (?P<title>.+)\n(?P<body>(?:(?!^##).*\n?)*)", re.M)
BLOCK = re.compile(r"^```(?P<kind>py|text)\n(?P<text>.*?)^```$", re.M | re.S)
VERSION = re.compile(r"\b[01]\.\d+\.\d+\b")
NOT_ERRORS = "What is no error"
# Names of what is behind arrays and functions, which nobody has met who writes them.
INTERNAL = re.compile(
    r"\b(?:Eager\w+|IndexedUpdate|Jitted|Methods|Operators|Region|TracedFunction|Tree|Leaf"
    r"|DeviceArray|tracer)\b|(?<![\w.])_[a-z]\w+|\b0x[0-9a-f]{6,}"
)
MOST_LINES, MOST_LETTERS = 6, 320


@dataclass(frozen=True)
class Entry:
    """A mistake of the page."""

    section: str
    title: str
    wrong: str
    message: str
    right: tuple[str, ...]

    @property
    def is_command(self) -> bool:
        return self.wrong.startswith("$ ")


def entries(page: str) -> Iterator[Entry]:
    for section in re.split(r"^## ", page, flags=re.M)[1:]:
        name = section.split("\n", 1)[0]
        for found in ENTRY.finditer(section):
            blocks = [(b["kind"], b["text"]) for b in BLOCK.finditer(found["body"])]
            if blocks[0][0] == "text":
                wrong, _, message = blocks.pop(0)[1].partition("\n")
            else:
                wrong, message = blocks.pop(0)[1], blocks.pop(0)[1]
            yield Entry(name, found["title"], wrong, message, tuple(text for _, text in blocks))


def ran(code: str) -> str:
    """Run a snippet as a file of its own; what it prints."""
    linecache.cache[FILE] = (len(code), None, code.splitlines(keepends=True), FILE)
    names: dict[str, Any] = {
        "dxir": dxir, "nn": nn, "np": np, "ops": ops, "random": random, "xp": xp,
        "x": np.ones((2, 3), np.float32), "__name__": "mistake",
    }  # fmt: skip
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, FILE, "exec"), names)
    return out.getvalue()


def commanded(line: str) -> tuple[int, str]:
    """Run a command with nothing on the standard input; its exit code, and what it prints."""
    out = io.StringIO()
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(b""))
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            code = main(shlex.split(line)[2:])
    except SystemExit as ended:  # what refuses a command line ends so
        code = int(ended.code or 0)
    finally:
        sys.stdin = before
    return code, out.getvalue()


def outcome(entry: Entry) -> tuple[BaseException | int | None, str]:
    """What comes of a mistake: the error or exit code, and the whole message."""
    if entry.is_command:
        return commanded(entry.wrong)
    try:
        printed = ran(entry.wrong)
    except Exception as error:  # noqa: BLE001  which it is is what the tests ask
        added = [n for n in getattr(error, "__notes__", ()) if n.startswith("hint: ")]
        notes = "".join(f"\n  {note}" for note in added)
        return error, f"{type(error).__name__}: {error}{notes}\n"
    return None, printed


ENTRIES = list(entries(PAGE.read_text("utf-8")))
MISTAKES = [e for e in ENTRIES if e.section != NOT_ERRORS]
SNIPPETS = [e for e in MISTAKES if not e.is_command]


def named(found: list[Entry]) -> Any:
    return pytest.mark.parametrize("entry", found, ids=[e.title for e in found])


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@named(ENTRIES)
def test_the_message_is_that_of_the_page(entry: Entry) -> None:
    found, text = outcome(entry)
    assert VERSION.sub("V", text) == VERSION.sub("V", entry.message)
    assert (found is None) == (entry.section == NOT_ERRORS)
    if entry.is_command:
        assert found in (1, 2)


@named([e for e in ENTRIES if e.right])
def test_what_to_write_instead_runs(entry: Entry) -> None:
    for code in entry.right:
        ran(code)


@named(SNIPPETS)
def test_the_error_is_of_dxir_and_has_the_line_and_a_hint(entry: Entry) -> None:
    error, text = outcome(entry)
    if isinstance(error, AttributeError):  # what Python raises for names; dxir says which are meant
        assert "; " in text or "hint: " in text
        return
    assert isinstance(error, dxir.DxirError)
    last = entry.wrong.count("\n")
    where = re.fullmatch(rf"{re.escape(FILE)}:(\d+)", str(error.where))
    if where is not None:
        assert 1 <= int(where[1]) <= last
    else:  # the place is in what was read: a file, a text, a pipeline
        assert re.fullmatch(r"(?:<\w+>|[\w.]+\.\w+)(?::\d+:\d+)?", str(error.where))
    assert error.hint


@named(MISTAKES)
def test_the_message_is_short_and_has_no_names_from_inside(entry: Entry) -> None:
    _, text = outcome(entry)
    lines = text.splitlines()
    assert 1 <= len(lines) <= MOST_LINES
    assert max(map(len, lines)) <= MOST_LETTERS
    assert not INTERNAL.search(text)


def test_the_titles_are_of_one_mistake_each() -> None:
    titles = [e.title for e in ENTRIES]
    assert len(set(titles)) == len(titles) > 100


def regenerate() -> None:
    """Write the messages of the page as they are now."""
    page = PAGE.read_text("utf-8")
    for entry in ENTRIES:
        _, text = outcome(entry)
        if entry.is_command:
            old, new = f"{entry.wrong}\n{entry.message}```", f"{entry.wrong}\n{text}```"
        else:
            old = f"{entry.wrong}```\n\n```text\n{entry.message}```"
            new = f"{entry.wrong}```\n\n```text\n{text}```"
        at = page.index(old, page.index(f"### {entry.title}\n"))
        page = page[:at] + new + page[at + len(old) :]
    PAGE.write_text(page, "utf-8")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as empty:
        os.chdir(empty)
        regenerate()
