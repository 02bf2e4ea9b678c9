"""Public reports of modules that are refused or cannot be written, each with the right outcome.

A test's id names the reports. An error names the op and its place, and says what to do.
"""

# ruff: noqa: E501  (MLIR text)

import re
from typing import Any

import numpy as np
import pytest

import dxir
from dxir import errors, ops
from dxir.artifact import artifact_version


@pytest.fixture(autouse=True)
def reports(request: pytest.FixtureRequest) -> object:
    """The names of the reports that a test is about: they are in its id only."""
    return getattr(request, "param", None)


def about(*names: str) -> pytest.MarkDecorator:
    """Put the names of reports into the id of a test."""
    return pytest.mark.parametrize("reports", [names], ids=[" ".join(names)], indirect=True)


REJECTED = {
    "jax#40486 fewer operands than the decomposition": (
        """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "my.square" %x {decomposition = @sq} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @sq(%b: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %r = stablehlo.multiply %x, %x : tensor<4xf32>
  return %r : tensor<4xf32>
}""",
        r"'stablehlo.composite' op.* has 1 operand\(s\), but decomposition has 2",
        "pass captured values as operands",
    ),
    "jax#40486 no such decomposition": (
        """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "my.square" %x {decomposition = @nope} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}""",
        r"'stablehlo.composite' op.* 'nope' does not reference a valid function",
        "add the function",
    ),
    "jax#40486 a name without a dot": (
        """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "square" %x {decomposition = @main} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}""",
        r"'stablehlo.composite' op.* name must be a valid namespaced op name",
        "with a dot",
    ),
    "SKaiNET#620 operands swapped against their types": (
        """
func.func @main(%x: tensor<1x1xf32>, %w: tensor<1x16xf32>) -> tensor<1x16xf32> {
  %0 = stablehlo.dot_general %w, %x, contracting_dims = [1] x [0] : (tensor<1x1xf32>, tensor<1x16xf32>) -> tensor<1x16xf32>
  return %0 : tensor<1x16xf32>
}""",
        r"use of value '%w' .*'tensor<1x1xf32>' vs 'tensor<1x16xf32>'\n.*:2:38: prior use here",
        "swap the operands",
    ),
    "SKaiNET#518 the result's type as the operand's": (
        """
func.func @main(%arg: tensor<80x3000xf32>) -> tensor<1x80x3000xf32> {
  %0 = stablehlo.reshape %arg : (tensor<1x80x3000xf32>) -> tensor<1x80x3000xf32>
  return %0 : tensor<1x80x3000xf32>
}""",
        r"use of value '%arg' .*'tensor<1x80x3000xf32>' vs 'tensor<80x3000xf32>'\n.*:2:17: prior use here",
        "the type the value was defined with",
    ),
    "SKaiNET#673 #670 concat with one operand's extent": (
        """
func.func @main(%a: tensor<1x1x8xf32>, %b: tensor<1x4x8xf32>, %c: tensor<1x1x8xf32>) -> tensor<1x1x8xf32> {
  %0 = stablehlo.concatenate %a, %b, %c, dim = 1 : (tensor<1x1x8xf32>, tensor<1x4x8xf32>, tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
  return %0 : tensor<1x1x8xf32>
}""",
        r"'stablehlo.concatenate' op inferred type\(s\) 'tensor<1x6x8xf32>' .* 'tensor<1x1x8xf32>'",
        "give the result the inferred type",
    ),
    "SKaiNET#663 reduce that keeps the dimension": (
        """
func.func @main(%a: tensor<2x3xf32>, %i: tensor<f32>) -> tensor<2x1xf32> {
  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}""",
        r"'stablehlo.reduce' op inferred type\(s\) 'tensor<2xf32>' .* 'tensor<2x1xf32>'",
        "give the result the inferred type",
    ),
    "stablehlo#2817 while without a terminator": (
        """
func.func @main(%a: tensor<i32>, %p: tensor<i1>) -> tensor<i32> {
  %0 = "stablehlo.while"(%a) ({ ^bb0(%i: tensor<i32>):
    stablehlo.return %p : tensor<i1>
  }, { ^bb0(%i: tensor<i32>):
    %1 = stablehlo.abs %i : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}""",
        r"'stablehlo.while' op.* body-region expected to have a terminator",
        "stablehlo.return",
    ),
    "iree#14837 func.return inside a while": (
        """
func.func @main(%a: tensor<i32>, %p: tensor<i1>) -> tensor<i32> {
  %0 = "stablehlo.while"(%a) ({ ^bb0(%i: tensor<i32>): stablehlo.return %p : tensor<i1>
  }, { ^bb0(%i: tensor<i32>): func.return %i : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}""",
        r"'func.return' op expects parent op 'func.func'",
        "stablehlo.return",
    ),
    "stablehlo#394 variadic reduce of unlike inputs": (
        """
func.func @main(%a: tensor<?x?xi32>, %b: tensor<?x4xi32>, %c: tensor<?x5xi32>, %i: tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>) {
  %0:3 = "stablehlo.reduce"(%a, %b, %c, %i, %i, %i) <{dimensions = array<i64: 0, 1>}> ({
   ^bb0(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<i32>, %u: tensor<i32>, %v: tensor<i32>, %w: tensor<i32>):
     stablehlo.return %x, %y, %z : tensor<i32>, tensor<i32>, tensor<i32>
  }) : (tensor<?x?xi32>, tensor<?x4xi32>, tensor<?x5xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>)
  return %0#0, %0#1, %0#2 : tensor<i32>, tensor<i32>, tensor<i32>
}""",
        r"'stablehlo.reduce' op .*#1 is tensor<\?x4xi32>, #2 is tensor<\?x5xi32>",
        "make the shapes of all inputs equal",
    ),
    "stablehlo#508 all_reduce body of another type": (
        """
func.func @main(%a: tensor<2xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
   ^bb0(%x: tensor<f32>, %y: tensor<f32>): stablehlo.return %x : tensor<f32>
  }) : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}""",
        r"'stablehlo.all_reduce' op.*'tensor<f32>' vs 'tensor<i32>'",
        "element type",
    ),
    "stablehlo#491 all_gather along an axis that is not there": (
        """
func.func @main(%a: tensor<2x2xf32>) -> tensor<2x4xf32> {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 5 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}""",
        r"'stablehlo.all_gather' op.* all_gather_dim must be a valid index",
        "rank",
    ),
    "Reactant.jl#798 no such mesh": (
        """
func.func @main(%x: tensor<2x2x4xf32>) -> tensor<2x2x4xf32> {
  %0 = sdy.reshard %x <@mesh, [{}, {}, {}]> : tensor<2x2x4xf32>
  return %0 : tensor<2x2x4xf32>
}""",
        r"'sdy.reshard' op unknown mesh: @mesh",
        "add the sdy.mesh",
    ),
    **{
        f"{report} {name}": (
            f"""sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<{shape}f32>) -> tensor<{shape}f32> {{
  %0 = sdy.sharding_constraint %x <@mesh, {sharding}> : tensor<{shape}f32>
  return %0 : tensor<{shape}f32>
}}""",
            f"'sdy.sharding_constraint' op {message}",
            hint,
        )
        for report, name, shape, sharding, message, hint in (
            ("xla#45717", "rank 3 on a scalar", "", "[{}, {}, {}]", "sharding doesn't match tensor rank: 3 != 0", "for each dimension"),
            ("xla#39824", "an axis twice", "4x4x", '[{"x"}, {"x"}]', 'duplicate axis ref: "x"', "one dimension"),
            ("xla#39824", "no such axis", "4x4x", '[{"z"}, {}]', 'unknown axis name: "z"', "an axis of the mesh"),
        )
    },
}  # fmt: skip


