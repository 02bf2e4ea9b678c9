"""`dxir view`: what it writes and where, and what it says when it cannot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dxir.tools.main import main

MODULE = """\
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  %1 = stablehlo.tanh %a : tensor<8xf32>
  %2 = stablehlo.add %0, %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "m.mlir").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    return "m.mlir"


def sides(path: str) -> list[str]:
    data = Path(path).read_text("utf-8").partition('id="data">')[2].partition("</script")[0]
    return [side["name"] for side in json.loads(data)["sides"]]


def test_a_page_goes_beside_one_by_the_name_of_the_module(
    module: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["view", module]) == 0
    assert capsys.readouterr().err == "wrote m.html\n"
    assert main(["view", module, "--pipeline=cse"]) == 0  # its own pages are written anew
    assert sides("m.html") == ["m.mlir", "after cse"]


def test_a_file_that_is_no_such_page_is_not_lost(
    module: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("m.html").write_text("<p>mine</p>")
    assert main(["view", module]) == 1
    error, hint = capsys.readouterr().err.splitlines()
    assert error == "dxir view: error: m.html is there, and no page of `dxir view`"
    assert hint == "dxir view: note: say where to write: -o m.html"
    assert Path("m.html").read_text() == "<p>mine</p>"
    assert main(["view", module, "-o", "m.html"]) == 0
    assert sides("m.html") == ["m.mlir"]


def test_two_files_are_beside_each_other(module: str) -> None:
    Path("sub").mkdir()
    Path("sub/m.mlir").write_text(MODULE.replace("tanh", "sine"))
    assert main(["view", module, "sub/m.mlir", "-o", "both.html"]) == 0
    assert sides("both.html") == ["m.mlir", "sub/m.mlir"]


def test_graphs_go_to_standard_output(module: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", module, "--format=dot"]) == 0
    assert capsys.readouterr().out.startswith('digraph "m.mlir" {\n')
    assert main(["view", module, "--format=json"]) == 0
    assert json.loads(capsys.readouterr().out)["op_counts"]["stablehlo.tanh"] == 2
    assert main(["view", module, "--format=model-explorer", "--pipeline=cse"]) == 0
    graphs = json.loads(capsys.readouterr().out)["graphs"]
    assert [graph["id"] for graph in graphs] == ["m.mlir: main", "after cse: main"]
    assert main(["view", module, "--format=json", "--pipeline=cse"]) == 0
    assert json.loads(capsys.readouterr().out)["op_counts"] == [
        {"op": "stablehlo.tanh", "before": 2, "after": 1}
    ]


def test_the_page_is_opened_when_asked(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda url: opened.append(url) is None)
    assert main(["view", module, "-o", "a b.html", "--open"]) == 0
    assert opened == [(Path.cwd() / "a b.html").as_uri()]


def test_ops_of_dialects_that_nobody_knows_are_shown(module: str) -> None:
    text = MODULE.replace("stablehlo.add %0, %1 :", '"acme.fuse"(%0, %1) {x = 1 : i32} :')
    text = text.replace("} : tensor<8xf32>", "} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>")
    Path("m.mlir").write_text(text)
    assert main(["view", module]) == 0
    assert "acme.fuse" in Path("m.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["m.mlir", "m.mlir", "--format=dot"], "no graph of Graphviz"),
        (["m.mlir", "--format=dot", "--open"], "--open is for pages"),
        (["none.mlir"], "none.mlir: error: the file cannot be read"),
        (["m.mlir", "none.mlir"], "none.mlir: error: the file cannot be read"),
        (["m.mlir", "--pipeline=dxir-nothing"], "dxir-nothing"),
        (["m.mlir", "-o", "no/such/folder.html"], "the view cannot be written"),
        (["-", "-"], "standard input holds one module"),
        (["bad.mlir"], "bad.mlir:1:"),
    ],
)
def test_what_cannot_be_done_is_an_error(
    module: str, capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    Path("bad.mlir").write_text("func.func @main(")
    assert main(["view", *options]) == 1
    error, *_ = capsys.readouterr().err.splitlines()
    assert error.startswith("dxir view: ")
    assert message in error
    assert not Path("m.html").exists()
