"""The site of the docs: its contents, its reference of the Python API, its links, its build."""

import importlib
import importlib.util
import inspect
import itertools
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

import dxir

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
DOCUMENTED = re.compile(
    r"^ *\.\. (?:auto|py:)(?!module|currentmodule)\w+:: (.+(?:\n {5,}\S+)*)", re.M
)
MODULES = ("collectives", "distributed", "testing", "verify")
PARSER = MarkdownIt("gfm-like", {"linkify": False})


def documented(page: Path) -> list[str]:
    """The names that a page of the reference describes."""
    found = DOCUMENTED.findall(page.read_text("utf-8"))
    modules = re.findall(r"^\.\. (?:automodule|py:module):: (\S+)", page.read_text("utf-8"), re.M)
    return [*modules, *(name for names in found for name in names.split())]


def test_every_public_name_is_on_exactly_one_page_of_the_reference() -> None:
    count = Counter(
        name for page in sorted((DOCS / "api").glob("*.md")) for name in documented(page)
    )
    missing = [f"dxir.{name}" for name in dxir.__all__ if not count[f"dxir.{name}"]]
    assert not missing, "add them to a page of docs/api"
    assert not [name for name, times in count.items() if times > 1]


@pytest.mark.parametrize("module", MODULES)
def test_every_name_of_a_public_module_is_on_a_page(module: str) -> None:
    found = importlib.import_module(f"dxir.{module}")
    names = getattr(found, "__all__", None) or [
        name
        for name, value in vars(found).items()
        if name[0].islower() and getattr(value, "__module__", None) == found.__name__
    ]
    listed = {name for page in (DOCS / "api").glob("*.md") for name in documented(page)}
    assert not [name for name in names if f"dxir.{module}.{name}" not in listed]


@pytest.mark.parametrize("page", sorted((DOCS / "api").glob("*.md")), ids=lambda p: p.name)
def test_every_name_on_a_page_of_the_reference_exists_and_says_what_it_means(page: Path) -> None:
    for full in documented(page):
        module, _, name = full.rpartition(".")
        try:
            thing = importlib.import_module(full)
        except ModuleNotFoundError:
            thing = getattr(importlib.import_module(module), name)
        if inspect.isclass(thing) or inspect.isroutine(thing) or inspect.ismodule(thing):
            assert (thing.__doc__ or "").strip(), full


def links_of(page: Path) -> Iterator[str]:
    for block in PARSER.parse(page.read_text("utf-8")):
        for token in block.children or ():
            if token.type == "link_open":
                yield str(token.attrs["href"])


def test_every_page_is_in_the_contents_of_the_site_once() -> None:
    for front, pages in (
        (DOCS / "index.md", DOCS.glob("*.md")),
        (DOCS / "api" / "index.md", (DOCS / "api").glob("*.md")),
        (DOCS / "rules.md", (DOCS / "rules").glob("*.md")),
    ):
        items = re.findall(
            r"^(?:- |\| )\[[^\]]+\]\(([\w./-]+\.md)\)", front.read_text("utf-8"), re.M
        )
        listed = Counter((front.parent / item).resolve() for item in items)
        missing = [page.name for page in pages if page != front and listed[page.resolve()] != 1]
        assert not missing, f"list them once in {front.relative_to(ROOT)}"


@cache
def anchors(page: Path) -> frozenset[str]:
    """The anchors that readers of Markdown give the headings of a page."""
    blocks = PARSER.parse(page.read_text("utf-8"))
    count: Counter[str] = Counter()
    found: set[str] = set()
    for opening, content in itertools.pairwise(blocks):
        if opening.type == "heading_open":
            text = "".join(
                c.content for c in content.children or () if c.type in ("text", "code_inline")
            )
            kept = (
                c for c in text.strip().lower() if c in " -_" or unicodedata.category(c)[0] in "LN"
            )
            slug = "".join(kept).replace(" ", "-")
            found.add(f"{slug}-{count[slug]}" if count[slug] else slug)
            count[slug] += 1
    return frozenset(found)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_to_files_and_headings_that_are_there(page: Path) -> None:
    for link in links_of(page):
        if link.startswith(("http:", "https:")):
            continue
        target, _, anchor = link.partition("#")
        found = (page.parent / target).resolve() if target else page
        assert found.exists(), link
        if anchor and found.suffix == ".md":
            assert anchor in anchors(found), link


def test_the_configuration_of_the_site_has_no_path_of_a_machine() -> None:
    for source in (DOCS / "conf.py", *(DOCS / "_sphinx").glob("*.py")):
        assert not re.search(r"""["'](/|~|[A-Z]:\\)\w""", source.read_text("utf-8")), source.name


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("sphinx", "myst_parser", "furo")),
    reason="the extra `docs` is not installed",
)
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-n", "-q", "-b", "html"]
    folders = ["-d", str(tmp_path / "trees"), str(DOCS), str(tmp_path / "site")]
    done = subprocess.run([*command, *folders], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "dxir.Builder" in (tmp_path / "site" / "api" / "building.html").read_text("utf-8")
