"""What composites say of their layout is what they compute, in all modules of the corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

import dxir

from .einsums import KNOWN, disagreement
from .meaning import composites_of

CORPUS = Path(__file__).with_name("corpus")
PATTERNS = ",".join(sorted(name.removeprefix("dxir.") for name in KNOWN))
# A module of each kind is enough where many are alike.
FILES = sorted(
    path
    for pattern in ("*attention*", "*rope*", "*mlp*", "*layer", "block", "swiglu*", "dense*")
    for path in CORPUS.glob(f"*/{pattern}.mlir")
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_composite_computes_what_its_layout_says(path: Path) -> None:
    program = dxir.load(path.read_text(encoding="utf-8"))
    coarse = program.run_passes(f"dxir-recognize{{patterns={PATTERNS}}},dxir-coarsen")
    assert [d for d in map(disagreement, composites_of(coarse)) if d is not None] == []
