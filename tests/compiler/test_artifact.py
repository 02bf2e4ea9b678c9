"""Portable artifacts: versions, what they hold, and why something is not held."""

# ruff: noqa: E501  (MLIR text)

import numpy as np
import pytest

import dxir
from dxir.artifact import artifact_version, deserialize, is_bytecode, producer_of, serialize
from dxir.errors import ArtifactError
from dxir.loading import load
from dxir.mlir import make_context
from dxir.versions import (
    Version,
    current_version,
    known_versions,
    oldest_version,
    resolve_version,
    window_version,
)

ADD = """
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
ERF = """
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.erf %a : tensor<4xf32> -> tensor<4xf32> loc("u.py":2:3)
  return %0 : tensor<4xf32>
}
"""
TAN = ADD.replace("stablehlo.add %a, %a", "stablehlo.tan %a").replace("%a :", "%a :", 1)


@pytest.mark.parametrize(
    "version", ["current", "minimum", "4w", "12w", "1.0.0", "0.20.0", (1, 1, 0)]
)
def test_a_version_is_a_name_a_number_or_a_plugins_attribute_b57(version) -> None:
    program = load(ADD)
    data = program.serialize(version)
    assert producer_of(data) == f"StableHLO_v{resolve_version(version)}"
    assert artifact_version(data) == resolve_version(version)
    assert load(data, trusted=True).fingerprint() == program.fingerprint()


def test_the_windows_lie_between_the_oldest_and_the_current_version_b57() -> None:
    ends = [oldest_version(), window_version("12w"), window_version("4w"), current_version()]
    assert ends == sorted(ends)
    assert known_versions()[0] == oldest_version()
    assert known_versions()[-1] == current_version()


@pytest.mark.parametrize(
    ("version", "message"),
    [
        ("1.999.0", "the writer, this jaxlib, is the older side and ends at"),
        ("0.1.0", "the reader is the older side"),
        ("newest", "'newest' is not a version"),
        ("1.0", "'1.0' is not a version"),
        ((1, "x", 0), "is not a version"),
        ("1.99999999999999999999.0", "is not a version"),
    ],
)
def test_an_unfit_version_is_refused_with_both_ends_of_the_range_b57(version, message: str) -> None:
    with pytest.raises(ArtifactError, match=message) as error:
        load(ADD).serialize(version)
    told = str(error.value)
    assert str(current_version()) in told
    assert str(oldest_version()) in told or "older side and ends" in told


def test_writing_leaves_the_program_as_it_is_b03() -> None:
    program = load(ERF)
    before = program.text(debug_info=True)
    program.serialize()
    program.serialize("1.0.0")
    program.minimum_version()
    program.fingerprint()
    with pytest.raises(ArtifactError):
        load(TAN).serialize("1.0.0")
    assert program.text(debug_info=True) == before


def test_chlo_of_unknown_sizes_is_written_and_means_the_same() -> None:
    b = dxir.Builder("main")
    program = dxir.lower(b.build(dxir.ops.erfc(b.param(dxir.f32["n", 3]))))
    assert "chlo.erfc" in program.op_counts()
    artifact = program.serialize(program.minimum_version().version)
    x = np.linspace(-3, 3, 6, dtype=np.float32).reshape(2, 3)
    wanted = np.asarray(dxir.compile(program)(x))
    np.testing.assert_allclose(dxir.compile(load(artifact))(x), wanted, rtol=1e-6)


def test_chlo_is_legalized_unless_it_is_to_be_kept_b03() -> None:
    program = load(ERF)
    legal = load(program.serialize("1.0.0"), trusted=True)
    assert not [name for name in legal.op_counts() if name.startswith("chlo")]
    kept = load(program.serialize(keep_chlo=True), trusted=True)
    assert kept.fingerprint() == program.fingerprint()


def test_an_op_of_another_dialect_is_named_with_place_version_and_remedy_b03() -> None:
    text = ADD.replace(
        "%0 = stablehlo.add %a, %a : tensor<4xf32>",
        '%0 = mhlo.add %a, %a : tensor<4xf32> loc("u.py":8:9)',
    )
    with pytest.raises(
        ArtifactError, match=r"mhlo.add cannot be written to a StableHLO 1.0.0 artifact"
    ) as error:
        load(text).serialize("1.0.0")
    assert error.value.where == "u.py:8:9"
    assert "producer" in str(error.value.hint)


CALL = """
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {{
  %0 = stablehlo.custom_call @f(%a) {{api_version = 4 : i32, backend_config = {{{entries}}}}} : (tensor<4xf32>) -> tensor<4xf32> loc("u.py":4:1)
  return %0 : tensor<4xf32>
}}
"""  # fmt: skip


@pytest.mark.parametrize(
    ("entries", "path"),
    [
        ("idx = array<i32: 0, 1, 2>", "backend_config.idx"),
        ('ok = "yes", sub = {deep = [1 : i32, array<i32: 7>]}', r"backend_config.sub.deep\[1\]"),
        ("c = dense<(1.0, 2.0)> : tensor<complex<f32>>, idx = array<i32: 0>", "backend_config.idx"),
    ],
)
def test_an_attribute_without_a_versioned_form_is_named_by_its_key_b21(
    entries: str, path: str
) -> None:
    program = load(CALL.format(entries=entries)).verify()
    with pytest.raises(
        ArtifactError, match=f"the attribute {path} of stablehlo.custom_call"
    ) as error:
        program.serialize()
    assert error.value.where == "u.py:4:1"
    assert "dense tensor" in str(error.value.hint)
    assert "array<i32" in error.value.message


@pytest.mark.parametrize(
    "entries",
    [
        "idx = dense<[0, 1, 2]> : tensor<3xi32>",
        "idx = [0 : i32, 1 : i32]",
        'd = {s = "x", t = f32}',
    ],
)
def test_the_attributes_that_the_hint_names_can_be_written_b21(entries: str) -> None:
    program = load(CALL.format(entries=entries))
    assert load(program.serialize(), trusted=True).fingerprint() == program.fingerprint()


def test_an_attribute_is_named_in_a_program_with_shardings_too_b21() -> None:
    text = CALL.format(entries="idx = array<i32: 0>") + 'sdy.mesh @mesh = <["x"=2]>'
    with pytest.raises(ArtifactError, match=r"the attribute backend_config.idx") as error:
        load(text).serialize("1.0.0")
    assert error.value.where == "u.py:4:1"


def test_the_oldest_version_is_enough_for_a_plain_program() -> None:
    needed = load(ADD).minimum_version()
    assert (needed.version, needed.kind, needed.feature, needed.where) == (
        str(oldest_version()), None, None, None,
    )  # fmt: skip
    assert str(needed).endswith("the oldest there is")


ACCURACY = """
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.exponential"(%a) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""  # fmt: skip


