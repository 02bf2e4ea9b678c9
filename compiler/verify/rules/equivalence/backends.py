"""Modules that backends make different things of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from dxir.errors import ConfigurationError, DxirError
from dxir.pipeline.base import option
from dxir.verify.finding import Finding, Place
from dxir.verify.rule import Rule
from dxir.verify.subject import Subject

_KINDS = ("ordinary", "hostile")


class Backends(Rule, id="equivalence-backends", severity="error", enabled=False):
    """Backends give different results for the module, or one of them ends over it.

    `main` runs on each backend in a process of its own, on ordinary numbers and on hostile ones
    (NaN, infinities, zeros, extremes), made from seeds; the oracle holds the results against those
    of `reference`, or of the last backend. What differs beyond roundings is an error, with the op
    where it begins; what a known fault of a backend explains, and a backend that does not take the
    module, is a warning. Without `backends` nothing is found.
    """

    repeatable = False
    remedy = "dxir-run --compare shows the difference, dxir-reduce makes a small module of it"
    example_options: ClassVar[Mapping[str, Any]] = {"backends": ["interpreter", "reference"]}
    faulty = """\
func.func @main(%a: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<64xi1> {
  %0 = stablehlo.compare LT, %a, %b, TOTALORDER
    : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xi1>
  return %0 : tensor<64xi1>
}
"""
    fixed = """\
func.func @main(%a: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<64xi1> {
  %0 = stablehlo.compare LT, %a, %b, FLOAT
    : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xi1>
  return %0 : tensor<64xi1>
}
"""

    backends: tuple[str, ...] = option(
        "two backends or more, such as xla-cpu, interpreter, reference", default=()
    )
    seeds: int = option("how many arrays of each kind to try", default=1)
    first_seed: int = option("the first seed", default=0)
    hostile: bool = option("try hostile numbers, too", default=True)
    rtol: float | None = option("what floats may differ by, relative to the judge's", default=None)
    atol: float | None = option("and absolutely", default=None)
    devices: int | None = option("how many devices the module is partitioned over", default=None)
    seconds: float = option("how long compiling, and each run, may take", default=30.0)

    def __post_init__(self) -> None:
        if len(self.backends) == 1 or self.seeds < 1 or self.first_seed < 0:
            raise ConfigurationError(
                f"{self.id} takes two backends or more, one seed or more, and a first seed from 0",
                hint='backends = ["xla-cpu", "reference"]',
            )

    def check(self, subject: Subject, /) -> Iterator[Finding]:
        if not self.backends or "main" not in subject.functions:
            return
        for kind in _KINDS if self.hostile else _KINDS[:1]:
            for seed in range(self.first_seed, self.first_seed + self.seeds):
                found = list(self._tried(subject, kind, seed))
                yield from found
                if found:
                    return

    def _tried(self, subject: Subject, kind: str, seed: int) -> Iterator[Finding]:
        from dxir.runtime.oracle import Policy, compare
        from dxir.runtime.random_arguments import arguments_for
        from dxir.targets.options import CompileOptions, Containment
        from dxir.verify.comparisons import findings_of

        limits = Containment(compile_s=self.seconds, run_s=self.seconds)
        name = subject.source.name
        given = "" if self.devices is None else f" --devices={self.devices}"
        again = (
            f"dxir-run {name} --random={kind}:{seed} --compare={','.join(self.backends)}{given} "
            "shows it"
        )
        try:
            arguments = arguments_for(subject.program, seed, hostile=kind == "hostile")
            found = compare(
                subject.program.clone(),
                arguments,
                self.backends,
                policy=Policy(rtol=self.rtol, atol=self.atol),
                options=CompileOptions(devices=self.devices),
                contained=limits,
            )
        except DxirError as error:
            text = f"the module cannot be tried: {error.message}"
            yield self.found(
                text, Place(name), subject, hint=error.hint or again, severity="warning"
            )
            return
        yield from findings_of(self, found, subject, f"on {kind} numbers of seed {seed}", again)
