"""Executables in files: what is written runs elsewhere, and what does not fit is refused."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dxir
from dxir.errors import ArtifactError, TargetError
from dxir.runtime import pjrt, saved
from dxir.runtime.machine import Machine, this_machine
from dxir.runtime.sealed import seal, unseal

TEXT = """
func.func @main(%x: tensor<2x3xf32> {tf.aliasing_output = 0 : i32} loc("x"), %i: tensor<i4>)
    -> (tensor<2x3xf32>, tensor<i4>) {
  %0 = stablehlo.cosine %x : tensor<2x3xf32>
  return %0, %i : tensor<2x3xf32>, tensor<i4>
}"""
SHARDED = """
sdy.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.sine %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}"""
X = np.arange(6, dtype=np.float32).reshape(2, 3)
Change = Callable[..., Path]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "model.dxir"
    dxir.compile(dxir.load(TEXT)).save(place)
    return place


@pytest.fixture
def changed(path: Path) -> Change:
    """Writes the file anew, with a valid checksum, and other entries in its description."""

    def change(**entries: Any) -> Path:
        description, data = unseal(b"saved", path.read_bytes())
        path.write_bytes(b"".join(seal(b"saved", {**description, **entries}, data)))
        return path

    return change


def refused(path: Path, error: type[dxir.DxirError] = TargetError) -> dxir.DxirError:
    with pytest.raises(error) as found:
        dxir.load_executable(path)
    assert type(found.value) is error
    assert found.value.where == str(path)
    return found.value


def test_what_is_loaded_is_what_was_saved(path: Path) -> None:
    before, after = dxir.compile(dxir.load(TEXT)), dxir.load_executable(path)
    assert (after.target, after.parameters, after.results) == (
        before.target,
        before.parameters,
        before.results,
    )
    for one, other in zip(before(X, -3), after(X, -3), strict=True):
        assert one.numpy().tobytes() == other.numpy().tobytes()
    given = dxir.to_device(X)
    after(given, 1)
    assert given.is_deleted
    with pytest.raises(dxir.DxirError, match=r"parameter 0 \(x\) takes f32\[2, 3\]"):
        after(X.T, 1)


def test_the_file_says_what_it_holds(path: Path) -> None:
    description, data = unseal(b"saved", path.read_bytes())
    assert len(data) > 1000
    assert description["target"] == "xla-cpu"
    assert description["parameters"] == [
        {"type": {"dtype": "f32", "shape": [2, 3]}, "name": "x", "donated": True},
        {"type": {"dtype": "i4", "shape": []}, "name": None, "donated": False},
    ]
    assert description["results"][1] == {"dtype": "i4", "shape": []}
    assert description["devices"] == [0]
    assert description["calls"] == []
    assert Machine.from_json(description["machine"]) == this_machine()


def test_another_process_runs_it(path: Path) -> None:
    script = """
import json, sys, numpy as np, dxir
run = dxir.load_executable(sys.argv[1])
x = np.arange(6, dtype=np.float32).reshape(2, 3)
print(json.dumps([r.numpy().tobytes().hex() for r in run(x, -3)]))
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    here = dxir.compile(dxir.load(TEXT))(X, -3)
    assert json.loads(done.stdout) == [r.numpy().tobytes().hex() for r in here]


def test_several_devices_and_copies_are_found_again(tmp_path: Path) -> None:
    x = np.linspace(-1, 1, 8, dtype=np.float32)
    dxir.compile(dxir.load(SHARDED), devices=4).save(tmp_path / "parts")
    parts: Any = dxir.load_executable(tmp_path / "parts")
    assert len(parts.placements[0].devices) == 4
    np.testing.assert_allclose(parts(x).numpy(), np.sin(x), rtol=1e-6)
    second = dxir.devices("xla-cpu", 4)[2:3]
    whole = dxir.load(SHARDED).run_passes("dxir-strip-sharding")
    dxir.compile(whole, devices=second).save(tmp_path / "second")
    on_it: Any = dxir.load_executable(tmp_path / "second")
    assert [d.id for d in on_it.placements[0].devices] == [d.id for d in second]
    np.testing.assert_allclose(on_it(x).numpy(), np.sin(x), rtol=1e-6)
    dxir.compile(whole, replicas=2).save(tmp_path / "copies")
    copies: Any = dxir.load_executable(tmp_path / "copies")
    (a,), (b,) = copies.run_replicas([(x,), (2 * x,)])
    np.testing.assert_allclose(a.numpy(), np.sin(x), rtol=1e-6)
    np.testing.assert_allclose(b.numpy(), np.sin(2 * x), rtol=1e-6)


