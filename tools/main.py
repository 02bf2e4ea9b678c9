"""The `dxir` command: one front for all that dxir does on a command line."""

from __future__ import annotations

import argparse
import contextlib
import difflib
import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn, TypeVar

import dxir
from dxir.errors import DxirError
from dxir.tools.command_arguments import add_debug
from dxir.tools.commands import COMMANDS, Command, find_command
from dxir.tools.contained import contained
from dxir.tools.tool import failed, named

_MISUSED = 2
_INTERRUPTED = 130
_MORE = """\
`dxir COMMAND --help` tells the options of a command. The first of them are tools of their own, too:
`dxir opt` is `dxir-opt`, `dxir translate` is `dxir-translate`, and so on.
"""


class Parser(argparse.ArgumentParser):
    """A parser whose errors read as those of the other tools, and name the nearest option."""

    def error(self, message: str) -> NoReturn:
        """Tell what is wrong with the command line, and end."""
        hint = self._near(message) or f"{self.prog} --help tells the options"
        failed(self.prog, DxirError(message, hint=hint))
        self.exit(_MISUSED)

    def _near(self, message: str) -> str | None:
        """What was meant, as far as what is not known resembles what is."""
        known = self._options()
        unknown = message.partition("unrecognized arguments: ")[2].split()
        for text in unknown:
            near = difflib.get_close_matches(text.partition("=")[0], known, n=2, cutoff=0.7)
            if text.startswith("-") and near:
                return f"did you mean {' or '.join(near)}?"
        return None

    def _options(self) -> set[str]:
        """The options of this parser, and of those below it."""
        known: set[str] = set()
        for action in self._actions:
            known.update(action.option_strings)
            below = action.choices.values() if isinstance(action.choices, dict) else ()
            for parser in below:
                known |= parser._options()
        return known


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; gives its exit code."""
    if "_ARGCOMPLETE" in os.environ and argv is None:
        from dxir.tools.completion import complete

        complete()
    given = sys.argv[1:] if argv is None else list(argv)
    at = next((i for i, text in enumerate(given) if not text.startswith("-")), len(given))
    before, rest = given[:at], given[at:]
    code = _told("dxir", lambda: _answered(before, rest), debug=False)
    if code is not None:
        return code
    command = find_command(rest[0])
    if command is None:
        return _unknown(rest[0])
    asked = [*before, *rest[1:]]
    own = argv is None
    if command.is_tool:
        return _run_tool(command, asked, own=own)
    options = parser_of(command).parse_args(asked)
    if own and command.contained:
        name = f"dxir {command.name}"
        contained(name, "dxir.tools.main", lambda: _finished(command, options))
    return _finished(command, options)


def _answered(before: Sequence[str], rest: Sequence[str]) -> int | None:
    """Answer what is asked before any command; the exit code, None to go on with the command."""
    for text in before:
        if text in ("-h", "--help"):
            print(help_text(), end="")
            return 0
        if text == "--version":
            print(f"dxir {dxir.__version__}")
            return 0
        if text != "--debug":
            hint = "options of a command come after it: dxir COMMAND --option"
            failed("dxir", DxirError(f"there is no option {text}", hint=hint))
            return _MISUSED
    if not rest:
        print(help_text(), end="")
        return _MISUSED
    return None


def _unknown(name: str) -> int:
    names = [command.name for command in COMMANDS]
    near = difflib.get_close_matches(name.removeprefix("dxir-"), names, n=2, cutoff=0.5)
    said = f"did you mean {' or '.join(near)}?" if near else "dxir --help lists them"
    failed("dxir", DxirError(f"there is no command {name!r}", hint=said))
    return _MISUSED


def _run_tool(command: Command, argv: list[str], *, own: bool) -> int:
    """Run a tool with a grammar of its own, in a child process if this one is dxir's `own`."""
    module = command.loaded(command.run)
    name = f"dxir {command.name}"
    if own:
        module.entry(argv, name)
    code: int = module.main(argv, name)
    return code


def _finished(command: Command, options: argparse.Namespace) -> int:
    """Run a command, and tell its errors."""
    name = f"dxir {command.name}"

    def run() -> int:
        found: int = command.loaded(command.run)(options)
        return found

    with named(name):
        return _told(name, run, debug=options.debug)


Code = TypeVar("Code", int, int | None)


def _told(name: str, run: Callable[[], Code], *, debug: bool) -> Code | int:
    """What `run` gives, all of it written; errors are told under that name, 1 is given for them."""
    try:
        code = run()
        if sys.stdout is not None:  # it may be closed
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        _write_no_more()  # the reader has seen enough
        return 0
    except KeyboardInterrupt:
        return _INTERRUPTED
    except (DxirError, ImportError, OSError) as error:
        if debug:
            raise
        if isinstance(error, OSError):
            _write_no_more()
        return failed(name, _as_ours(error))


def _as_ours(error: DxirError | ImportError | OSError) -> DxirError:
    if isinstance(error, DxirError):
        return error
    if isinstance(error, ImportError):
        hint = "`dxir doctor` tells what does not fit; pip install dxir brings what is missing"
        return DxirError(str(error), hint=hint)
    where = None if error.filename is None else str(error.filename)
    return DxirError(error.strerror or str(error), where=where)


def _write_no_more() -> None:
    """Have what is left in the buffer of the standard output go nowhere at the end."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def parser_of(command: Command) -> Parser:
    """What reads the command line of a command that has no grammar of its own."""
    name = f"dxir {command.name}"
    parser = Parser(
        prog=name,
        description=command.description,
        epilog=f"as in: {name} {command.example}",
        allow_abbrev=False,
    )
    command.loaded(command.arguments)(parser)
    add_debug(parser)
    return parser


def help_text() -> str:
    """What `dxir --help` prints."""
    width = max(len(command.name) for command in COMMANDS)
    rows = "\n".join(f"  {command.name:<{width}}  {command.help}" for command in COMMANDS)
    return f"""\
usage: dxir [--help] [--version] COMMAND [arguments of the command]

Emit, transform, check, compare and run StableHLO, and look at what is in it and what is here.

commands:
{rows}

options:
  -h, --help    print this, and stop
  --version     print the version, and stop
  --debug       show the traceback of an error

{_MORE}"""


if __name__ == "__main__":
    sys.exit(main())
