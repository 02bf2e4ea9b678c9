"""FileCheck in this process, by the `filecheck` package."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

from filecheck.finput import FInput
from filecheck.matcher import Matcher
from filecheck.ops import CheckOp
from filecheck.options import DumpInputKind, Options, parse_argv_options
from filecheck.parser import Parser

# How a failure is shown, which is not FileCheck's business here.
_IGNORED = re.compile(r"--?(?:dump-input(?:-context|-filter)?(?:=.*)?|color|v|vv)$")
_NEVER = re.compile(r"--?implicit-check-not=(.*)$", re.DOTALL)


class _Recording(Matcher):
    """A matcher that keeps what it matched, for what must not stand anywhere else."""

    spans: list[tuple[int, int]]

    def capture_results(self, match: re.Match[str], capture: Any, op: CheckOp) -> None:
        self.spans.append(match.span())
        super().capture_results(match, capture, op)

    def check_label(self, op: CheckOp) -> None:
        start = self.file.range.end
        super().check_label(op)
        self.spans.append((start, self.file.range.start))


def file_check(arguments: list[str], text: str) -> tuple[int, str]:
    """The exit code of `FileCheck arguments` on a text, and what it says when it is not 0."""
    never: list[str] = []
    kept: list[str] = []
    for argument in arguments:
        found = _NEVER.match(argument)
        if found:
            never.append(found[1])
        elif not _IGNORED.match(argument):
            kept.append(argument)
    try:
        options = parse_argv_options(["FileCheck", *kept])
    except RuntimeError as error:
        return 2, f"FileCheck: {error}"
    options.dump_input = DumpInputKind.FAIL
    if options.input_file != "-":
        text = Path(options.input_file).read_text(encoding="utf-8")
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = _match(options, text, never)
    return code, said.getvalue()


def _match(options: Options, text: str, never: list[str]) -> int:
    matcher = _Recording(options, FInput(options.input_file, text), Parser.from_opts(options))
    matcher.spans = []
    code = matcher.run()
    if code:
        return code
    at = 0
    for start, end in [*sorted(matcher.spans), (len(text), len(text))]:
        for pattern in never:
            if at < start and pattern in text[at:start]:
                print(f"error: --implicit-check-not: excluded string found: {pattern!r}")
                print(text[at:start])
                return 1
        at = max(at, end)
    return 0