@pytest.mark.parametrize(
    ("text", "version", "kind", "feature"),
    [
        (TAN, "1.4.0", "op", "stablehlo.tan"),
        (ADD.replace("4xf32", "4xf4E2M1FN"), "1.8.0", "type", "f4E2M1FN"),
        (ACCURACY, "1.9.0", "attribute", "result_accuracy of stablehlo.exponential"),
    ],
)
def test_the_feature_that_needs_a_version_is_named(
    text: str, version: str, kind: str, feature: str
) -> None:
    program = load(text)
    needed = program.minimum_version()
    assert (needed.version, needed.kind) == (version, kind)
    assert str(needed.feature).startswith(feature)
    assert str(needed.where).startswith("<text>:")
    program.serialize(needed.version)
    below = known_versions()[known_versions().index(Version.parse(version)) - 1]
    with pytest.raises(ArtifactError, match=f"needs at least {version}") as error:
        program.serialize(below)
    assert feature.split()[0] in error.value.message
    assert str(below) in error.value.message
    assert error.value.where == needed.where


def test_newer_ops_are_rewritten_by_older_ones_when_asked() -> None:
    expanded = load(load(TAN).serialize("1.0.0", expand=True), trusted=True)
    assert "stablehlo.tan" not in expanded.op_counts()


SHARDED = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}]> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def test_shardings_are_written_the_way_xla_reads_them() -> None:
    program = load(SHARDED)
    exported = load(program.serialize("1.0.0"), trusted=True)
    assert exported.op_counts()["stablehlo.custom_call"] == 1
    assert "xla.sdy.sharding" in str(exported)
    assert program.minimum_version().version == str(oldest_version())
    kept = load(program.serialize(keep_chlo=True), trusted=True)
    assert kept.fingerprint() == program.fingerprint()


