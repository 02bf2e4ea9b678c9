"""`dxir view`: a module as a page that opens in a browser, or as a graph for other tools."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from dxir.errors import ArgumentError, ArtifactError
from dxir.program import Program
from dxir.tools.contained import stage
from dxir.tools.module_file import called, read_module
from dxir.view import View, dot, model_explorer, page_of, plain
from dxir.view.comparing import compared, count_changes
from dxir.view.embedding import GENERATOR
from dxir.whole_files import write_file


def run(options: argparse.Namespace) -> int:
    """Run the command; gives its exit code."""
    if options.open and options.format != "html":
        raise ArgumentError(
            f"--open is for pages, not for --format={options.format}", hint="leave one of them out"
        )
    output = options.output or _usual_output(options)
    views = _views(options)
    stage("drawing")
    if output == "-":
        print(_written(options.format, views), end="")
        return 0
    try:
        write_file(output, _written(options.format, views).encode("utf-8"))
    except OSError as error:
        raise ArtifactError(
            f"the view cannot be written: {error.strerror or error}",
            where=output,
            hint="give another file with -o",
        ) from None
    print(f"wrote {output}", file=sys.stderr)
    if options.open:
        import webbrowser

        if not webbrowser.open(Path(output).resolve().as_uri()):
            print(f"no browser was found: open {output} in one", file=sys.stderr)
    return 0


def _usual_output(options: argparse.Namespace) -> str:
    """Where to write when nothing is said: no file is lost that is not such a page."""
    if options.format != "html":
        return "-"
    name = "module.html" if options.module == "-" else f"{Path(options.module).stem}.html"
    try:
        with open(name, "rb") as file:
            is_own = GENERATOR.encode() in file.read(1000)
    except FileNotFoundError:
        return name
    except OSError:
        is_own = False
    if not is_own:
        raise ArgumentError(
            f"{name} is there, and no page of `dxir view`", hint=f"say where to write: -o {name}"
        )
    return name


def _views(options: argparse.Namespace) -> list[View]:
    if options.module == options.other == "-":
        raise ArgumentError("standard input holds one module", hint="give a file for the other")
    first = read_module(options.module)
    name, other = _names(options)
    if options.other is not None:
        return _pair(first, read_module(options.other), name, other)
    if options.pipeline is None:
        stage(f"looking at {name}")
        from dxir.view import view_of

        return [view_of(first, name=name)]
    stage(f"running {options.pipeline} on {name}")
    after = first.run_passes(options.pipeline)
    return _pair(first, after, name, f"after {options.pipeline}")


def _pair(a: Program, b: Program, name: str, other: str) -> list[View]:
    stage(f"comparing {name} with {other}")
    return [*compared(a, b, names=(name, other))]


def _names(options: argparse.Namespace) -> tuple[str, str]:
    """What the page calls the modules: by their files, with folders where it takes these."""
    short = [called(m) if m == "-" else Path(m).name for m in (options.module, options.other or "")]
    if short[0] == short[1]:
        return called(options.module), called(options.other)
    return short[0], short[1]


def _written(format: str, views: list[View]) -> str:
    if format == "html":
        return page_of(*views)
    if format == "dot":
        if len(views) > 1:
            raise ArgumentError(
                "two modules beside each other are no graph of Graphviz",
                hint="write one after the other, or a page: --format=html",
            )
        return dot(views[0])
    found: dict[str, Any]
    if format == "model-explorer":
        found = model_explorer(*views)
    elif len(views) == 1:
        found = plain(views[0])
    else:
        found = {
            "before": plain(views[0]),
            "after": plain(views[1]),
            "op_counts": [
                {"op": op, "before": before, "after": after}
                for op, before, after in count_changes(*views)
            ],
        }
    return json.dumps(found, indent=None if format == "model-explorer" else 1) + "\n"
