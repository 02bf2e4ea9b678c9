"""The command line of `dxir view`; read before anything of MLIR is loaded."""

from __future__ import annotations

import argparse

from dxir.tools.command_arguments import add_module

FORMATS = ("html", "dot", "model-explorer", "json")


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_module(command)
    other = command.add_mutually_exclusive_group()
    other.add_argument("other", nargs="?", help="another module, shown beside the first")
    other.add_argument(
        "--passes",
        "--pipeline",
        dest="pipeline",
        metavar="PIPELINE",
        help="show the module before and after these passes, as cse,dxir-recognize",
    )
    command.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="where to write; - is standard output, where all but pages go unless told. A page "
        "goes to MODULE.html in the working folder",
    )
    form = command.add_mutually_exclusive_group()
    form.add_argument(
        "--format",
        choices=FORMATS,
        default="html",
        help="a page (the default), DOT for Graphviz, JSON for Model Explorer, or plain JSON",
    )
    form.add_argument(
        "--json",
        action="store_const",
        dest="format",
        const="json",
        help="the same as --format=json",
    )
    command.add_argument("--open", action="store_true", help="open the page in a browser")
