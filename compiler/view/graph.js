// The module: its nodes and bodies, what is open, and how large that makes each box.
const HEADER = 26, PAD = 14, MOST_BOXES = 2500;

class Graph {
  constructor(data, number) {
    Object.assign(this, data);
    this.number = number;
    this.open = new Set();
    this.known = new Map();
    this.home = new Map();
    this.owner = new Map();
    this.nodes.forEach((node, id) => {
      if (this.calls(node)) return;
      for (let i = 1; i < (node.i ?? []).length; i += 2) {
        if (!this.owner.has(node.i[i])) this.owner.set(node.i[i], [id, (i - 1) / 2]);
      }
    });
    this.bodies.forEach(([nodes], body) => nodes.forEach((id, at) => this.home.set(id, [body, at])));
  }
  text(index) { return this.strings[index ?? 0]; }
  calls(node) {
    const name = this.text(node.n);
    return node.k === 'op' && (name === 'func.call' || name === 'stablehlo.composite');
  }
  results(node) {
    const found = [], r = node.r ?? [];
    for (let i = 0; i < r.length; i += 3) {
      found.push({name: this.text(r[i]), type: this.text(r[i + 1]), sharding: this.text(r[i + 2])});
    }
    return found;
  }
  operands(node) {
    const found = [], o = node.o ?? [];
    for (let i = 0; i < o.length; i += 2) found.push([o[i], o[i + 1]]);
    return found;
  }
  inside(node) {
    const found = [], given = node.i ?? [];
    for (let i = 0; i < given.length; i += 2) found.push([this.text(given[i]), given[i + 1]]);
    return found;
  }
  users() {
    if (!this.usersOf) {
      this.usersOf = new Map();
      this.nodes.forEach((node, id) => {
        if (node.k !== 'op') return;
        for (const [source, result] of this.operands(node)) {
          const key = source + ' ' + result;
          if (!this.usersOf.has(key)) this.usersOf.set(key, []);
          this.usersOf.get(key).push(id);
        }
      });
    }
    return this.usersOf;
  }
  // A path names a box that is drawn: from the root, which body of a box, and which node of it.
  pathOf(id) {
    const [body, at] = this.home.get(id);
    if (body === this.root) return '/' + at;
    const [owner, slot] = this.owner.get(body);
    return this.pathOf(owner) + '/' + slot + '.' + at;
  }
  // The box of a node as seen from another box: within the same call where it is in one.
  pathFrom(path, id) {
    for (let end = path; end; end = end.slice(0, end.lastIndexOf('/'))) {
      const start = end.slice(0, end.lastIndexOf('.') + 1) || '/';
      const found = this.below(this.bodyAt(end), id);
      if (found !== null) return start + found;
    }
    return this.pathOf(id);
  }
  below(body, id) {
    let [home, at] = this.home.get(id), rest = String(at);
    while (home !== body) {
      const owner = this.owner.get(home);
      if (!owner || this.nodes[owner[0]].k === 'function') return null;
      [home, at] = this.home.get(owner[0]);
      rest = at + '/' + owner[1] + '.' + rest;
    }
    return rest;
  }
  bodyAt(path) {
    let body = this.root;
    const steps = path.slice(1).split('/');
    steps.slice(0, -1).forEach((step, i) => {
      const at = Number(i ? step.split('.')[1] : step);
      const slot = Number(steps[i + 1].split('.')[0]);
      body = this.nodes[this.bodies[body][0][at]].i[2 * slot + 1];
    });
    return body;
  }
  nodeAt(path) {
    const last = path.slice(path.lastIndexOf('/') + 1);
    return this.bodies[this.bodyAt(path)][0][Number(last.split('.').pop())];
  }
  around(path) {
    const end = path.lastIndexOf('/');
    return end > 0 ? path.slice(0, end) : null;
  }
  reveal(path) {
    for (let at = this.around(path); at; at = this.around(at)) this.open.add(at);
  }
  children(path) {
    const found = [];
    this.inside(this.nodes[this.nodeAt(path)]).forEach(([, body], slot) => {
      this.bodies[body][0].forEach((id, at) => found.push([path + '/' + slot + '.' + at, id]));
    });
    return found;
  }
  // Opens boxes from outside to inside as long as not too many are drawn.
  unfold(from, most, wanted) {
    const waiting = [...from];
    let count = 0;
    while (waiting.length) {
      const path = waiting.shift(), node = this.nodes[this.nodeAt(path)];
      if (!node.i || !wanted(node, path)) continue;
      const inner = this.children(path);
      if (count + inner.length > most) return false;
      count += inner.length;
      this.open.add(path);
      waiting.push(...inner.filter(([, id]) => this.nodes[id].i).map(([p]) => p));
    }
    return true;
  }
  top() { return this.bodies[this.root][0].map((id, at) => '/' + at); }
  start() {
    const entry = this.entry ?? this.bodies[this.root][0][0];
    if (entry === undefined) return;
    const path = this.pathOf(entry);
    const count = this.children(path).length;
    if (count > MOST_BOXES) return;
    this.open.add(path);
    const kinds = node => node.k === 'group' ||
      ['stablehlo.while', 'stablehlo.case', 'stablehlo.if'].includes(this.text(node.n));
    const inner = this.children(path).filter(([, id]) => this.nodes[id].i).map(([p]) => p);
    this.unfold(inner, Math.max(0, 70 - count), kinds);
  }
  drawn() {
    let count = this.bodies[this.root][0].length;
    for (const path of this.open) count += this.children(path).length;
    return count;
  }
  lay() { return this.body(this.root, '', '/'); }
  body(number, path, prefix) {
    const [ids, flat] = this.bodies[number];
    const boxes = ids.map((id, at) => this.box(id, prefix + at));
    const size = boxes.map(b => b.w + 'x' + b.h).join(' ');
    let known = this.known.get(prefix);
    if (known?.size !== size) {
      known = {size, at: this.arranged(boxes, flat)};
      this.known.set(prefix, known);
    }
    boxes.forEach((box, i) => { box.x = known.at.x[i]; box.y = known.at.y[i]; });
    return {boxes, edges: known.at.edges, w: known.at.w, h: known.at.h};
  }
  arranged(boxes, flat) {
    const edges = [], info = [], together = new Map();
    for (let i = 0; i < flat.length; i += 5) {
      const [from, to, source, result, operand] = flat.slice(i, i + 5);
      const pair = operand < 0 ? from + ' ' + to : null, same = together.get(pair);
      if (same) { same.count++; continue; }  // values that go the same way into a group: one edge
      const edge = {from, to, value: [source, result], operand, count: 1};
      if (pair) together.set(pair, edge);
      edges.push([from, to]);
      info.push(edge);
    }
    const share = (at, count) => count > 1 ? at / (count - 1) - 0.5 : 0;
    const taken = boxes.map(() => new Map());
    for (const e of info) if (e.operand < 0) taken[e.to].set(e.from, taken[e.to].size);
    const ports = {
      key: e => info[e].count > 1 ? 'to ' + info[e].to : info[e].value.join(),
      out: e => {
        const node = boxes[info[e].from].node;
        const count = (node.r ?? []).length / 3;
        return node.k === 'op' && count > 1 ? share(info[e].value[1], count) * 0.8 : 0;
      },
      in: e => {
        const {from, to, operand} = info[e], node = boxes[to].node;
        if (operand >= 0) return share(operand, (node.o ?? []).length / 2) * 0.8;
        return share(taken[to].get(from), taken[to].size) * 0.8;
      },
    };
    const at = arrange(boxes, edges, ports);
    info.forEach((e, i) => { e.points = at.paths[i]; });
    return {...at, edges: info};
  }
  box(id, path) {
    const node = this.nodes[id];
    const box = {id, node, path, parts: null};
    if (node.i && this.open.has(path)) {
      box.parts = this.inside(node).map(([label, body], slot) => ({
        label, ...this.body(body, path, path + '/' + slot + '.'),
      }));
      const several = box.parts.length > 1;
      let x = PAD;
      for (const part of box.parts) {
        part.x = x + (several ? 8 : 0);
        part.y = HEADER + PAD + (several ? 18 : 0);
        x += part.w + (several ? 16 + PAD : 0);
      }
      box.w = Math.max(several ? x : x + PAD, measure(this.title(node), true) + 60);
      if (!several) box.parts[0].x = (box.w - box.parts[0].w) / 2;
      box.h = Math.max(...box.parts.map(p => p.y + p.h)) + PAD + (several ? 8 : 0);
    } else {
      [box.w, box.h] = this.closed(node);
    }
    return box;
  }
  title(node) { return this.text(node.l) || this.text(node.n); }
  second(node) {
    if (node.k === 'group' || node.k === 'function') {
      return node.x ? node.x.toLocaleString('en') + ' op' + (node.x > 1 ? 's' : '') : '';
    }
    const results = this.results(node);
    if (!results.length) return '';
    const more = results.length > 1 ? ', +' + (results.length - 1) : '';
    return shortType(results[0].type) + more;
  }
  closed(node) {
    const wide = Math.max(measure(this.title(node), !!node.i), 0);
    const second = measureType(this.second(node));
    if (isSmall(node)) return [Math.min(190, Math.max(34, wide + 18)), 22];
    return [Math.min(230, Math.max(52, wide + (node.i ? 38 : 22), second + 22)), 40];
  }
}

const isSmall = node => node.k === 'argument' || node.k === 'outer' || node.k === 'out' ||
  (page.categories[node.c ?? 0] === 'constant' && !node.i);
const shortType = type => type.startsWith('tensor<') ? type.slice(7, -1) : type;
const pen = document.createElement('canvas').getContext('2d');
const widths = new Map();
function measured(text, font) {
  const key = font + text;
  if (!widths.has(key)) { pen.font = font; widths.set(key, pen.measureText(text).width); }
  return widths.get(key);
}
const SANS = '12.5px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const MONO = '10.5px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';
const measure = (text, bold) => measured(text, (bold ? '600 ' : '') + SANS);
const measureType = text => measured(text, MONO);
function shortened(text, width, size) {
  if (size(text) <= width) return text;
  let low = 0, high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (size(text.slice(0, middle) + '…') <= width) low = middle; else high = middle - 1;
  }
  return text.slice(0, low) + '…';
}
