"""RUN lines of `.mlir` tests, and the language they are in: that of LLVM's lit.

As far as MLIR's tests use it: pipes, `&&`, `||`, `;`, redirections, quotes, `%s`, `%S`, `%t`.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_RUN = re.compile(r"\bRUN:(.*)$")
_CONDITION = re.compile(r"\b(REQUIRES|UNSUPPORTED|EXECUTABLES):(.*)$")
_PLACE = re.compile(r"%([sStp%])")
_TOKEN = re.compile(
    r"""\s*(?:
      (?P<join>&&|\|\||;)
    | (?P<pipe>\|)
    | (?P<redirect>[012]?>&[12]|&>|[012]?>>|[012]?>|<)
    | (?P<word>(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\|&;<>])+)
    )""",
    re.VERBOSE,
)
_PIECE = re.compile(r""""((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)|([^"'\\]+)""")


class LitFailure(Exception):
    """A RUN line failed: `where` it stands, what was run, and what came of it."""

    def __init__(self, what: str, where: str = "", command: str = "", text: str = "") -> None:
        super().__init__(what)
        self.what, self.where, self.command, self.text = what, where, command, text

    def __str__(self) -> str:
        head = f"{self.where}: {self.what}" if self.where else self.what
        parts = [head, f"  $ {self.command}" if self.command else "", self.text.rstrip()]
        return "\n".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class RunLine:
    """A RUN line, continuations joined: its text and the number of its first line."""

    text: str
    line: int


@dataclass(slots=True)
class Script:
    """What the comments of a test file ask for.

    `executables`: `also` or `only` for a file that ordinary runs put through the executables.
    """

    runs: list[RunLine] = field(default_factory=list)
    requires: list[str] = field(default_factory=list)
    unsupported: list[str] = field(default_factory=list)
    executables: str = ""

    def reason_to_skip(self, features: frozenset[str]) -> str | None:
        """Why the test does not apply here, if it does not."""
        for text in self.requires:
            if not _holds(text, features):
                return f"requires {text}"
        for text in self.unsupported:
            if any(_holds(part, features) for part in text.split(",")):
                return f"unsupported on {text}"
        return None


def _holds(text: str, features: frozenset[str]) -> bool:
    """Whether all the features named are there; `!x` is the absence of x, `a || b` either."""
    words = [part.strip() for part in re.split(r",|&&", text)]
    return all(
        any((w.strip().lstrip("!") in features) != w.strip().startswith("!") for w in p.split("||"))
        for p in words
    )


def features() -> frozenset[str]:
    """What REQUIRES and UNSUPPORTED may name: `jaxlib-0.10`, `python-3.11`, `linux`, `installed`.

    `installed`: dxir was installed by pip, and knows its version.
    """
    jaxlib = ".".join(importlib.metadata.version("jaxlib").split(".")[:2])
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    found = {f"jaxlib-{jaxlib}", f"python-{python}", sys.platform}
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        importlib.metadata.version("dxir")
        found.add("installed")
    return frozenset(found)


def read_script(text: str) -> Script:
    """The RUN lines and conditions in the comments of a file."""
    script = Script()
    pending: list[str] = []
    first = 0
    for number, line in enumerate(text.splitlines(), 1):
        condition = _CONDITION.search(line)
        if condition:
            kind, rest = condition[1], condition[2].strip()
            if kind == "EXECUTABLES":
                script.executables = rest
            else:
                (script.requires if kind == "REQUIRES" else script.unsupported).append(rest)
        run = _RUN.search(line)
        if run is None:
            continue
        first = first if pending else number
        part = run[1].strip()
        pending.append(part.removesuffix("\\").strip())
        if not part.endswith("\\"):
            script.runs.append(RunLine(" ".join(pending), first))
            pending = []
    if pending:
        raise LitFailure(f"the RUN line of line {first} ends in a backslash, and nothing follows")
    return script


@dataclass(slots=True)
class Command:
    """One stage of a pipe: its words, and the files of its streams; None is the next stage.

    `stderr` may be `&1`, where stdout goes, and `|`, the next stage though stdout goes elsewhere.
    """

    words: list[str] = field(default_factory=list)
    stdin: str | None = None
    stdout: str | None = None
    stderr: str | None = None
    append: bool = False


def _unquoted(word: str) -> str:
    found = ""
    for piece in _PIECE.finditer(word):
        double, single, escaped, plain = piece.groups()
        if double is not None:
            found += re.sub(r'\\(["\\$`])', r"\1", double)
        else:
            found += next(p for p in (single, escaped, plain) if p is not None)
    return found


def parse_line(text: str) -> Iterator[tuple[str, list[Command]]]:
    """The pipes of a line, each with what joins it to the one before (`""`, `&&`, `||`, `;`)."""
    join, pipe, at = "", [Command()], 0
    text = text.strip()
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise LitFailure(f"cannot read this part of the RUN line: {text[at:]}")
        at = token.end()
        if token["word"] is not None:
            pipe[-1].words.append(_unquoted(token["word"]))
        elif token["pipe"]:
            pipe.append(Command())
        elif token["join"]:
            yield join, pipe
            join, pipe = token["join"], [Command()]
        else:
            at = _redirect(pipe[-1], token["redirect"], text, at)
    yield join, pipe


def _redirect(command: Command, sign: str, text: str, at: int) -> int:
    if sign.endswith("&1"):
        command.stderr = "&1"
        return at
    if sign.endswith("&2"):
        command.stdout = "&2"
        return at
    word = _TOKEN.match(text, at)
    if word is None or word["word"] is None:
        raise LitFailure(f"a file is missing after {sign}")
    name = _unquoted(word["word"])
    if sign == "<":
        command.stdin = name
    elif sign.startswith("2"):
        command.stderr = name
    else:
        if sign.startswith("&"):
            command.stderr = "&1"
        elif command.stderr == "&1":
            command.stderr = "|"  # `2>&1 >file`: where stdout went before
        command.stdout = name
    command.append = command.append or ">>" in sign
    return word.end()


def placed(text: str, path: Path, scratch: Path) -> str:
    """A RUN line with `%s`, `%S`, `%p` and `%t` put in."""
    found = {"s": str(path), "S": str(path.parent), "p": str(path.parent), "%": "%"}
    found["t"] = str(scratch / f"{path.stem}.tmp")
    return _PLACE.sub(lambda m: found[m[1]], text)
