"""How what was found is told: to people, and to the services that show it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from dxir.errors import ConfigurationError, DxirError
from dxir.verify.formats.format import Format
from dxir.verify.formats.github import GITHUB
from dxir.verify.formats.gitlab import GITLAB
from dxir.verify.formats.json_report import JSON, reports_of
from dxir.verify.formats.junit import JUNIT
from dxir.verify.formats.lines import Lines
from dxir.verify.formats.markdown import MARKDOWN
from dxir.verify.formats.run import Run, repository_root
from dxir.verify.formats.sarif import SARIF
from dxir.verify.formats.text import TEXT
from dxir.verify.report import Report
from dxir.verify.settings import Settings

__all__ = ["FORMATS", "Format", "reports_of", "write"]

FORMATS: dict[str, Format] = {
    each.name: each for each in (TEXT, JSON, SARIF, JUNIT, GITHUB, GITLAB, MARKDOWN)
}
"""The formats, by name."""


def write(
    name: str,
    reports: Iterable[Report],
    *,
    settings: Settings | None = None,
    root: Path | None = None,
    sources: Mapping[str, bytes] | None = None,
    errors: Iterable[DxirError] = (),
    color: bool = False,
    width: int = 100,
) -> str:
    """What was found, in the format of that name; it can be encoded as UTF-8.

    `settings` say what fails the run. `root` is the folder that the files are told relative to,
    where a format needs it: the repository, unless given. `sources` are the bytes of what is not
    in a file, by the name of its report, such as standard input. `errors` say why something could
    not be checked at all. `color` and `width` are for text: of what a terminal shows.
    """
    found = FORMATS.get(name)
    if found is None:
        raise ConfigurationError(
            f"there is no format {name!r}", hint=f"there are {', '.join(FORMATS)}"
        )
    reports = tuple(reports)
    root = (repository_root() if root is None else root).absolute()
    lines = Lines((report.name for report in reports), sources or {}, root)
    run = Run(reports, settings or Settings(), root, lines, tuple(errors), color, width)
    return found.write(run)
