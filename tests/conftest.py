"""Collects `.mlir` files as tests: what their RUN lines say is run.

Each file is a test that runs the tools in this process, and one that runs the executables. The
latter takes a third of a second for each tool and is marked slow, unless the file has a line
`// EXECUTABLES: also`, or `only` for what could take this process down. With `--real-tools`,
everything is run through the executables.
"""

from __future__ import annotations

import atexit
import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

# Under --import-mode=importlib the tests' folder is not on sys.path.
if "dxir_lit" not in sys.modules:
    _spec = importlib.util.spec_from_file_location(
        "dxir_lit", Path(__file__).with_name("lit") / "__init__.py"
    )
    assert _spec is not None
    assert _spec.loader is not None
    sys.modules["dxir_lit"] = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(sys.modules["dxir_lit"])

from dxir_lit.running import Runner, as_executable, in_process, run_script
from dxir_lit.script import LitFailure, Script, features, read_script

# No test, and no process that one starts, reads or writes what the user has in the cache.
os.environ["DXIR_CACHE_DIR"] = tempfile.mkdtemp(prefix="dxir-tests-")
atexit.register(shutil.rmtree, os.environ["DXIR_CACHE_DIR"], ignore_errors=True)

_NOT_TESTS = frozenset({"golden", "inputs", "corpus", "planted"})


@pytest.fixture(autouse=True)
def rules_of_tests_leave() -> Iterator[None]:
    """The rules of dxir-verify that a test declares are not there for the tests after it."""
    yield
    declared = sys.modules.get("dxir.verify.rule")
    if declared is not None:
        for id, rule in list(declared.RULES.items()):
            if not rule.__module__.startswith("dxir.verify.rules."):
                del declared.RULES[id]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--real-tools", action="store_true", help="run .mlir tests through the installed tools only"
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    folders = {folder.name for folder in file_path.parents}
    if file_path.suffix != ".mlir" or not _NOT_TESTS.isdisjoint(folders):
        return None
    return MlirFile.from_parent(parent, path=file_path)


class MlirFile(pytest.File):
    """A `.mlir` file with RUN lines."""

    def collect(self) -> Iterable[pytest.Item]:
        try:
            script = read_script(self.path.read_text(encoding="utf-8"))
        except LitFailure as failure:
            raise self.CollectError(str(failure)) from failure
        only_real = bool(self.config.getoption("--real-tools"))
        if not only_real and script.executables != "only":
            yield MlirTest.from_parent(self, name="in_process", script=script, runner=in_process)
        real = MlirTest.from_parent(self, name="executables", script=script, runner=as_executable)
        if not only_real and not script.executables:
            real.add_marker(pytest.mark.slow)
        yield real


class MlirTest(pytest.Item):
    """The RUN lines of one file, run one way."""

    def __init__(self, name: str, parent: pytest.Collector, script: Script, runner: Runner) -> None:
        super().__init__(name, parent)
        self._script = script
        self._runner = runner

    def runtest(self) -> None:
        reason = self._script.reason_to_skip(features())
        if reason is not None:
            pytest.skip(reason)
        with tempfile.TemporaryDirectory(prefix="dxir-lit-") as scratch:
            run_script(self._script, self.path, Path(scratch), self._runner)

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None
    ) -> str:
        if isinstance(excinfo.value, LitFailure):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        line = self._script.runs[0].line - 1 if self._script.runs else 0
        return self.path, line, f"{self.path.name}::{self.name}"
