"""Matches outlined into composites: nothing is lost, and decomposing gives the program back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dxir
from dxir import ops
from dxir.passes.coarsen import Coarsen
from dxir.pipeline.running import Record, RunOptions
from dxir.reading import ops_below

BOTH = "dxir-recognize,dxir-coarsen"
HOSTILE = np.array([np.nan, np.inf, -np.inf, -0.0, 1e-45, 3.4e38, -1.5, 88.0], np.float32)
PLACES = """
func.func @main(%p: tensor<i1>, %x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %ones = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %0 = stablehlo.negate %x : tensor<8xf32>
  %1 = stablehlo.exponential %0 : tensor<8xf32>
  %2 = stablehlo.add %1, %ones : tensor<8xf32>
  %3 = stablehlo.divide %x, %2 : tensor<8xf32>
  %4 = stablehlo.add %3, %ones : tensor<8xf32>
  %5 = "stablehlo.if"(%p) ({
    %a = stablehlo.negate %4 : tensor<8xf32>
    %b = stablehlo.exponential %a : tensor<8xf32>
    %c = stablehlo.add %b, %ones : tensor<8xf32>
    %d = stablehlo.divide %4, %c : tensor<8xf32>
    stablehlo.return %d : tensor<8xf32>
  }, {
    stablehlo.return %4 : tensor<8xf32>
  }) : (tensor<i1>) -> tensor<8xf32>
  %6 = func.call @called(%5) : (tensor<8xf32>) -> tensor<8xf32>
  %7:2 = stablehlo.while(%q = %p, %v = %6) : tensor<i1>, tensor<8xf32>
   cond {
    stablehlo.return %q : tensor<i1>
  } do {
    %a = stablehlo.logistic %v : tensor<8xf32>
    %b = stablehlo.multiply %v, %a : tensor<8xf32>
    %c = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %c, %b : tensor<i1>, tensor<8xf32>
  }
  %8 = stablehlo.composite "acme.block" %7#1 {decomposition = @block}
    : (tensor<8xf32>) -> tensor<8xf32>
  %9 = stablehlo.logistic %8 : tensor<8xf32>
  %10 = stablehlo.sine %9 : tensor<8xf32>
  %11 = stablehlo.multiply %8, %9 : tensor<8xf32>
  return %11, %10 : tensor<8xf32>, tensor<8xf32>
}
func.func private @called(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.logistic %x : tensor<8xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<8xf32>
  %2 = stablehlo.sine %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}
func.func private @block(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.logistic %x : tensor<8xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<8xf32>
  %2 = stablehlo.cosine %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}
