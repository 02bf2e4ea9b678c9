"""`dxir generate`: the files of a checkout that are made from the registries."""

from __future__ import annotations

import argparse

from dxir.errors import DxirError
from dxir.generate import generate


def run(options: argparse.Namespace) -> int:
    """Run the command; gives its exit code."""
    changed, current = generate(check=options.check)
    for path in changed:
        print(f"{'out of date' if options.check else 'wrote'}: {path}")
    for path in current:
        print(f"up to date: {path}")
    if options.check and changed:
        raise DxirError(
            "files are out of date", hint="run `dxir generate`, and commit what it writes"
        )
    return 0
