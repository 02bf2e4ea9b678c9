"""Pages in a real browser, without a network: what is drawn, and what keys and clicks do."""

from __future__ import annotations

import importlib.util
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import dxir
from dxir.view import page

if TYPE_CHECKING:
    from conftest import Browser  # beside this file

CORPUS = Path(__file__).parents[1] / "recognition" / "corpus"
GPT2 = CORPUS / "transformers" / "gpt2.mlir"
TOLD = "document.getElementById('told').textContent"
PANEL = "document.getElementById('panel').innerText"

# A browser takes seconds to start.
pytestmark = pytest.mark.slow

LOOP = """
func.func @main(%x: tensor<8x8xf32> loc("x")) -> tensor<8x8xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %c, %y = %x) : tensor<i32>, tensor<8x8xf32>
    cond {
      %n = stablehlo.constant dense<5> : tensor<i32>
      %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.dot_general %y, %x, contracting_dims = [1] x [0]
        : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc("model.py":7:3)
      stablehlo.return %1, %2 : tensor<i32>, tensor<8x8xf32>
    }
  %3 = stablehlo.composite "acme.act" %0#1 {decomposition = @act}
    : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}
func.func private @act(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.tanh %x : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}"""

# Every drawn box and edge with where it is in all: no two boxes of one body may overlap, and no
# edge may pass through a box of its body that it does not start or end at.
GEOMETRY = """(() => {
  let faults = [];
  const within = (body) => {
    for (const a of body.boxes) for (const b of body.boxes) {
      if (a !== b && a.x < b.x + b.w - 1 && b.x < a.x + a.w - 1 && a.y < b.y + b.h - 1
          && b.y < a.y + a.h - 1) faults.push('boxes ' + a.path + ' ' + b.path);
    }
    for (const edge of body.edges) {
      const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
      path.setAttribute('d', curve(edge.points));
      const length = path.getTotalLength();
      for (let i = 0; i <= 60; i++) {
        const p = path.getPointAtLength(length * i / 60);
        body.boxes.forEach(b => {
          if (p.x > b.x + 1 && p.x < b.x + b.w - 1 && p.y > b.y + 1 && p.y < b.y + b.h - 1)
            faults.push('edge through ' + b.path);
        });
      }
    }
    for (const box of body.boxes) for (const part of box.parts ?? []) within(part);
  };
  for (const pane of page.panes) within(pane.laid);
  return faults;
})()"""


def shown(browser: Browser) -> list[str]:
    found = browser.run("[...document.querySelectorAll('.box > text')].map(t => t.textContent)")
    return list(found)


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def loop(tmp_path: Path, browser: Browser) -> Browser:
    browser.open(write(tmp_path / "loop.html", page(dxir.load(LOOP), names=("loop.mlir",))))
    return browser


def test_a_page_opens_without_a_network_and_draws_loops_open(loop: Browser) -> None:
    texts = shown(loop)
    assert {"▾ @main", "▾ while", "compare", "dot_general", "▸ acme.act"} <= set(texts)
    assert loop.complaints == []
    assert all(url.startswith("file:") for url in loop.asked)
    assert loop.run(GEOMETRY) == []
    assert "dot_general" in loop.run(PANEL)


def test_a_composite_opens_by_a_double_click_and_closes_by_a_key(loop: Browser) -> None:
    loop.click("text", "acme.act", count=2)
    assert "tanh" in shown(loop)
    assert loop.run(GEOMETRY) == []
    loop.key("Enter")
    assert "tanh" not in shown(loop)
    loop.key("e")
    assert "tanh" in shown(loop)
    loop.key("Escape")
    loop.key("c")
    assert [text for text in shown(loop) if text.startswith(("▸", "▾"))] == [
        "▸ @main",
        "▸ 1 private function",
    ]