"""


def layers() -> dxir.Program:
    """Two layers of a norm, a softmax and a gate, spelled out."""
    b = dxir.Builder("main")
    x, scale = b.param(dxir.f32[2, 4], name="x"), b.param(dxir.f32[4], name="scale")
    value = x
    for _ in range(2):
        value = value + ops.silu(ops.softmax(ops.rms_norm(value, scale, axis=(1,)), axis=1))
    return dxir.lower(b.build(value)).decompose()


def composites(program: dxir.Program) -> list[Any]:
    return ops_below(program.module.operation, ("stablehlo.composite",))


@pytest.mark.parametrize("make", [layers, lambda: dxir.load(PLACES)], ids=["layers", "places"])
def test_each_pass_is_done_after_one_run_and_decomposing_restores_the_fingerprint(
    make: Any,
) -> None:
    before = make()
    marked = before.run_passes("dxir-recognize")
    after = marked.run_passes("dxir-coarsen").verify()
    assert str(after) == str(before.run_passes(BOTH))
    assert str(after.run_passes("dxir-coarsen")) == str(after)
    assert str(after.run_passes(BOTH)) == str(after)
    assert "dxir.match" not in str(after)
    assert len(composites(after)) > len(composites(before))
    whole = before.decompose().fingerprint()
    assert before.run_passes(f"{BOTH},dxir-decompose").fingerprint() == whole
    assert after.decompose().fingerprint() == whole
    assert "dxir.shared" not in str(after.decompose())
    assert [str(make().run_passes(BOTH)) for _ in range(2)] == [str(after)] * 2


@pytest.mark.parametrize("taken", [False, True])
def test_the_values_are_the_same_bit_for_bit_wherever_a_match_is(taken: bool) -> None:
    before = dxir.load(PLACES)
    after = before.run_passes(BOTH)
    assert len(composites(after)) == 7
    for x in (HOSTILE, np.linspace(-9, 9, 8, dtype=np.float32)):
        given = np.array(taken), x
        expected, found = (list(map(np.asarray, dxir.compile(p)(*given))) for p in (before, after))
        assert [a.tobytes() for a in expected] == [a.tobytes() for a in found]


def test_the_values_of_layers_are_the_same_bit_for_bit() -> None:
    before = layers()
    after = before.run_passes(BOTH)
    scale = np.linspace(-1, 2, 4, dtype=np.float32)
    random = np.random.default_rng(0).normal(size=(2, 4)).astype(np.float32)
    for x in (HOSTILE.reshape(2, 4), random):
        expected, found = (np.asarray(dxir.compile(p)(x, scale)) for p in (before, after))
        assert expected.tobytes() == found.tobytes()


def test_equal_matches_share_one_decomposition() -> None:
    after = layers().run_passes(BOTH)
    assert len(composites(after)) == 6
    assert sorted(after.function_names) == ["dxir.rms_norm", "dxir.silu", "dxir.softmax", "main"]


def test_composites_survive_the_versions_that_have_them() -> None:
    for before in (layers(), dxir.load(PLACES)):
        after = before.run_passes(BOTH)
        assert after.minimum_version().version == "0.19.0"
        for version in ("0.19.0", "1.0.0", "current"):
            again = dxir.load(after.serialize(version))
            assert again.fingerprint() == after.fingerprint()
            assert again.decompose().fingerprint() == before.decompose().fingerprint()


def test_what_is_made_is_counted_and_the_pass_can_be_told_which_to_make() -> None:
    records: list[Record] = []
    options = RunOptions(on_record=records.append)
    after = layers().run_passes(["dxir-recognize", Coarsen(patterns=("silu",))], options=options)
    assert records[-1].statistics == {"composites made": 2}
    assert sorted(after.function_names) == ["dxir.silu", "main"]
    assert "dxir.match" not in str(after)


def test_a_pattern_that_nothing_is_marked_with_is_warned_of() -> None:
    after = layers().run_passes("dxir-recognize,dxir-coarsen{patterns=silo,silu}")
    assert [(d.severity, d.code, d.message) for d in after.diagnostics] == [
        ("warning", "UNKNOWN_NAME", "patterns names 'silo', but nothing is marked so")
    ]


def test_marks_that_are_removed_before_stay_ops() -> None:
    marked = dxir.load(PLACES).run_passes("dxir-recognize")
    for op in ops_below(marked.module.operation):
        if "dxir.match_id" in op.attributes and op.attributes["dxir.match_id"].value == 0:
            for name in ("dxir.pattern", "dxir.match_id", "dxir.match_operands", "dxir.match"):
                if name in op.attributes:
                    del op.attributes[name]
    after = dxir.load(marked.text()).run_passes("dxir-coarsen").verify()
    assert len(composites(after)) == 6
    assert after.diagnostics == ()
    assert after.decompose().fingerprint() == dxir.load(PLACES).decompose().fingerprint()


def test_a_part_of_a_match_that_is_left_is_warned_of_at_its_place() -> None:
    text = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.logistic %x : tensor<4xf32>
  %1 = stablehlo.multiply %x, %0 {dxir.match = {composite = "dxir.silu", ops = 2 : i64},
    dxir.match_id = 0 : i64, dxir.pattern = "silu"} : tensor<4xf32>
  return %1 : tensor<4xf32>
}"""
    after = dxir.load(text).run_passes("dxir-coarsen")
    (found,) = after.diagnostics
    assert found.severity == "warning"
    assert found.message == "marked ops stay as they are: 2 ops were marked, and 1 are left"
    assert (found.where or "").endswith(":4:8")
    assert composites(after) == []
    assert "dxir.match" not in str(after)


