// `npm run mutants -- --area <folder> [further tests]`: makes small breaks in the code of a folder, one at a time, in a copy
// of the tree, and reports those that no test detects. `--list` names the features and their numbers of breaks.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startPostgres } from '../../tests/harness/postgres.ts';
import { seededRandom } from '../../tests/harness/random.ts';
import { areaNames, breaksOf, findArea } from './areas.ts';
import { applied, type Break } from './breaks.ts';
import { copyTree, type Scratch } from './scratch.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    area: { type: 'string' },
    count: { type: 'string', default: '20' },
    seed: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
});

function list(): void {
  for (const name of areaNames(ROOT)) {
    console.log(`${name}: ${breaksOf(ROOT, findArea(ROOT, name)).length} breaks`);
  }
}

type Result = { readonly outcome: 'red' | 'SURVIVED' | 'NOT RUN'; readonly by?: string };

/** Runs one test file after the other: most breaks are detected by the first. */
async function tryBreak(
  scratch: Scratch,
  mutant: Break,
  tests: readonly string[],
): Promise<Result> {
  const path = join(scratch.root, mutant.file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, applied(text, mutant));
  try {
    for (const test of tests) {
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
  const scratch = copyTree(ROOT, databaseUrl);
  process.once('exit', () => scratch.remove());
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  const found = findArea(scratch.root, name);
  const tests = [...new Set([...found.tests, ...positionals])];
  const random = seededRandom(values.seed === undefined ? undefined : Number(values.seed));
  console.log(`seed ${random.seed}`);
  const chosen = random.shuffled(breaksOf(scratch.root, found)).slice(0, Number(values.count));
  const { isGreen, output } = await scratch.run(tests);
  if (!isGreen) throw new Error(`The tests fail without any break:\n${output}`);
  let detected = 0;
  for (const mutant of chosen) {
    const { outcome, by } = await tryBreak(scratch, mutant, tests);
    if (outcome === 'red') detected += 1;
    console.log(
      `${outcome.padEnd(8)} ${mutant.file}:${mutant.line}  ${mutant.what}${by ? `\n         ${by}` : ''}`,
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

const { area } = values;
if (values.list) list();
else if (area === undefined) throw new Error('Name a folder: --area tokens/grants');
else await withServer((databaseUrl) => tryBreaks(area, databaseUrl));
