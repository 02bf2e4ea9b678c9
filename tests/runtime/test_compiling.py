"""`dxir.compile`: what it takes, and its targets."""

from typing import Any

import numpy as np
import pytest

import dxir
from dxir.errors import ArgumentError, GraphError, TargetError
from dxir.runtime.array import HostArray
from dxir.targets import Target, find_target, register_target, target_names


def builder(name: str = "main") -> Any:
    b = dxir.Builder(name)
    x = b.param(dxir.f32[4, 8], name="x")
    return b.build(dxir.ops.add(x, x))


@pytest.mark.parametrize("target", ["xla-cpu", "reference"])
def test_functions_modules_and_programs_compile(target: str) -> None:
    x = np.arange(32, dtype=np.float32).reshape(4, 8)
    function = builder("double")
    for source in (function, dxir.Module([function]), dxir.Module([builder()])):
        executable = dxir.compile(source, target=target)
        result = executable(x)
        assert np.array_equal(np.asarray(result), x * 2)
        assert np.array_equal(result.numpy(), x * 2)
        assert (result.shape, result.dtype, result.type) == ((4, 8), np.float32, dxir.f32[4, 8])
        assert executable.target == target
        with pytest.raises(ArgumentError, match=r"parameter 0 \(x\) takes f32\[4, 8\]"):
            executable(x.T)
        with pytest.raises(ArgumentError, match="takes 1 argument, not 2"):
            executable(x, x)


def test_the_reference_runs_programs_of_any_producer() -> None:
    program = dxir.load(
        "func.func @main(%x: tensor<2xbf16>) -> (tensor<2xbf16>, tensor<2xbf16>) {\n"
        "%r = stablehlo.negate %x : tensor<2xbf16>\n"
        "return %x, %r : tensor<2xbf16>, tensor<2xbf16>\n}"
    )
    given, negated = dxir.compile(program, "reference")([1, 2])
    assert isinstance(given, HostArray)
    assert negated.numpy().tolist() == [-1, -2]
    assert not negated.numpy().flags.writeable
    found = dxir.compile(program)(
        given,
    )
    assert found[1].numpy().tolist() == [-1, -2]


@pytest.mark.parametrize("target", ["xla-cpu", "reference"])
def test_the_only_public_function_of_a_program_is_its_entry_whatever_its_name(target: str) -> None:
    program = dxir.load(
        "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        "%r = call @g(%x) : (tensor<2xf32>) -> tensor<2xf32>\nreturn %r : tensor<2xf32>\n}\n"
        "func.func private @g(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        "%r = stablehlo.negate %x : tensor<2xf32>\nreturn %r : tensor<2xf32>\n}"
    )
    assert dxir.compile(program, target)([1, 2]).numpy().tolist() == [-1, -2]
    assert program.function_names == ("f", "g")
    assert dxir.compile(program.raise_(), target)([1, 2]).numpy().tolist() == [-1, -2]


def test_an_unknown_target_is_refused_with_the_nearest_names() -> None:
    with pytest.raises(TargetError, match="did you mean 'xla-cpu'"):
        dxir.compile(builder(), target="xla_cpu")
    with pytest.raises(TargetError, match=r"there are .*'reference', 'xla-cpu'"):
        dxir.compile(builder(), target="zzzz")
    assert {"reference", "xla-cpu"} <= set(target_names())


def test_other_objects_are_refused() -> None:
    with pytest.raises(ArgumentError, match="not a str"):
        dxir.compile("func.func @main() { return }")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="of the type Mesh") as caught:
        dxir.compile(builder(), devices=dxir.Mesh("mesh", {"x": 8}))  # type: ignore[arg-type]
    assert caught.value.hint == "it is a number, devices=8, or a list of what dxir.devices gives"


def test_a_module_needs_one_entry() -> None:
    with pytest.raises(GraphError, match="not exactly one public function"):
        dxir.compile(dxir.Module([builder("f"), builder("g")]))


def test_a_target_can_be_given_and_registered_once() -> None:
    found = find_target("reference")
    mine = Target("mine", "for this test", found.compile)
    x = np.ones((4, 8), np.float32)
    assert np.array_equal(np.asarray(dxir.compile(builder(), mine)(x)), x * 2)
    with pytest.raises(TargetError, match="already"):
        register_target(Target("reference", "another", found.compile))
    assert register_target(found) is found
