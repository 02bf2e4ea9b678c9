"""What names in signatures lead to.

A class of dxir that is on a page is linked whatever module it lives in. What is on none, and all
of other packages, is text: links into the documentation of others would need the network.
"""

from collections.abc import Iterator

from docutils import nodes
from sphinx.addnodes import pending_xref, pending_xref_condition
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

_TYPES = {"class", "data", "type", "exception"}


class NamesInSignatures(SphinxPostTransform):
    """Every name is given the full one that it has on its page, or made text."""

    default_priority = 5  # before Sphinx looks for it

    def run(self, **_: object) -> None:
        """Rewrite the names of one page."""
        known = {
            name
            for name, entry in self.env.domains.python_domain.objects.items()
            if entry.objtype in _TYPES
        }
        for link in list(self.document.findall(pending_xref)):
            if link.get("refdomain") != "py":
                continue
            found = next((n for n in _possible(link["reftarget"]) if n in known), None)
            if found is None:
                link.replace_self(_shown(link))
            else:
                link["reftarget"] = found
                link["refspecific"] = False


def _shown(link: pending_xref) -> list[nodes.Node]:
    """The text of a name, the shorter one where there are two."""
    for condition in link.findall(pending_xref_condition):
        if condition.get("condition") == "resolved":
            return condition.children
    return link.children


def _possible(target: str) -> Iterator[str]:
    """The names that a class may have on its page, by the one in the signature."""
    *modules, name = target.split(".")
    if modules and modules[0] != "dxir":
        return
    yield target
    yield f"dxir.{name}"
    for count in range(len(modules) - 1, 1, -1):
        yield ".".join((*modules[:count], name))


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the transform to Sphinx."""
    app.add_post_transform(NamesInSignatures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
