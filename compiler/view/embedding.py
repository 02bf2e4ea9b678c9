"""Pages of one file: what is in them runs and loads nothing that did not come with them."""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from typing import Any

GENERATOR = '<meta name="generator" content="dxir view">'
"""What the pages of `dxir view` have near their start."""


def embedded(data: Any) -> str:
    """JSON that may stand in a script element, where HTML ends at the first `</script`."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def document(*, title: str, style: str, body: str, data: Any, script: str, head: str = "") -> str:
    """A page in HTML: `head` and `body` are HTML, `title` and `data` are any text and plain values.

    The policy of the page lets only this script run, known by its digest, and nothing be fetched.
    The script finds the data in the element `data`.
    """
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    text = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f"{head}<title>{escape(title)}</title>\n<style>{style}</style></head>\n<body>\n{body}\n"
        f'<script type="application/json" id="data">{embedded(data)}</script>\n'
        f"<script>{script}</script>\n</body></html>\n"
    )
    return text.encode("utf-8", "replace").decode("utf-8")  # a name may hold half a character
