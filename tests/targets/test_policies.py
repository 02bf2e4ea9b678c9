"""What targets decide: which composites stay, which constants move, and in which order passes."""

from pathlib import Path

import numpy as np
import pytest

import dxir
from dxir.errors import TargetError
from dxir.passes.dce import Dce
from dxir.targets import (
    INLINE,
    KEEP_ALL,
    KEEP_NOTHING,
    CompositeUse,
    Constants,
    Granularity,
    KernelDescriptor,
    Target,
    keep_all_but,
    keep_only,
    keep_where,
)
from dxir.targets.kernels import register_kernel, unregister_kernel
from dxir.types import TensorType

X = dxir.f32[4, 8]


def use(name: str, type: TensorType = X) -> CompositeUse:
    return CompositeUse(name, (type,), (type,))


@pytest.mark.parametrize(
    ("policy", "kept", "expanded", "words"),
    [
        (KEEP_NOTHING, (), ("a.b", "dxir.gelu"), "keep no composites"),
        (KEEP_ALL, ("a.b", "dxir.gelu"), (), "keep all composites"),
        (keep_only("a.b"), ("a.b",), ("a.bc", "dxir.gelu"), "keep only a.b"),
        (keep_only("dxir.*"), ("dxir.gelu",), ("a.b",), "keep only dxir.*"),
        (keep_all_but("a.*"), ("dxir.gelu",), ("a.b",), "keep all but a.*"),
        (
            keep_where(lambda u: len(u.operand_types) == 1, "there is one operand"),
            ("a.b",),
            (),
            "keep composites where there is one operand",
        ),
    ],
)
def test_a_policy_keeps_the_composites_it_says(
    policy: Granularity, kept: tuple[str, ...], expanded: tuple[str, ...], words: str
) -> None:
    assert [policy.keeps(use(name)) for name in kept] == [True] * len(kept)
    assert [policy.keeps(use(name)) for name in expanded] == [False] * len(expanded)
    assert str(policy) == words


def test_a_policy_that_fails_is_told_with_the_composite() -> None:
    policy = keep_where(lambda u: u.attributes["axis"] == 0, "the axis is 0")
    with pytest.raises(TargetError, match=r"the axis is 0 fails on a\.b: KeyError: 'axis'"):
        policy.keeps(use("a.b"))


def test_a_kernel_goes_before_the_policy_and_the_reason_why_not_is_kept() -> None:
    target = Target("test-fate", "decides", granularity=keep_only("a.*"))
    kernel = KernelDescriptor(composite="a.b", call_target="a_b", min_bytes=100)
    register_kernel("test-fate", kernel)
    try:
        assert target.fate(use("a.b")).kernel is kernel
        small = target.fate(use("a.b", dxir.f32[1]))
        assert (small.kind, small.kernel) == ("kept", None)
        assert small.why == ("@a_b: it has 8 bytes; the kernel is used from 100 on",)
    finally:
        unregister_kernel("test-fate", kernel)
    assert target.fate(use("a.b")).kind == "kept"
    assert target.fate(use("c.d")).kind == "inlined"


def test_the_pipeline_is_one_list_with_the_passes_of_the_target_in_their_places() -> None:
    target = Target(
        "test-list",
        "has passes",
        graph_passes=("dxir-mixed-precision{compute=f16}",),
        program_passes=(Dce, "cse"),
    )
    assert target.production == (
        "dxir-recognize",
        "dxir-coarsen",
        *("dxir-recognize{nested=true}", "dxir-coarsen") * 2,
        "dxir-mixed-precision{compute=f16}",
        "dxir-decompose{target=test-list}",
        "dxir-dce",
        "cse",
    )
    assert target.pipeline == ",".join(target.production)


def test_constants_say_where_they_are() -> None:
    assert str(INLINE) == "inline"
    assert str(Constants(0, form="argument")) == "in an archive (form argument)"
    external = Constants(3 << 19, form="iree", format="irpa", scope="model")
    assert str(external) == "of 1.5 MiB and more in an archive (form iree, irpa)"
    text = external.pass_text("a b.irpa")
    assert text == (
        'dxir-externalize-constants{file="a b.irpa" min-bytes=1572864 form=iree format=irpa '
        "scope=model}"
    )
    with pytest.raises(TargetError, match="min_bytes is -1"):
        Constants(-1)


def test_constants_of_a_target_move_to_the_archive_that_is_named(tmp_path: Path) -> None:
    archive = tmp_path / "w.irpa"
    b = dxir.Builder("main")
    x = b.param(dxir.f32[1 << 18])
    large = np.arange(1 << 18, dtype=np.float32)
    function = b.build(dxir.ops.add(dxir.ops.add(x, large), np.float32(2)))
    with pytest.raises(TargetError, match=r"of 1 MiB and more .* has type f32\[262144\]") as caught:
        dxir.prepare(function, "iree-cpu")
    assert "test_policies.py" in (caught.value.where or "")
    found = dxir.prepare(function, "iree-cpu", archive=archive)
    assert archive.stat().st_size >= large.nbytes
    text = found.data().decode()
    assert '#flow.parameter.named<"model"::"sha256:' in text
    assert found.flags["iree-hal-target-device"] == "local"
    with pytest.raises(TargetError, match=r"layout irpa, and .* named as one of safetensors"):
        dxir.prepare(function, "iree-cpu", archive=tmp_path / "w.safetensors")
    inline = dxir.prepare(function, "xla-tpu")
    assert dxir.load(inline.data()).op_counts()["stablehlo.constant"] == 2
    assert (inline.flags, inline.target.name) == ({}, "xla-tpu")
