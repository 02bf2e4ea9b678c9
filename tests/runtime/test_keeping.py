"""Compiled programs are found again exactly where compiling would give the same."""

import copy
import ctypes
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dxir
from dxir.errors import RuntimeFailure
from dxir.runtime import cpu, keeping, pjrt
from dxir.runtime.cache import Cache, the_cache
from dxir.runtime.calls import register_call
from dxir.runtime.machine import this_machine

SINE = """
module @model {
  func.func @main(%x: tensor<8xf32>{arg}) -> (tensor<8xf32>{result}) {
    %0 = stablehlo.sine %x {attribute}: tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}"""
SHARDED = """
sdy.mesh @mesh = <["x"={size}]>
func.func @main(%x: tensor<8xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{{axes}}}]>}})
    -> tensor<8xf32> {{
  %0 = stablehlo.sine %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}}"""

X = np.linspace(-1, 1, 8, dtype=np.float32)
Compiled = Callable[..., str]


def sine(arg: str = "", result: str = "", attribute: str = "") -> str:
    text = SINE.replace("{arg}", arg and f" {{{arg}}}").replace("{result}", result)
    return text.replace("{attribute}", attribute and f"{{{attribute}}} ")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DXIR_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("DXIR_CACHE", raising=False)
    monkeypatch.delenv("DXIR_CACHE_BYTES", raising=False)
    return tmp_path / "executables"


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> Compiled:
    """The key that a program is looked for by; nothing is compiled."""
    asked: list[str] = []

    class Asked(Exception):
        pass

    def get(_: Cache, key: str) -> None:
        asked.append(key)
        raise Asked

    monkeypatch.setattr(Cache, "get", get)

    def found(text: str | dxir.Program, **options: Any) -> str:
        program = dxir.load(text) if isinstance(text, str) else text
        with pytest.raises(Asked):
            dxir.compile(program, **options)
        return asked[-1]

    return found


def kept() -> int:
    return len(the_cache().entries())


def never(*_: object) -> None:
    raise AssertionError("it was compiled")


def test_the_key_is_blind_to_names_and_places(key: Compiled) -> None:
    plain = key(sine())
    assert key(sine()) == plain
    assert key(sine().replace("%x", "%other").replace("%0", "%named")) == plain
    assert key(dxir.load("\n\n\n" + sine())) == plain
    located = sine().replace(": tensor<8xf32>\n    return", ': tensor<8xf32> loc("here")\n return')
    assert key(located) == plain
    unreached = sine().replace("module @model {", "module @model {\n func.func private @g()")
    assert key(unreached) == plain


@pytest.mark.parametrize(
    "other",
    [
        sine().replace("sine", "cosine"),
        sine().replace("8xf32", "9xf32"),
        sine().replace("8xf32", "8xf64"),
        sine(arg="tf.aliasing_output = 0 : i32"),
        sine(arg="jax.buffer_donor = true"),
        sine(arg='mhlo.layout_mode = "default"'),
        sine(arg='mhlo.sharding = "{replicated}"'),
        sine(result=' {mhlo.layout_mode = "default"}'),
        sine(attribute='mhlo.frontend_attributes = {a = "b"}'),
        sine(
            attribute="result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo."
            "result_accuracy_mode<HIGHEST>>"
        ),
        sine().replace("module @model", "module @model attributes {mhlo.num_partitions = 1 : i32}"),
        sine().replace("return %0", "%1 = stablehlo.sine %0 : tensor<8xf32>\n return %1"),
        sine().replace("return %0", "return %x"),
    ],
)
def test_the_key_sees_what_the_program_is(key: Compiled, other: str) -> None:
    assert key(other) != key(sine())


def test_the_key_sees_which_parameter_and_result_is_which(key: Compiled) -> None:
    text = """func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
      %0 = stablehlo.subtract %a, %b : tensor<f32>
      return %0, %a : tensor<f32>, tensor<f32>
    }"""
    versions = [
        text,
        text.replace("%a, %b :", "%b, %a :"),
        text.replace("return %0, %a", "return %a, %0"),
        text.replace("return %0, %a", "return %0, %b"),
        text.replace("%a: tensor<f32>", "%a: tensor<f32> {tf.aliasing_output = 0 : i32}"),
        text.replace("%b: tensor<f32>", "%b: tensor<f32> {tf.aliasing_output = 0 : i32}"),
        text.replace("%b: tensor<f32>", "%b: tensor<f32> {tf.aliasing_output = 1 : i32}"),
    ]
    assert len({key(version) for version in versions}) == len(versions)