RESOURCE = """
func.func @main() -> tensor<2xf32> {
  %0 = stablehlo.constant dense_resource<w> : tensor<2xf32> loc("u.py":3:1)
  return %0 : tensor<2xf32>
}
"""
DATA = '{-# dialect_resources: { builtin: { w: "0x040000000000803F00000040" } } #-}'


@pytest.mark.parametrize(
    "op",
    [
        'sdy.reshard %a <@m, [{"x"}]> :',
        'sdy.all_slice [{"x"}] %a out_sharding=<@m, [{"x"}]> :',
        'sdy.named_computation<"f">(%a) (%b: tensor<4xf32>) {\nsdy.return %b : tensor<4xf32>\n} : '
        "(tensor<4xf32>) ->",
    ],
)
def test_a_shardy_op_that_xla_does_not_read_is_named_with_its_place(op: str) -> None:
    program = load(
        'sdy.mesh @m = <["x"=2]>\nfunc.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n'
        f"  %0 = {op} tensor<4xf32>\n  %1 = stablehlo.abs %0 : tensor<4xf32>\n"
        "  return %1 : tensor<4xf32>\n}"
    )
    with pytest.raises(ArtifactError, match=r"sdy\.\w+ has no form that XLA reads") as error:
        program.serialize()
    assert error.value.where == "<text>:3:8"
    assert load(program.serialize(keep_chlo=True)).op_counts()[op.split()[0].partition("<")[0]]


def test_a_resource_with_data_is_written_as_a_constant_b01() -> None:
    written = load(load(RESOURCE + DATA).serialize(), trusted=True)
    assert "dense<[1.000000e+00, 2.000000e+00]>" in str(written)


@pytest.mark.parametrize("key", ["w", "__elided__"])
def test_a_resource_without_data_is_named_when_written_b01(key: str) -> None:
    program = load(RESOURCE.replace("<w>", f"<{key}>"), allow_elided=True)
    with pytest.raises(ArtifactError, match=f"the resource '{key}' is") as error:
        program.serialize()
    assert error.value.where == "u.py:3:1"
    assert "export the module again" in str(error.value.hint)
    assert [d.severity for d in program.verify().diagnostics] == ["warning"]


def test_a_resource_of_the_wrong_size_is_refused_b01() -> None:
    with pytest.raises(ArtifactError, match=r"has 8 bytes where .* needs 12"):
        load((RESOURCE + DATA).replace("2xf32", "3xf32")).serialize()


def test_an_artifact_of_a_newer_version_says_which_side_is_old_b57() -> None:
    data = load(ADD).serialize().replace(f"v{current_version()}".encode(), b"v1.99.0")
    with pytest.raises(
        ArtifactError,
        match=r"written as StableHLO 1.99.0; the reader, this jaxlib, is the older side",
    ):
        load(data)


def test_no_bytes_are_no_artifact() -> None:
    with pytest.raises(ArtifactError, match="no bytes"):
        deserialize(b"", make_context())
    with pytest.raises(ArtifactError, match="no portable artifact"):
        deserialize(load(ADD).bytecode(), make_context())


def test_the_producer_of_bytes_is_read_without_parsing_them() -> None:
    program = load(ADD)
    assert str(producer_of(program.bytecode())).startswith("MLIR")
    assert is_bytecode(program.bytecode())
    assert producer_of(b"func.func") is None
    assert artifact_version(program.bytecode()) is None


def test_equal_programs_give_equal_bytes() -> None:
    program = load(ERF)
    assert (
        program.serialize("12w") == load(ERF).serialize("12w") == serialize(program.module, "12w")
    )


@pytest.mark.parametrize(
    "casts",
    [
        "%0 = builtin.unrealized_conversion_cast to tensor<?xf32>",
        "%1:2 = builtin.unrealized_conversion_cast %x, %x : tensor<?xf32>, tensor<?xf32> "
        "to tensor<?xi32>, index\n"
        "%0 = builtin.unrealized_conversion_cast %1#1 : index to tensor<?xf32>",
    ],
)
def test_casts_of_several_values_are_refused_and_not_taken_for_pairs(casts: str) -> None:
    program = load(f"""func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {{
      {casts}
      %y = chlo.erf %0 : tensor<?xf32> -> tensor<?xf32>
      return %y : tensor<?xf32>
    }}""")
    with pytest.raises(ArtifactError, match="unrealized_conversion_cast cannot be written"):
        program.serialize("1.0.0")
