"""Targets are found by name: those of dxir, those registered, those of other packages."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import dxir
from dxir.errors import TargetError
from dxir.targets import KernelDescriptor, Target, all_targets, find_target, register_target
from dxir.targets.kernels import kernels_for, unregister_kernel
from dxir.targets.registry import BROKEN, forget_target

BUILT_IN = {
    *("iree-cpu", "iree-vulkan", "portable", "reference", "xla-cpu", "xla-cuda", "xla-tpu"),
}


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path that holds a distribution; what its targets leave behind goes."""
    (tmp_path / "elsewhere-1.0.dist-info").mkdir()
    metadata = "Metadata-Version: 2.1\nName: elsewhere\nVersion: 1.0\n"
    (tmp_path / "elsewhere-1.0.dist-info" / "METADATA").write_text(metadata)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    BROKEN.clear()
    for name in [n for n in sys.modules if n.startswith("elsewhere")]:
        del sys.modules[name]


def declare(folder: Path, points: str, **files: str) -> None:
    text = f"[dxir.targets]\n{points}\n"
    (folder / "elsewhere-1.0.dist-info" / "entry_points.txt").write_text(text)
    for name, body in files.items():
        (folder / f"{name}.py").write_text(body)


def test_the_targets_of_dxir_are_there_without_any_import() -> None:
    found = all_targets()
    assert set(found) >= BUILT_IN
    assert list(found) == sorted(found)
    assert all(found[name].name == name for name in found)


def test_a_second_target_of_a_name_is_refused_and_the_same_one_is_not() -> None:
    found = find_target("portable")
    assert register_target(found) is found
    with pytest.raises(TargetError, match="there is a target 'portable' already"):
        register_target(Target("portable", "another"))


def test_registering_a_target_registers_its_kernels() -> None:
    kernel = KernelDescriptor(composite="acme.norm", call_target="acme_norm")
    target = register_target(Target("test-with-kernel", "has one", kernels=(kernel,)))
    try:
        assert kernels_for("test-with-kernel", "acme.norm") == (kernel,)
        assert find_target("test-with-kernel") is target
    finally:
        unregister_kernel("test-with-kernel", kernel)
        forget_target("test-with-kernel")
    with pytest.raises(TargetError, match="there is no target 'test-with-kernel'"):
        find_target("test-with-kernel")


def test_an_entry_point_gives_a_target_or_a_module_that_registers_it(installed: Path) -> None:
    declare(
        installed,
        "elsewhere-a = elsewhere_a:A\nelsewhere-b = elsewhere_b",
        elsewhere_a="from dxir.targets import Target\nA = Target('elsewhere-a', 'a target')\n",
        elsewhere_b="from dxir.targets import Target, register_target\n"
        "register_target(Target('elsewhere-b', 'another'))\n",
    )
    try:
        assert find_target("elsewhere-a").summary == "a target"
        assert find_target("elsewhere-b").summary == "another"
        assert set(all_targets()) >= {"elsewhere-a", "elsewhere-b"}
        assert not BROKEN
    finally:
        forget_target("elsewhere-a")
        forget_target("elsewhere-b")


@pytest.mark.parametrize(
    ("point", "body", "told"),
    [
        ("elsewhere_c:C", "import nothing_of_this_name", "No module named 'nothing_of_this_name'"),
        ("elsewhere_c:C", "C = 3", "it is a int, and no target 'elsewhere-c' is registered"),
        ("elsewhere_c", "", "it is a module, and no target 'elsewhere-c' is registered"),
        ("elsewhere_c:D", "C = 3", "AttributeError"),
        (
            "elsewhere_c:C",
            "from dxir.targets import Target\nC = Target('other', 'x')",
            "no target 'elsewhere-c' is registered",
        ),
    ],
)
def test_an_entry_point_that_gives_no_target_is_told_and_hides_no_other(
    installed: Path, point: str, body: str, told: str
) -> None:
    declare(installed, f"elsewhere-c = {point}", elsewhere_c=body)
    assert set(all_targets()) >= BUILT_IN
    assert told in BROKEN["elsewhere-c"].message
    with pytest.raises(TargetError, match="the target elsewhere-c of elsewhere_c") as caught:
        find_target("elsewhere-c")
    assert told in caught.value.message
    assert "reinstall it" in (caught.value.hint or "")


def test_an_unknown_target_is_answered_with_the_nearest_or_with_all() -> None:
    with pytest.raises(TargetError, match="did you mean 'iree-cpu'"):
        find_target("iree_cpu")
    with pytest.raises(TargetError, match=r"there are .*'portable'"):
        find_target("zzzz")


@pytest.mark.parametrize("name", sorted(BUILT_IN - {"reference", "xla-cpu"}))
def test_a_target_that_is_described_only_says_what_compiling_needs(name: str) -> None:
    if find_target(name).compiles_here:
        pytest.skip("what compiling for it needs is installed")
    b = dxir.Builder("main")
    function = b.build(dxir.ops.neg(b.param(dxir.f32[2])))
    with pytest.raises(TargetError, match=f"{name} cannot compile here: it needs ") as caught:
        dxir.compile(function, name)
    assert f"dxir.prepare(program, '{name}')" in (caught.value.hint or "")
