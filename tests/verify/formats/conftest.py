"""Findings to tell: usual ones, and some that are made to break what tells them."""

from pathlib import Path

import pytest

from dxir.verify.finding import Finding, Place, Related
from dxir.verify.report import Report

MODULE = """\
func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %0 : tensor<i1>
}
"""

HOSTILE = (
    "quotes \" ' ` and <b>markup</b> & \\ [a](javascript:x) | cell * _x_ ~~y~~",
    "lines\nand\r\n::error::injected\n##[error]injected\n::add-mask::a",
    "controls \x00 \x07 \x1b[31m \x7f \x85 \u2028 \u202e \ufeff \ufffe \U0001ffff",
    "no UTF-8 \udcff\udc80 \ud800",
    "braces {0} {{1}} %0A %25 %% 日本 🎉 ]]> -->",
    "@someone fixes #1, https://example.com www.example.com a@example.com",
    "",
    "x" * 100_000,
)


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module in a file of a repository, which is the current folder."""
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR", "GITHUB_STEP_SUMMARY", "GITHUB_SHA"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / ".git").mkdir()
    (tmp_path / "models").mkdir()
    monkeypatch.chdir(tmp_path)
    path = Path("models", "a.mlir")
    path.write_text(MODULE, "utf-8")
    Path("train.py").write_text("import jax\n\nprint(a > b)\n", "utf-8")
    return path


@pytest.fixture
def reports(module: Path) -> list[Report]:
    """What was found in that module and two others: of every severity, allowed and known."""
    name = str(module)
    ends = Finding(
        "structure-function-terminator",
        "warning",
        "the function @main ends in stablehlo.return",
        Place(name, 3, 3),
        Place("train.py", 3, 7),
        "stablehlo.return",
        "main",
        "end the function in func.return",
        (Related("the value comes from here", Place(name, 2, 8)), Related("no place")),
        True,
        {"ops": 3, "ratio": float("nan")},
    )
    error = Finding("structure-parse", "error", "expected ':'\nafter a type", Place("b.mlir", 7, 9))
    note = Finding("portability-version", "note", "this needs 1.9.0", Place("c.mlirbc"))
    allowed = Finding("numerics-sum", "warning", "a sum in bf16", Place(name, 2, 8))
    known = Finding("numerics-sum", "warning", "a sum in bf16", Place(name, 3, 3))
    return [
        Report(name, (ends,), (allowed,), {"version": "1.9.0", "peak": float("inf")}, (known,)),
        Report("b.mlir", (error,)),
        Report("c.mlirbc", (note,)),
    ]


@pytest.fixture
def hostile(module: Path) -> list[Report]:
    """Findings whose every text was written by somebody who means no good."""
    found: list[Report] = []
    for text in HOSTILE:
        name = text[:200].replace("\0", "") or "<stdin>"
        places = (Place(name), Place(name, 1, 10**9), Place(name, 10**9, 1), Place(name, 3, 3))
        findings = [
            Finding(
                "structure-parse",
                severity,
                text,
                place,
                Place(text, 1, 1),
                text,
                text,
                text,
                (Related(text, Place(text, 1)), Related(text)),
            )
            for place in places
            for severity in ("error", "note")
        ]
        found.append(Report(name, tuple(findings), tuple(findings), {text: text}))
    return [*found, Report(str(module), (), tuple(found[0].findings))]