def test_the_key_sees_constants_bit_by_bit(key: Compiled) -> None:
    values = np.arange(100, dtype=np.float32)

    def program(array: np.ndarray[Any, Any]) -> dxir.Program:
        b = dxir.Builder("main")
        x = b.param(dxir.f32[100])
        return dxir.lower(b.build(dxir.ops.add(x, array)))

    nan, other_nan = values.copy(), values.copy()
    nan.view(np.uint32)[5], other_nan.view(np.uint32)[5] = 0x7FC00000, 0x7FC00001
    negative = values.copy()
    negative[0] = -0.0
    arrays = (values, values[::-1], negative, nan, other_nan)
    assert len({key(program(a)) for a in arrays}) == len(arrays)


def test_the_key_sees_how_it_is_to_be_compiled(key: Compiled) -> None:
    devices = dxir.devices("xla-cpu", 4)
    fast = "xla_cpu_enable_fast_math"
    given: list[dict[str, Any]] = [
        {},
        {"donate": [0]},
        {"devices": [devices[1]]},
        {"devices": 2},
        {"devices": [devices[1], devices[0]]},
        {"devices": 4},
        {"replicas": 2},
        {"replicas": 4},
        {"flags": {fast: True}},
        {"flags": {fast: False}},
        {"flags": {fast: "true"}},
        {"flags": {"xla_backend_optimization_level": 1}},
        {"flags": {fast: True, "xla_backend_optimization_level": 1}},
    ]
    keys = [key(sine(), **options) for options in given]
    assert len(set(keys)) == len(keys)
    turned = {"xla_backend_optimization_level": 1, fast: True}
    assert key(sine(), flags=turned) == keys[-1]
    assert key(sine(), devices=1) == key(sine(), devices=[devices[0]]) == keys[0]
    assert key(sine(), cache=True) == keys[0]


def test_the_key_sees_shardings_and_meshes(key: Compiled) -> None:
    versions = [
        (SHARDED.format(size=2, axes='"x"'), 2),
        (SHARDED.format(size=2, axes=""), 2),
        (SHARDED.format(size=2, axes='"x", ?'), 2),
        (SHARDED.format(size=4, axes='"x"'), 4),
    ]
    keys = [key(text, devices=count) for text, count in versions]
    assert len(set(keys)) == len(keys)
    renamed = versions[0][0].replace("@mesh", "@other")
    assert key(renamed, devices=2) == keys[0]


