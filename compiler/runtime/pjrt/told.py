"""What the text of a compiled program tells that its interface does not."""

from __future__ import annotations

import re
from typing import Any

from jaxlib import _hlo

_CALL = re.compile(r'custom_call_target="((?:[^"\\]|\\.)*)"')
_ALIASED = re.compile(r"\{[\d, ]*\}: \((\d+), \{")
_DONOR = re.compile(r"\((\d+), \{")


def calls_in(loaded: Any) -> set[str]:
    """The custom calls that a compiled program makes."""
    return set(_CALL.findall(_text(loaded)))


def donated_in(loaded: Any) -> set[int]:
    """The numbers of the parameters whose memory a compiled program takes over."""
    head = _text(loaded).partition("\n")[0]
    aliased = _ALIASED.findall(_part(head, "input_output_alias"))
    donors = _DONOR.findall(_part(head, "buffer_donor"))
    return {int(number) for number in (*aliased, *donors)}


def _part(head: str, name: str) -> str:
    """What is in the braces after `name=`."""
    _, _, rest = head.partition(f"{name}={{")
    depth = 1
    for i, c in enumerate(rest):
        depth += (c == "{") - (c == "}")
        if not depth:
            return rest[:i]
    return ""


def _text(loaded: Any) -> str:
    options = _hlo.HloPrintOptions.short_parsable()
    options.print_large_constants = False
    options.print_metadata = False
    return "\n".join(module.to_string(options) for module in loaded.hlo_modules())
