"""What dxir-verify does: find files, have them checked, set known findings aside, tell the rest."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from dxir.errors import ConfigurationError, DxirError
from dxir.tools.contained import stage
from dxir.tools.tool import tool_name
from dxir.tools.verify_arguments import VerifyArguments
from dxir.tools.verify_outputs import Outputs, outputs_of
from dxir.tools.verify_settings import Chosen, chosen_by
from dxir.verify.baselines import Baseline, Known, baseline_to_update, read_baseline
from dxir.verify.files import File, find_files
from dxir.verify.fleet import check_files
from dxir.verify.report import Report
from dxir.wording import counted

_CLEAN, _FOUND = 0, 1
_MANY = 8


def verify_files(arguments: VerifyArguments) -> int:
    """Do what a command line asks for; gives the exit code."""
    _refuse_no_folder()
    outputs = outputs_of(arguments)
    chosen = chosen_by(arguments)
    told = Outputs(arguments, outputs, chosen.settings, {})
    try:
        return _Run(arguments, chosen, told).run()
    except DxirError as error:
        told.fail(error)
        raise


def _refuse_no_folder() -> None:
    try:
        os.getcwd()
    except OSError as error:
        raise ConfigurationError(
            f"the current folder cannot be used: {error.strerror or error}",
            hint="it was removed or is closed to you: change to another one",
        ) from None


class _Run:
    def __init__(self, arguments: VerifyArguments, chosen: Chosen, outputs: Outputs) -> None:
        self.arguments, self.chosen, self.outputs = arguments, chosen, outputs
        self.settings = chosen.settings

    def run(self) -> int:
        """Check the files, and tell what was found; gives the exit code."""
        if self.arguments.verbose:
            self._note(f"settings of {self.chosen.file or 'no file'}")
        stage("looking for files")
        baseline = self._baseline()
        files = [self._named(f) for f in find_files(self.arguments.paths, self.chosen.exclude)]
        if not files:
            but = ", but for what is excluded" if self.chosen.exclude else ""
            self._note(f"there is no file to check in what is named{but}")
        left = self._fix(files) if self.arguments.fix else set()
        stage("checking files")
        reports = [_without_fixes(each, left) for each in self._checked(files)]
        self._write_budgets(reports)
        if self.chosen.baseline_out is not None:
            baseline = baseline.updated(reports, self.settings)
            baseline.write()
            known = counted(sum(baseline.counts.values()), "known finding")
            # A baseline that nothing names is not read: the next run would find all of it again.
            use = f": --baseline={baseline.path}, or `baseline` in the settings, has it used"
            self._note(f"{known} in {baseline.path}{use if self.chosen.baseline is None else ''}")
        used: Counter[Known] = Counter()
        for i, report in enumerate(reports):
            reports[i], found = baseline.set_aside(report)
            used.update(found)
        code = _FOUND if any(self.settings.fails(r.findings) for r in reports) else _CLEAN
        stage("telling what was found")
        held = {file.name: file.data for file in files if file.data is not None}
        self._tell(reports, held)
        self._tell_of_gone(baseline.gone(reports, used, self.settings))
        return code

    def _baseline(self) -> Baseline:
        """The findings that are known; where they are written, those that were written before."""
        out, path = self.chosen.baseline_out, self.chosen.baseline
        if out is not None:
            return baseline_to_update(out)
        return Baseline(Path()) if path is None else read_baseline(path)

    def _write_budgets(self, reports: Sequence[Report]) -> None:
        if self.chosen.budgets_out is not None:
            from dxir.verify.budgets import record, shown

            made = record(reports, self.chosen.budgets_out)
            self._note(f"budgets of {counted(len(made.files), 'module')} in {shown(made.path)}")

    def _fix(self, files: Sequence[File]) -> set[tuple[str, str]]:
        """Put right what can be, and say what was; what is left is found again.

        Gives the files and fingerprints of what was not put right, though its rule can.
        """
        from dxir.verify.fixing import fix_files

        number = changed = 0
        remaining: set[tuple[str, str]] = set()
        for done in fix_files(files, self.settings, jobs=self.arguments.jobs):
            number += len(done.fixed)
            changed += bool(done.fixed)
            if self.arguments.verbose:
                for finding in done.fixed:
                    self._note(f"{finding.place}: {finding.rule} is put right")
            for left in done.left:
                self._note(f"{left.finding.place}: {left.finding.rule} is left: {left.why}")
                remaining.add((left.finding.place.file, left.finding.fingerprint))
        if number:
            self._note(f"{counted(number, 'finding')} put right in {counted(changed, 'file')}")
        return remaining

    def _named(self, file: File) -> File:
        name = self.arguments.stdin_name
        return replace(file, name=name) if file.path == "-" and name is not None else file

    def _checked(self, files: Sequence[File]) -> Iterator[Report]:
        found = check_files(
            files, self.settings, jobs=self.arguments.jobs, cache=not self.arguments.no_cache
        )
        with _progress(len(files), quiet=self.arguments.quiet) as advance:
            for report in found:
                yield report
                advance()

    def _tell(self, reports: Sequence[Report], held: Mapping[str, bytes]) -> None:
        try:
            replace(self.outputs, sources=held).tell(reports)
        except BrokenPipeError:
            # The reader has seen enough; the exit code is what it would have been.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        hidden = self.outputs.hidden(reports)
        if hidden:
            self._note(f"{counted(hidden, 'note')} not shown: -v shows them")

    def _tell_of_gone(self, number: int) -> None:
        if number:
            are = "is" if number == 1 else "are"
            self._note(
                f"{counted(number, 'finding')} of the baseline {are} gone: --write-baseline writes "
                "it anew"
            )

    def _note(self, text: str) -> None:
        if not self.arguments.quiet:
            with suppress(OSError):  # nobody has to read it
                print(f"{tool_name()}: note: {text}", file=sys.stderr)


def _without_fixes(report: Report, left: Collection[tuple[str, str]]) -> Report:
    """The report, in which what --fix has just left is nothing that --fix puts right."""
    if not left:
        return report
    findings = [
        replace(each, fixable=False) if (each.place.file, each.fingerprint) in left else each
        for each in report.findings
    ]
    return replace(report, findings=tuple(findings))


@contextmanager
def _progress(number: int, *, quiet: bool) -> Generator[Callable[[], None]]:
    """A line on a terminal that tells how many files are done."""
    if quiet or number < _MANY or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console

    done = 0
    with Console(stderr=True).status(f"{tool_name()}: 0 of {number} files") as status:

        def advance() -> None:
            nonlocal done
            done += 1
            status.update(f"{tool_name()}: {done} of {number} files")

        yield advance
