export type Graph = ReadonlyMap<string, readonly string[]>;

/** One shortest cycle for each strongly connected component; a cycle starts and ends with the same node. */
export function findCycles(graph: Graph): string[][] {
  const covered = new Set<string>();
  const cycles: string[][] = [];
  for (const start of graph.keys()) {
    if (covered.has(start)) continue;
    const cycle = shortestPathBack(graph, start);
    if (!cycle) continue;
    cycles.push(cycle);
    for (const node of componentOf(graph, start)) covered.add(node);
  }
  return cycles;
}

function shortestPathBack(graph: Graph, start: string): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const node of queue) {
    for (const next of graph.get(node) ?? []) {
      if (next === start) return [...pathTo(cameFrom, start, node), start];
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, node);
      queue.push(next);
    }
  }
  return undefined;
}

function pathTo(cameFrom: ReadonlyMap<string, string>, start: string, end: string): string[] {
  const path = [end];
  for (let node = end; node !== start;) {
    const before = cameFrom.get(node);
    if (before === undefined) break;
    path.unshift(before);
    node = before;
  }
  return path;
}

/** The strongly connected component of `start`. */
function componentOf(graph: Graph, start: string): Set<string> {
  const reversed = new Map<string, string[]>();
  for (const [node, targets] of graph) {
    for (const target of targets) reversed.set(target, [...(reversed.get(target) ?? []), node]);
  }
  return reachable(graph, start).intersection(reachable(reversed, start));
}

function reachable(graph: Graph, start: string): Set<string> {
  const seen = new Set([start]);
  for (const node of seen) {
    for (const next of graph.get(node) ?? []) seen.add(next);
  }
  return seen;
}
