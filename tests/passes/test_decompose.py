"""Composites expanded: the values stay, and a second run finds nothing to do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dxir
from dxir.errors import PassError
from dxir.pipeline.running import Record, RunOptions
from dxir.program import Program

HOSTILE = np.array([np.nan, np.inf, -np.inf, -0.0, 1e-45, 3.4e38, -1.5, 0.0], np.float32)


def program() -> Program:
    b = dxir.Builder("main")
    x = b.param(dxir.f32[2, 4], name="x")
    return dxir.lower(b.build(dxir.ops.softmax(dxir.ops.silu(x))))


def test_the_values_are_the_same_and_a_second_run_changes_nothing() -> None:
    before = program()
    after = before.run_passes("dxir-decompose")
    assert "stablehlo.composite" in before.op_counts()
    assert "stablehlo.composite" not in after.op_counts()
    for x in (HOSTILE.reshape(2, 4), np.random.default_rng(0).normal(size=(2, 4))):
        given = x.astype(np.float32)
        expected, found = (np.asarray(dxir.compile(p)(given)) for p in (before, after))
        assert expected.tobytes() == found.tobytes()
    assert str(after.run_passes("dxir-decompose")) == str(after)


def test_what_is_kept_is_named_and_the_method_does_the_same() -> None:
    before = program()
    some = before.run_passes("dxir-decompose{keep=dxir.silu}")
    assert some.op_counts()["stablehlo.composite"] == 1
    assert some.fingerprint() == before.decompose(keep={"dxir.silu"}).fingerprint()
    both = before.run_passes("dxir-decompose{keep=dxir.silu,dxir.softmax}")
    assert str(both) == str(before)


def test_a_name_to_keep_that_no_composite_has_is_warned_of_with_the_nearest() -> None:
    before = program()
    after = before.run_passes("dxir-decompose{keep=dxir.silo,dxir.softmax}")
    assert [(d.severity, d.message) for d in after.diagnostics] == [
        (
            "warning",
            "keep names 'dxir.silo', but no composite is called that; did you mean dxir.silu?",
        )
    ]
    assert before.run_passes("dxir-decompose{keep=dxir.silu}").diagnostics == ()


def test_composites_that_grow_with_every_level_are_refused() -> None:
    parts = [
        "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
        '  %0 = stablehlo.composite "a.f0" %x {decomposition = @f0}'
        " : (tensor<f32>) -> tensor<f32>\n"
        "  return %0 : tensor<f32>\n}"
    ]
    for i in range(25):
        lines = [f"func.func private @f{i}(%x: tensor<f32>) -> tensor<f32> {{"]
        if i < 24:
            lines += [
                f'  %{k} = stablehlo.composite "a.f{i + 1}" %x {{decomposition = @f{i + 1}}}'
                " : (tensor<f32>) -> tensor<f32>"
                for k in range(2)
            ]
        lines += ["  return %x : tensor<f32>", "}"]
        parts.append("\n".join(lines))
    with pytest.raises(PassError, match="expand into more than 5000000 ops"):
        dxir.load("\n".join(parts)).run_passes("dxir-decompose")


@pytest.mark.parametrize("name", ["@f", '@"my fn"', r'@"a\22b"'])
@pytest.mark.parametrize("use", ["{to = [NAME]}", "{acme.to = [NAME]}"])
def test_a_decomposition_stays_while_an_attribute_names_it(name: str, use: str) -> None:
    op = '"acme.call"' if use.startswith("{to") else '"stablehlo.negate"'
    program = dxir.load(
        f"""
    func.func private {name}(%x: tensor<4xf32>) -> tensor<4xf32> {{ return %x : tensor<4xf32> }}
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
      %0 = stablehlo.composite "acme.f" %x {{decomposition = {name}}}
        : (tensor<4xf32>) -> tensor<4xf32>
      %1 = {op}(%0) {use.replace("NAME", name)} : (tensor<4xf32>) -> tensor<4xf32>
      return %1 : tensor<4xf32>
    }}""",
        allow_unregistered=True,
    )
    found = program.run_passes("dxir-decompose").verify()
    assert found.function_names == program.function_names
    assert "stablehlo.composite" not in str(found)


NESTED = """
func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<f32>) {
  %0:2 = stablehlo.composite "acme.outer" %x {decomposition = @outer, version = 2 : i32,
    composite_attributes = {axis = 1 : i64, mode = "fast", eps = 1.0e-5 : f32, on = true,
      table = dense<[1, 2]> : tensor<2xi64>, inner = {k = [1 : i8, "x"]}, kind = bf16}}
    : (tensor<8xf32>) -> (tensor<8xf32>, tensor<f32>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<f32>
}
func.func private @outer(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<f32>) {
  %0 = stablehlo.composite "acme.inner" %x {decomposition = @inner,
    composite_attributes = {scale = 3 : i64}} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.multiply %0, %x : tensor<8xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [0]
    : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %1, %2 : tensor<8xf32>, tensor<f32>
}
func.func private @inner(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = stablehlo.constant dense<3.0> : tensor<8xf32>
  %0 = stablehlo.exponential %x : tensor<8xf32>
  %1 = stablehlo.divide %0, %c : tensor<8xf32>
  return %1 : tensor<8xf32>
}"""

# Expand all, all but a list, only a list: what is left of "acme.outer" and "acme.inner".
WAYS: dict[str, set[str]] = {
    "": set(),
    "{keep=acme.outer,acme.inner}": {"acme.outer", "acme.inner"},
    "{keep=acme.outer}": {"acme.outer"},
    "{keep=acme.inner}": {"acme.inner"},
    "{only=acme.outer}": {"acme.inner"},
    "{only=acme.inner}": {"acme.outer"},
    "{only=acme.outer,acme.inner keep=acme.inner}": {"acme.inner"},
}


@pytest.mark.parametrize("options", WAYS)
def test_nested_composites_are_expanded_as_told_and_survive_serialization(options: str) -> None:
    before = dxir.load(NESTED)
    after = before.run_passes(f"dxir-decompose{options}").verify()
    text = str(after)
    assert {name for name in ("acme.outer", "acme.inner") if f'"{name}"' in text} == WAYS[options]
    oldest = after.minimum_version()
    assert oldest.version == ("0.19.0" if WAYS[options] else "0.9.0")
    for version in (oldest.version, "current"):
        assert dxir.load(after.serialize(version)).fingerprint() == after.fingerprint()
    x = HOSTILE
    expected, found = (list(map(np.asarray, dxir.compile(p)(x))) for p in (before, after))
    assert [a.tobytes() for a in expected] == [a.tobytes() for a in found]


def test_the_method_expands_only_those_it_is_told_to() -> None:
    program = dxir.load(NESTED)
    assert (
        program.decompose(only={"acme.outer"}).fingerprint()
        == program.run_passes("dxir-decompose{only=acme.outer}").fingerprint()
    )
    with pytest.raises(PassError, match="only is a collection of names"):
        program.decompose(only="acme.outer")


def test_iree_gives_the_same_values_with_composites_kept_and_expanded() -> None:
    compiler: Any = pytest.importorskip("iree.compiler")
    runtime: Any = pytest.importorskip("iree.runtime")
    program = dxir.load(NESTED)
    x = np.linspace(-3, 3, 8, dtype=np.float32)
    found: list[list[bytes]] = []
    for options in WAYS:
        artifact = program.run_passes(f"dxir-decompose{options}").serialize("1.0.0")
        binary = compiler.compile_str(artifact, target_backends=["llvm-cpu"], input_type="auto")
        config = runtime.Config("local-task")
        context = runtime.SystemContext(config=config)
        context.add_vm_module(runtime.VmModule.copy_buffer(context.instance, binary))
        results = context.modules.module["main"](x)
        found.append([np.asarray(r.to_host()).tobytes() for r in results])
    assert all(each == found[0] for each in found)
    y = np.exp(x) / 3 * x
    np.testing.assert_allclose(np.frombuffer(found[0][0], np.float32), y, rtol=1e-5)


def test_names_in_only_that_no_composite_has_are_warned_of() -> None:
    found = dxir.load(NESTED).run_passes("dxir-decompose{only=acme.out}").diagnostics
    assert [d.message for d in found] == [
        "only names 'acme.out', but no composite is called that; did you mean acme.outer?"
    ]


def test_an_unknown_target_is_refused_with_the_nearest() -> None:
    with pytest.raises(PassError, match="there is no target 'xla-cp'") as error:
        program().run_passes("dxir-decompose{target=xla-cp}")
    assert "xla-cpu" in (error.value.hint or "")


def test_what_became_of_the_composites_is_counted() -> None:
    records: list[Record] = []
    options = RunOptions(on_record=records.append)
    program().run_passes("dxir-decompose{keep=dxir.silu}", options=options)
    assert records[0].statistics == {"composites expanded": 1, "composites kept": 1}


def test_what_is_on_record_of_a_composite_is_on_record_of_the_ops_of_its_results() -> None:
    text = """
    func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi32>) {
      %0:2 = stablehlo.composite "acme.f" %x {decomposition = @f, dxir.approximations = [
        {by = "acme", legalized_from = "acme.exact", reason = "asked", max_abs_error = 0.5 : f64}]}
        : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi32>)
      return %0#0, %0#1 : tensor<4xf32>, tensor<4xi32>
    }
    func.func private @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi32>) {
      %i = stablehlo.iota dim = 0 : tensor<4xi32>
      %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 0 : i64}> ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
          %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %1 : tensor<i1>
      }) : (tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
      return %0#0, %0#1 : tensor<4xf32>, tensor<4xi32>
    }"""
    (found,) = dxir.load(text).decompose().approximations()
    assert (found.op, found.legalized_from, found.max_abs_error) == (
        "stablehlo.sort",
        "acme.exact",
        0.5,
    )


def outlined(rng: np.random.Generator) -> tuple[str, str]:
    """A random program, and the same with parts outlined that hold copies of its constants.

    Statements use constants and earlier values; some are in the branch of an `if`. A statement may
    be outlined: then it, and copies of what of the constants it uses, is a decomposition.
    """
    size = int(rng.integers(3, 9))
    used = [int(rng.integers(3)) for _ in range(size)]
    inside = [bool(rng.integers(2)) for _ in range(size)]
    apart = [bool(rng.integers(3)) for _ in range(size)]
    both: list[str] = []
    for split in (False, True):
        lines: list[str] = []
        parts: list[str] = []
        mark = (lambda n: f" {{dxir.shared = {n} : i64}}") if split else lambda n: ""
        define = [
            f"%c{k} = stablehlo.constant{mark(k)} dense<{k + 1}.0> : tensor<f32>\n"
            f"%b{k} = stablehlo.broadcast_in_dim %c{k}, dims = []{mark(k + 10)}"
            " : (tensor<f32>) -> tensor<4xf32>"
            for k in range(3)
        ]
        for k in set(used):
            users = [n for n in range(size) if used[n] == k]
            alone = len(users) == 1 and inside[users[0]]  # a copy could not tell where it was
            if not split or alone or not all(apart[n] for n in users):
                lines.append(define[k])
        for n, (k, within, out) in enumerate(zip(used, inside, apart, strict=True)):
            op = "add" if n % 2 else "multiply"
            statement = f"%s{n} = stablehlo.{op} %v{n}, %b{k} : tensor<4xf32>"
            if split and out:
                body = f"{define[k]}\n{statement}\nreturn %s{n} : tensor<4xf32>"
                parts.append(
                    f"func.func private @f{n}(%v{n}: tensor<4xf32>) -> tensor<4xf32> {{{body}}}"
                )
                statement = (
                    f'%s{n} = stablehlo.composite "a.f{n}" %v{n} {{decomposition = @f{n}}}'
                    " : (tensor<4xf32>) -> tensor<4xf32>"
                )
            if within:
                statement = (
                    f'%v{n + 1} = "stablehlo.if"(%p) ({{\n{statement}\n'
                    f"stablehlo.return %s{n} : tensor<4xf32> }}, {{\n"
                    f"stablehlo.return %v{n} : tensor<4xf32> }}) : (tensor<i1>) -> tensor<4xf32>"
                )
            else:
                statement = statement.replace(f"%s{n}", f"%v{n + 1}")
            lines.append(statement)
        body = "\n".join(lines)
        both.append(
            f"func.func @main(%p: tensor<i1>, %v0: tensor<4xf32>) -> tensor<4xf32> {{\n{body}\n"
            f"return %v{size} : tensor<4xf32> }}\n" + "\n".join(parts)
        )
    return both[0], both[1]


@pytest.mark.parametrize("seed", range(40))
def test_outlining_with_copies_of_constants_is_undone_to_the_fingerprint(seed: int) -> None:
    plain, split = outlined(np.random.default_rng(seed))
    before = dxir.load(plain).verify()
    after = dxir.load(split).run_passes("dxir-decompose").verify()
    assert after.fingerprint() == before.fingerprint()
    assert "dxir.shared" not in str(after)
    assert str(after.run_passes("dxir-decompose")) == str(after)


def test_the_number_of_a_copy_stays_as_long_as_a_decomposition_has_it() -> None:
    _, split = outlined(np.random.default_rng(1))
    program = dxir.load(split)
    names = [f"a.f{n}" for n in range(9) if f'"a.f{n}"' in split]
    for name in names:
        program = program.run_passes(f"dxir-decompose{{only={name}}}").verify()
    assert program.fingerprint() == dxir.load(split).decompose().fingerprint()
    assert "dxir.shared" not in str(program)
