"""What views are written as: pages, DOT, for Model Explorer, JSON; and two beside each other."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import dxir
from dxir.view import compared, dot, model_explorer, page, plain, view_of

CORPUS = Path(__file__).parents[1] / "recognition" / "corpus"
GPT2 = CORPUS / "transformers" / "gpt2.mlir"

HOSTILE = r"""
sdy.mesh @"</script><b>" = <["<img src=x onerror=alert(1)>"=2]>
func.func @"</script><script>alert(1)</script>"(%a: tensor<8xf32>
    {sdy.sharding = #sdy.sharding<@"</script><b>", [{"<img src=x onerror=alert(1)>"}]>}
    loc("<script>alert(2)</script>"))
    -> (tensor<8xf32> {jax.result_info = "\22}];alert(3)//"}) {
  %0 = stablehlo.custom_call @"\22<!--<script>"(%a)
    {backend_config = "\FF\FE</style>\00\01", note = "{{title}}$&\5C\22\0A</script>"}
    : (tensor<8xf32>) -> tensor<8xf32> loc("a\22b\5C</title>"("<i>'\22.py":1:2))
  %1 = stablehlo.add %0, %0 : tensor<8xf32> loc("\E2\80\A8</script>"("x\0Ay.py":3:4))
  return %1 : tensor<8xf32>
}"""


def data_of(text: str) -> dict[str, Any]:
    """What a page carries, read as a browser does: up to the first end of the element."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script', text, re.S)
    assert found is not None
    return dict(json.loads(found[1]))


def test_a_page_asks_for_nothing_and_runs_one_script_only() -> None:
    text = page(dxir.load(GPT2), names=("gpt2",))
    scripts = re.findall(r"<script>(.*?)</script>", text, re.S)
    assert len(scripts) == 1
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    assert f'content="{policy}"' in text
    outside = text.replace(scripts[0], "")
    assert not re.search(
        r"\b(?:src|href)\s*=|@import|url\(", re.sub(r"id=\"data\">.*", "", outside)
    )
    assert data_of(text)["sides"][0]["name"] == "gpt2"


def test_hostile_names_stay_names() -> None:
    text = page(dxir.load(HOSTILE), names=('</title><script>alert(1)</script>"',))
    assert len(re.findall("<script", text)) == 2
    assert len(re.findall("</script", text)) == 2
    strings = data_of(text)["sides"][0]["strings"]
    assert "@</script><script>alert(1)</script>" in strings
    assert any("\\FF\\FE</style>" in each for each in strings)


def test_a_page_holds_a_huge_attribute_by_its_start() -> None:
    text = (
        "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n"
        f'  %0 = stablehlo.custom_call @f(%a) {{backend_config = "{"x" * 3_000_000}"}} '
        ": (tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}"
    )
    found = page(dxir.load(text))
    assert len(found) < 200_000
    assert "3,000,000 bytes" in found


def test_what_is_in_one_program_only_is_marked_and_the_rest_has_a_twin() -> None:
    before = dxir.load(GPT2)
    a, b = compared(before, before.run_passes("cse"), names=("a", "b"))
    only = [n for n in a.nodes if n.kind == "op" and n.mark == "only"]
    counts = [sum(v.op_counts().values()) for v in (a, b)]
    assert len(only) == counts[0] - counts[1] > 50
    assert {n.mark for n in b.nodes if n.kind == "op"} == {"same"}
    for number, node in enumerate(a.nodes):
        if node.mark == "same":
            assert node.twin is not None
            assert b.nodes[node.twin].twin == number
            assert b.nodes[node.twin].name == node.name
    assert sum(a.nodes[f].changes for f in a.functions.values()) == len(only)


def test_one_program_beside_itself_has_no_difference_and_other_names_are_none() -> None:
    text = """
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = call @g(%a) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @g(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.tanh %a : tensor<f32>
  return %0 : tensor<f32>
}"""
    a, b = compared(dxir.load(text), dxir.load(text.replace("@g", "@h")))
    for view in (a, b):
        assert {n.mark for n in view.nodes if n.kind == "op" and n.name != "func.call"} == {"same"}
        assert all(n.twin is not None for n in view.nodes if n.kind == "function")


def test_ops_that_passes_mark_have_other_attributes() -> None:
    before = dxir.load(GPT2)
    a, _ = compared(before, before.run_passes("dxir-recognize"))
    marks = {n.mark for n in a.nodes if n.kind == "op"}
    assert marks == {"same", "changed"}
    data = data_of(page(before, before.run_passes("cse"), names=("x", "y")))
    assert [side["name"] for side in data["sides"]] == ["x", "y"]
    assert ["stablehlo.constant", 86, 29] in data["counts"]


@pytest.mark.parametrize("source", [GPT2, HOSTILE], ids=["gpt2", "hostile"])
def test_graphviz_reads_what_is_written_for_it(source: Path | str) -> None:
    view = view_of(dxir.load(source), name='a "name" \\')
    text = dot(view)
    assert text.count("{") - text.count("}") == _braces_in_labels(text)
    program = shutil.which("dot")
    if program is None:
        pytest.skip("there is no `dot` of Graphviz on the path")
    done = subprocess.run(
        [program, "-Tjson0"], input=text, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    drawn = [each for each in found["objects"] if not each["name"].startswith("cluster")]
    ops = [n for n in view.nodes if n.kind == "op"]
    assert len(drawn) >= len(ops)
    assert len(found["edges"]) == sum(len(n.operands) for n in ops)


def _braces_in_labels(text: str) -> int:
    quoted = re.findall(r'"(?:[^"\\]|\\.)*"', text)
    return sum(each.count("{") - each.count("}") for each in quoted)


@pytest.mark.parametrize("source", [GPT2, HOSTILE], ids=["gpt2", "hostile"])
def test_model_explorer_gets_a_graph_for_each_function_with_edges_within_it(
    source: Path | str,
) -> None:
    program = dxir.load(source)
    found = json.loads(json.dumps(model_explorer(view_of(program, name="m"))))
    assert found["label"] == "m"
    ids = [graph["id"] for graph in found["graphs"]]
    assert sorted(ids) == sorted(program.function_names)
    counts: dict[str, int] = {}
    for graph in found["graphs"]:
        nodes = {node["id"]: node for node in graph["nodes"]}
        assert len(nodes) == len(graph["nodes"])
        for node in nodes.values():
            assert set(node) <= {
                "id", "label", "namespace", "subgraphIds", "incomingEdges", "attrs",
                "inputsMetadata", "outputsMetadata",
            }  # fmt: skip
            assert set(node.get("subgraphIds", ())) <= set(ids)
            for edge in node["incomingEdges"]:
                outputs = nodes[edge["sourceNodeId"]]["outputsMetadata"]
                assert edge["sourceNodeOutputId"] in [each["id"] for each in outputs]
            op = next(each["value"] for each in node["attrs"] if each["key"] == "op")
            counts[op] = counts.get(op, 0) + 1
    expected = {n: c for n, c in program.op_counts().items() if n not in ("func.func", "sdy.mesh")}
    assert {n: c for n, c in counts.items() if n not in ("parameter", "argument")} == expected


def test_json_has_every_node_with_the_node_around_it() -> None:
    program = dxir.load(GPT2)
    found = json.loads(json.dumps(plain(view_of(program))))
    nodes = {node["id"]: node for node in found["nodes"]}
    assert found["schema"] == 1
    assert found["op_counts"] == program.op_counts()
    assert nodes[found["entry"]]["label"] == "@main"
    for node in nodes.values():
        assert node["parent"] is None or node["parent"] in nodes
        for operand in node["operands"]:
            assert operand["result"] < len(nodes[operand["node"]]["results"])
