"""Crash reproducers: what is written is what is read."""

import pytest

from dxir.mlir import ir, make_context
from dxir.tools.reproducer import read_reproducer, reproducer_text, without_reproducer


@pytest.mark.parametrize(
    "pipeline",
    ["cse", 'dxir-x{file="a b\\c.bin"}', "dxir-x{file=modèle.mlir}", "a\nb\x85\u2028日本"],
)
@pytest.mark.parametrize("verify", [True, False])
def test_a_pipeline_comes_back_and_mlir_reads_the_file(pipeline: str, verify: bool) -> None:
    text = reproducer_text("module {}\n", pipeline, verify_each=verify)
    found = read_reproducer(text, "x.mlir")
    assert (found.pipeline, found.verify_each) == (pipeline, verify)
    assert str(ir.Module.parse(without_reproducer(text), make_context())) == "module {\n}\n"


def test_a_pipeline_that_was_written_by_hand_may_have_line_breaks() -> None:
    text = '{-# external_resources: { mlir_reproducer: { pipeline: "a,\\n\\tb\\22" } } #-}'
    assert read_reproducer(text, "x.mlir").pipeline == 'a,\n\tb"'
