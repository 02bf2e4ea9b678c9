// One module on the screen: its boxes and edges, and how far it is moved and zoomed.
const SVG = 'http://www.w3.org/2000/svg';
function shape(tag, parent, attributes, text) {
  const found = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes ?? {})) found.setAttribute(name, value);
  if (text !== undefined) found.textContent = text;
  parent.append(found);
  return found;
}

class Pane {
  constructor(graph, element, page) {
    this.graph = graph;
    this.element = element;
    this.page = page;
    this.scale = 1;
    this.x = this.y = 20;
    this.svg = shape('svg', element, {tabindex: 0, role: 'application',
      'aria-label': 'Graph of ' + graph.name});
    this.top = shape('g', this.svg);
    this.listen();
  }
  draw(anchor) {
    const before = anchor && this.spots?.get(anchor);
    const from = before && {x: this.x + before.x * this.scale, y: this.y + before.y * this.scale};
    this.laid = this.graph.lay();
    this.spots = new Map();
    this.shown = new Map();
    this.lines = [];
    this.top.replaceChildren();
    this.group(this.laid, this.top, 0, 0, null);
    const after = from && this.spots.get(anchor);
    if (after) { this.x = from.x - after.x * this.scale; this.y = from.y - after.y * this.scale; }
    this.move();
    this.paint();
  }
  group(body, parent, x, y) {
    const g = shape('g', parent, {transform: `translate(${x} ${y})`});
    for (const edge of body.edges) {
      const line = shape('path', g, {class: 'edge', d: curve(edge.points)});
      if (edge.operand < 0 && body.boxes[edge.to].node.k === 'op') line.classList.add('weak');
      if (edge.count > 1) {
        line.style.setProperty('--wide', Math.min(5, 1.2 + Math.log2(edge.count)) + 'px');
        shape('title', line, {}, edge.count + ' values');
      }
      this.lines.push({line, from: body.boxes[edge.from], to: body.boxes[edge.to], edge});
    }
    for (const box of body.boxes) this.box(box, g, x, y);
  }
  box(box, parent, dx, dy) {
    const {graph} = this, {node} = box, category = this.page.categories[node.c ?? 0];
    const g = shape('g', parent, {transform: `translate(${box.x} ${box.y})`, class: 'box'});
    const small = isSmall(node), title = graph.title(node);
    g.classList.add(category);
    g.style.setProperty('--own', `var(--${category})`);
    if (node.k === 'outer' || node.k === 'out') g.classList.add('pill');
    if (box.parts) g.classList.add('open');
    g.box = box;
    shape('rect', g, {width: box.w, height: box.h, rx: small ? 11 : 7});
    if (box.parts) {
      const more = graph.second(node);
      shape('text', g, {class: 'bold', x: 10, y: 18}, '▾ ' + title);
      const end = 26 + measure(title, true);
      if (end + measureType(more) + 12 < box.w) shape('text', g, {class: 'type', x: end, y: 18}, more);
      for (const part of box.parts) {
        if (box.parts.length > 1) {
          shape('rect', g, {class: 'region', x: part.x - 8, y: part.y - 8, width: part.w + 16,
            height: part.h + 16, rx: 6});
          shape('text', g, {class: 'caption', x: part.x - 6, y: part.y - 13}, part.label);
        }
        this.group(part, g, part.x, part.y, box);
        this.place(part, dx + box.x + part.x, dy + box.y + part.y);
      }
    } else {
      const sign = node.i ? '▸ ' : '';
      const text = shortened(sign + title, box.w - 12, t => measure(t, !!node.i));
      const middle = {x: box.w / 2, 'text-anchor': 'middle'};
      const second = small ? '' : graph.second(node);
      shape('text', g, {...middle, y: small ? 15.5 : second ? 17 : 24.5, class: node.i ? 'bold' : ''},
        text);
      if (second) {
        shape('text', g, {...middle, y: 32, class: 'type'},
          shortened(second, box.w - 12, measureType));
      }
    }
    if (node.d && !box.parts && node.k !== 'op') {
      const text = String(node.d), wide = measureType(text) + 10;
      shape('rect', g, {class: 'badge', x: box.w - wide + 6, y: -8, width: wide, height: 16, rx: 8});
      shape('text', g, {class: 'count', x: box.w - wide / 2 + 6, y: 4, 'text-anchor': 'middle'}, text);
    }
    this.shown.set(box.path, {box, g});
    this.spots.set(box.path, {x: dx + box.x, y: dy + box.y, w: box.w, h: box.h});
  }
  // Boxes in an open box were drawn relative to it; where they are in all is told here.
  place(part, x, y) {
    for (const box of part.boxes) {
      this.spots.set(box.path, {x: x + box.x, y: y + box.y, w: box.w, h: box.h});
      for (const inner of box.parts ?? []) this.place(inner, x + box.x + inner.x, y + box.y + inner.y);
    }
  }
  // Everything that shows a state: the selection, hits, heat, and what only one side has.
  paint() {
    const {page, graph} = this, how = page.colour;
    const key = {flops: 'f', bytes: 'y'}[how];
    let most = 0;
    if (key) for (const {box} of this.shown.values()) if (!box.parts) most = Math.max(most, box.node[key] ?? 0);
    for (const {box, g} of this.shown.values()) {
      const {node} = box, cost = key ? node[key] ?? 0 : 0;
      g.classList.toggle('on', page.selected?.pane === this && page.selected.path === box.path);
      g.classList.toggle('match', page.hits.has(graph.number + ' ' + box.id));
      g.classList.toggle('hot', !!key);
      // Three powers of ten below the most expensive box, a box is cold.
      const heat = cost > 0 && most > 0 ? Math.max(0.04, 1 + Math.log10(cost / most) / 3) : 0;
      g.style.setProperty('--heat', Math.round(heat * 85) + '%');
      g.style.setProperty('--own', key ? 'var(--line)' : how === 'change' ? 'var(--constant)'
        : `var(--${page.categories[node.c ?? 0]})`);
      g.classList.toggle('gone', node.m === 'only' || node.m === 'changed');
      g.style.setProperty('--changed', node.m === 'changed' ? 'var(--other)'
        : `var(--only${graph.number})`);
    }
    const on = page.selected?.pane === this ? page.selected.path : null;
    for (const {line, from, to} of this.lines) {
      line.classList.toggle('on', on !== null && to.path === on);
      line.classList.toggle('fed', on !== null && from.path === on);
    }
  }
  move() {
    this.top.setAttribute('transform', `translate(${this.x} ${this.y}) scale(${this.scale})`);
    this.svg.classList.toggle('far', this.scale < 0.42);
  }
  zoom(factor, cx = this.svg.clientWidth / 2, cy = this.svg.clientHeight / 2) {
    const next = Math.max(0.02, Math.min(4, this.scale * factor));
    this.x = cx - (cx - this.x) * next / this.scale;
    this.y = cy - (cy - this.y) * next / this.scale;
    this.scale = next;
    this.move();
  }
  fit(least = 0) {
    const {clientWidth: w, clientHeight: h} = this.svg;
    const top = this.page.panes.length > 1 ? 44 : 16;
    const whole = Math.min((w - 32) / this.laid.w, (h - top - 16) / this.laid.h, 1.25);
    this.scale = Math.max(whole, least, 0.02);
    const wide = this.laid.w * this.scale;
    this.x = wide <= w ? (w - wide) / 2 : 16;
    this.y = whole < this.scale ? top : top + (h - top - 16 - this.laid.h * this.scale) / 2;
    this.move();
  }
  zoomTo(path) {
    const spot = this.spots.get(path), {clientWidth: w, clientHeight: h} = this.svg;
    if (!spot) return;
    this.scale = Math.max(0.05, Math.min(1.5, (w - 60) / spot.w, (h - 90) / spot.h));
    this.x = w / 2 - (spot.x + spot.w / 2) * this.scale;
    this.y = h / 2 - (spot.y + spot.h / 2) * this.scale;
    this.move();
  }
  show(path) {
    const spot = this.spots.get(path), {clientWidth: w, clientHeight: h} = this.svg;
    if (!spot) return;
    if (this.scale < 0.5) { this.scale = 0.9; }
    const x = this.x + spot.x * this.scale, y = this.y + spot.y * this.scale;
    const wide = spot.w * this.scale, high = spot.h * this.scale;
    if (x < 10 || y < 40 || x + Math.min(wide, w / 2) > w - 10 || y + Math.min(high, h / 2) > h - 10) {
      this.x += w / 2 - (x + Math.min(wide, w) / 2);
      this.y += h / 2 - (y + Math.min(high, h * 0.8) / 2);
    }
    this.move();
  }
  listen() {
    const {svg} = this;
    let start = null, moved = false;
    svg.addEventListener('pointerdown', event => {
      if (event.button) return;
      start = {x: event.clientX - this.x, y: event.clientY - this.y};
      moved = false;
    });
    svg.addEventListener('pointermove', event => {
      if (!start || !event.buttons) { start = null; return; }
      const x = event.clientX - start.x, y = event.clientY - start.y;
      if (!moved && Math.hypot(x - this.x, y - this.y) < 4) return;
      if (!moved) { svg.setPointerCapture(event.pointerId); svg.classList.add('moving'); }
      moved = true;
      this.x = x;
      this.y = y;
      this.move();
    });
    svg.addEventListener('pointerup', () => { start = null; svg.classList.remove('moving'); });
    svg.addEventListener('click', event => {
      if (moved) { moved = false; return; }
      const box = event.target.closest('.box')?.box;
      this.page.select(this, box ? box.path : null);
      svg.focus();
    });
    svg.addEventListener('dblclick', event => {
      const box = event.target.closest('.box')?.box;
      if (box?.node.i) this.page.toggle(this, box.path);
    });
    svg.addEventListener('wheel', event => {
      event.preventDefault();
      const area = svg.getBoundingClientRect();
      const step = event.deltaMode ? event.deltaY * 20 : event.deltaY;
      this.zoom(Math.exp(-step * 0.0016), event.clientX - area.left, event.clientY - area.top);
    }, {passive: false});
  }
}

function curve(points) {
  let text = '', [x, y] = points[0];
  text += `M${x.toFixed(1)} ${y.toFixed(1)}`;
  for (let i = 1; i < points.length; i++) {
    const [a, b] = points[i];
    if (Math.abs(a - x) < 0.5) text += `L${a.toFixed(1)} ${b.toFixed(1)}`;
    else {
      const middle = ((y + b) / 2).toFixed(1);
      text += `C${x.toFixed(1)} ${middle} ${a.toFixed(1)} ${middle} ${a.toFixed(1)} ${b.toFixed(1)}`;
    }
    [x, y] = [a, b];
  }
  return text;
}