def test_places_in_the_source_are_kept() -> None:
    text = dxir.load(PLACES).text(debug_info=True)
    before = dxir.load(text)
    places = {
        str(op.location)
        for op in ops_below(before.module.operation)
        if op.name == "stablehlo.logistic"
    }
    after = before.run_passes(BOTH)
    kept = [op for op in ops_below(after.module.operation) if op.name == "stablehlo.logistic"]
    assert {str(op.location) for op in kept} <= places
    roots = {str(op.location) for op in ops_below(before.module.operation) if len(op.results)}
    assert all(str(op.location) in roots for op in composites(after))


def test_shardings_are_kept() -> None:
    shard = 'sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>'
    text = f"""
    sdy.mesh @mesh = <["a"=2]>
    func.func @main(%x: tensor<4xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"a"}}]>}})
        -> tensor<4xf32> {{
      %0 = stablehlo.logistic %x {{{shard}}} : tensor<4xf32>
      %1 = stablehlo.multiply %x, %0 {{{shard}}} : tensor<4xf32>
      return %1 : tensor<4xf32>
    }}"""
    before = dxir.load(text)
    after = before.run_passes(BOTH).verify()
    (composite,) = composites(after)
    assert str(composite.attributes["sdy.sharding"]) == shard.partition(" = ")[2]
    assert str(after).count(shard) == 3
    assert after.decompose().fingerprint() == before.fingerprint()


def marked(rng: np.random.Generator) -> tuple[str, str]:
    """A random program, and the same with marks anywhere."""
    lines: list[tuple[str, str]] = []
    values = ["%x", "%y"]
    for n in range(int(rng.integers(3, 14))):
        kind = int(rng.integers(5))
        a, b = (values[int(rng.integers(len(values)))] for _ in range(2))
        head, tail = {
            0: (f"%v{n} = stablehlo.constant", f"dense<{n}.5> : tensor<4xf32>"),
            1: (f"%v{n} = stablehlo.tanh {a}", ": tensor<4xf32>"),
            2: (f"%v{n} = stablehlo.add {a}, {b}", ": tensor<4xf32>"),
            3: (f"%v{n} = stablehlo.multiply {a}, {b}", ": tensor<4xf32>"),
            4: (
                f'%v{n} = "stablehlo.if"(%p) ({{ %t = stablehlo.sine {a} : tensor<4xf32>\n'
                f"stablehlo.return %t : tensor<4xf32> }}, {{\n"
                f"stablehlo.return {b} : tensor<4xf32> }})",
                ": (tensor<i1>) -> tensor<4xf32>",
            ),
        }[kind]
        lines.append((head, tail))
        values.append(f"%v{n}")
    marks = [int(rng.integers(-2, 3)) for _ in lines]
    results = [values[int(rng.integers(2, len(values)))] for _ in range(2)]
    both: list[str] = []
    for is_marked in (False, True):
        body = "\n".join(
            f'{head} {{dxir.pattern = "acme.p{mark}", dxir.match_id = {mark} : i64}} {tail}'
            if is_marked and mark >= 0
            else f"{head} {tail}"
            for (head, tail), mark in zip(lines, marks, strict=True)
        )
        both.append(
            "func.func @main(%p: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf32>)"
            f" -> (tensor<4xf32>, tensor<4xf32>) {{\n{body}\n"
            f"return {', '.join(results)} : tensor<4xf32>, tensor<4xf32> }}"
        )
    return both[0], both[1]


@pytest.mark.parametrize("seed", range(60))
def test_marks_anywhere_make_composites_or_a_warning_and_never_another_program(seed: int) -> None:
    plain, with_marks = marked(np.random.default_rng(seed))
    before = dxir.load(plain).verify()
    after = dxir.load(with_marks).run_passes("dxir-coarsen").verify()
    assert "dxir.match" not in str(after)
    assert after.decompose().fingerprint() == before.fingerprint()
    assert str(after.run_passes("dxir-coarsen")) == str(after)


def test_a_name_that_a_mesh_has_is_taken() -> None:
    text = """
    sdy.mesh @dxir.silu = <["a"=2]>
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.logistic %x : tensor<4xf32>
      %1 = stablehlo.multiply %0, %x : tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    """
    coarse = dxir.load(text).run_passes("dxir-recognize,dxir-coarsen").verify()
    assert "@dxir.silu_1(" in str(coarse)
