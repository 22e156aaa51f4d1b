import { fileURLToPath } from 'node:url';

/** A .cpuprofile, as V8 writes it; times in microseconds of the system's monotonic clock. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly startTime: number;
  readonly samples: readonly number[];
  /** Since the previous sample. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    readonly lineNumber: number;
  };
  readonly children?: readonly number[];
}

/** Time within a function, in microseconds. */
export interface FunctionTime {
  readonly name: string;
  /** Path and line; empty for native code. */
  readonly place: string;
  /** Without callees. */
  readonly selfMicros: number;
  /** With callees. */
  readonly totalMicros: number;
}

export interface Span {
  readonly fromMicros: number;
  readonly toMicros: number;
}

interface Frame {
  readonly key: string;
  readonly name: string;
  readonly place: string;
}

/** Time by function within the span, without idle time. */
export function functionTimes(profile: CpuProfile, span: Span): FunctionTime[] {
  const stacks = stacksOf(profile);
  const times = new Map<string, { frame: Frame; self: number; total: number }>();
  for (const [node, micros] of microsByNode(profile, span)) {
    const stack = stacks.get(node) ?? [];
    const innermost = stack[0];
    if (!innermost || innermost.name === '(idle)') continue;
    for (const frame of new Map(stack.map((stackFrame) => [stackFrame.key, stackFrame])).values()) {
      const time = times.get(frame.key) ?? { frame, self: 0, total: 0 };
      times.set(frame.key, time);
      time.total += micros;
      if (frame.key === innermost.key) time.self += micros;
    }
  }
  return [...times.values()].map(({ frame: { name, place }, self, total }) => ({
    name,
    place,
    selfMicros: self,
    totalMicros: total,
  }));
}

function microsByNode(profile: CpuProfile, span: Span): Map<number, number> {
  const micros = new Map<number, number>();
  let at = profile.startTime;
  for (const [index, node] of profile.samples.entries()) {
    const delta = profile.timeDeltas[index] ?? 0;
    at += delta;
    if (at >= span.fromMicros && at <= span.toMicros) {
      micros.set(node, (micros.get(node) ?? 0) + delta);
    }
  }
  return micros;
}

/** The stack of each node, innermost frame first. */
function stacksOf(profile: CpuProfile): Map<number, Frame[]> {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const stacks = new Map<number, Frame[]>();
  const [root] = profile.nodes;
  const open: [ProfileNode, Frame[]][] = root ? [[root, []]] : [];
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, above] = next;
    const stack = node === root ? [] : [frameOf(node), ...above];
    stacks.set(node.id, stack);
    for (const id of node.children ?? []) {
      const child = nodes.get(id);
      if (child) open.push([child, stack]);
    }
  }
  return stacks;
}

function frameOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): Frame {
  const name = functionName === '' ? '(anonymous)' : functionName;
  const place = url === '' ? '' : `${shortPath(url)}:${lineNumber + 1}`;
  return { key: `${name} ${place}`, name, place };
}

/** Relative to node_modules, or to the root of the project. */
function shortPath(url: string): string {
  const path = url.startsWith('file:') ? fileURLToPath(url) : url;
  const packageAt = path.lastIndexOf('node_modules/');
  if (packageAt >= 0) return path.slice(packageAt + 'node_modules/'.length);
  const root = fileURLToPath(new URL('../../', import.meta.url));
  return path.startsWith(root) ? path.slice(root.length) : path;
}

/** Returns the package, the folder of the service, Node.js or V8. */
export function ownerOf({ name, place }: FunctionTime): string {
  if (place === '') return name.startsWith('(') ? name : 'native';
  if (place.startsWith('node:')) return place.split(/[/:]/).slice(0, 2).join(':') + ' *';
  const [first = '', second = '', third = '', fourth = ''] = place.split('/');
  if (first === 'server') return [first, third, fourth.replace(/:\d+$/, '')].join('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}
