// Where boxes and edges go: layers from top to bottom, few crossings, edges that miss all boxes.
const GAP_X = 18, GAP_Y = 30, MARGIN = 14;

function arrange(sizes, edges, ports) {
  // The parts that hang together, each laid out on its own, then set in rows.
  const n = sizes.length, root = Array.from({length: n}, (_, i) => i);
  const find = i => { while (root[i] !== i) i = root[i] = root[root[i]]; return i; };
  for (const [u, v] of edges) root[find(u)] = find(v);
  const parts = new Map();
  for (let i = 0; i < n; i++) {
    const r = find(i);
    if (!parts.has(r)) parts.set(r, {nodes: [], edges: []});
    parts.get(r).nodes.push(i);
  }
  edges.forEach((e, i) => parts.get(find(e[0])).edges.push(i));
  const placed = {x: new Array(n), y: new Array(n), paths: new Array(edges.length), w: 0, h: 0};
  const laid = [...parts.values()].map(part => ({part, at: layered(part, sizes, edges, ports)}));
  const area = laid.reduce((sum, {at}) => sum + (at.w + GAP_X) * (at.h + GAP_Y), 0);
  const width = Math.max(Math.sqrt(area) * 1.6, ...laid.map(({at}) => at.w));
  let x = 0, y = 0, row = 0;
  for (const {part, at} of laid) {
    if (x > 0 && x + at.w > width + 1) { y += row + GAP_Y; x = row = 0; }
    part.nodes.forEach((node, i) => { placed.x[node] = x + at.x[i]; placed.y[node] = y + at.y[i]; });
    part.edges.forEach((edge, i) => {
      placed.paths[edge] = at.paths[i].map(([a, b]) => [x + a, y + b]);
    });
    x += at.w + GAP_X * 1.5;
    row = Math.max(row, at.h);
    placed.w = Math.max(placed.w, x - GAP_X * 1.5);
    placed.h = Math.max(placed.h, y + row);
  }
  return placed;
}

function layered(part, sizes, edges, ports) {
  const local = new Map(part.nodes.map((node, i) => [node, i]));
  const n = part.nodes.length;
  const links = part.edges.map(e => {
    const [u, v] = edges[e];
    return {u: local.get(u), v: local.get(v), key: ports.key(e), out: ports.out(e), in: ports.in(e)};
  });
  orient(n, links);
  const layer = layersOf(n, links);
  const cells = part.nodes.map((node, i) => ({
    w: sizes[node].w, h: sizes[node].h, layer: layer[i], x: 0, up: [], down: [], real: true,
  }));
  threads(cells, links);
  const rows = [];
  for (const cell of cells) (rows[cell.layer] ??= []).push(cell);
  for (let i = 0; i < rows.length; i++) rows[i] ??= [];
  order(rows, cells);
  spread(rows);
  return finished(rows, cells, links, n);
}

// Turns the edges that close a cycle around, until the way is drawn.
function orient(n, links) {
  const out = Array.from({length: n}, () => []), state = new Uint8Array(n);
  for (const link of links) out[link.u].push(link);
  for (let start = 0; start < n; start++) {
    if (state[start]) continue;
    const stack = [[start, 0]];
    state[start] = 1;
    while (stack.length) {
      const top = stack[stack.length - 1], link = out[top[0]][top[1]++];
      if (!link) { state[top[0]] = 2; stack.pop(); continue; }
      if (state[link.v] === 1) link.back = true;
      else if (!state[link.v]) { state[link.v] = 1; stack.push([link.v, 0]); }
    }
  }
  for (const link of links) {
    if (link.back) [link.u, link.v, link.out, link.in] = [link.v, link.u, link.in, link.out];
  }
}

