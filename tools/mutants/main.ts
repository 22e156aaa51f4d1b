// `npm run mutants -- --area <area>`: makes small breaks in critical code, one at a time, in a copy of the tree, and
// reports those that no test of the area detects. `--list` names the areas and their numbers of breaks.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { startPostgres } from '../../tests/harness/postgres.ts';
import { seededRandom } from '../../tests/harness/random.ts';
import { AREAS, breaksOf, type Tree } from './areas.ts';
import { applied, type Break } from './breaks.ts';
import { directedBreaksOf } from './directed.ts';
import { copyTree, type Scratch } from './scratch.ts';
import { readTree } from './tree.ts';

const ROOT = new URL('../../', import.meta.url);

const { values } = parseArgs({
  options: {
    area: { type: 'string' },
    count: { type: 'string', default: '20' },
    seed: { type: 'string' },
    directed: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});

function list(): void {
  const tree = readTree(ROOT);
  for (const [name, area] of Object.entries(AREAS)) {
    const directed = directedBreaksOf(name, tree).length;
    console.log(`${name}: ${breaksOf(area, tree).length} breaks, ${directed} directed`);
  }
}

function chooseBreaks(name: string, tree: Tree): Break[] {
  const area = AREAS[name];
  if (!area) throw new Error(`Unknown area ${name}: expected ${Object.keys(AREAS).join(', ')}.`);
  if (values.directed) return directedBreaksOf(name, tree);
  const random = seededRandom(values.seed === undefined ? undefined : Number(values.seed));
  console.log(`seed ${random.seed}`);
  return random.shuffled(breaksOf(area, tree)).slice(0, Number(values.count));
}

type Result = { readonly outcome: 'red' | 'SURVIVED' | 'NOT RUN'; readonly by?: string };

/** Runs one test file after the other: most breaks are detected by the first. */
async function tryBreak(scratch: Scratch, one: Break, tests: readonly string[]): Promise<Result> {
  const path = join(scratch.root, one.file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, applied(text, one));
  try {
    for (const test of new Set([...(one.by === undefined ? [] : [one.by]), ...tests])) {
      const { isGreen, failed } = await scratch.run([test], true);
      // Such as SQL with a syntax error, which shows nothing.
      if (!isGreen && failed === undefined) return { outcome: 'NOT RUN', by: test };
      if (!isGreen) return { outcome: 'red', by: `${test}: ${failed}` };
    }
    return { outcome: 'SURVIVED' };
  } finally {
    writeFileSync(path, text);
  }
}

async function tryBreaks(name: string, databaseUrl: string): Promise<void> {
  const scratch = copyTree(fileURLToPath(ROOT), databaseUrl);
  process.once('exit', () => scratch.remove());
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  const chosen = chooseBreaks(name, readTree(pathToFileURL(`${scratch.root}/`)));
  const { tests = [] } = AREAS[name] ?? {};
  const all = new Set([...tests, ...chosen.flatMap(({ by }) => by ?? [])]);
  const { isGreen, output } = await scratch.run([...all]);
  if (!isGreen) throw new Error(`The tests fail without any break:\n${output}`);
  let detected = 0;
  for (const one of chosen) {
    const { outcome, by } = await tryBreak(scratch, one, tests);
    if (outcome === 'red') detected += 1;
    console.log(
      `${outcome.padEnd(8)} ${one.file}:${one.line}  ${one.what}${by ? `\n         ${by}` : ''}`,
    );
  }
  console.log(`${detected} of ${chosen.length} breaks turned a test red`);
}

/** All test runs share one server. */
async function withServer(work: (databaseUrl: string) => Promise<void>): Promise<void> {
  const server = await startPostgres();
  try {
    await work(server.url);
  } finally {
    await server.close();
  }
}

if (values.list) list();
else await withServer((databaseUrl) => tryBreaks(values.area ?? '', databaseUrl));
