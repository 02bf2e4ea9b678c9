"""Limits as options have them: a name, or a pattern of names, and the most there may be."""

from __future__ import annotations

from collections.abc import Iterable

from dxir.errors import ConfigurationError


def named_limits(given: Iterable[str], rule: str) -> tuple[tuple[str, int], ...]:
    """The names and numbers of options `name=number`; ConfigurationError for what is none."""
    found: list[tuple[str, int]] = []
    for text in given:
        name, equals, number = text.partition("=")
        try:
            most = int(number.replace("_", ""))
        except ValueError:
            most = -1
        if not equals or not name.strip() or most < 0:
            raise ConfigurationError(
                f"the option limits of {rule} has {text!r}, which is no limit",
                hint='write "stablehlo.transpose=12": a name, =, and a number from 0 on',
            )
        found.append((name.strip(), most))
    return tuple(found)