@pytest.mark.parametrize("case", REJECTED)
def test_a_wrong_module_is_refused_with_its_op_place_and_remedy(case: str) -> None:
    text, message, hint = REJECTED[case]
    with pytest.raises((errors.VerificationError, errors.ParseError), match=message) as error:
        dxir.load(text).verify()
    assert re.fullmatch(r"<text>:[34]:\d+", error.value.where or "")
    assert hint in (error.value.hint or "")


ELIDED = """
func.func @main() -> tensor<2xf32> {
  %0 = stablehlo.constant dense_resource<NAME> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
BLOB = '{-# dialect_resources: { builtin: { w: "0x040000000000803F00000040" } } #-}'


@about("torch-mlir#3398", "iree#22230", "tt-mlir#2378")
@pytest.mark.parametrize(("name", "state"), [("__elided__", "elided"), ("w", "missing")])
def test_a_constant_without_data_is_refused_by_name_wherever_it_is_used(
    name: str, state: str
) -> None:
    text = ELIDED.replace("NAME", name)
    with pytest.raises(errors.ParseError, match=rf"'{name}' is {state}") as error:
        dxir.load(text)
    assert error.value.where == "<text>:3:8"
    assert "without element limits" in (error.value.hint or "")
    program = dxir.load(text, allow_elided=True)
    for use in (program.serialize, program.raise_, lambda: dxir.compile(program)):
        with pytest.raises(errors.DxirError, match=rf"'{name}' is {state}") as later:
            use()
        assert later.value.where == "<text>:3:8"


@about("torch-mlir#3398")
def test_a_resource_is_the_data_behind_it() -> None:
    program = dxir.load(ELIDED.replace("NAME", "w") + BLOB)
    stored = dxir.load(program.serialize(), trusted=True)
    for found in (dxir.compile(program)(), dxir.compile(stored)(), dxir.evaluate(program.raise_())):
        np.testing.assert_array_equal(np.asarray(found), [1, 2])


@about("iree#22230")
def test_text_printed_with_a_limit_cannot_come_back_as_a_program() -> None:
    b = dxir.Builder()
    text = dxir.lower(b.build(ops.constant(np.arange(40, dtype=np.int32)))).text(elide_above=16)
    with pytest.raises(errors.ParseError, match="element limits"):
        dxir.load(text)


@about("iree#19852")
def test_an_op_without_a_portable_form_is_named_with_its_place_and_the_version() -> None:
    program = dxir.load("""
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}""")
    before = str(program)
    with pytest.raises(
        errors.ArtifactError, match=r"arith\.addf .* StableHLO 1\.0\.0 .* dialect arith"
    ) as error:
        program.serialize("1.0.0")
    assert error.value.where == "<text>:3:8"
    assert error.value.hint
    assert str(program.verify()) == before


CALLED = """
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = CALL : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @g(tensor<2xf32>) -> tensor<2xf32>
"""


@about("xla#47398")
@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("call @g(%a)", "@g is called by func.call but has no body"),
        (
            "stablehlo.custom_call @c(%a) {called_computations = [@missing]}",
            "@missing is called by stablehlo.custom_call but is not in the module",
        ),
    ],
)
def test_a_call_of_a_function_that_is_not_there_is_an_error_and_no_crash(
    call: str, message: str
) -> None:
    program = dxir.load(CALLED.replace("CALL", call)).verify()
    for use in (program.preflight, lambda: dxir.compile(program)):
        with pytest.raises(errors.VerificationError, match=message) as error:
            use()
        assert error.value.where == "<text>:3:8"
        assert error.value.hint


@about("xla#47398")
def test_a_module_without_main_is_an_error_that_lists_its_functions() -> None:
    text = CALLED.replace("@main", "private @step").replace("CALL", "stablehlo.abs %a")
    with pytest.raises(errors.DxirError, match="no public function @main") as error:
        dxir.compile(dxir.load(text))
    assert "@step" in str(error.value)


CUSTOM = """
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @f(%a) {api_version = 4 : i32, backend_config = {idx = array<i32: 0, 1, 2>}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}"""


@about("jax#26605")
def test_an_attribute_without_a_portable_form_is_named_by_its_key() -> None:
    with pytest.raises(errors.ArtifactError, match=r"backend_config\.idx of stablehlo\.custom_call") as error:  # fmt: skip
        dxir.load(CUSTOM).serialize()
    assert error.value.where == "<text>:3:8"
    assert "dense<" in (error.value.hint or "")


@about("jax#26605")
def test_arrays_in_a_custom_call_become_dense_tensors_which_serialize() -> None:
    b = dxir.Builder()
    x = b.param(dxir.f32[4])
    config = {"idx": np.array([0, 1, 2], np.int32)}
    y = ops.custom_call(
        [x], types=(x.type,), call_target_name="f", api_version=4, backend_config=config
    )
    program = dxir.lower(b.build(y))
    assert "idx = dense<[0, 1, 2]> : tensor<3xi32>" in str(program)
    assert dxir.load(program.serialize(), trusted=True).fingerprint() == program.fingerprint()


GROUPS = """
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<GROUPS> : tensor<2x2xi64>}> ({
   ^bb0(%x: tensor<f32>, %y: tensor<f32>): stablehlo.return %x : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}"""


@about("stablehlo#491")
def test_replica_groups_hold_every_device_once_and_should_be_even() -> None:
    program = dxir.load(GROUPS.replace("GROUPS", "[[0, 1], [2, -1]]")).verify()
    assert "different sizes" in program.diagnostics[0].message
    for wrong in ("[[0, 1], [1, 2]]", "[[0, 1], [5, 2]]"):
        with pytest.raises(errors.VerificationError, match=r"'stablehlo\.all_reduce' op") as error:
            dxir.load(GROUPS.replace("GROUPS", wrong)).verify()
        assert error.value.where == "<text>:3:8"
        assert "exactly once" in (error.value.hint or "")


ADD = """
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}"""


@about("aws-neuron-sdk#1094", "tt-xla#97")
def test_a_version_is_a_number_a_window_or_the_attribute_of_a_plugin() -> None:
    program = dxir.load(ADD)
    names = ("current", "4w", "12w", "minimum")
    versions = [artifact_version(program.serialize(name)) for name in names]
    current, _, _, oldest = versions
    assert None not in versions
    assert versions == sorted(versions, key=str_key, reverse=True)
    assert str(oldest) == "0.9.0"
    for version in ("1.1.0", [1, 1, 0], (1, 1, 0)):
        assert str(artifact_version(program.serialize(version))) == "1.1.0"
    with pytest.raises(errors.ArtifactError) as error:
        program.serialize("9.9.9")
    assert "9.9.9" in str(error.value)
    assert str(current) in str(error.value)


def str_key(version: Any) -> tuple[int, ...]:
    return tuple(int(n) for n in str(version).split("."))


@about("aws-neuron-sdk#1094")
def test_a_reader_says_that_it_is_the_older_side_and_prints_both_versions() -> None:
    data = dxir.load(ADD).serialize()
    current = str(artifact_version(data))
    newer = "9" + current[1:]
    with pytest.raises(errors.ArtifactError, match="older side") as error:
        dxir.load(data.replace(current.encode(), newer.encode()))
    assert newer in str(error.value)
    assert current in str(error.value)


@about("stablehlo#2072")
def test_all_dialects_are_there_and_an_unknown_one_is_named_with_the_fix() -> None:
    dxir.load("""
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.erf %a : tensor<4xf32> -> tensor<4xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<4xf32>
  %2 = mhlo.add %1, %1 : tensor<4xf32>
  %3 = stablehlo.add %2, %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}""").verify()
    with pytest.raises(errors.ParseError, match=r"`tosa` of the op tosa\.abs") as error:
        dxir.load(ADD.replace("stablehlo.add %a, %a :", "tosa.abs %a : (tensor<4xf32>) ->"))
    assert error.value.where == "<text>:3:8"
    assert "allow_unregistered" in (error.value.hint or "")
