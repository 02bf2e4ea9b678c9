"""A decoder layer with its loss, node by node: what is found in it, and that nothing is lost."""

from __future__ import annotations

import importlib.util
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dxir
from dxir.mlir import IrOperation
from dxir.reading import attribute, attribute_text, ops_below

ROOT = Path(__file__).parents[2]
CASE = json.loads((ROOT / "examples" / "cases" / "llama_decoder.json").read_text())
EXPECTED = CASE["expected"]["recognition"]
PIPELINE = "dxir-recognize,dxir-coarsen,dxir-decompose"
# The nodes of the case that are no op of MLIR, or several.
NODES = {
    "stablehlo.dot_general": "matmul", "stablehlo.reduce": "reduce", "stablehlo.multiply": "mul",
    "stablehlo.add": "add", "stablehlo.transpose": "transpose", "stablehlo.rsqrt": "rsqrt",
    "stablehlo.cosine": "cos", "stablehlo.sine": "sin", "stablehlo.subtract": "sub",
    "stablehlo.log": "log", "stablehlo.composite": "composite",
}  # fmt: skip


def example() -> Any:
    spec = importlib.util.spec_from_file_location("demo", ROOT / "examples" / "llama_decoder.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


DEMO = example()


@pytest.fixture(scope="module")
def program() -> dxir.Program:
    return dxir.lower(DEMO.decoder_layer(CASE["configs"]["tiny"], CASE["params"]))


@pytest.fixture(scope="module")
def marked(program: dxir.Program) -> dxir.Program:
    return program.run_passes("dxir-recognize")


def nodes(program: dxir.Program) -> list[IrOperation]:
    """The ops of `main` that are nodes of the case: not what a mean or a broadcast adds to them."""
    (main,) = [f for f in ops_below(program.module.operation, ("func.func",)) if is_main(f)]
    return [op for op in ops_below(main, tuple(NODES)) if op.block == main.regions[0].blocks[0]]


def is_main(function: IrOperation) -> bool:
    name = attribute(function, "sym_name")
    return name is not None and attribute_text(name).strip('"') == "main"


def mark(op: IrOperation, name: str) -> str:
    found = attribute(op, name)
    return "" if found is None else attribute_text(found).strip('"')


def test_exactly_the_stated_matches_are_found(marked: dxir.Program) -> None:
    ids = {(mark(op, "dxir.pattern"), mark(op, "dxir.match_id")) for op in nodes(marked)}
    assert Counter(pattern for pattern, _ in ids if pattern) == EXPECTED["matches"]


def test_as_many_nodes_as_stated_are_in_matches_and_the_others_are_left(
    marked: dxir.Program,
) -> None:
    found = nodes(marked)
    assert len(found) == EXPECTED["of"]
    left = [NODES[op.name] for op in found if not mark(op, "dxir.pattern")]
    assert len(found) - len(left) == EXPECTED["absorbed_nodes"]
    assert Counter(left) == EXPECTED["residue"]


def test_after_the_default_pipeline_the_program_is_what_it_was(program: dxir.Program) -> None:
    after = program.run_passes(PIPELINE)
    assert after.fingerprint() == program.decompose().fingerprint()
    counts = after.op_counts()
    for name, count in CASE["expected"]["ops_after_default_pipeline"].items():
        inside = {"maximum": 2, "add": 5}.get(name, 0)  # what reductions combine elements by
        assert counts.get(f"stablehlo.{name}", 0) - inside == count, name


@pytest.mark.parametrize("passes", ["dxir-recognize,dxir-coarsen", PIPELINE])
def test_the_loss_is_the_stated_one(program: dxir.Program, passes: str) -> None:
    sizes, params = CASE["configs"]["tiny"], CASE["params"]
    given = DEMO.decoder_inputs(sizes, params)
    loss = dxir.compile(program.run_passes(passes))(*given)
    stated = CASE["expected"]["tiny"]
    assert np.asarray(loss) == pytest.approx(stated["loss_f64"], rel=stated["rtol_f32"])
