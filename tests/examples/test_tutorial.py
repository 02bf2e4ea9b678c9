"""The tutorial prints what it says, its commands too, in the time it promises."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "tutorial.md"
BLOCK = re.compile(r"^```(python|sh|text)\n(.*?)^```", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]\d+)?")
VERDICT = re.compile(r"(close|equal) .*")  # of dxir.check; how close is the machine's business


class Step(NamedTuple):
    """A snippet or a command of the page, and what the page says it prints."""

    kind: str
    body: str
    shown: str | None


def steps() -> Iterator[Step]:
    found = BLOCK.findall(PAGE.read_text("utf-8"))
    for place, (kind, body) in enumerate(found):
        after = found[place + 1] if place + 1 < len(found) else ("", "")
        if kind != "text":
            yield Step(kind, body, after[1] if after[0] == "text" else None)


def printed(step: Step, before: str, names: dict[str, Any]) -> str:
    """What a step prints, in the current folder; `before` are the snippets before it."""
    if step.kind == "sh":
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        done = subprocess.run(
            ["sh", "-c", step.body],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PATH": path},
        )
        return done.stdout
    file = Path("tutorial.py").absolute()
    file.write_text(before + step.body, "utf-8")
    source = "\n" * before.count("\n") + step.body  # so that lines are those of the file
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(source, str(file), "exec"), names)
    return out.getvalue()


def same(found: str, shown: str) -> bool:
    """Whether words are equal, and numbers as near as other machines and versions may be."""
    found, shown = VERDICT.sub("", found), VERDICT.sub("", shown)
    if NUMBER.sub("#", found).split() != NUMBER.sub("#", shown).split():
        return False
    texts = zip(NUMBER.findall(found), NUMBER.findall(shown), strict=True)
    pairs = [(float(a.replace(",", "")), float(b.replace(",", ""))) for a, b in texts]
    return all(abs(a - b) <= max(0.02, 0.25 * b) for a, b in pairs)


def test_each_snippet_and_command_prints_what_the_tutorial_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    names: dict[str, Any] = {"__name__": "tutorial"}
    before, count = "", 0
    for step in steps():
        if "pip install" in step.body:
            continue
        found = printed(step, before, names).replace(f"{tmp_path}{os.sep}", "")
        if step.kind == "python":
            before += step.body + "\n"
        assert same(found, step.shown or ""), f"{step.body}\n{found}"
        count += 1
    assert count > 12


def test_the_check_of_the_tutorial_fails_before_the_repair_and_passes_after() -> None:
    checks = [step.shown or "" for step in steps() if step.body == "dxir-verify models\n"]
    assert ["1 warning" in shown for shown in checks] == [True, False]
    assert "nothing found" in checks[1]
