"""The command line of dxir-verify."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from dxir.errors import ConfigurationError
from dxir.tools.command_line import (
    choice,
    flag,
    help_of,
    integer,
    natural,
    parse,
    refuse_others,
    repeated,
    value,
    values,
)
from dxir.tools.shared_options import TOOL
from dxir.verify.finding import SEVERITIES, Severity

if TYPE_CHECKING:
    from dxir.errors import DxirError

_FILES = "What is checked"
_RULES = "Rules"
_SETTINGS = "Settings and known findings"
_RESULTS = "What is told"
_GROUPS = (_FILES, _RULES, _SETTINGS, _RESULTS, TOOL)


_JOBS = re.compile(r"^-j(\d+)$")
"""As make and others have it."""


def _count(text: str) -> int:
    number = integer(text)
    if number < 1:
        raise ValueError(f"'{text}' is not a number above 0")
    return number


@dataclass(frozen=True, slots=True)
class VerifyArguments:
    """What a command line of dxir-verify asks for; None is an option that was not given."""

    paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = values(
        "exclude", _FILES, "PATTERN,...", "files to leave out, as .gitignore has them"
    )
    stdin_name: str | None = value(
        "stdin-name", _FILES, "NAME", "what the standard input (`-`) is called in the findings"
    )
    fix: bool = flag("fix", _FILES, "put right in the files what can be put right without harm")

    select: tuple[str, ...] = values(
        "select", _RULES, "ID,...", "rules to run that are off by default, such as `equivalence-*`"
    )
    ignore: tuple[str, ...] = values("ignore", _RULES, "ID,...", "rules not to run")
    only: tuple[str, ...] = values("only", _RULES, "ID,...", "run these rules, and no others")
    severity: tuple[str, ...] = values(
        "severity", _RULES, "ID=SEVERITY,...", "how bad findings are: note, warning or error"
    )
    option: tuple[str, ...] = repeated(
        "option", _RULES, "ID.NAME=VALUE", "an option of a rule; may be repeated"
    )
    versions: tuple[str, ...] = values(
        "versions",
        _RULES,
        "VERSION,...",
        "StableHLO versions that every module must be writable in: 1.0.0, 4w, 12w, minimum",
    )
    target: tuple[str, ...] = values(
        "target", _RULES, "NAME,...", "targets that must take every module (`dxir targets`)"
    )
    devices: int | None = value(
        "devices", _RULES, "N", "how many devices there are for every module", read=_count
    )
    fail_on: Severity | None = choice(  # noqa: RUF009  it makes a field
        "fail-on", _RULES, SEVERITIES, "how bad a finding must be to fail the run (warning)"
    )
    imports: tuple[str, ...] = values(
        "import", _RULES, "MODULE,...", "Python modules that declare rules"
    )

    config: str | None = value(
        "config", _SETTINGS, "FILE", "the settings, instead of the nearest pyproject.toml"
    )
    no_config: bool = flag("no-config", _SETTINGS, "read no settings")
    baseline: str | None = value(
        "baseline", _SETTINGS, "FILE", "findings that are known, and fail nothing"
    )
    write_baseline: str | None = value(
        "write-baseline",
        _SETTINGS,
        "FILE",
        "make what is found now the known findings (without FILE, in the baseline of this run, or "
        "dxir-baseline.json)",
        implied="-",
    )
    write_budgets: str | None = value(
        "write-budgets",
        _SETTINGS,
        "FILE",
        "make what modules have now their budgets: ops, costs and signatures (without FILE, in the "
        "nearest dxir-budgets.json)",
        implied="-",
    )

    formats: tuple[str, ...] = repeated(
        "format",
        _RESULTS,
        "NAME[:FILE]",
        "how findings are told: text, json, sarif, junit, github, gitlab, markdown; may be "
        "repeated, each with a file of its own",
    )
    output: str | None = value(
        "output", _RESULTS, "FILE", "where to write instead of the standard output", "o", "out"
    )
    statistics: bool = flag("statistics", _RESULTS, "count findings by rule, instead of each")
    quiet: bool = flag("quiet", _RESULTS, "tell only what fails the run", "q")
    verbose: bool = flag(
        "verbose", _RESULTS, "tell notes, too, and where the settings are from", "v"
    )
    color: str = choice("color", _RESULTS, ("auto", "always", "never"), "colours", default="auto")
    explain: str | None = value(
        "explain", _RESULTS, "ID", "print what a rule finds, why, and what to do; check nothing"
    )
    list_rules: bool = flag("list-rules", _RESULTS, "print all rules, and check nothing")
    as_json: bool = flag("json", _RESULTS, "as JSON: findings, as --format=json; rules; or a rule")

    jobs: int | None = value(
        "jobs",
        TOOL,
        "N",
        "how many files at a time (as many as there are cores); 0 checks them one by one in the "
        "tool's own process, which a file may bring down",
        "j",
        read=natural,
    )
    no_cache: bool = flag("no-cache", TOOL, "check what was checked before, too")
    debug: bool = flag("debug", TOOL, "show the Python traceback of an error")
    version: bool = flag("version", TOOL, "print the version, and stop", ends=True)
    help: bool = flag("help", TOOL, "print this, and stop", ends=True)

    @property
    def wants_help(self) -> bool:
        """Whether --help was given."""
        return self.help

    def severities(self) -> dict[str, Severity]:
        """What --severity says; ConfigurationError for what it cannot say."""
        found: dict[str, Severity] = {}
        for text in self.severity:
            id, equals, name = text.partition("=")
            severity: Severity | None = next((each for each in SEVERITIES if each == name), None)
            if not (id and equals) or severity is None:
                raise ConfigurationError(
                    f"for the --severity option: '{text}' is not ID=SEVERITY",
                    hint=f"SEVERITY is one of {', '.join(get_args(Severity))}",
                )
            found[id] = severity
        return found

    def options(self) -> list[tuple[str, str, str]]:
        """What --option says: ids, names and texts; ConfigurationError for what it cannot say."""
        found: list[tuple[str, str, str]] = []
        for text in self.option:
            named, equals, given = text.partition("=")
            id, dot, name = named.partition(".")
            if not (id and dot and name and equals):
                raise ConfigurationError(
                    f"for the --option option: '{text}' is not ID.NAME=VALUE",
                    hint="dxir-verify --explain ID tells the options of a rule",
                )
            if any(each[:2] == (id, name) for each in found):
                raise ConfigurationError(f"for the --option option: '{named}' is given twice")
            found.append((id, name, given))
        return found


def parse_arguments(argv: Sequence[str], tool: str = "dxir-verify") -> VerifyArguments:
    """The arguments that a command line gives.

    DxirError for an unknown option or a wrong value, and options that mean nothing together.
    """
    found = parse(VerifyArguments, [_JOBS.sub(r"-j=\1", text) for text in argv])
    refuse_others(VerifyArguments, found, tool, error=ConfigurationError)
    arguments = VerifyArguments(paths=tuple(found.positional), **found.values)
    if not (arguments.help or arguments.version):
        error = _contradiction(arguments)
        if error is not None:
            raise error
        arguments.severities()
        arguments.options()
    return arguments


def _contradiction(arguments: VerifyArguments) -> DxirError | None:
    """What makes no sense together, if anything."""
    asks = arguments.list_rules or arguments.explain is not None
    if arguments.as_json and not asks and arguments.formats:
        return ConfigurationError(
            "--json and --format cannot be given together",
            hint="--format=json:FILE tells findings as JSON, too",
        )
    if arguments.config is not None and arguments.no_config:
        return ConfigurationError("--config and --no-config cannot be given together")
    if arguments.quiet and arguments.verbose:
        return ConfigurationError("-q and -v cannot be given together")
    if asks:
        return None
    if not arguments.paths:
        return ConfigurationError(
            "there is nothing to check", hint="name files, folders, or - for the standard input"
        )
    if arguments.stdin_name is not None and "-" not in arguments.paths:
        return ConfigurationError("--stdin-name has a meaning with - only")
    if arguments.fix and "-" in arguments.paths:
        return ConfigurationError(
            "--fix changes files, and the standard input is none", hint="name the file"
        )
    return None


def help_text(tool: str = "dxir-verify") -> str:
    """What `--help` prints."""
    return f"""\
usage: {tool} [options] FILE|FOLDER|- ...

Check modules (text, bytecode or portable artifacts, of any producer) by rules: whether they are
well formed, portable, sound in their numbers, and fit for devices. In folders, files that are
modules are checked; - is the standard input. Settings are those of the nearest pyproject.toml
([tool.dxir.verify]) or dxir.toml ([verify]). Exit code 0 when nothing fails the run, 1 for findings
as bad as --fail-on, 2 when it could not be run: options, settings or a missing file. Options are
written --x or -x, --x=VALUE or --x VALUE. `{tool} --explain ID` tells what a rule finds, why, and
what to do about it.

{help_of(VerifyArguments, _GROUPS)}
"""
