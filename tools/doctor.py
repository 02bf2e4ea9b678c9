"""`dxir doctor`: what is installed, what works here, and what to do about the rest.

Nothing is looked up in a network, and what can take a process down is tried in another one.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

from dxir.tools import doctor_trials as trials
from dxir.tools.doctor_environment import cache, environment, native_code
from dxir.tools.doctor_findings import Finding, Status
from dxir.tools.doctor_trials import Found, tried
from dxir.tools.doctor_versions import versions
from dxir.tools.progress import progress
from dxir.tools.tables import console

_STYLES: dict[Status, str] = {"ok": "green", "warning": "yellow", "problem": "bold red"}
_WIDTH = max(map(len, _STYLES)) + 2
_PROCESSES = 2


def run(options: argparse.Namespace) -> int:
    """Run the command; gives its exit code: 1 when there is a problem."""
    found: list[Finding] = []
    out = console()
    for finding in examined():
        if not options.json:
            _print(out, finding, is_first=not found or found[-1].section != finding.section)
        found.append(finding)
    failed = any(finding.status == "problem" for finding in found)
    if options.json:
        checks = [finding.described() for finding in found]
        print(json.dumps({"version": 1, "good": not failed, "checks": checks}, indent=2))
    else:
        print(f"\n{trials.summary(found)}")
    return 1 if failed else 0


def examined() -> Iterator[Finding]:
    """Everything that is found, one after the other."""
    yield from versions()
    with progress("loading MLIR"):
        bindings = tried("bindings")
    yield from trials.bindings(bindings)
    if "error" in bindings:
        message = "plugins, devices, targets and programs are not tried without it"
        yield Finding("versions", "skipped", "warning", message)
        yield from _surroundings()
        return
    with _trying() as started:
        yield from trials.plugins(_awaited(started["plugins"]), lambda name: tried("devices", name))
        yield from trials.devices("xla-cpu", _awaited(started["devices"]))
        yield from trials.extensions(lambda name: tried("extension", name))
        yield from trials.targets(_awaited(started["targets"]))
        yield from _surroundings()
        yield from trials.program(_awaited(started["program"]))
        yield from trials.processes(_awaited(started["processes"]))


def _surroundings() -> Iterator[Finding]:
    yield from native_code()
    yield from cache()
    yield from environment()


@contextmanager
def _trying() -> Generator[dict[str, Future[Found]]]:
    """Try what takes long, as much at a time as there are processors."""
    with ThreadPoolExecutor(max_workers=min(os.cpu_count() or 1, 4)) as pool:
        yield {
            "plugins": pool.submit(tried, "plugins"),
            "devices": pool.submit(tried, "devices", "xla-cpu"),
            "targets": pool.submit(tried, "targets"),
            "program": pool.submit(tried, "program"),
            "processes": pool.submit(tried, "process", processes=_PROCESSES),
        }


def _awaited(future: Future[Found]) -> Found:
    with progress("trying what works here"):
        return future.result()


def _print(out: Console, finding: Finding, *, is_first: bool) -> None:
    if is_first:
        out.print(Text(finding.section, "bold"))
    line = Text("  ").append(f"{finding.status:<{_WIDTH}}", _STYLES[finding.status])
    out.print(line.append(finding.message), soft_wrap=True)
    if finding.advice:
        out.print(Text(" " * (_WIDTH + 2) + f"{finding.advice}", "dim"), soft_wrap=True)
