// What hangs together in a diagram, by the rules of its summary: ends that are nodes connect, and only arrows with one head make a cycle.

/** Groups of two nodes or more that edges connect, as lists of ids. */
export function parts({ nodes, edges }) {
  const leader = new Map(nodes.map(({ id }) => [id, id]));
  const find = (id) => {
    while (leader.get(id) !== id) id = leader.get(id);
    return id;
  };
  for (const { source, target } of edges) if (leader.has(source) && leader.has(target)) leader.set(find(source), find(target));
  return Object.values(Object.groupBy(nodes.map(({ id }) => id), find)).filter((ids) => ids.length > 1);
}

/** Nodes that arrows lead from each to each other, as lists of ids: the strongly connected components (Tarjan 1972). */
export function cycles({ nodes, edges }) {
  const following = new Map(nodes.map(({ id }) => [id, []])), found = [];
  for (const [from, to] of edges.map(({ arrow }) => arrow).filter(Boolean)) if (following.has(from) && following.has(to)) following.get(from).push(to);
  const order = new Map(), low = new Map(), open = [], isOpen = new Set();
  const visit = (start) => {
    const path = [[start, 0]];
    while (path.length) {
      const top = path.at(-1), [id, next] = top;
      if (next === 0) {
        order.set(id, order.size);
        low.set(id, order.get(id));
        open.push(id);
        isOpen.add(id);
      }
      const child = following.get(id)[next];
      if (child !== undefined) {
        top[1] += 1;
        if (!order.has(child)) path.push([child, 0]);
        else if (isOpen.has(child)) low.set(id, Math.min(low.get(id), order.get(child)));
        continue;
      }
      path.pop();
      if (path.length) low.set(path.at(-1)[0], Math.min(low.get(path.at(-1)[0]), low.get(id)));
      if (low.get(id) === order.get(id)) {
        const ids = open.splice(open.indexOf(id));
        ids.forEach((one) => isOpen.delete(one));
        if (ids.length > 1 || following.get(id).includes(id)) found.push(ids);
      }
    }
  };
  for (const { id } of nodes) if (!order.has(id)) visit(id);
  return found;
}
