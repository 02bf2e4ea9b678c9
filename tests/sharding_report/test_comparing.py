"""Two shardings of one program side by side, and other shardings for its parameters."""

from __future__ import annotations

import json

import pytest

import dxir
from dxir.errors import ShardingError
from dxir.sharding_report import with_shardings

PROGRAM = dxir.load("""sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}
                  loc("tokens"),
                %w: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>})
    -> (tensor<8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0]
    : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}""")


def test_two_shardings_of_a_parameter_are_told_side_by_side() -> None:
    before = dxir.explain_sharding(PROGRAM)
    after = dxir.explain_sharding(with_shardings(PROGRAM, {"arg1": "[{}, {}]"}))
    both = before.compared(after)
    numbers = {what: (a, b) for what, _, a, b in both.numbers()}
    # f32[4, 8] goes to 3 others; the weight is 2 KiB, of which a device had a quarter.
    assert numbers["sent by a device"] == (3 * 4 * 4 * 8, 0)
    assert numbers["parameters on a device"] == (256 + 512, 256 + 2048)
    assert [(a.kind, a.count, b.count) for a, b in both.totals()] == [("all_gather", 1, 0)]
    assert [(a.name, a.local, b.local) for a, b in both.values()] == [
        ("%arg1", "f32[16, 8]", "f32[16, 32]"),
        ("%0", "f32[4, 8]", "f32[4, 32]"),
    ]


def test_both_reports_and_their_difference_are_plain_values() -> None:
    report = dxir.explain_sharding(PROGRAM, name="a")
    other = with_shardings(PROGRAM, {"tokens": "<@mesh, [{}, {}]>", "result0": ""})
    found = json.loads(json.dumps(report.compared(dxir.explain_sharding(other)).as_dict()))
    assert found["schema"] == 1
    assert set(found) == {"schema", "before", "after", "numbers", "totals", "values"}
    assert {v["name"]: v["after"] for v in found["values"]}["%arg0"] == "[{}, {}]"
    plain = found["before"]
    assert (plain["name"], plain["meshes"][0]["axes"]) == ("a", {"x": 2, "y": 4})
    (gather,) = plain["collectives"]
    assert {k: gather[k] for k in ("kind", "axes", "devices", "operand_bytes", "sent_bytes")} == {
        "kind": "all_gather",
        "axes": ['"y"'],
        "devices": 4,
        "operand_bytes": 128,
        "sent_bytes": 384,
    }
    dot = next(v for v in plain["values"] if v["op"] == "dot_general")
    assert (dot["type"], dot["local_type"], dot["local_bytes"]) == ("f32[8, 32]", "f32[4, 8]", 128)
    assert dot["why"][1]["source"]["text"] == "parameter 1"
    assert dot["why"][1]["through"][0]["from"] == "operand 1"
    assert plain["memory"]["parameters"] == {"device": 768, "whole": 2560}


@pytest.mark.parametrize(
    ("name", "text", "message", "hint"),
    [
        ("b", "[{}, {}]", "@main has no parameter or result called 'b'", "tokens, arg1, result0"),
        ("arg7", "[{}, {}]", "called 'arg7'", "result0"),
        ("arg0", '[{"q"}, {}]', 'unknown axis name: "q"', "of axes that the mesh has"),
        ("arg0", "[{}]", "doesn't match tensor rank", "an entry for each dimension"),
        ("arg0", "[{", "arg0=[{: ", "an entry for each dimension"),
        ("arg0", "<@m, [{}, {}]>", "unknown mesh: @m", "of axes that the mesh has"),
    ],
)
def test_a_sharding_that_does_not_fit_is_refused(
    name: str, text: str, message: str, hint: str
) -> None:
    with pytest.raises(ShardingError) as caught:
        with_shardings(PROGRAM, {name: text})
    assert message in caught.value.message
    assert hint in (caught.value.hint or "")


def test_a_sharding_without_a_mesh_to_be_on_is_refused() -> None:
    program = dxir.load("func.func @main(%a: tensor<4xf32>) { return }")
    with pytest.raises(ShardingError, match="the program has no meshes"):
        with_shardings(program, {"0": '[{"x"}]'})