def test_the_key_sees_versions_and_the_machine(
    key: Compiled, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = this_machine()
    plain = key(sine())
    changes: list[tuple[str, object]] = [
        ("dxir_version", lambda: "9.9"),
        ("jaxlib_version", "0.99"),
        ("threads_to_use", lambda: 999),
        ("this_machine", lambda: replace(machine, features=machine.features[1:])),
        ("this_machine", lambda: replace(machine, features=())),
        ("this_machine", lambda: replace(machine, processor="another")),
    ]
    keys = {plain}
    for name, value in changes:
        with monkeypatch.context() as patch:
            patch.setattr(keeping, name, value)
            keys.add(key(sine()))
    assert len(keys) == 1 + len(changes)
    assert key(sine()) == plain


def test_names_and_parts_of_a_key_do_not_run_together() -> None:
    of = keeping.key_of
    assert of([("a", b"bc")]) != of([("ab", b"c")])
    assert of([("a", b"b"), ("c", b"")]) != of([("a", b""), ("b", b"c")])


_COMPILES = """
import json, sys, numpy as np, dxir
from dxir.runtime import pjrt
from dxir.runtime.cache import the_cache
calls = []
load = pjrt.Assignment.load
pjrt.Assignment.load = lambda *a: calls.append(1) or load(*a)
program = dxir.load(sys.stdin.read())
y = dxir.compile(program, cache=True)(np.linspace(-1, 1, 8, dtype=np.float32)).numpy()
print(json.dumps([len(calls), [e.key for e in the_cache().entries()], y.tobytes().hex()]))
"""


def elsewhere(text: str, **environment: str) -> list[Any]:
    """Compile and run it in a process of its own: how often XLA compiled, the keys, the result."""
    done = subprocess.run(
        [sys.executable, "-c", _COMPILES],
        input=text,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    found: list[Any] = json.loads(done.stdout)
    return found


def test_another_process_finds_the_program_and_gets_the_same_bits() -> None:
    compiled, keys, bits = elsewhere(sine())
    assert compiled == 1
    again, same, theirs = elsewhere(sine().replace("%x", "%y"))
    assert (again, same, theirs) == (0, keys, bits)


@pytest.mark.slow
def test_the_key_sees_the_flags_that_xla_took_from_the_environment(folder: Path) -> None:
    flags = "--xla_cpu_enable_fast_math=true"
    compiled = [elsewhere(sine(), XLA_FLAGS=text)[0] for text in ("", flags, "", flags)]
    assert compiled == [1, 1, 0, 0]
    assert kept() == 2
    dumped = elsewhere(sine(), XLA_FLAGS=f"--xla_dump_to={folder / 'dump'}")
    assert dumped[0] == 1  # it is to write down how it compiles
    assert kept() == 2


def test_a_program_from_the_cache_is_as_if_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    program = dxir.load(sine(arg='mhlo.layout_mode = "default"'))
    first = dxir.compile(program, cache=True)
    monkeypatch.setattr(cpu, "_load", never)
    second = dxir.compile(program)
    assert first(X).numpy().tobytes() == second(X).numpy().tobytes()
    assert second.results == first.results
    assert second.parameters == first.parameters
    assert second.optimized_text() == first.optimized_text()  # type: ignore[attr-defined]


def test_the_names_of_parameters_are_those_of_the_program_at_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def function(name: str) -> dxir.Function:
        b = dxir.Builder("main")
        x = b.param(dxir.f32[8], name=name)
        return b.build(dxir.ops.sin(x))

    dxir.compile(function("first"), cache=True)
    monkeypatch.setattr(cpu, "_load", never)
    assert dxir.compile(function("second")).parameters[0].name == "second"


def test_donation_and_shardings_hold_for_programs_from_the_cache(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = SHARDED.format(size=4, axes='"x"')
    dxir.compile(dxir.load(text), devices=4, donate=[0], cache=True)
    dxir.compile(dxir.load(sine()), replicas=2, cache=True)
    monkeypatch.setattr(cpu, "_load", never)
    run: Any = dxir.compile(dxir.load(text), devices=4, donate=[0])
    given = dxir.to_device(X, run.placements[0])
    np.testing.assert_allclose(run(given).numpy(), np.sin(X), rtol=1e-6)
    assert given.is_deleted
    copies: Any = dxir.compile(dxir.load(sine()), replicas=2)
    (a,), (b,) = copies.run_replicas([(X,), (2 * X,)])
    np.testing.assert_allclose(a.numpy(), np.sin(X), rtol=1e-6)
    np.testing.assert_allclose(b.numpy(), np.sin(2 * X), rtol=1e-6)


def test_what_is_compiled_quickly_is_kept_only_when_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = dxir.load(sine())
    monkeypatch.setattr(keeping, "LEAST_SECONDS", 1000.0)
    dxir.compile(program)
    assert kept() == 0
    dxir.compile(program, cache=True)
    assert kept() == 1
    monkeypatch.setattr(keeping, "LEAST_SECONDS", 0.0)
    dxir.compile(dxir.load(sine().replace("sine", "cosine")))
    assert kept() == 2


def test_a_cache_that_is_switched_off_is_neither_read_nor_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(keeping, "LEAST_SECONDS", 0.0)
    program = dxir.load(sine())
    dxir.compile(program, cache=False)
    monkeypatch.setenv("DXIR_CACHE", "0")
    dxir.compile(program)
    assert kept() == 0
    dxir.compile(program, cache=True)
    assert kept() == 1
    monkeypatch.setattr(cpu, "_load", never)
    dxir.compile(program, cache=True)
    for options in ({}, {"cache": False}):
        with pytest.raises(AssertionError, match="it was compiled"):
            dxir.compile(program, **options)  # type: ignore[arg-type]


def test_a_damaged_entry_is_compiled_again(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    program = dxir.load(sine())
    dxir.compile(program, cache=True)
    (path,) = folder.iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    np.testing.assert_allclose(dxir.compile(program, cache=True)(X), np.sin(X), rtol=1e-6)
    assert "is damaged: its checksum is another; the program is compiled again" in caplog.text
    assert kept() == 1


def test_an_entry_that_xla_cannot_load_is_compiled_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    program = dxir.load(sine())
    dxir.compile(program, cache=True)
    (entry,) = the_cache().entries()
    the_cache().put(entry.key, b"no compiled program", {})
    run = dxir.compile(program)
    np.testing.assert_allclose(run(X), np.sin(X), rtol=1e-6)
    np.testing.assert_allclose(run(X), np.sin(X), rtol=1e-6)
    assert caplog.text.count("cannot be loaded") == 1
    assert kept() == 0


def test_threads_that_call_while_it_is_loaded_wait_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    program = dxir.load(sine())
    dxir.compile(program, cache=True)
    monkeypatch.setattr(cpu, "_load", never)
    go = threading.Event()
    deserialize = pjrt.Assignment.deserialize

    def late(assignment: pjrt.Assignment, data: bytes) -> Any:
        go.wait()
        return deserialize(assignment, data)

    monkeypatch.setattr(pjrt.Assignment, "deserialize", late)
    run = dxir.compile(program)
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(run(X).numpy())) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert not found
    go.set()
    for thread in threads:
        thread.join()
    assert [f.tobytes() for f in found] == [found[0].tobytes()] * 4
    assert copy.copy(run)(X).numpy().tobytes() == found[0].tobytes()


def test_a_cache_that_cannot_be_written_keeps_nobody_from_compiling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DXIR_CACHE_DIR", str(tmp_path / "file"))
    np.testing.assert_allclose(dxir.compile(dxir.load(sine()), cache=True)(X), np.sin(X), rtol=1e-6)
    assert "cannot be kept in" in caplog.text


def test_programs_that_call_routines_of_this_process_are_not_kept() -> None:
    register_call("dxir_test_kept", ctypes.pythonapi.Py_IsInitialized, typed=False)
    text = sine().replace(
        "stablehlo.sine %x : tensor<8xf32>",
        "stablehlo.custom_call @dxir_test_kept(%x) : (tensor<8xf32>) -> tensor<8xf32>",
    )
    dxir.compile(dxir.load(text), cache=True)
    assert kept() == 0


def test_what_a_child_compiled_is_kept_and_can_be_run(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.custom_call @TopK(%x) {called_computations = []}
        : (tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }"""
    with pytest.raises(RuntimeFailure):
        dxir.compile(dxir.load(text), cache=True)
    assert kept() == 0
    limits = replace(cpu._LIMITS, chain=2)
    monkeypatch.setattr(cpu, "_LIMITS", limits)
    monkeypatch.setattr(cpu, "_LIMITS_0_10", limits)
    deep = dxir.load(
        sine().replace("return %0", "%1 = stablehlo.sine %0 : tensor<8xf32>\n"
                       "%2 = stablehlo.sine %1 : tensor<8xf32>\n return %2")
    )  # fmt: skip
    monkeypatch.setattr(keeping, "LEAST_SECONDS", 0.0)  # however quickly a process starts
    dxir.compile(deep)
    assert kept() == 1
    monkeypatch.setattr(cpu, "_load", never)
    found = dxir.compile(deep)(X)
    np.testing.assert_allclose(found, np.sin(np.sin(np.sin(X))), rtol=1e-5)


def test_pjrt_writes_again_what_it_read() -> None:
    run: Any = dxir.compile(dxir.load(sine()), cache=False)
    data = pjrt.serialize(run.loaded)
    again = run.assignment.deserialize(pjrt.serialize(run.assignment.deserialize(data)))
    third = pjrt.PjrtExecutable("xla-cpu", again, run.assignment, run.parameters, run.results)
    assert third(X).numpy().tobytes() == run(X).numpy().tobytes()
