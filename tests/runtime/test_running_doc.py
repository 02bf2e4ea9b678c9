"""The snippets of docs/running.md run."""

import re
from pathlib import Path

import pytest

DOC = Path(__file__).parents[2] / "docs" / "running.md"
SNIPPETS = re.findall(r"```python\n(.*?)```", DOC.read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("index", range(len(SNIPPETS)))
def test_a_snippet_runs(index: int, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(SNIPPETS[index], f"{DOC.name}[{index}]", "exec"), {"__name__": "snippet"})
    assert capsys.readouterr().out
