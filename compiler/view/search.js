// Finding nodes: by name of the op, of a value, place, attribute or type.
function index(graph) {
  if (graph.index) return graph.index;
  graph.index = graph.nodes.map(node => {
    if (node.k === 'outer' || node.k === 'out') return null;
    const results = graph.results(node);
    const attributes = [];
    for (let i = 0; i < (node.a ?? []).length; i += 2) {
      attributes.push(graph.text(node.a[i]) + ' = ' + graph.text(node.a[i + 1]));
    }
    return {
      // What a stretch of ops is called tells of ops that are found themselves.
      op: node.k !== 'group' ? [graph.text(node.n), graph.title(node)] :
        graph.text(node.n) === 'scope' ? [graph.title(node)] : [],
      value: node.k === 'function' || node.k === 'group' ? [] : results.map(r => r.name),
      at: [graph.text(node.w), graph.text(node.s)],
      attr: attributes,
      type: results.flatMap(r => r.sharding ? [r.type, r.sharding] : [r.type]),
    };
  });
  return graph.index;
}

function find(graph, query) {
  const prefix = /^(op|value|at|attr|type):(.*)$/s.exec(query);
  const field = prefix ? prefix[1] : query.startsWith('%') ? 'value' : null;
  const wanted = (prefix ? prefix[2] : query).trim().replace(/^"(.+)"$/s, '$1').toLowerCase();
  if (!wanted) return [];
  const found = [];
  index(graph).forEach((fields, id) => {
    if (!fields) return;
    for (const name of field ? [field] : ['op', 'value', 'at', 'attr', 'type']) {
      const text = fields[name].find(t => name === 'value' && wanted.startsWith('%')
        ? t.toLowerCase() === wanted || t.toLowerCase().startsWith(wanted + '#')
        : t.toLowerCase().includes(wanted));
      if (text === undefined) continue;
      const exact = text.toLowerCase() === wanted ? 0 : 1;
      found.push({id, exact, why: name === 'op' || name === 'value' ? fields.at[0] : text.slice(0, 160)});
      break;
    }
  });
  return found.sort((a, b) => a.exact - b.exact || a.id - b.id);
}
