import { findCycles } from './cycles.ts';
import { createResolver, type Target } from './resolve.ts';
import { importsOf, isSource, isTest, listFiles } from './source-files.ts';
import {
  DATABASE_PACKAGES,
  isModuleFile,
  isModuleIndex,
  MAY_IMPORT,
  mayReachDatabase,
  MODULE_ORDER,
  moduleOf,
  positionOf,
  zoneOf,
} from './zones.ts';

export interface Violation {
  readonly file: string;
  readonly line: number;
  readonly what: string;
  readonly rule: string;
  readonly fix: string;
}

interface Edge {
  readonly from: string;
  readonly line: number;
  readonly to: Target;
}

/** Every violation of the dependency rule below `root`, sorted by file and line. */
export function findViolations(root: string): Violation[] {
  const files = listFiles(root);
  const resolve = createResolver(root);
  const edges = files.filter(isSource).flatMap((from) =>
    importsOf(root, from).map(({ specifier, line }): Edge => ({
      from,
      line,
      to: resolve(from, specifier),
    })),
  );
  return [
    ...files.flatMap(checkName),
    ...files.filter(isSource).flatMap(checkPlace),
    ...edges.flatMap(checkEdge),
    ...checkFileCycles(edges),
    ...checkModuleCycles(edges),
  ].toSorted((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}

export function describeViolation({ file, line, what, rule, fix }: Violation): string {
  return `${file}:${line}  ${what}\n  rule: ${rule}\n  fix: ${fix}`;
}

const FORBIDDEN_NAME = /^(utils?|helpers?|commons?)$|manager/i;

function checkName(file: string): Violation[] {
  const parts = file.split('/').flatMap((part) => part.split(/[-_.]/));
  const name = parts.find((part) => FORBIDDEN_NAME.test(part));
  const violations: Violation[] = [];
  if (name !== undefined) {
    violations.push({
      file,
      line: 1,
      what: `the name "${name}" does not say what is inside`,
      rule: 'no file or folder is called utils, helpers, common or …Manager',
      fix: 'name it after what it contains or does, or move each part to where it is used',
    });
  }
  if (/(^|\/)index\.[a-z]+$/.test(file) && isSource(file) && !isModuleIndex(file)) {
    violations.push({
      file,
      line: 1,
      what: 'an index file outside a module',
      rule: 'only server/src/modules/<area>/<feature>/index.ts re-exports',
      fix: 'import from the file that exports it',
    });
  }
  return violations;
}

function checkPlace(file: string): Violation[] {
  const isPlaced = zoneOf(file) !== 'nowhere' || isTest(file) || !file.startsWith('server/src/');
  if (isPlaced) return [];
  return [
    {
      file,
      line: 1,
      what: 'a file outside every layer',
      rule: 'server/src contains the composition root, platform, tenancy and modules',
      fix: 'move it into the layer that it belongs to',
    },
  ];
}

function checkEdge(edge: Edge): Violation[] {
  if (isTest(edge.from)) return [];
  return edge.to.kind === 'package'
    ? checkPackage(edge, edge.to.name)
    : checkFile(edge, edge.to.path);
}

const DATABASE_ACCESS = {
  rule: 'only store.ts files, server/src/platform/db and the gates in server/src/tenancy access the database',
  fix: "move the statement into the feature's store.ts and call that",
};

function checkPackage({ from, line }: Edge, name: string): Violation[] {
  const violations: Violation[] = [];
  const what = `imports ${name === 'node:' ? 'a Node.js built-in' : name}`;
  const at = { file: from, line, what };
  if (zoneOf(from) === 'contract' && name !== 'typebox') {
    violations.push({
      ...at,
      rule: 'contract imports only typebox: it is data and types, without I/O',
      fix: 'move what needs this to the server, or express it in TypeBox',
    });
  }
  // Only types, of the framework that the adapter's users have installed; the compiler removes the import.
  const isAdapterFramework = from === 'sdk/src/adapters/hono.ts' && name === 'hono';
  if (from.startsWith('sdk/src/') && name !== 'jose' && !isAdapterFramework) {
    violations.push({
      ...at,
      rule: '@keywright/sdk imports only jose as published, and runs without Node.js',
      fix: 'use what every runtime has: fetch, Web Crypto, streams',
    });
  }
  if (DATABASE_PACKAGES.includes(name) && !mayReachDatabase(from)) {
    violations.push({ ...at, ...DATABASE_ACCESS });
  }
  return violations;
}

function checkFile({ from, line }: Edge, to: string): Violation[] {
  const zone = zoneOf(from);
  if (zone === 'support' || zone === 'nowhere') return [];
  const target = zoneOf(to);
  const at = { file: from, line, what: `imports ${to}` };
  if (isTest(to) || !MAY_IMPORT[zone].includes(target)) {
    const allowed = MAY_IMPORT[zone].join(', ');
    return [{ ...at, rule: `${zone} may import only ${allowed}`, fix: fixFor(zone, target) }];
  }
  if (target === 'callers' && !mayReachDatabase(from)) {
    return [{ ...at, ...DATABASE_ACCESS }];
  }
  return target === 'module' ? checkModuleEdge(from, to, at) : [];
}

type Place = Pick<Violation, 'file' | 'line' | 'what'>;

function checkModuleEdge(from: string, to: string, at: Place): Violation[] {
  const feature = moduleOf(from);
  const other = moduleOf(to);
  if (feature === other || other === undefined) return [];
  if (isModuleFile(to)) {
    if (feature === undefined || isModuleFile(from)) return checkOrder(feature, other, at);
    return [
      {
        ...at,
        rule: 'only module.ts files and the composition root import a module.ts',
        fix: 'let the module.ts of the feature pass in the service',
      },
    ];
  }
  if (feature !== undefined && !isModuleIndex(to)) {
    return [
      {
        ...at,
        rule: "a module imports another module only through that module's index.ts",
        fix: `export it from server/src/modules/${other}/index.ts and import that`,
      },
    ];
  }
  return checkOrder(feature, other, at);
}

/** An area imports only the areas below it. */
function checkOrder(feature: string | undefined, other: string, at: Place): Violation[] {
  if (feature === undefined || positionOf(other) <= positionOf(feature)) return [];
  return [
    {
      ...at,
      rule: `${feature} is below ${other} in the order of areas: ${MODULE_ORDER.join(', ')}`,
      fix: 'move what both need into the lower one, or pass it in as a value',
    },
  ];
}

function fixFor(zone: string, target: string): string {
  if (zone === 'sdk' || zone === 'cli' || zone === 'ui') {
    return 'use contract or the SDK; call the server over HTTP';
  }
  if (target === 'support')
    return 'move the code: product code does not depend on tests, bench or tools';
  return 'pass the value in from the layer above, or move the code down to the layer that uses it';
}

function checkFileCycles(edges: readonly Edge[]): Violation[] {
  const graph = new Map<string, string[]>();
  for (const { from, to } of edges) {
    if (to.kind === 'file') graph.set(from, [...(graph.get(from) ?? []), to.path]);
  }
  return findCycles(graph).map((cycle) => ({
    file: cycle[0] ?? '',
    line: lineOf(edges, cycle),
    what: `a cycle: ${cycle.join(' → ')}`,
    rule: 'files have no import cycles, types included',
    fix: 'move what both need into a separate file that imports neither',
  }));
}

function lineOf(edges: readonly Edge[], [from, to]: readonly string[]): number {
  const edge = edges.find(
    (candidate) =>
      candidate.from === from && candidate.to.kind === 'file' && candidate.to.path === to,
  );
  return edge?.line ?? 1;
}

/** Modules can form a cycle even if their files do not. */
function checkModuleCycles(edges: readonly Edge[]): Violation[] {
  const between = edges.flatMap((edge) => {
    const from = moduleOf(edge.from);
    const to = edge.to.kind === 'file' ? moduleOf(edge.to.path) : undefined;
    const isBetween = from !== undefined && to !== undefined && from !== to;
    return isBetween && !isTest(edge.from) ? [{ edge, from, to }] : [];
  });
  const graph = new Map<string, string[]>();
  for (const { from, to } of between) graph.set(from, [...(graph.get(from) ?? []), to]);
  return findCycles(graph).map((cycle) => {
    const first = between.find(({ from, to }) => from === cycle[0] && to === cycle[1]);
    return {
      file: first?.edge.from ?? '',
      line: first?.edge.line ?? 1,
      what: `modules in a cycle: ${cycle.join(' → ')}`,
      rule: 'modules have no dependency cycles; the reverse direction uses events',
      fix: 'emit an event in the lower module and subscribe to it in the higher one',
    };
  });
}
