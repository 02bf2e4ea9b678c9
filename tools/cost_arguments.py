"""The command line of `dxir cost`; read before anything of MLIR is loaded."""

from __future__ import annotations

import argparse
import math

from dxir.tools.command_arguments import add_import, add_module


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_module(command)
    command.add_argument(
        "--function", default="", metavar="NAME", help="the function that is run; main unless given"
    )
    command.add_argument(
        "--by",
        action="append",
        choices=("function", "op", "location", "kind"),
        help="a table by function, by op, by place or by kind of op; may be given again",
    )
    command.add_argument(
        "--top",
        type=_count,
        default=20,
        metavar="N",
        help="the most rows of a table; 20 unless given",
    )
    command.add_argument(
        "--peak-flops",
        type=_rate,
        metavar="F",
        help="operations a second, as 19.5e12: with --bandwidth, for the seconds of a roofline",
    )
    command.add_argument(
        "--bandwidth", type=_rate, metavar="B", help="bytes a second between memory and processor"
    )
    command.add_argument(
        "--passes", metavar="PIPELINE", help="passes to run first, as dxir-decompose"
    )
    add_import(command, "costs of custom calls")
    command.add_argument("--json", action="store_true", help="as JSON, every number in full")


def _count(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of rows")
    return number


def _rate(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 1 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 on")
    return number