@pytest.mark.parametrize(
    ("query", "hits"),
    [
        ("op:dot_general", 1),
        ("model.py:7", 1),
        ("%3", 1),
        ("acme.act", 1),
        ("attr:direction LT", 1),
        ("type:tensor<i1>", 1),
        ("nothing of that name", 0),
    ],
)
def test_search_finds_by_op_place_value_attribute_and_type(
    loop: Browser, query: str, hits: int
) -> None:
    loop.key("c")
    loop.key("/")
    loop.type(query)
    loop.until(f"document.querySelector('#panel h3')?.textContent.includes({json.dumps(query)})")
    assert loop.run("page.found.length") == hits
    if hits:
        loop.key("Enter")  # boxes around a hit are opened for it
        assert loop.run("document.querySelectorAll('.box.on').length") == 1
        assert loop.run(TOLD) == "hit 1 of 1"


def test_the_panel_tells_of_the_selected_op_and_leads_on_to_its_operands(loop: Browser) -> None:
    loop.click("text", "dot_general")
    told = loop.run(PANEL)
    for part in ("stablehlo.dot_general", "model.py:7:3", "contracting", "tensor<8x8xf32>", "FLOP"):
        assert part in told
    loop.click("#panel .link", "x")
    assert loop.run("document.querySelector('#panel h2').textContent") == "x"


def test_arrows_go_along_the_edges(loop: Browser) -> None:
    loop.click("text", "compare")
    loop.key("ArrowDown")
    assert loop.run("document.querySelector('#panel h2').textContent") == "return"
    loop.key("ArrowUp")
    loop.key("ArrowUp")
    assert loop.run("document.querySelector('#panel h2').textContent") != "compare"
    loop.key("Backspace")
    assert loop.run("document.querySelector('#panel h2').textContent") == "while"


def test_dragging_moves_the_wheel_zooms_and_colours_show_costs(loop: Browser) -> None:
    before = loop.run("[page.panes[0].x, page.panes[0].y, page.panes[0].scale]")
    loop.drag((30, 700), (130, 650))
    after = loop.run("[page.panes[0].x, page.panes[0].y, page.panes[0].scale]")
    assert [after[0] - before[0], after[1] - before[1], after[2]] == pytest.approx(
        [100, -50, before[2]]
    )
    loop.wheel(400, 400, -200)
    assert loop.until("page.panes[0].scale") > before[2]
    loop.run(
        "document.getElementById('colour').value = 'flops';"
        "document.getElementById('colour').dispatchEvent(new Event('change'))"
    )
    heat = "[...document.querySelectorAll('.box.hot')].map(g => g.style.getPropertyValue('--heat'))"
    assert "85%" in loop.run(heat)


def test_light_and_dark_follow_the_system_and_the_key(loop: Browser, tmp_path: Path) -> None:
    back = "getComputedStyle(document.body).backgroundColor"
    light = loop.run(back)
    loop.key("t")
    dark = loop.run(back)
    assert dark != light
    loop.open(tmp_path / "loop.html", dark=True)
    assert loop.run(back) == dark


def test_two_modules_are_shown_side_by_side_with_what_is_in_one_only(
    tmp_path: Path, browser: Browser
) -> None:
    program = dxir.load(GPT2)
    text = page(program, program.run_passes("cse"), names=("gpt2", "after cse"))
    browser.open(write(tmp_path / "both.html", text))
    assert browser.run("[...document.querySelectorAll('.side .name')].map(n => n.textContent)") == [
        "gpt2",
        "after cse",
    ]
    assert "−57" in browser.run(PANEL)
    browser.key("n")
    assert "122 ops that are not the same on both sides" in browser.run(TOLD)
    assert "only on this side" in browser.run(PANEL)
    browser.key("Escape")
    browser.key("/")
    browser.type("dot_general")
    browser.until("page.found.length === 12")
    browser.key("Enter")
    shown_there = "document.querySelectorAll('.side:nth-child(2) .box.match').length"
    assert browser.run(shown_there) >= 1
    assert browser.run(GEOMETRY) == []
    assert browser.complaints == []


