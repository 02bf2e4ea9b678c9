"""The command line of `dxir sharding`; read before anything of MLIR is loaded."""

from __future__ import annotations

import argparse

from dxir.tools.command_arguments import add_module


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_module(command)
    command.add_argument(
        "--interconnect",
        metavar="FILE",
        help="the links between devices, in TOML or JSON, for the seconds of collectives",
    )
    command.add_argument(
        "--values",
        metavar="REGEX",
        help="tell these values in full, by name, op or place; `all` for all of them",
    )
    command.add_argument(
        "--process-groups", action="store_true", help="the devices in each group of a collective"
    )
    other = command.add_mutually_exclusive_group()
    other.add_argument("--compare", metavar="FILE", help="another module, shown beside this one")
    other.add_argument(
        "--with",
        action="append",
        default=[],
        dest="shardings",
        metavar="NAME=SHARDING",
        help="""compare with another sharding of a parameter or result, 'arg0=[{"x"}, {}]'""",
    )
    command.add_argument(
        "--passes", metavar="PIPELINE", help="passes to run first, as dxir-decompose"
    )
    command.add_argument(
        "-o", "--html", dest="html", metavar="FILE", help="write the report as one page to open"
    )
    command.add_argument("--json", action="store_true", help="as JSON, every value in full")
