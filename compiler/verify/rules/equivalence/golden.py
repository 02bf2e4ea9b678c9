"""Modules that no longer give the results that they gave."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from dxir.errors import DxirError
from dxir.pipeline.base import option
from dxir.verify.finding import Finding, Place
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject


class Golden(Rule, id="equivalence-golden", severity="error", enabled=False):
    """Run on stored arguments, the module gives other results than those that are stored.

    A golden file lies beside the module: `model.golden.npz` beside `model.mlir`, written by
    `dxir-run model.mlir --random --golden=model.golden.npz`. It has an array for each parameter
    (`arg0`, or the name of the parameter) and each result (`result0`) of `main`. There may be
    several, and .safetensors files and folders of .npy files, too. The module runs on a backend in
    a process of its own; integers are to be the same, floats within what the roundings of the
    module may make of them, or within `rtol` and `atol` where one is given. A crash, and a file
    that does not fit the module, are findings. A module without a golden file is left alone.
    """

    repeatable = False
    remedy = "where the new results are meant, dxir-run --golden writes the file anew"
    no_example = "it needs a file of arrays"

    pattern: str = option(
        "the golden files, from the folder of the module; {stem} is its name without the ending",
        default="{stem}.golden*",
    )
    backend: str = option("where the module runs", default="xla-cpu")
    rtol: float | None = option("what floats may differ by, relative to the stored", default=None)
    atol: float | None = option("and absolutely", default=None)
    seconds: float = option("how long compiling, and running, may take", default=30.0)

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        files = self._files(subject)
        if not files or "main" not in subject.functions:
            return
        for file in files:
            yield from self._held_against(file, subject)

    def _held_against(self, file: str, subject: Subject) -> Iterator[Finding]:
        from dxir.runtime.oracle import Policy, compare
        from dxir.targets.options import Containment
        from dxir.verify.comparisons import findings_of
        from dxir.verify.golden import read_golden

        limits = Containment(compile_s=self.seconds, run_s=self.seconds)
        name = subject.source.name
        again = f"where that is meant, dxir-run {name} --args={file} --golden={file} writes it anew"
        try:
            arguments, results = read_golden(file, subject.program)
            found = compare(
                subject.program.clone(),
                arguments,
                (self.backend,),
                expected=results,
                policy=Policy(rtol=self.rtol, atol=self.atol),
                contained=limits,
                bisect=False,
            )
        except DxirError as error:
            yield self.found(f"{file}: {error.message}", Place(name), subject, hint=error.hint)
            return
        yield from findings_of(self, found, subject, file, again)

    def _files(self, subject: Subject) -> list[str]:
        name = subject.source.name
        if subject.source.is_memory or name.startswith("<"):
            return []
        path = Path(name)
        pattern = self.pattern.replace("{stem}", glob.escape(path.stem))
        found = sorted(glob.glob(pattern, root_dir=path.parent))
        return [os.path.normpath(path.parent / each) for each in found]

    def reads(self, subject: Subject, /) -> Iterable[str]:
        found = list(self._files(subject))
        for file in tuple(found):
            if os.path.isdir(file):
                found += sorted(map(str, Path(file).glob("*.npy")))
        folder = Path(subject.source.name).parent
        return [
            *found,
            str(folder / self.pattern.replace("{stem}", Path(subject.source.name).stem)),
        ]
