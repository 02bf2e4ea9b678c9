"""Where dxir-verify tells what it found: formats, each to the standard output or to a file."""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dxir.errors import ConfigurationError, DxirError
from dxir.tools.verify_arguments import VerifyArguments
from dxir.verify.finding import Finding, Severity, is_at_least
from dxir.verify.formats import FORMATS, write
from dxir.verify.report import Report
from dxir.verify.settings import Settings
from dxir.whole_files import write_file

_FOR_PEOPLE = ("text", "github", "markdown")
_WIDTH = 100
_STDOUT = "-"


@dataclass(frozen=True, slots=True)
class Output:
    """A format, and the file it goes to; `-` is the standard output."""

    format: str
    path: str


def outputs_of(arguments: VerifyArguments) -> tuple[Output, ...]:
    """The formats that a command line asks for; ConfigurationError for what cannot be."""
    written = arguments.formats or ("json" if arguments.as_json else _usual_format(),)
    found = tuple([_output(text, arguments.output) for text in written])
    for name in {each.path for each in found}:
        here = [each.format for each in found if each.path == name]
        if len(here) > 1:
            where = "the standard output" if name == _STDOUT else name
            raise ConfigurationError(
                f"{' and '.join(here)} cannot both go to {where}",
                hint=f"give one a file: --format={here[-1]}:FILE",
            )
    if arguments.statistics and not any(each.format == "text" for each in found):
        raise ConfigurationError("--statistics has a meaning with --format=text only")
    return found


def _usual_format() -> str:
    return "github" if os.environ.get("GITHUB_ACTIONS") == "true" else "text"


def _output(text: str, usual: str | None) -> Output:
    name, colon, path = text.partition(":")
    if name not in FORMATS:
        raise ConfigurationError(
            f"for the --format option: there is no format {name!r}",
            hint=f"there are {', '.join(FORMATS)}",
        )
    if colon and not path:
        raise ConfigurationError(f"for the --format option: '{text}' names no file")
    return Output(name, path or usual or _STDOUT)


@dataclass(frozen=True, slots=True)
class Outputs:
    """What tells what was found, as a command line asks for it."""

    arguments: VerifyArguments
    outputs: tuple[Output, ...]
    settings: Settings
    sources: Mapping[str, bytes]

    def tell(self, reports: Sequence[Report], errors: Sequence[DxirError] = ()) -> None:
        """Write every format; ConfigurationError for a file that cannot be written.

        Files come first: whoever reads the standard output may have seen enough.
        """
        for output in sorted(self.outputs, key=lambda each: each.path == _STDOUT):
            text = self._text(output, reports, errors)
            if output.path == _STDOUT:
                _print(text)
            else:
                _write(output.path, text)

    def fail(self, error: DxirError) -> None:
        """Have files for programs say that there was no run; people are told otherwise."""
        for output in self.outputs:
            if output.path != _STDOUT and output.format not in _FOR_PEOPLE:
                _write(output.path, self._text(output, (), (error,)))

    def _text(self, output: Output, reports: Sequence[Report], errors: Sequence[DxirError]) -> str:
        if output.format in _FOR_PEOPLE:
            reports = [replace(r, findings=self._shown(r.findings)) for r in reports]
        if output.format == "text" and self.arguments.statistics:
            return _statistics(reports)
        is_here = output.path == _STDOUT
        is_short = self.arguments.quiet and is_here and output.format == "text"
        if is_short and not errors and not any(report.findings for report in reports):
            return ""
        return write(
            output.format,
            reports,
            settings=self.settings,
            sources=self.sources,
            errors=errors,
            color=self._has_color(is_here=is_here),
            width=_width() if is_here else _WIDTH,
        )

    def _shown(self, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        """Those that people are shown."""
        return tuple([each for each in findings if is_at_least(each.severity, self.least)])

    def hidden(self, reports: Sequence[Report]) -> int:
        """How many notes were not shown beside what was, and that -v would have shown.

        Of a run that found nothing else nothing is told: it is clean.
        """
        if self.arguments.verbose or not any(each.format == "text" for each in self.outputs):
            return 0
        if not any(self._shown(report.findings) for report in reports):
            return 0
        return sum(len(r.findings) - len(self._shown(r.findings)) for r in reports)

    @property
    def least(self) -> Severity:
        """How bad a finding is at least that people are shown."""
        fail_on = self.settings.fail_on
        if self.arguments.quiet:
            return fail_on
        return "note" if self.arguments.verbose or fail_on == "note" else "warning"

    def _has_color(self, *, is_here: bool) -> bool:
        if self.arguments.color != "auto":
            return self.arguments.color == "always"
        if os.environ.get("NO_COLOR"):
            return False
        return is_here and (sys.stdout.isatty() or bool(os.environ.get("FORCE_COLOR")))


def _width() -> int:
    return shutil.get_terminal_size((_WIDTH, 0)).columns if sys.stdout.isatty() else _WIDTH


def _print(text: str) -> None:
    """Write to the standard output, whatever characters it can show."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
    sys.stdout.flush()


def _write(path: str, text: str) -> None:
    place = Path(path)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        write_file(place, text.encode("utf-8", "replace"))
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise ConfigurationError(
            f"the output cannot be written: {why or error}",
            where=path,
            hint="name a file in a folder that you may write in, on a disk with room",
        ) from None


def _statistics(reports: Sequence[Report]) -> str:
    """How many findings there are of each rule and severity, the most first."""
    counts = Counter((f.rule, f.severity) for report in reports for f in report.findings)
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    width = max((len(f"{number:,}") for _, number in rows), default=0)
    return "".join(f"{number:>{width},}  {rule}: {severity}\n" for (rule, severity), number in rows)
