"""Programs on several devices, what is donated, and XLA's flags."""

import ctypes
import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dxir
from dxir.errors import ArgumentError, RuntimeFailure, TargetError
from dxir.runtime import plugins
from dxir.runtime.calls import register_call
from dxir.runtime.pjrt import PjrtExecutable, Placement, on_device, profile, to_device

MESH = """
sdy.mesh @m = <["x"=4, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>},
                %b: tensor<4x6xf32>)
    -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {"y"}]>}, tensor<6x8xf32>) {
  %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %d = stablehlo.transpose %c, dims = [1, 0] : (tensor<8x6xf32>) -> tensor<6x8xf32>
  return %c, %d : tensor<8x6xf32>, tensor<6x8xf32>
}
"""
SUM_OF_REPLICAS = """
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<ui32>) {
  %s = "stablehlo.all_reduce"(%x) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %t = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %t : tensor<f32>
  }) {replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}
    : (tensor<4xf32>) -> tensor<4xf32>
  %r = stablehlo.replica_id : tensor<ui32>
  return %s, %r : tensor<4xf32>, tensor<ui32>
}
"""
DOUBLE = """
func.func @main(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  %y = stablehlo.add %x, %x : tensor<4096xf32>
  return %y : tensor<4096xf32>
}
"""
HALF = """
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %y : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
RNG = np.random.default_rng(0)
A = RNG.standard_normal((8, 4), np.float32)
B = RNG.standard_normal((4, 6), np.float32)


def compiled(text: str, **options: Any) -> PjrtExecutable:
    executable = dxir.compile(dxir.load(text), **options)
    assert isinstance(executable, PjrtExecutable)
    return executable


def refusal(text: str, kind: type[Exception], **options: Any) -> str:
    with pytest.raises(kind) as caught:
        dxir.compile(dxir.load(text), **options)
    return str(caught.value)


def test_a_partitioned_program_agrees_with_numpy() -> None:
    run = compiled(MESH, devices=8)
    c, d = run(A, B)
    np.testing.assert_allclose(c, A @ B, rtol=1e-6)
    np.testing.assert_allclose(d, (A @ B).T, rtol=1e-6)
    assert [s.shape for s in c.shards()] == [(2, 3)] * 8
    assert c.placement.tiles == (4, 2)


def test_arrays_in_place_are_not_moved() -> None:
    run = compiled(MESH, devices=8)
    a, b = (to_device(x, p) for x, p in zip((A, B), run.placements, strict=True))
    assert a.placement.tiles == (4, 1)
    np.testing.assert_array_equal(a, A)
    np.testing.assert_array_equal(a.shards()[2], A[2:4])
    np.testing.assert_allclose(run(a, b)[0], A @ B, rtol=1e-6)


def test_an_array_elsewhere_is_refused_with_the_way_to_move_it() -> None:
    run = compiled(MESH, devices=8)
    with pytest.raises(ArgumentError, match=r"array\.to\(executable\.placements\[0\]\)"):
        run(to_device(A), B)
    np.testing.assert_allclose(run(to_device(A).to(run.placements[0]), B)[0], A @ B, rtol=1e-6)


def test_replicas_run_each_on_its_own_arguments() -> None:
    run = compiled(SUM_OF_REPLICAS, devices=8, replicas=8)
    results = run.run_replicas([[np.full(4, i, np.float32)] for i in range(8)])
    assert [float(total[0]) for total, _ in results] == [28] * 8
    assert [int(number) for _, number in results] == list(range(8))
    again = run.run_replicas([[total] for total, _ in results])
    np.testing.assert_array_equal(again[3][0], np.full(4, 224, np.float32))


def test_replicas_want_arguments_for_each() -> None:
    run = compiled(SUM_OF_REPLICAS, devices=8, replicas=8)
    with pytest.raises(ArgumentError, match="run_replicas"):
        run(np.ones(4, np.float32))
    with pytest.raises(ArgumentError, match="arguments for 1"):
        run.run_replicas([[np.ones(4, np.float32)]])
    with pytest.raises(ArgumentError, match="parameter 0"):
        run.run_replicas([[np.ones(3, np.float32)]] * 8)


def test_collectives_need_several_devices() -> None:
    assert "devices=8" in refusal(SUM_OF_REPLICAS, TargetError)


@pytest.mark.parametrize(
    ("options", "kind", "told"),
    [
        ({"devices": 4}, TargetError, "the mesh @m has 8 devices"),
        ({"devices": 0}, ArgumentError, "1 device or more"),
        ({"devices": 3, "replicas": 2}, ArgumentError, "cannot be divided"),
        ({"devices": 8, "replicas": 2}, TargetError, "partitioned, too"),
        ({"devices": ["cpu:0"]}, ArgumentError, "has 'cpu:0', which is no device"),
        ({"devices": 100_000}, TargetError, "1 to 1024"),
    ],
)
def test_devices_that_do_not_fit_are_refused(
    options: Any, kind: type[Exception], told: str
) -> None:
    assert told in refusal(MESH, kind, **options)


@pytest.mark.parametrize(
    ("sharding", "told"),
    [
        ("{devices=[8,1]<=[8]}", "equal parts"),
        ("{maximal device=3}", "on one device"),
        ("{devices=[2,1]<=[2]}", "is for 2 devices"),
        ("{devices=bogus}", "not written as"),
    ],
)
@pytest.mark.parametrize("place", ["parameter", "result"])
def test_shardings_that_xla_cannot_follow_are_refused(sharding: str, told: str, place: str) -> None:
    marks = f'{{mhlo.sharding = "{sharding}"}}'
    takes, gives = (marks, "") if place == "parameter" else ("", marks)
    text = f"""
      func.func @main(%a: tensor<6x4xf32> {takes}) -> (tensor<6x4xf32> {gives}) {{
        return %a : tensor<6x4xf32>
      }}
    """
    assert told in refusal(text, TargetError, devices=8)


@pytest.mark.parametrize("devices", [1, 8])
@pytest.mark.parametrize("mesh", ["@mesh", 'mesh<["größe"=8]>'], ids=["named", "inlined"])
def test_names_that_xla_ends_the_process_over_are_refused(mesh: str, devices: int) -> None:
    sharding = f'#sdy.sharding<{mesh}, [{{"größe"}}, {{}}]>'
    text = f"""
      {'sdy.mesh @mesh = <["größe"=8]>' if mesh == "@mesh" else ""}
      func.func @main(%a: tensor<8x4xf32> {{sdy.sharding = {sharding}}})
          -> tensor<8x4xf32> {{
        return %a : tensor<8x4xf32>
      }}
    """
    assert "ASCII only: the axis 'größe'" in refusal(text, TargetError, devices=devices)


def test_the_devices_of_the_processors_are_listed() -> None:
    devices = dxir.devices(count=3)
    assert [d.id for d in devices] == [0, 1, 2]
    assert {d.platform for d in devices} == {"cpu"}
    assert devices[0].memory() == {}


def test_a_program_runs_on_the_device_it_is_compiled_for() -> None:
    last = dxir.devices(count=8)[7]
    run = compiled(HALF, devices=[last])
    result = run(np.ones(4, np.float32), np.ones(4, np.float32))
    assert result.placement == on_device(last)
    np.testing.assert_array_equal(run(result, result), np.full(4, 4, np.float32))


def test_a_deep_program_is_compiled_apart_for_its_device_too() -> None:
    ops = "\n".join(f"%{i + 1} = stablehlo.negate %{i} : tensor<4xf32>" for i in range(1, 1202))
    text = f"""
      func.func @main(%1: tensor<4xf32>) -> tensor<4xf32> {{
        {ops}
        return %1202 : tensor<4xf32>
      }}
    """
    last = dxir.devices(count=8)[7]
    run = compiled(text, devices=[last])
    assert run(np.ones(4, np.float32)).placement == on_device(last)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"devices": "8"}, "devices=8"),
        ({"replicas": 1.5}, "replicas=8"),
        ({"donate": 0}, "donate=[0]"),
        ({"donate": ["x"]}, "donate=[0]"),
        ({"donate": "x"}, "donate=[0]"),
        ({"flags": "--xla_dump_to=x"}, "a dictionary"),
        ({"flags": ["xla_dump_to"]}, "a dictionary"),
        ({"buckets": "powers of two"}, "a dictionary"),
        ({"buckets": {"n": 8}}, "sizes by name"),
        ({"cache": "folder"}, "DXIR_CACHE_DIR"),
    ],
)
def test_options_of_another_type_are_refused(options: Any, told: str) -> None:
    assert told in refusal(DOUBLE, ArgumentError, **options)


def test_devices_are_asked_for_by_target() -> None:
    with pytest.raises(ArgumentError, match="count=8"):
        dxir.devices(8)  # type: ignore[arg-type]  # on purpose


def test_a_placement_divides_evenly_or_not_at_all() -> None:
    devices = dxir.devices(count=8)[:4]
    place = Placement(devices, (2, 2))
    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    placed = to_device(x, place)
    np.testing.assert_array_equal(placed, x)
    np.testing.assert_array_equal(placed.shards()[3], x[2:, 3:])
    with pytest.raises(ArgumentError, match="multiples"):
        to_device(np.ones((3, 6), np.float32), place)
    copies = Placement(devices, (2, 1))
    assert copies == Placement(devices, (2, 1))
    assert copies != place
    np.testing.assert_array_equal(to_device(x, copies).shards()[1], x[:2])


def test_a_donated_argument_is_taken_over() -> None:
    run = compiled(DOUBLE, donate=[0])
    x = to_device(np.ones(4096, np.float32))
    np.testing.assert_array_equal(run(x), np.full(4096, 2, np.float32))
    assert x.is_deleted
    with pytest.raises(ArgumentError, match="donated to an earlier call"):
        run(x)
    assert run.memory().aliased == 4096 * 4
    kept = compiled(DOUBLE)
    y = to_device(np.ones(4096, np.float32))
    kept(y)
    assert not y.is_deleted


def test_an_array_that_is_given_twice_is_not_donated_once() -> None:
    run = compiled(HALF, donate=[0])
    x = to_device(np.ones(4, np.float32))
    with pytest.raises(ArgumentError, match="parameter 0 is donated, and given twice"):
        run(x, x)
    np.testing.assert_array_equal(x, np.ones(4, np.float32))


def test_replicas_donate_too() -> None:
    run = compiled(SUM_OF_REPLICAS, devices=8, replicas=8, donate=[0])
    xs = [to_device(np.full(4, i, np.float32), d) for i, d in enumerate(run.assignment.devices)]
    run.run_replicas([[x] for x in xs])
    assert all(x.is_deleted for x in xs)
    with pytest.raises(ArgumentError, match="donated"):
        run.run_replicas([[x] for x in xs])


@pytest.mark.parametrize(
    ("donate", "told"),
    [([2], "main has 2"), ([-1], "parameter -1"), ([0, 1], "take that of others")],
)
def test_donations_that_cannot_be_are_refused(donate: list[int], told: str) -> None:
    assert told in refusal(HALF, ArgumentError, donate=donate)


def test_a_donation_of_another_type_is_refused() -> None:
    text = """
      func.func @main(%x: tensor<4xf32>) -> tensor<4xi32> {
        %0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi32>
        return %0 : tensor<4xi32>
      }
    """
    assert "none has its type" in refusal(text, ArgumentError, donate=[0])


def test_flags_reach_xla() -> None:
    run = compiled(DOUBLE, flags={"xla_disable_hlo_passes": "fusion"})
    np.testing.assert_array_equal(run(np.ones(4096, np.float32)), np.full(4096, 2, np.float32))


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        ({"xla_cpu_enable_fast_mth": True}, "did you mean xla_cpu_enable_fast_math"),
        ({"xla_cpu_enable_fast_math": "yes"}, "not a valid bool"),
        ({"num_replicas": 2}, "XLA has no flag"),
    ],
)
def test_wrong_flags_are_refused(flags: Any, told: str) -> None:
    assert told in refusal(DOUBLE, TargetError, flags=flags)


def test_costs_memory_and_text_are_told() -> None:
    run = compiled(DOUBLE)
    assert run.cost()["flops"] == 4096
    assert run.memory().arguments == run.memory().results == 4096 * 4
    assert run.memory().total >= 2 * 4096 * 4
    assert run.optimized_text().startswith("HloModule")


def test_a_target_without_its_plugin_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plugins, "_folders", lambda _: [])
    monkeypatch.delenv(plugins.VARIABLE, raising=False)
    told = refusal(DOUBLE, TargetError, target="xla-tpu")
    assert "the package libtpu" in told
    with pytest.raises(TargetError, match="no PJRT plugin for npu"):
        dxir.devices("npu")


def test_plugins_are_named_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(plugins.VARIABLE, "npu:/nowhere/npu.so")
    assert str(plugins.plugins()["npu"]) == "/nowhere/npu.so"
    with pytest.raises(TargetError, match="is not there"):
        dxir.devices("npu")
    monkeypatch.setenv(plugins.VARIABLE, "/nowhere/npu.so")
    with pytest.raises(TargetError, match="name:path"):
        plugins.plugins()


def test_a_library_that_is_no_plugin_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    (tmp_path / "broken.so").write_bytes(b"no library")
    target = plugins.plugin_target("broken", platform="broken", library=tmp_path / "broken.so")
    assert "gives no devices" in refusal(DOUBLE, TargetError, target=target)


def test_an_installed_plugin_is_a_target() -> None:
    pytest.importorskip("xla_plugins.xla_cpu_pjrt")
    target = plugins.plugin_target(
        "another-cpu", platform="xla_cpu_pjrt", options={"cpu_device_count": 8}
    )
    run = compiled(MESH, target=target, devices=8)
    np.testing.assert_allclose(run(A, B)[0], A @ B, rtol=1e-6)
    assert run.placements[0].devices[0].platform == "xla_cpu_pjrt"


def test_a_profile_is_a_trace_that_viewers_read(tmp_path: Path) -> None:
    run = compiled(DOUBLE)
    with profile(tmp_path / "new" / "folder"):
        run(np.ones(4096, np.float32)).wait()
    (trace,) = tmp_path.rglob("*.trace.json.gz")
    assert json.loads(gzip.decompress(trace.read_bytes()))["traceEvents"]
    assert list(tmp_path.rglob("*.xplane.pb"))


def test_a_profile_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RuntimeFailure, match="cannot be written"), profile(tmp_path / "file"):
        pass


def test_one_profile_is_recorded_at_a_time(tmp_path: Path) -> None:
    with profile(tmp_path), pytest.raises(RuntimeFailure, match="at a time"), profile(tmp_path):
        pass


def test_a_donated_array_that_lies_on_several_devices_is_not_taken_again() -> None:
    text = """
      sdy.mesh @m = <["x"=4]>
      func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>})
          -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) {
        %0 = stablehlo.add %a, %a : tensor<8x4xf32>
        return %0 : tensor<8x4xf32>
      }
    """
    run = compiled(text, devices=4, donate=[0])
    a = to_device(A, run.placements[0])
    run(a).wait()
    assert a.is_deleted
    with pytest.raises(ArgumentError, match="was deleted"):
        run(a)
    b = to_device(A, run.placements[0])
    b.delete()
    with pytest.raises(RuntimeFailure, match="was deleted"):
        b.numpy()


@pytest.mark.parametrize(
    ("count", "tiles", "order", "told"),
    [
        (0, None, None, "one device or more"),
        (2, (0,), None, "numbers from 1"),
        (2, (3,), None, "cannot have 3 parts"),
        (2, (2,), [0, 0], "names each of them once"),
        (2, (2,), [0, 5], "names each of them once"),
    ],
)
def test_placements_that_make_no_sense_are_refused(
    count: int, tiles: Any, order: Any, told: str
) -> None:
    devices = dxir.devices(count=2)[:count]
    with pytest.raises(ArgumentError, match=told):
        Placement(devices, tiles, None if order is None else np.array(order))


def test_a_flag_that_ends_the_compiler_is_an_error() -> None:
    # An implementation that the program does not call is no reason to try the flag here.
    register_call("dxir_test_flags", ctypes.pythonapi.Py_IsInitialized, typed=False)
    told = refusal(
        DOUBLE, RuntimeFailure, flags={"xla_cpu_parallel_codegen_split_count": -1}, cache=False
    )
    assert "xla_cpu_parallel_codegen_split_count=-1" in told
