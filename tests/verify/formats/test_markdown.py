"""The summary, as Markdown is rendered."""

import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from dxir.verify.finding import Finding, Place
from dxir.verify.formats import write
from dxir.verify.report import Report

COMMENT = 65_536
"""How long a comment on GitHub may be."""


def rendered(text: str) -> str:
    return str(MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(text))


def test_findings_are_counted_by_rule_and_folded_by_file(reports: list[Report]) -> None:
    text = write("markdown", reports)
    assert "❌ 3 files checked: 1 error, 1 warning, 1 note in 3 files" in text
    page = rendered(text)
    assert page.count("<table>") == 4
    assert page.count("<details>") == page.count("</details>") == 3
    assert "<td>⚠️ <code>structure-function-terminator</code></td>" in page
    assert page.index("models/a.mlir") < page.index("c.mlirbc")


def test_nothing_found_is_one_line(module: Path) -> None:
    assert write("markdown", [Report("a")]) == (
        "### dxir-verify\n\n✅ 1 file checked: nothing found.\n\n"
    )


def test_text_of_a_module_is_no_markup_and_mentions_nobody(hostile: list[Report]) -> None:
    page = rendered(write("markdown", [hostile[0], hostile[5]]))
    marked = [Report("a", (Finding("a-b", "error", "it is `return` here", Place("a")),))]
    tags = {*re.findall(r"<(\w+)", page)}
    known = "h3 p table thead tbody tr th td code details summary br"
    assert tags <= {*known.split()}
    assert "&lt;b&gt;markup&lt;/b&gt; &amp; \\ [a](javascript:x) | cell * _x_ ~~y~~" in page
    assert "return" in re.findall(r"<code>(.*?)</code>", rendered(write("markdown", marked)))
    outside = re.sub(r"<code>.*?</code>", "", page)
    assert "@someone" not in outside
    assert "#1" not in outside
    assert "https://" not in write("markdown", [hostile[5]])
    assert {row.count("<td") for row in re.findall(r"<tr>.*?</tr>", page, re.S)} == {0, 3}


@pytest.mark.parametrize("shape", [(1, 5000), (3000, 1), (60, 60)])
def test_a_summary_fits_into_a_comment(shape: tuple[int, int], module: Path) -> None:
    files, each = shape
    found = [
        Report(
            f"models/{n}.mlir",
            tuple(
                [
                    Finding(f"numerics-{k % 70}", "error", "<&|>" * 99, Place(f"m/{n}.mlir", k))
                    for k in range(each)
                ]
            ),
        )
        for n in range(files)
    ]
    text = write("markdown", found)
    assert 30_000 < len(text) < COMMENT
    page = rendered(text)
    assert page.count("<details>") == page.count("</details>")
    assert re.search(r"(more finding|room for [\d,]+ more file)s", page)


def test_lines_lead_to_the_file_in_a_job_of_github_or_gitlab(
    reports: list[Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "<a " not in write("markdown", reports)
    monkeypatch.setenv("CI_PROJECT_URL", "https://gitlab.example/o/p")
    monkeypatch.setenv("CI_COMMIT_SHA", "abc")
    link = '<a href="https://gitlab.example/o/p/-/blob/abc/models/a.mlir#L3">3</a>'
    assert link in write("markdown", reports)
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://github.example")
    monkeypatch.setenv("GITHUB_REPOSITORY", "o/p")
    monkeypatch.setenv("GITHUB_SHA", "def")
    link = '<a href="https://github.example/o/p/blob/def/models/a.mlir#L3">3</a>'
    assert link in write("markdown", reports)
