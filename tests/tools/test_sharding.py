"""`dxir sharding`: what it prints, the page it writes, and what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import dxir
from dxir import ops
from dxir.sharding_report import ShardingReport
from dxir.tools.main import main
from dxir.tools.sharding_page import page

MODULE = """sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %w: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>})
    -> (tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0]
    : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %1 = stablehlo.tanh %0 : tensor<8x32xf32>
  return %1 : tensor<8x32xf32>
}"""


@pytest.fixture(name="module", scope="module")
def a_module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sharding") / "m.mlir"
    path.write_text(MODULE)
    (path.parent / "links.toml").write_text("bytes_per_second = 1e9\nlatency_seconds = 1e-6\n")
    return path


def test_collectives_memory_and_values_are_told(
    module: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    links = module.parent / "links.toml"
    command = ["sharding", str(module), f"--interconnect={links}", "--process-groups"]
    assert main(command) == 0
    out = capsys.readouterr().out
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert f"@main of {module}, on @mesh <x=2, y=4>" in lines
    # Three messages of f32[4, 8], 128 bytes.
    assert "1 collective: a device sends 384 bytes in 3.384 us" in lines
    assert '100.0% 384 bytes 3.384 us all_gather {"y"} of 4 devices f32[4, 8]' in lines
    assert (
        f'{module}:7:8: result 0 of @main is asked to be [{{"x"}}, {{}}], '
        f'and the result of tanh at {module}:7:8 is [{{"x"}}, {{"y"}}]'
    ) in lines
    assert "2 groups, cross_partition: (0, 1, 2, 3) (4, 5, 6, 7)" in lines
    assert "parameters 768 bytes 2.5 KiB" in lines


def test_values_are_told_by_a_pattern(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sharding", str(module), "--values=tanh"]) == 0
    out = capsys.readouterr().out
    assert "\n1 value\n" in out
    assert f'"y" on dim 1: from parameter 1 ({module}:3:17), through dot_general at' in out


def test_another_sharding_is_compared(module: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sharding", str(module), "--with", "arg1=[{}, {}]"]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "sent by a device 384 bytes 0 bytes -100%" in lines
    assert 'all_gather {"y"} 1 of 384 bytes - -100%' in lines
    assert f'%arg1 at {module}:3:17 [{{}}, {{"y"}}] replicated' in lines


def test_json_has_the_report_and_the_process_groups(
    module: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sharding", str(module), "--json", "--process-groups"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["schema"], found["totals"]["sent_bytes"]) == (1, 384)
    assert found["collectives"][0]["process_groups"] == [[0, 1, 2, 3], [4, 5, 6, 7]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--values=("], "--values=( is no regular expression: "),
        (["--with", "arg0"], "--with=arg0 gives no sharding"),
        (["--with", "b=[{}]"], "@main has no parameter or result called 'b'"),
        (["--interconnect=none.toml"], "none.toml"),
        (["--html=no/such/folder/page.html"], "the page cannot be written: "),
        (["--compare=none.mlir"], "none.mlir"),
        (["--passes=dxir-nothing"], "dxir-nothing"),
    ],
)
def test_what_cannot_be_done_is_an_error(
    module: Path, capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    assert main(["sharding", str(module), *options]) == 1
    error, *_ = capsys.readouterr().err.splitlines()
    assert error.startswith("dxir sharding: ")
    assert message in error


HOSTILE = """sdy.mesh @"</script><b>" = <["<img>"=2]>
func.func @main(%a: tensor<8xf32>
    {sdy.sharding = #sdy.sharding<@"</script><b>", [{"<img>"}]>} loc("<script>alert(1)</script>"))
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@"</script><b>", [{}]>}) {
  return %a : tensor<8xf32> loc("<i>":1:2)
}"""


def test_the_page_shows_names_as_text_whatever_is_in_them() -> None:
    found = page(dxir.explain_sharding(dxir.load(HOSTILE), name="<h1>"))
    assert not re.search(r"<(img|script>alert|h1>:|i>)", found)
    assert found.count("</script>") == 2  # the data, and the script itself
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in found


def embedded(text: str) -> list[dict[str, list[object]]]:
    match = re.search(r'id="data">(.*?)</script>', text, re.DOTALL)
    assert match is not None
    found: list[dict[str, list[object]]] = json.loads(match[1])
    return found


def test_the_page_ties_names_in_the_text_to_values_and_needs_no_network() -> None:
    report = dxir.explain_sharding(dxir.load(MODULE))
    found = page(report)
    assert "http" not in found.replace('http-equiv="Content-Security-Policy"', "")
    (data,) = embedded(found)
    assert len(data["values"]) == len(report.values) == 5
    dot = next(i for i, v in enumerate(report.values) if v.op == "dot_general")
    assert f'<b data-v="{dot}" class="split">%0</b> = stablehlo.dot_general' in found
    assert f'stablehlo.tanh <b data-v="{dot}" class="split">%0</b>' in found


def test_two_reports_are_on_one_page_side_by_side(tmp_path: Path, module: Path) -> None:
    path = tmp_path / "both.html"
    assert main(["sharding", str(module), "--with", "arg1=[{}, {}]", f"--html={path}"]) == 0
    found = path.read_text("utf-8")
    assert '<div class="sides">' in found
    assert len(embedded(found)) == 2


def chain(length: int) -> ShardingReport:
    mesh = dxir.Mesh("mesh", {"x": 2})
    b = dxir.Builder("main")
    x = y = ops.sharding_constraint(b.param(dxir.f32[8], name="x"), dxir.Sharding(mesh, "x"))
    for _ in range(length):
        y = ops.add(y, x)
    return dxir.explain_sharding(dxir.lower(b.build(y)))


def test_a_page_grows_with_the_program_although_every_value_has_a_chain_through_all_before() -> (
    None
):
    small, large = page(chain(100)), page(chain(1000))
    assert len(large) < 12 * len(small)
    (data,) = embedded(large)
    assert len(data["links"]) <= 1010
