"""What checking a folder of small modules costs.

    python benchmarks/verifying.py [--files 1000] [--jobs 2] [--rules]

The files are functions of the modules in tests/recognition/corpus that have few lines, each with
a comment of its own, so that no two are the same, and half as many small ones. They are checked
with nothing kept, and again with all kept. `--rules` tells instead what each rule takes in one
process, and what reading does, in seconds for all files.
"""

from __future__ import annotations

import argparse
import itertools
import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table

from dxir.verify.fleet import check_files
from dxir.verify.settings import Settings

CORPUS = Path(__file__).parent.parent / "tests" / "recognition" / "corpus"
MOST_LINES = 150
SMALL = """\
func.func @main(%x: tensor<{n}x16xf32>, %w: tensor<16x8xf32>) -> tensor<{n}x8xf32> {{
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<{n}x16xf32>, tensor<16x8xf32>) -> tensor<{n}x8xf32>
  %1 = stablehlo.tanh %0 : tensor<{n}x8xf32>
  return %1 : tensor<{n}x8xf32>
}}
"""


def texts() -> Iterator[str]:
    """Small modules without end: two of the corpus, one of ours."""
    of_corpus = [path.read_text() for path in sorted(CORPUS.rglob("*.mlir"))]
    small = [text for text in of_corpus if text.count("\n") <= MOST_LINES]
    for number, text in enumerate(itertools.cycle(small)):
        yield f"// number {number}\n{text}"
        if number % 2:
            yield SMALL.format(n=number + 1)


def write(folder: Path, number: int) -> int:
    """Files to check; how many bytes they have."""
    size = 0
    for i, text in enumerate(itertools.islice(texts(), number)):
        size += (folder / f"m{i:05}.mlir").write_text(text)
    return size


def check(folder: Path, jobs: int | None) -> tuple[float, int, Counter[str]]:
    """How many seconds it takes, how many files there are, and how often each rule finds."""
    start, number, found = time.perf_counter(), 0, Counter[str]()
    for report in check_files([folder], Settings(), jobs=jobs):
        number += 1
        found.update(finding.rule for finding in report.findings)
    return time.perf_counter() - start, number, found


def by_rule(folder: Path) -> Counter[str]:
    """The seconds that each rule takes for all files, and those of reading."""
    from dxir.verify.contents import Contained, check_data
    from dxir.verify.stages import Board

    spent = Counter[str]()

    class Clock(Board):
        """A board that notes how long each stage is there."""

        now, since = "starting", time.perf_counter()

        def enter(self, stage: str) -> None:
            moment = time.perf_counter()
            spent[self.now] += moment - self.since  # type: ignore[assignment]
            self.now, self.since = stage, moment

    clock = Clock()
    for path in sorted(folder.iterdir()):
        check_data(path.read_bytes(), path.name, Settings(), Contained(clock))
        clock.enter("between files")
    return spent


def main() -> None:
    """Measure, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--rules", action="store_true")
    given = parser.parse_args()
    table = Table(box=None)
    with tempfile.TemporaryDirectory() as name:
        os.environ["DXIR_CACHE_DIR"] = f"{name}/cache"
        folder = Path(name, "modules")
        folder.mkdir()
        size = write(folder, given.files)
        if given.rules:
            table.add_column("stage or rule")
            table.add_column("seconds", justify="right")
            for stage, seconds in by_rule(folder).most_common(40):
                table.add_row(stage, f"{seconds:.3f}")
        else:
            for column in ("files", "KiB", "seconds", "ms a file", "findings"):
                table.add_column(column, justify="right")
            for _ in ("cold", "warm"):
                seconds, number, found = check(folder, given.jobs)
                each = f"{seconds / number * 1000:.1f}"
                row = (str(number), f"{size >> 10:,}", f"{seconds:.2f}", each)
                table.add_row(*row, str(found.total()))
            Console().print(f"most often: {found.most_common(5)}")
    Console().print(table)


if __name__ == "__main__":
    main()