def test_hostile_names_are_shown_as_they_are_and_run_nothing(
    tmp_path: Path, browser: Browser
) -> None:
    name = "dxir_view_writing"
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name("test_writing.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    title = '</title><img src=x onerror=alert(1)>"'
    browser.open(write(tmp_path / "bad.html", page(dxir.load(module.HOSTILE), names=(title,))))
    assert browser.run("document.title") == title
    browser.click("text", "custom_call")
    assert "\\FF\\FE</style>" in browser.run(PANEL)
    assert browser.run("document.querySelectorAll('img, b, i:not(#legend i)').length") == 0
    assert browser.complaints == []
    assert len(browser.asked) == 1


def test_a_large_module_opens_closed_and_stays_quick(tmp_path: Path, browser: Browser) -> None:
    count, layers = 310, 32
    lines = [
        f"  %{i} = stablehlo.{('add', 'multiply', 'subtract')[i % 3]} %{i - 1}, %{max(i - 7, 0)}"
        f' : tensor<64xf32> loc("f/layer_{i // count}/part_{i % count // 40}/op"("m.py":{i}:1))'
        for i in range(1, count * layers)
    ]
    body = "\n".join(lines).replace("%0,", "%a,").replace("%0 ", "%a ")
    text = (
        "func.func @main(%a: tensor<64xf32>) -> tensor<64xf32> {\n"
        f"{body}\n  return %{count * layers - 1} : tensor<64xf32>\n}}"
    )
    program = dxir.load(text)
    start = time.perf_counter()
    found = page(program)
    written = time.perf_counter() - start
    browser.open(write(tmp_path / "large.html", found))
    assert browser.run("page.panes[0].shown.size") < 100
    start = time.perf_counter()
    browser.key("/")
    browser.type(f"%{count * 20 + 150}")
    browser.until("page.found.length === 1")
    browser.key("Enter")
    assert browser.run("document.querySelectorAll('.box.on').length") == 1
    browser.key("Escape")
    browser.key("e")
    browser.until("page.panes[0].shown.size > 1000")
    worked = time.perf_counter() - start
    assert browser.run(GEOMETRY) == []
    # Several times what it takes, for machines with other things to do.
    assert written < 30
    assert worked < 30


RANDOM = """(() => {
  let seed = 7, faults = 0;
  const random = () => (seed = seed * 16807 % 2147483647) / 2147483647;
  for (let round = 0; round < 80; round++) {
    const count = 1 + Math.floor(random() * 50), edges = [];
    const sizes = Array.from({length: count}, () => ({
      w: 30 + random() * (random() < 0.1 ? 800 : 100),
      h: 22 + random() * (random() < 0.1 ? 400 : 20),
    }));
    for (let to = 1; to < count; to++) {
      for (let i = 0; i < random() * 3; i++) edges.push([Math.floor(random() * to), to]);
      if (random() < 0.03) edges.push([to, Math.floor(random() * to)]);  // closes a cycle
    }
    const ports = {key: e => edges[e][0] % 2, out: () => 0, in: () => random() - 0.5};
    const at = arrange(sizes, edges, ports);
    const hits = (x, y) => sizes.some((s, i) => x > at.x[i] + 0.2 && y > at.y[i] + 0.2 &&
      x < at.x[i] + s.w - 0.2 && y < at.y[i] + s.h - 0.2);
    sizes.forEach((s, i) => {
      if (at.x[i] < -0.001 || at.x[i] + s.w > at.w + 0.001) faults++;
      if (at.y[i] < -0.001 || at.y[i] + s.h > at.h + 0.001) faults++;
      for (let j = 0; j < i; j++) {
        if (at.x[i] < at.x[j] + sizes[j].w - 0.001 && at.x[j] < at.x[i] + s.w - 0.001 &&
            at.y[i] < at.y[j] + sizes[j].h - 0.001 && at.y[j] < at.y[i] + s.h - 0.001) faults++;
      }
    });
    for (const points of at.paths) {
      const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
      path.setAttribute('d', curve(points));
      for (let i = 0; i <= 40; i++) {
        const p = path.getPointAtLength(path.getTotalLength() * i / 40);
        if (hits(p.x, p.y)) faults++;
      }
    }
  }
  return faults;
})()"""


def test_boxes_of_any_graph_lie_apart_and_edges_miss_them(loop: Browser) -> None:
    assert loop.run(RANDOM) == 0