function layersOf(n, links) {
  const layer = new Int32Array(n), missing = new Int32Array(n), sorted = [];
  const out = Array.from({length: n}, () => []), into = Array.from({length: n}, () => []);
  for (const {u, v} of links) { out[u].push(v); into[v].push(u); missing[v]++; }
  for (let i = 0; i < n; i++) if (!missing[i]) sorted.push(i);
  for (let at = 0; at < sorted.length; at++) {
    for (const v of out[sorted[at]]) {
      layer[v] = Math.max(layer[v], layer[sorted[at]] + 1);
      if (!--missing[v]) sorted.push(v);
    }
  }
  // What feeds more than it takes moves down to where it is used.
  for (const u of sorted.reverse()) {
    if (out[u].length && out[u].length >= into[u].length) {
      layer[u] = Math.max(layer[u], Math.min(...out[u].map(v => layer[v])) - 1);
    }
  }
  const lowest = Math.min(...layer);
  return layer.map(l => l - lowest);
}

// Edges over several layers pass through cells of their own; those of one value share them.
function threads(cells, links) {
  const shared = new Map();
  for (const link of links) {
    const path = [cells[link.u]], target = cells[link.v];
    for (let at = path[0].layer + 1; at < target.layer; at++) {
      const name = link.u + ' ' + link.key + ' ' + at;
      let cell = shared.get(name);
      const before = path[path.length - 1];
      if (!cell) {
        cell = {w: 6, h: 0, layer: at, x: 0, up: [], down: [], real: false};
        shared.set(name, cell);
        cells.push(cell);
        join(before, cell, before.real ? link.out : 0, 0);
      }
      path.push(cell);
    }
    const before = path[path.length - 1];
    join(before, target, before.real ? link.out : 0, link.in);
    path.push(target);
    link.path = path;
  }
}

function join(a, b, out, into) {
  const weight = a.real && b.real ? 1 : a.real || b.real ? 2 : 8;
  a.down.push({to: b, own: out, other: into, weight});
  b.up.push({to: a, own: into, other: out, weight});
}

function order(rows, cells) {
  // The first order goes through the graph by depth, so that what belongs together is close.
  const seen = new Set();
  const first = rows.map(() => []);
  for (const start of cells) {
    if (seen.has(start) || start.up.length) continue;
    const stack = [start];
    while (stack.length) {
      const cell = stack.pop();
      if (seen.has(cell)) continue;
      seen.add(cell);
      first[cell.layer].push(cell);
      for (let i = cell.down.length - 1; i >= 0; i--) stack.push(cell.down[i].to);
    }
  }
  first.forEach((row, i) => { if (row.length === rows[i].length) rows[i] = row; });
  rows.forEach(row => row.forEach((cell, i) => { cell.at = i; }));
  let best = rows.map(row => row.slice()), fewest = crossings(rows);
  const rounds = cells.length > 2000 ? 4 : 12;
  for (let round = 0; round < rounds && (fewest > 0 || round < 2); round++) {
    const down = round % 2 === 0;
    const ids = rows.map((_, i) => down ? i : rows.length - 1 - i);
    for (const i of ids) {
      for (const cell of rows[i]) {
        const ties = down ? cell.up : cell.down;
        cell.key = ties.length
          ? ties.reduce((sum, t) => sum + t.to.at + t.other * 0.9, 0) / ties.length : cell.at;
      }
      rows[i].sort((a, b) => a.key - b.key || a.at - b.at);
      rows[i].forEach((cell, at) => { cell.at = at; });
    }
    const count = crossings(rows);
    // Where nothing crosses, the first two rounds still put what feeds a box in order of its ports.
    if (count < fewest || (round < 2 && count === fewest)) {
      fewest = count;
      best = rows.map(row => row.slice());
    }
  }
  best.forEach((row, i) => { rows[i] = row; row.forEach((cell, at) => { cell.at = at; }); });
}

function crossings(rows) {
  let count = 0;
  for (let i = 0; i + 1 < rows.length; i++) {
    const size = rows[i + 1].length, tree = new Int32Array(size + 1);
    let total = 0;
    for (const cell of rows[i]) {
      const ends = cell.down.map(t => t.to.at).sort((a, b) => a - b);
      for (const end of ends) {
        let below = 0;
        for (let k = end + 1; k > 0; k -= k & -k) below += tree[k];
        count += total - below;
      }
      for (const end of ends) {
        total++;
        for (let k = end + 1; k <= size; k += k & -k) tree[k]++;
      }
    }
  }
  return count;
}

