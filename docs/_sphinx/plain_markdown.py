"""What the site makes of plain Markdown: tables of contents, names of files, paths in the tree.

The sections of the pages in `CONTENTS` list the pages below them as links. The hidden `toctree`s
that Sphinx wants are made of these, so that there is one list for both.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

CONTENTS = ("index", "rules", "api/index")
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_FILE = re.compile(r"^```(\w+) ([\w.-]+\.\w+)\n", re.MULTILINE)
_ITEM = re.compile(r"^(?:- |\| )\[([^\]]+)\]\(([\w./-]+)\.md\)", re.MULTILINE)


def add_contents(_app: Sphinx, page: str, source: list[str]) -> None:
    """Put a hidden table of contents behind each page that lists others."""
    if page not in CONTENTS:
        return
    title, *sections = _SECTION.split(source[0])
    named = [("", title), *zip(sections[::2], sections[1::2], strict=True)]
    source[0] += "".join(_toctree(name if page == "index" else "", text) for name, text in named)


def show_names(_app: Sphinx, _page: str, source: list[str]) -> None:
    """Show above a block which file it is, where the word after its language says so."""
    source[0] = _FILE.sub(r"```{code-block} \1\n:caption: \2\n\n", source[0])


def _toctree(caption: str, text: str) -> str:
    links = [(name.strip("`"), target) for name, target in _ITEM.findall(text)]
    if not links:
        return ""
    head = "\n```{toctree}\n:hidden:\n" + (f":caption: {caption}\n" if caption else "")
    return head + "\n" + "".join(f"{name} <{target}>\n" for name, target in links) + "```\n"


class FilesOfTheTree(SphinxTransform):
    """Links to what is in the source tree but not in the site are shown as the path."""

    default_priority = 5

    def apply(self) -> None:
        """Replace the links of one page."""
        source = Path(self.app.srcdir)
        page = source / self.env.docname
        for link in list(self.document.findall(nodes.Element)):
            target = link.get("reftarget", link.get("refuri", ""))
            for path in (page.parent / str(target), page.parent / f"{target}.md"):
                if target and path.is_file() and not path.resolve().is_relative_to(source):
                    shown = path.resolve().relative_to(source.parent).as_posix()
                    link.replace_self(nodes.literal("", shown))
                    break


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect them to Sphinx."""
    app.connect("source-read", add_contents)
    app.connect("source-read", show_names)
    app.add_transform(FilesOfTheTree)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
