// What is told of the selected box; of the module, when none is.
function make(tag, parent, text, name) {
  const found = document.createElement(tag);
  if (text !== undefined) found.textContent = text;
  if (name) found.className = name;
  parent?.append(found);
  return found;
}
const UNITS = ['', ' k', ' M', ' G', ' T', ' P', ' E'];
// Bytes are told in KiB, as the commands tell them.
function amount(value, unit) {
  const isBytes = unit === 'B', step = isBytes ? 1024 : 1000;
  let power = 0;
  while (value >= step && power < UNITS.length - 1) { value /= step; power++; }
  const digits = power && value < 100 ? (value < 10 ? 2 : 1) : 0;
  const prefix = power ? (isBytes ? UNITS[power].toUpperCase() + 'i' : UNITS[power]) : ' ';
  return value.toFixed(digits) + prefix + unit;
}

class Panel {
  constructor(element, page) {
    this.element = element;
    this.page = page;
  }
  show(selected) {
    this.element.replaceChildren();
    this.element.scrollTop = 0;
    if (selected) this.node(selected.pane, selected.path);
    else this.summary();
  }
  heading(text) { make('h3', this.element, text); }
  table(rows) {
    const table = make('table', this.element);
    for (const row of rows) {
      const line = make('tr', table);
      row.forEach(cell => {
        const td = make('td', line, typeof cell === 'number' ? cell.toLocaleString('en') : cell);
        if (typeof cell === 'number') td.className = 'n';
      });
    }
    return table;
  }
  link(parent, text, act, name = 'link') {
    const found = make('button', parent, text, name);
    found.type = 'button';
    found.addEventListener('click', act);
    return found;
  }
  node(pane, path) {
    const {graph} = pane, id = graph.nodeAt(path), node = graph.nodes[id];
    const box = this.element, category = this.page.categories[node.c ?? 0];
    const title = graph.title(node), name = graph.text(node.n);
    make('h2', box, title);
    const chips = make('div', box);
    if (node.k === 'op' || node.k === 'function') make('code', chips, name + ' ');
    make('span', chips, {outer: 'a value from outside', out: 'a value used outside',
      group: 'ops drawn as one'}[node.k] ?? category, 'chip');
    if (node.x) make('span', chips, node.x.toLocaleString('en') + ' ops inside', 'chip');
    if (node.f !== undefined) make('span', chips, amount(node.f, 'FLOP'), 'chip');
    if (node.y !== undefined) make('span', chips, amount(node.y, 'B'), 'chip');
    if (node.f && node.y) make('span', chips, (node.f / node.y).toPrecision(3) + ' FLOP/B', 'chip');
    this.change(graph, id, node);
    if (node.i) {
      const open = graph.open.has(path);
      this.link(make('div', box), open ? 'Close  (Enter)' : 'Open  (Enter)',
        () => this.page.toggle(pane, path));
    }
    if (node.k === 'outer' || node.k === 'out') this.values(pane, path, [graph.operands(node)[0]], 'Made by');
    else if (node.k === 'op') this.values(pane, path, graph.operands(node), 'Operands');
    else if (node.k === 'group') this.values(pane, path, graph.operands(node), 'Values taken');
    this.results(pane, path, id, node);
    this.place(graph, node);
    const given = node.a ?? [], rows = [];
    for (let i = 0; i < given.length; i += 2) rows.push([graph.text(given[i]), graph.text(given[i + 1])]);
    if (rows.length) {
      this.heading('Attributes');
      for (const [key, value] of rows) {
        const row = make('div', this.element, undefined, 'row mono');
        make('div', row, key, 'quiet');
        make('div', row, value);
      }
    }
  }
  change(graph, id, node) {
    if (this.page.panes.length < 2) return;
    const told = {only: 'only on this side', changed: 'with other attributes on the other side',
      same: 'on both sides'}[node.m];
    const chips = make('div', this.element);
    const colour = graph.number ? 'plus' : 'minus';
    if (told) make('span', chips, told, 'chip ' + (node.m === 'only' ? colour : ''));
    if (node.d) make('span', chips, node.d + ' changed ops inside', 'chip ' + colour);
  }
  place(graph, node) {
    const where = graph.text(node.w), scope = graph.text(node.s), all = graph.text(node.p);
    if (!where && !scope && !all) return;
    this.heading('Place');
    if (where) make('div', this.element, where, 'mono');
    if (scope) make('div', this.element, scope, 'mono quiet');
    if (all) {
      const more = make('details', this.element);
      make('summary', more, 'location in the module', 'quiet');
      make('pre', more, all, 'mono');
    }
  }
  values(pane, path, values, title) {
    if (!values.length) return;
    const {graph} = pane;
    this.heading(title);
    values.slice(0, 100).forEach(([source, result]) => {
      const row = make('div', this.element, undefined, 'row mono');
      if (source < 0) { make('span', row, '(not known)'); return; }
      const maker = graph.nodes[source], value = graph.results(maker)[result];
      this.link(row, `${value.name} = ${graph.title(maker)}`,
        () => this.page.go(pane, graph.pathFrom(path, source)));
      make('div', row, value.type, 'quiet');
    });
    this.rest(values.length, 100);
  }
  rest(count, most) {
    if (count > most) make('div', this.element, `and ${count - most} more`, 'quiet');
  }
  results(pane, path, id, node) {
    const {graph} = pane, results = graph.results(node);
    if (!results.length || node.k === 'outer' || node.k === 'out') return;
    this.heading(node.k === 'function' ? 'Parameters' : node.k === 'group' ? 'Values used outside' :
      results.length > 1 ? 'Results' : 'Result');
    results.slice(0, 100).forEach((value, i) => {
      const row = make('div', this.element, undefined, 'row mono');
      make('div', row, `${value.name} : ${value.type}`);
      if (value.sharding) make('div', row, 'sharding ' + value.sharding, 'quiet');
      if (node.k === 'function' || node.k === 'group') return;
      const users = graph.users().get(id + ' ' + i) ?? [];
      for (const user of users.slice(0, 12)) {
        this.link(row, '→ ' + graph.title(graph.nodes[user]) + ' ' +
          (graph.results(graph.nodes[user])[0]?.name ?? ''),
        () => this.page.go(pane, graph.pathFrom(path, user)));
      }
      if (users.length > 12) make('div', row, `and ${users.length - 12} more`, 'quiet');
      if (!users.length) make('div', row, 'used by nothing', 'quiet');
    });
    this.rest(results.length, 100);
  }
  summary() {
    const {page} = this;
    if (page.counts.length) {
      this.heading('Ops, left and right');
      const table = this.table(page.counts.map(([name, a, b]) => [name, a, b]));
      [...table.rows].forEach((row, i) => {
        const change = page.counts[i][2] - page.counts[i][1];
        make('td', row, (change > 0 ? '+' : '−') + Math.abs(change), 'n ' + (change > 0 ? 'plus' : 'minus'));
      });
    } else if (page.panes.length > 1) {
      this.heading('Ops, left and right');
      make('div', this.element, 'as many of each on both sides', 'quiet');
    }
    for (const {graph} of page.panes) {
      make('h2', this.element, graph.name || 'the program').style.marginTop = '12px';
      for (const note of graph.notes) make('div', this.element, note, 'quiet');
      const ops = Object.entries(graph.ops).sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
      const count = ops.reduce((sum, [name, n]) => sum + (name === 'func.func' ? 0 : n), 0);
      const entry = graph.nodes[graph.entry ?? -1];
      const chips = make('div', this.element);
      make('span', chips, count.toLocaleString('en') + (count === 1 ? ' op' : ' ops'), 'chip');
      const functions = graph.ops['func.func'] ?? 0;
      make('span', chips, functions + (functions === 1 ? ' function' : ' functions'), 'chip');
      if (entry?.f !== undefined) make('span', chips, amount(entry.f, 'FLOP'), 'chip');
      if (entry?.y !== undefined) make('span', chips, amount(entry.y, 'B'), 'chip');
      this.heading('Ops by kind');
      const table = make('table', this.element);
      for (const [name, n] of ops.slice(0, 60)) {
        const row = make('tr', table);
        this.link(make('td', row), name, () => page.search('op:' + name)).classList.add('mono');
        make('td', row, n.toLocaleString('en'), 'n');
      }
      this.rest(ops.length, 60);
    }
  }
  hits(found, query, at) {
    this.element.replaceChildren();
    this.heading(`${found.length.toLocaleString('en')} hits of ${query}`);
    found.slice(0, 200).forEach(({pane, id, why}, i) => {
      const {graph} = pane, node = graph.nodes[id];
      const value = graph.results(node)[0];
      const row = this.link(this.element, '', () => this.page.hit(i), 'link hit');
      if (i === at) { row.classList.add('on'); row.scrollIntoView?.({block: 'nearest'}); }
      const name = node.k === 'op' && value ? value.name + ' = ' : '';
      make('span', row, name + graph.title(node), 'mono');
      if (why) make('div', row, why, 'quiet');
    });
    this.rest(found.length, 200);
  }
}
