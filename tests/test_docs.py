"""The README and the docs pages: their snippets run, their links lead somewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LONG = ("oracle.md", "parallelism.md", "devices.md", "distributed.md", "contained.md", "iree.md")
SNIPPET = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)[^)]*\)")
SHOWN = [
    pytest.param(page, marks=pytest.mark.slow) if page.name in LONG else page
    for page in PAGES
    if SNIPPET.search(page.read_text("utf-8"))
]


@pytest.mark.parametrize("page", SHOWN, ids=lambda p: p.name)
def test_the_snippets_of_a_page_run_one_after_the_other(page: Path, tmp_path: Path) -> None:
    snippets = SNIPPET.findall(page.read_text("utf-8"))
    script = tmp_path / "page.py"
    script.write_text("\n".join(snippets), "utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script)], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text("utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"