// Each layer in turn gets as close to its neighbours as its own order and widths allow.
function spread(rows) {
  for (const row of rows) {
    let x = 0;
    for (const cell of row) { cell.x = x + cell.w / 2; x += cell.w + GAP_X; }
    for (const cell of row) cell.x -= x / 2;
  }
  const size = rows.length * rows.reduce((sum, row) => sum + row.length, 0);
  const rounds = size < 20000 ? 25 : 13;
  for (let round = 0; round < rounds; round++) {
    const down = round % 2 === 0;
    const ids = rows.map((_, i) => down ? i : rows.length - 1 - i);
    for (const i of ids) fit(rows[i], cell => down ? cell.up : cell.down);
  }
  // The last round went down: chains hang straight, and what nothing feeds follows once more.
  for (let i = rows.length - 1; i >= 0; i--) fit(rows[i], cell => cell.up.length ? null : cell.down);
}

// `ties` gives what a cell is drawn to; null for one that stays, if it can.
function fit(row, ties) {
  const blocks = [];
  let offset = 0, before = null;
  for (const cell of row) {
    if (before) offset += (before.w + cell.w) / 2 + (before.real || cell.real ? GAP_X : 8);
    before = cell;
    cell.offset = offset;
    let wanted = 0, weight = 0;
    const drawn = ties(cell);
    if (!drawn) { wanted = cell.x * 1000; weight = 1000; }
    for (const t of drawn ?? []) {
      wanted += t.weight * (t.to.x + portAt(t.to, t.other) - portAt(cell, t.own));
      weight += t.weight;
    }
    if (!weight) { wanted = cell.x * 0.01; weight = 0.01; }
    let block = {sum: wanted - offset * weight, weight, cells: [cell]};
    while (blocks.length) {
      const last = blocks[blocks.length - 1];
      if (last.sum / last.weight <= block.sum / block.weight) break;
      blocks.pop();
      block = {
        sum: last.sum + block.sum, weight: last.weight + block.weight,
        cells: last.cells.concat(block.cells),
      };
    }
    blocks.push(block);
  }
  for (const block of blocks) {
    for (const cell of block.cells) cell.x = block.sum / block.weight + cell.offset;
  }
}

// A port is told as a number from -0.5, at the left of a box, to 0.5.
function portAt(cell, port) {
  return port * Math.max(0, Math.min(cell.w - 20, 400));
}

function finished(rows, cells, links, n) {
  let left = Infinity, right = -Infinity, y = 0;
  for (const cell of cells) {
    left = Math.min(left, cell.x - cell.w / 2);
    right = Math.max(right, cell.x + cell.w / 2);
  }
  rows.forEach((row, i) => {
    const height = Math.max(0, ...row.map(c => c.h));
    let far = 0;
    for (const cell of row) {
      cell.x -= left;
      cell.top = y;
      cell.bottom = y + height;
      cell.y = cell.real ? y + (height > 120 ? 0 : (height - cell.h) / 2) : y;
      for (const t of cell.down) far = Math.max(far, Math.abs(t.to.x - (cell.x + left)));
    }
    y += height + (i + 1 < rows.length ? GAP_Y + Math.min(90, far * 0.09) : 0);
  });
  const paths = links.map(({path, out, in: into, back}) => {
    const points = [], last = path.length - 1;
    path.forEach((cell, i) => {
      const x = cell.x + (cell.real ? portAt(cell, i ? into : out) : 0);
      if (i) {
        points.push([x, cell.top]);
        if (i === last && cell.y > cell.top) points.push([x, cell.y]);
      }
      if (i < last) {
        if (!i && cell.y + cell.h < cell.bottom) points.push([x, cell.y + cell.h]);
        points.push([x, cell.bottom]);
      }
    });
    return back ? points.reverse() : points;
  });
  const real = cells.slice(0, n);
  return {
    x: real.map(c => c.x - c.w / 2), y: real.map(c => c.y), paths, w: right - left, h: y,
  };
}
