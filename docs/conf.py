"""How Sphinx makes the site of the pages in this folder: `make docs`.

The pages are plain Markdown that is also read as it is; what the site needs beyond it is made by
the modules of `_sphinx`.
"""

import sys
from importlib.metadata import version as installed
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_sphinx"))

project = "dxir"
author = "the authors of dxir"
release = version = installed("dxir")
html_title = f"dxir {release}"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "docstrings",
    "mlir_lexer",
    "modules_reference",
    "ops_reference",
    "plain_markdown",
    "references",
]
exclude_patterns = ["_sphinx"]

html_theme = "furo"
html_copy_source = False
html_show_sourcelink = False
pygments_style = "default"
pygments_dark_style = "monokai"

myst_heading_anchors = 6  # the anchors that readers of plain Markdown give headings, too
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True

default_role = "code"  # docstrings have code between single backticks, as Markdown has
nitpicky = True
toc_object_entries = False
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_typehints_format = "short"
