"""Rules of portability, beyond their examples: options, facts, repairs, and what is none."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dxir.errors import ConfigurationError
from dxir.evaluation import evaluate
from dxir.loading import load
from dxir.verify.checking import check, found_by
from dxir.verify.finding import Finding
from dxir.verify.modules import check_module
from dxir.verify.reading import read
from dxir.verify.report import Report
from dxir.verify.rule import all_rules
from dxir.verify.rules.portability.custom_call import STABLE, CustomCall
from dxir.verify.settings import Settings
from dxir.verify.subject import Source, Subject
from dxir.versions import current_version, window_version

CORPUS = Path(__file__).parent.parent / "recognition" / "corpus"


def report(text: str | bytes, *only: str, **options: Any) -> Report:
    """What rules of portability find, or those named, with options of the first named."""
    given = {only[0]: options} if options else {}
    return check_module(
        text, Settings(only=only or ("portability-*",), options=given), name="m.mlir"
    )


def found(text: str | bytes, *only: str, **options: Any) -> list[tuple[str, str, int]]:
    """Rule, message and line of what is found, notes left out."""
    findings = report(text, *only, **options).findings
    return [(f.rule, f.message, f.place.line) for f in findings if f.severity != "note"]


def rules(text: str | bytes) -> set[str]:
    """The rules that find something, notes left out."""
    return {rule for rule, _, _ in found(text)}


def repaired(text: str, id: str) -> Subject:
    """The module once a rule has put right what it finds first."""
    rule = all_rules()[id]()
    subject = read(Source("m.mlir", text.encode()), (rule,))
    assert isinstance(subject, Subject)
    assert rule.repair(found_by([rule], subject)[0], subject)
    assert subject.module.operation.verify()
    return subject


def function(
    body: str, parameters: str = "%x: tensor<4xf32>", result: str = "tensor<4xf32>"
) -> str:
    """A module of one function."""
    return f"func.func @main({parameters}) -> {result} {{\n{body}\n}}\n"


PLAIN = function("  return %x : tensor<4xf32>")
COMPOSITE = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "my.g" %x {decomposition = @g} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tan %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def test_versions_are_numbers_or_windows_and_each_feature_too_new_is_told_where_it_is() -> None:
    told = found(COMPOSITE, "portability-version", versions=["minimum", "1.0.0", "12w", "current"])
    assert [(line, message.partition(" needs")[0]) for _, message, line in told] == [
        (2, "the op stablehlo.composite"),
        (6, "the op stablehlo.tan"),
    ]
    assert "(minimum)" in told[0][1]
    assert "12w" not in told[0][1]
    window = str(window_version("12w"))
    assert found(COMPOSITE, "portability-version", versions=[window]) == []
    assert found(COMPOSITE, "portability-version") == []


def test_the_oldest_version_that_holds_a_module_is_a_fact_and_what_needs_it_too() -> None:
    facts = report(COMPOSITE, "portability-version").facts
    assert facts["minimum_version_for"] == "op stablehlo.tan"
    minimum = load(COMPOSITE).minimum_version().version
    assert facts["minimum_version"] == minimum
    written = load(COMPOSITE).serialize(minimum)
    assert report(written, "portability-version").facts["artifact_version"] == minimum
    assert "minimum_version_for" not in report(PLAIN, "portability-version").facts


def test_a_version_that_there_is_none_of_is_a_mistake_in_the_settings() -> None:
    with pytest.raises(ConfigurationError, match=r"'1\.x' is not a version of StableHLO"):
        report(PLAIN, "portability-version", versions=["1.x"])
    with pytest.raises(ConfigurationError, match="no target"):
        report(PLAIN, "portability-target", targets=["xla-abacus"])


def test_an_artifact_newer_than_its_reader_is_about_versions() -> None:
    current = current_version()
    newer = f"StableHLO_v{current.major}.99.0"
    data = load(PLAIN).serialize().replace(f"StableHLO_v{current}".encode(), newer.encode())
    ((rule, message, _),) = found(data)
    assert rule == "portability-version"
    assert "the older side" in message


def test_what_jax_promises_to_keep_is_let_through() -> None:
    export = pytest.importorskip("jax._src.export._export")
    rule = CustomCall()
    for target in export._CUSTOM_CALL_TARGETS_GUARANTEED_STABLE:
        text = function(
            f'  %0 = stablehlo.custom_call @"{target}"(%x) : (tensor<4xf32>) -> tensor<4xf32>\n'
            "  return %0 : tensor<4xf32>"
        )
        subject = read(Source("m.mlir", text.encode()), (rule,))
        assert isinstance(subject, Subject)
        assert found_by([rule], subject) == [], target
    assert "*" not in STABLE


def call(target: str, more: str = "") -> str:
    return function(
        f"  %0 = stablehlo.custom_call @{target}(%x){more} : (tensor<4xf32>) -> tensor<4xf32>\n"
        "  return %0 : tensor<4xf32>"
    )


def test_custom_calls_are_let_through_by_patterns_and_callbacks_never_by_default() -> None:
    id = "portability-custom-call"
    assert rules(call("acme_norm")) == {id}
    assert found(call("acme_norm"), id, allow=["acme_*"]) == []
    assert found(call("Sharding"), id, stable=["acme_*"]) != []
    ((_, message, _),) = found(call("xla_ffi_python_cpu_callback"))
    assert "calls back into Python" in message
    ((_, message, _),) = found(call("Sharding", " {api_version = 0 : i32}"))
    assert "api_version 0" in message


def test_each_dialect_is_told_once_with_how_many_ops_it_has() -> None:
    text = function(
        "  %0 = arith.addf %x, %x : tensor<4xf32>\n  %1 = arith.mulf %0, %x : tensor<4xf32>\n"
        "  %2 = math.exp %1 : tensor<4xf32>\n  return %2 : tensor<4xf32>"
    )
    assert found(text) == [
        (
            "portability-foreign-dialect",
            "arith.addf is not of StableHLO, the first of 2 ops of arith",
            2,
        ),
        ("portability-foreign-dialect", "math.exp is not of StableHLO", 4),
    ]


def test_chlo_is_let_through_unless_it_is_asked_about() -> None:
    """Report B03."""
    text = function(
        "  %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>\n  return %0 : tensor<4xf32>"
    )
    assert found(text) == []
    ((_, message, line),) = found(text, "portability-foreign-dialect", allow=["sdy"])
    assert (message, line) == ("chlo.erf is not of StableHLO", 2)


def test_constants_without_data_are_found_however_they_were_left_out() -> None:
    """Report B01."""
    constant = "  %0 = stablehlo.constant {} : tensor<40xi32>\n  return %0 : tensor<40xi32>"
    text = function(constant, "", "tensor<40xi32>")
    for value in ("dense_resource<__elided__>", "dense_resource<weights>", "dense<elided>"):
        assert rules(text.replace("{} :", f"{value} :")) == {"portability-elided-constant"}


def test_a_resource_becomes_the_dense_constant_that_it_is() -> None:
    subject = repaired(
        all_rules()["portability-resource-constant"].faulty, "portability-resource-constant"
    )
    assert "dense<[1, 2]>" in str(subject.module)
    assert check(subject, Settings(only=("portability-*",))).findings == ()


def test_constants_are_large_by_their_bytes_and_splats_never_are() -> None:
    values = ", ".join(str(i) for i in range(9))
    text = function(
        f"  %0 = stablehlo.constant dense<[{values}]> : tensor<9xi32>\n"
        "  %1 = stablehlo.constant dense<7> : tensor<9000xi32>\n  return %x : tensor<4xf32>"
    )
    id = "portability-large-constant"
    (finding,) = report(text, id, bytes=35).findings
    assert finding.numbers == {"bytes": 36}
    assert found(text, id, bytes=36) == []
    assert found(text, id) == []


def test_each_thing_that_a_target_refuses_is_found_at_its_line() -> None:
    """Report B53."""
    text = function(
        "  %0 = stablehlo.add %x, %x : tensor<?x4xf32>\n  return %0 : tensor<?x4xf32>",
        "%x: tensor<?x4xf32>",
        "tensor<?x4xf32>",
    )
    told = found(text, "portability-target", targets=["xla-cpu"])
    assert {rule for rule, _, _ in told} == {"portability-target"}
    assert any("unknown size" in message for _, message, _ in told)
    assert found(PLAIN, "portability-target", targets=["xla-cpu"]) == []


def test_the_key_of_an_attribute_that_cannot_be_written_is_named() -> None:
    """Report B21."""
    more = " {api_version = 4 : i32, backend_config = {idx = array<i32: 0, 1, 2>}}"
    ((rule, message, line),) = found(call("Sharding", more))
    assert (rule, line) == ("portability-unversioned-attribute", 2)
    assert "backend_config.idx of stablehlo.custom_call" in message


def test_ops_on_their_way_out_are_put_right_where_stablehlo_says_how() -> None:
    text = function(
        "  %0 = stablehlo.dot %x, %y : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>\n"
        "  return %0 : tensor<3x5xf32>",
        "%x: tensor<3x4xf32>, %y: tensor<4x5xf32>",
        "tensor<3x5xf32>",
    )
    assert rules(text) == {"portability-short-lived-op"}
    subject = repaired(text, "portability-short-lived-op")
    assert "stablehlo.dot_general" in subject.op_counts
    x, y = (np.arange(12.0, dtype=np.float32).reshape(s) for s in ((3, 4), (4, 3)))
    y = np.concatenate([y, y[:, :2]], 1)
    assert np.array_equal(evaluate(subject.program.raise_(), x, y), x @ y)


SIZES = """\
func.func @main(%x: tensor<?x4xf32>) -> tensor<?xf32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %0 = call @flat(SIZE, %x) : (tensor<i32>, tensor<?x4xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @flat(%n: tensor<i32>, %x: tensor<?x4xf32>) -> tensor<?xf32> {
  %four = stablehlo.constant dense<4> : tensor<i32>
  %0 = stablehlo.multiply %n, %four : tensor<i32>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.dynamic_reshape %x, %1 : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}
"""


def test_sizes_made_of_sizes_are_noted_and_those_made_of_data_are_warned_of() -> None:
    id = "portability-unbounded-dynamism"
    (finding,) = report(SIZES.replace("SIZE", "%n"), id).findings
    assert (finding.severity, finding.place.line) == ("note", 1)
    data = SIZES.replace("SIZE", "%m").replace(
        "%x: tensor<?x4xf32>)", "%x: tensor<?x4xf32>, %m: tensor<i32>)", 1
    )
    ((_, message, line),) = found(data, id)
    assert line == 10
    assert "stablehlo.dynamic_reshape depends on data" in message


def test_sizes_that_a_loop_computes_from_data_are_warned_of() -> None:
    text = """\
func.func @main(%x: tensor<8xf32>, %n: tensor<i32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.while(%i = START) : tensor<i32>
    cond {
      %go = stablehlo.compare LT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      %j = stablehlo.add %i, STEP : tensor<i32>
      stablehlo.return %j : tensor<i32>
    }
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.dynamic_iota %1, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}
"""
    id = "portability-unbounded-dynamism"
    for start, step, count in (("%zero", "%zero", 0), ("%zero", "%n", 1), ("%n", "%zero", 1)):
        told = found(text.replace("START", start).replace("STEP", step), id)
        assert [line for _, _, line in told] == [12] * count


def test_a_bound_is_enough() -> None:
    bounded = "tensor<?xf32, #stablehlo.bounds<8>>"
    text = function(f"  return %x : {bounded}", f"%x: {bounded}", bounded)
    assert report(text, "portability-unbounded-dynamism").findings == ()


def test_what_has_a_bound_in_each_unknown_dimension_is_bounded() -> None:
    def said(bounds: str) -> list[str]:
        type = f"tensor<?x8x?xf32, #stablehlo.bounds<{bounds}>>"
        text = function("  return %x : " + type, f"%x: {type}", type)
        return [f.severity for f in report(text, "portability-unbounded-dynamism").findings]

    assert said("4, ?, 16") == []
    assert said("4, ?, ?") == ["note"]


def test_functions_and_meshes_are_told_of_each_by_its_own_name() -> None:
    text = 'sdy.mesh @"mésh" = <["é"=2]>\n' + PLAIN + PLAIN.replace("@main", '@"é"')
    told = found(text, "portability-names")
    assert [line for _, _, line in told] == [1, 5]
    assert "the mesh @mésh, the axis 'é'" in told[0][1]
    assert rules(PLAIN + 'func.func private @"\\FF"()\n') == {"portability-names"}


@pytest.mark.parametrize("part", range(2))
def test_nothing_is_wrong_with_what_frameworks_export(part: int) -> None:
    """Every 20th of the corpus; `portability` and `structure` find nothing worse than notes."""
    settings = Settings(only=("structure-*", "portability-*"))
    files = sorted(CORPUS.glob("**/*.mlir"))[part::40]
    assert files
    for file in files:
        subject = read(Source(file.name, file.read_bytes()), settings.rules(), trusted=True)
        assert not isinstance(subject, Finding), subject
        assert [f for f in check(subject, settings).findings if f.severity != "note"] == []


@pytest.mark.slow
def test_nothing_is_wrong_with_what_jax_exports_symbolic_shapes_and_artifacts_included() -> None:
    jax = pytest.importorskip("jax")
    export = pytest.importorskip("jax.export")
    f32 = jax.numpy.float32
    b = export.symbolic_shape("b, 4", constraints=["b >= 2"])
    of_size = {
        "softmax": lambda x: jax.nn.softmax(x),
        "sizes": lambda x: (x.reshape(-1), jax.numpy.arange(x.shape[0]), x[1:], x.mean(0)),
        "loop": lambda x: jax.lax.fori_loop(0, x.shape[0], lambda i, c: c + x[i], x[0]),
        "order": lambda x: (jax.numpy.argsort(x, 0), jax.numpy.cumsum(x, 0)),
    }
    square = {
        "linalg": lambda x: (jax.numpy.linalg.eigh(x), jax.numpy.linalg.svd(x)),
        "random": lambda x: x + jax.random.normal(jax.random.PRNGKey(0), x.shape),
        "update": lambda x: x.at[jax.numpy.array([0, 2, 2])].set(3.0),
    }
    settings = Settings(only=("structure-*", "portability-*"))
    for shape, cases in ((b, of_size), ((4, 4), square)):
        for name, f in cases.items():
            exported = export.export(jax.jit(f))(jax.ShapeDtypeStruct(shape, f32))
            for form in (exported.mlir_module(), bytes(exported.mlir_module_serialized)):
                findings = check_module(form, settings, name=name).findings
                assert [f for f in findings if f.severity != "note"] == []
