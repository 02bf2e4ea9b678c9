// The page as a whole: what is selected, and what the keys and buttons do.
const page = {
  panes: [], selected: null, hits: new Set(), found: [], at: -1, colour: 'kind',

  start(data) {
    this.categories = data.categories;
    this.counts = data.counts;
    const sides = document.getElementById('sides');
    data.sides.forEach((side, number) => {
      const element = make('div', sides, undefined, 'side');
      const pane = new Pane(new Graph(side, number), element, this);
      if (data.sides.length > 1) make('div', element, side.name || 'the program', 'name');
      this.panes.push(pane);
    });
    this.panel = new Panel(document.getElementById('panel'), this);
    this.controls();
    for (const pane of this.panes) { pane.graph.start(); pane.draw(); pane.fit(0.6); }
    this.legend();
    this.panel.show(null);
    this.tell(this.size());
  },
  size() { return this.panes.map(p => p.shown.size).join(' and ') + ' boxes shown'; },
  tell(text) { document.getElementById('told').textContent = text; },
  pane() { return this.selected?.pane ?? this.panes[0]; },

  select(pane, path, follow = true) {
    this.selected = path === null ? null : {pane, path};
    this.panel.show(this.selected);
    if (path !== null) {
      const {graph} = pane, node = graph.nodes[graph.nodeAt(path)];
      this.tell([graph.title(node), graph.results(node)[0]?.type, graph.text(node.w)]
        .filter(Boolean).join('   '));
      if (follow && this.panes.length > 1 && node.t !== undefined) this.twin(pane, node.t);
    } else this.tell(this.size());
    for (const each of this.panes) each.paint();
  },
  // On the other side, what corresponds is brought into sight.
  twin(pane, id) {
    const other = this.panes[1 - pane.graph.number];
    const path = other.graph.pathOf(id);
    other.graph.reveal(path);
    if (!other.shown.has(path)) other.draw();
    other.show(path);
    for (const {g} of other.shown.values()) g.classList.remove('match');
    this.hits = new Set([other.graph.number + ' ' + id]);
  },
  go(pane, path) {
    const {graph} = pane;
    const open = graph.open.size;
    graph.reveal(path);
    if (graph.open.size !== open) pane.draw();
    this.select(pane, path);
    pane.show(path);
  },
  toggle(pane, path) {
    const {graph} = pane;
    if (graph.open.has(path)) {
      for (const each of [...graph.open]) if (each === path || each.startsWith(path + '/')) graph.open.delete(each);
    } else if (graph.drawn() + graph.children(path).length > MOST_BOXES) {
      this.tell(`more than ${MOST_BOXES.toLocaleString('en')} boxes would be drawn: close some first`);
      return;
    } else graph.open.add(path);
    pane.draw(path);
    this.select(pane, path, false);
  },
  expand() {
    const chosen = this.selected ? [this.selected.pane] : this.panes;
    let all = true;
    for (const pane of chosen) {
      const from = this.selected ? [this.selected.path] : pane.graph.top();
      const most = MOST_BOXES / 2 - pane.graph.drawn();
      all = pane.graph.unfold(from, Math.max(0, most), () => true) && all;
      pane.draw(this.selected?.path);
      if (!this.selected) pane.fit(0.35);
    }
    this.tell(this.size() + (all ? '' : '; the rest stays closed, since it would be too much'));
  },
  collapse() {
    const chosen = this.selected ? [this.selected.pane] : this.panes;
    for (const pane of chosen) {
      const path = this.selected?.path;
      for (const each of [...pane.graph.open]) {
        if (!path || each === path || each.startsWith(path + '/')) pane.graph.open.delete(each);
      }
      pane.draw(path);
      if (!path) pane.fit(0.6);
    }
    this.tell(this.size());
  },
  // The next op that is not the same on both sides, whichever box it is in.
  nextChange() {
    const found = this.panes.flatMap(pane => pane.graph.nodes
      .map((node, id) => ({pane, id, node}))
      .filter(({node, id}) => (node.m === 'only' || node.m === 'changed') && node.k === 'op' && pane.graph.home.has(id)));
    if (!found.length) { this.tell('both sides are the same'); return; }
    this.change = ((this.change ?? -1) + 1) % found.length;
    const {pane, id} = found[this.change];
    this.go(pane, pane.graph.pathOf(id));
    this.tell(`${this.change + 1} of ${found.length} ops that are not the same on both sides`);
  },

  search(query) {
    const input = document.getElementById('search');
    if (input.value !== query) input.value = query;
    this.found = query.trim() ? this.panes.flatMap(pane =>
      find(pane.graph, query).map(hit => ({...hit, pane}))) : [];
    this.hits = new Set(this.found.map(({pane, id}) => pane.graph.number + ' ' + id));
    this.at = -1;
    if (query.trim()) this.panel.hits(this.found, query, -1);
    else this.panel.show(this.selected);
    for (const pane of this.panes) pane.paint();
  },
  hit(at) {
    if (!this.found.length) return;
    this.at = (at + this.found.length) % this.found.length;
    const {pane, id} = this.found[this.at], hits = this.hits;
    this.go(pane, pane.graph.pathOf(id));
    this.hits = hits;
    this.tell(`hit ${this.at + 1} of ${this.found.length}`);
  },

  step(key) {
    const {pane, path} = this.selected ?? {};
    if (!pane) {
      const first = this.panes[0].graph;
      if (first.entry !== undefined) this.go(this.panes[0], first.pathOf(first.entry ?? 0));
      return;
    }
    const ties = pane.lines.filter(l => (key === 'ArrowUp' ? l.to : l.from).path === path);
    if (key === 'ArrowUp' || key === 'ArrowDown') {
      const next = ties.map(l => key === 'ArrowUp' ? l.from : l.to);
      const inner = pane.shown.get(path)?.box.parts?.[0]?.boxes[0];
      if (next.length) this.go(pane, next[0].path);
      else if (key === 'ArrowDown' && inner) this.go(pane, inner.path);
      return;
    }
    const spot = pane.spots.get(path), around = pane.graph.around(path);
    const right = key === 'ArrowRight';
    let best = null;
    for (const [other, at] of pane.spots) {
      if (pane.graph.around(other) !== around || other === path) continue;
      const dx = right ? at.x - spot.x : spot.x - at.x;
      if (dx <= 0 || at.y > spot.y + spot.h || at.y + at.h < spot.y) continue;
      if (!best || dx < best.dx) best = {dx, other};
    }
    if (best) this.go(pane, best.other);
  },
  key(event) {
    const typing = event.target.matches?.('input, select');
    if (event.key === 'Escape') {
      document.activeElement?.blur();
      this.search('');
      this.select(null, null);
      return;
    }
    if (typing) {
      if (event.key === 'Enter') { this.hit(this.at + (event.shiftKey ? -1 : 1)); event.preventDefault(); }
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' && event.target.matches?.('button')) return;
    const pane = this.pane(), chosen = this.selected;
    const acts = {
      '/': () => { document.getElementById('search').focus(); document.getElementById('search').select(); },
      '?': () => document.getElementById('keys').showModal(),
      '+': () => pane.zoom(1.25), '=': () => pane.zoom(1.25), '-': () => pane.zoom(0.8),
      f: () => this.panes.forEach(p => p.fit()), 0: () => this.panes.forEach(p => p.fit()),
      z: () => chosen && pane.zoomTo(chosen.path),
      e: () => this.expand(), c: () => this.collapse(), t: () => this.theme(),
      n: () => this.nextChange(),
      Enter: () => {
        if (chosen && pane.graph.nodes[pane.graph.nodeAt(chosen.path)].i) this.toggle(pane, chosen.path);
      },
      Backspace: () => {
        const around = chosen && pane.graph.around(chosen.path);
        if (around) this.go(pane, around);
      },
    };
    for (const name of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']) acts[name] = () => this.step(name);
    const act = acts[event.key];
    if (act && !document.getElementById('keys').open) { event.preventDefault(); act(); }
  },
  theme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' :
      matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
  },
  legend() {
    const legend = document.getElementById('legend');
    legend.replaceChildren();
    const add = (colour, text) => {
      const item = make('span', legend);
      make('i', item).style.background = colour;
      item.append(text);
    };
    if (this.colour === 'kind') {
      const there = new Set(this.panes.flatMap(p => p.graph.nodes.map(n => n.c ?? 0)));
      this.categories.forEach((name, i) => { if (there.has(i)) add(`var(--${name})`, name); });
    } else if (this.colour !== 'change') {
      const key = {flops: 'f', bytes: 'y'}[this.colour];
      if (this.panes.some(p => p.graph.nodes.some(n => n[key] !== undefined))) {
        add('color-mix(in srgb, var(--hot) 85%, var(--surface))', 'the most ' + this.colour + ' of what is shown');
        add('color-mix(in srgb, var(--hot) 28%, var(--surface))', 'a hundredth of it');
      } else legend.append('no costs are known of this module');
    }
    if (this.panes.length > 1) {
      add('var(--only0)', 'only on the left');
      add('var(--only1)', 'only on the right');
      add('var(--other)', 'with other attributes');
    }
  },
  controls() {
    const on = (id, act) => document.getElementById(id).addEventListener('click', act);
    on('in', () => this.pane().zoom(1.25));
    on('out', () => this.pane().zoom(0.8));
    on('fit', () => this.panes.forEach(p => p.fit()));
    on('open', () => this.expand());
    on('close', () => this.collapse());
    on('theme', () => this.theme());
    on('help', () => document.getElementById('keys').showModal());
    const colour = document.getElementById('colour');
    if (this.panes.length < 2) colour.querySelector('[value=change]').remove();
    colour.addEventListener('change', () => {
      this.colour = colour.value;
      this.legend();
      for (const pane of this.panes) pane.paint();
    });
    const input = document.getElementById('search');
    let waiting = 0;
    input.addEventListener('input', () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => this.search(input.value), 120);
    });
    document.addEventListener('keydown', event => this.key(event));
  },
};
page.start(JSON.parse(document.getElementById('data').textContent));
