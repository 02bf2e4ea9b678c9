"""The console blocks of the docs pages: each command runs, and prints what the page says."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```(?P<kind>console|mlir) ?(?P<name>[\w.-]*)\n(?P<body>.*?)^```", re.M | re.S)
QUICK = ("README.md", "dxir-verify.md")  # each command of the others is a process, too
PAGES = [
    page
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    if "```console" in page.read_text("utf-8")
]
EXIT = re.compile(r"exit code (\d+)")
ANYTHING = "..."


@dataclass
class Command:
    """A command of a page, what it prints, and its exit code."""

    line: str
    output: list[str] = field(default_factory=list)
    code: int = 0


def commands(body: str) -> Iterator[Command]:
    found: Command | None = None
    for line in body.splitlines():
        if line.startswith("$ "):
            if found is not None:
                yield found
            found = Command(line[2:])
        elif found is not None:
            code = EXIT.fullmatch(line)
            if code is not None:
                found.code = int(code[1])
            else:
                found.output.append(line)
    if found is not None:
        yield found


def matches(expected: list[str], printed: list[str]) -> bool:
    """Whether the lines are those expected; `...` stands for any number of lines."""
    if not expected:
        return not printed
    if expected[0] == ANYTHING:
        return any(matches(expected[1:], printed[at:]) for at in range(len(printed) + 1))
    return (
        bool(printed)
        and expected[0].rstrip() == printed[0].rstrip()
        and matches(expected[1:], printed[1:])
    )


MARKED = [p if p.name in QUICK else pytest.param(p, marks=pytest.mark.slow) for p in PAGES]


@pytest.mark.parametrize("page", MARKED, ids=lambda p: p.name)
def test_the_commands_of_a_page_print_what_it_says(page: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for block in BLOCK.finditer(page.read_text("utf-8")):
        if block["kind"] == "mlir":
            if block["name"]:
                (tmp_path / block["name"]).write_text(block["body"], "utf-8")
            continue
        for command in commands(block["body"]):
            done = subprocess.run(
                ["sh", "-c", command.line],
                cwd=tmp_path,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            printed = [line for line in done.stdout.splitlines() if line.strip()]
            assert done.returncode == command.code, f"{command.line}\n{done.stdout}"
            expected = [line for line in command.output if line.strip()]
            assert matches(expected, printed), f"{command.line}\n{done.stdout}"
