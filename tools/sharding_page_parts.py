"""What is the same in every page of `dxir sharding --html`: style and script, which need no net."""

from __future__ import annotations

STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8883; --ink: #06c; }
body { font: 14px/1.45 system-ui, sans-serif; margin: 1.2em 1.5em 24em; }
h1 { font-size: 1.3em; } h2 { font-size: 1.1em; margin: 1.6em 0 .4em; }
table { border-collapse: collapse; font-size: 13px; }
th, td { text-align: left; padding: .15em .7em .15em 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
th { cursor: pointer; user-select: none; } td.n, th.n { text-align: right; white-space: nowrap; }
code, pre, .mono { font: 12px/1.5 ui-monospace, monospace; }
pre.module { overflow: auto; max-height: 36em; border: 1px solid var(--line); padding: .6em; }
pre.module b { font-weight: normal; cursor: pointer; color: var(--ink); }
pre.module b.split { border-bottom: 2px solid var(--ink); }
pre.module b.on, tr.on { background: #fc06; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 2em; }
.sides > section { min-width: 0; overflow-x: auto; }
#panel { position: fixed; left: 0; right: 0; bottom: 0; max-height: 20em; overflow: auto;
  background: Canvas; border-top: 2px solid var(--ink); padding: .6em 1.5em; }
#panel:empty { display: none; }
#panel ol { margin: .2em 0 .6em; padding-left: 2.2em; }
.note { color: #b50; } input { font: inherit; width: 22em; }
"""

SCRIPT = """
'use strict';
const reports = JSON.parse(document.getElementById('data').textContent);
const panel = document.getElementById('panel');
const make = (tag, text, parent) => {
  const found = document.createElement(tag);
  found.textContent = text;
  parent.append(found);
  return found;
};
function hop(report, link) {
  const [op, where, taken, given, step] = link.map((x, i) => i < 4 ? report.strings[x] : x);
  const at = where ? ' at ' + where : '';
  const when = step === null ? '' : ', step ' + step;
  return op + at + ': ' + taken + ' to ' + given + when;
}
function show(report, index) {
  const value = report.values[index], text = i => report.strings[i];
  panel.replaceChildren();
  const head = make('div', '', panel);
  make('b', text(value.name), head);
  make('span', ' ' + text(value.what), head);
  const lies = make('div', '', panel);
  make('code', text(value.sharding) + '   ' + text(value.local) + ' of ' + text(value.type), lies);
  if (value.note !== null) make('div', text(value.note), panel).className = 'note';
  for (const [what, source, last] of value.why) {
    make('div', text(what) + ': ' + text(source), panel);
    const hops = [];
    for (let at = last; at !== null; at = report.links[at][5]) hops.push(report.links[at]);
    const list = hops.length ? make('ol', '', panel) : null;
    hops.reverse().slice(0, 500).forEach(link => make('li', hop(report, link), list));
  }
}
document.addEventListener('click', event => {
  const token = event.target.closest('pre.module b');
  if (token) {
    const module = token.closest('pre.module');
    for (const on of document.querySelectorAll('pre.module b.on')) on.classList.remove('on');
    for (const same of module.querySelectorAll('b[data-v="' + token.dataset.v + '"]'))
      same.classList.add('on');
    show(reports[module.dataset.report], token.dataset.v);
  }
  const column = event.target.closest('th');
  if (column) sort(column);
});
document.addEventListener('mouseover', event => {
  const token = event.target.closest('pre.module b');
  if (!token || token.title) return;
  const report = reports[token.closest('pre.module').dataset.report];
  const value = report.values[token.dataset.v];
  token.title = report.strings[value.sharding] + '\\n' + report.strings[value.local];
});
function sort(column) {
  const table = column.closest('table'), body = table.tBodies[0];
  const at = [...column.parentNode.children].indexOf(column);
  const key = row => row.children[at].dataset.n ?? row.children[at].textContent;
  const numbers = column.classList.contains('n');
  const up = column.dataset.up = column.dataset.up === '1' ? '0' : '1';
  const rows = [...body.rows].sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    const order = numbers ? Number(x) - Number(y) : x.localeCompare(y);
    return (up === '1') === numbers ? -order : order;
  });
  body.append(...rows);
}
document.addEventListener('input', event => {
  if (!event.target.matches('input.filter')) return;
  const wanted = event.target.value.toLowerCase();
  for (const row of document.getElementById(event.target.dataset.table).tBodies[0].rows)
    row.hidden = !row.textContent.toLowerCase().includes(wanted);
});
"""