def test_what_was_loaded_or_came_from_the_cache_can_be_saved(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DXIR_CACHE_DIR", str(tmp_path))
    again = tmp_path / "again"
    dxir.load_executable(path).save(again)
    dxir.compile(dxir.load(TEXT), cache=True)
    from_cache = tmp_path / "from-cache"
    dxir.compile(dxir.load(TEXT), cache=True).save(from_cache)
    for place in (again, from_cache):
        np.testing.assert_allclose(dxir.load_executable(place)(X, 1)[0], np.cos(X), rtol=1e-6)


def test_every_changed_byte_is_noticed_before_anything_is_loaded(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = path.read_bytes()
    loaded: list[object] = []
    monkeypatch.setattr(pjrt.Assignment, "deserialize", lambda *_: loaded.append(1))
    head = len(whole) - len(unseal(b"saved", whole)[1])
    for i in (*range(head), *range(head, len(whole), 97), len(whole) - 1):
        path.write_bytes(whole[:i] + bytes([whole[i] ^ 0x10]) + whole[i + 1 :])
        refused(path, ArtifactError)
    for size in (0, 1, 7, 8, 30, 60, head - 1, head, len(whole) - 1):
        path.write_bytes(whole[:size])
        refused(path, ArtifactError)
    assert not loaded


def test_what_is_no_such_file_is_said_to_be_none(tmp_path: Path) -> None:
    assert refused(tmp_path / "none", ArtifactError).message == "there is no such file"
    assert refused(tmp_path, ArtifactError).message == "there is no such file"
    artifact = tmp_path / "artifact"
    artifact.write_bytes(dxir.load(TEXT).serialize())
    error = refused(artifact, ArtifactError)
    assert error.message == "the file is no file of dxir's"
    assert error.hint == "executable.save(path) writes what can be loaded here"
    artifact.write_bytes(b"".join(seal(b"cached", {}, b"")))
    assert "of another kind" in refused(artifact, ArtifactError).message
    artifact.write_bytes(b"".join(seal(b"saved", {}, b"")))
    assert "in a way this version of dxir cannot read" in refused(artifact, ArtifactError).message


def test_another_version_of_jaxlib_is_refused(changed: Change) -> None:
    error = refused(changed(jaxlib="0.1.2"))
    assert error.message.startswith("the executable was compiled by jaxlib 0.1.2, and this is 0.")
    assert (error.hint or "").startswith("install jaxlib 0.1.2, or compile")
    assert dxir.load_executable(changed(jaxlib=saved.jaxlib_version, dxir="9.9")) is not None


def test_a_processor_that_lacks_instructions_is_refused(changed: Change) -> None:
    machine = this_machine()
    more = replace(machine, processor="Better", features=(*machine.features, "zz_one", "zz_two"))
    error = refused(changed(machine=more.to_json()))
    assert error.message.startswith("the executable was compiled for Better, and this processor (")
    assert error.message.endswith(" has no zz_one, zz_two")
    fewer = replace(machine, features=machine.features[: len(machine.features) // 2])
    assert dxir.load_executable(changed(machine=fewer.to_json())) is not None
    many = replace(machine, features=tuple(f"zz{i}" for i in range(20)))
    assert refused(changed(machine=many.to_json())).message.endswith(" and 12 more")
    other = replace(machine, architecture="pdp11")
    assert " on pdp11, and this is " in refused(changed(machine=other.to_json())).message


def test_a_custom_call_without_a_routine_is_refused(changed: Change) -> None:
    error = refused(changed(calls=["acme_norm"]))
    assert error.message == (
        "the executable calls @acme_norm, which no routine is registered for in this process"
    )
    assert "register_call" in (error.hint or "")


def test_devices_that_are_not_there_are_refused(
    changed: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = refused(changed(platform="acme"))
    assert "there is no PJRT plugin for acme here" in error.message
    client = pjrt.cpu_client()
    monkeypatch.setattr(pjrt, "cpu_client", lambda _: client)
    gone = [d.id for d in client.devices][-1] + 1
    assert (
        f"there is no device {gone} here"
        in refused(changed(platform="cpu", devices=[gone])).message
    )


@pytest.mark.parametrize(
    "entries",
    [
        {"parameters": None},
        {"parameters": [{"type": "token", "name": None}]},
        {"parameters": [{"type": {"dtype": "q9", "shape": []}, "name": None}]},
        {"results": [{"dtype": "f32", "shape": [-1]}]},
        {"results": 3},
        {"devices": []},
        {"devices": ["x"]},
        {"replicas": 0},
        {"replicas": "two"},
        {"machine": {}},
        {"calls": None},
    ],
)
def test_a_description_that_makes_no_sense_is_an_error(
    changed: Change, entries: dict[str, Any]
) -> None:
    with pytest.raises(dxir.DxirError) as error:
        dxir.load_executable(changed(**entries))
    assert error.value.where is not None


def test_a_program_that_does_not_fit_its_description_is_an_error(changed: Change) -> None:
    with pytest.raises(dxir.DxirError):
        dxir.load_executable(changed(results=[{"dtype": "f32", "shape": [5]}]))


def test_targets_without_files_and_places_that_cannot_be_written_are_refused(
    path: Path, tmp_path: Path
) -> None:
    reference = dxir.compile(dxir.load(TEXT), "reference")
    with pytest.raises(TargetError, match="a ReferenceExecutable for reference cannot be written"):
        reference.save(tmp_path / "x")
    for place in (tmp_path / "none" / "x", tmp_path):
        with pytest.raises(ArtifactError, match="cannot be written") as error:
            dxir.load_executable(path).save(place)
        assert error.value.where == str(place)
    assert sorted(os.listdir(tmp_path)) == ["model.dxir"]
