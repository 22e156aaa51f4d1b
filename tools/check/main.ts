// `npm run check`: everything that can be checked without running the tests. `npm run check -- types format` runs some,
// `npm run check -- --report` prints figures about the structure of the code instead, and `npm run check -- --words`
// how frequent translated phrases are.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describeViolation, findViolations } from './dependencies.ts';
import { findDocumentProblems } from './documents.ts';
import { findPatternProblems } from './patterns.ts';
import { findUncalledFunctions } from './functions.ts';
import { findRuleProblems } from './rules.ts';
import { findSharedTables } from './table-owners.ts';
import { findSubjectProblems, subjectsToCheck } from './commits.ts';
import { findUnrepeatable } from './transactions.ts';
import { findWordProblems, wordsInFiles, wordTable } from './words.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Check {
  readonly name: string;
  readonly fix: string;
  /** Returns the problems as text; undefined if there are none. */
  readonly run: () => string | undefined;
}

const CHECKS: readonly Check[] = [
  {
    name: 'format',
    fix: 'npm run format',
    run: program('node_modules/oxfmt/bin/oxfmt', '--check'),
  },
  {
    name: 'lint',
    fix: 'the rules are in .oxlintrc.json',
    run: program('node_modules/oxlint/bin/oxlint', '--deny-warnings'),
  },
  {
    name: 'types',
    fix: 'the options are in tsconfig.json',
    run: program('node_modules/typescript/bin/tsc', '--noEmit', '--pretty', 'false'),
  },
  {
    name: 'types without Node.js',
    fix: 'the published SDK runs without Node.js; the options are in sdk/tsconfig.build.json',
    run: program(
      'node_modules/typescript/bin/tsc',
      '--project',
      'sdk/tsconfig.build.json',
      '--noEmit',
      '--pretty',
      'false',
    ),
  },
  {
    name: 'types of the console',
    fix: 'it runs in browsers; the options are in ui/console/tsconfig.json',
    run: program(
      'node_modules/typescript/bin/tsc',
      '--project',
      'ui/console/tsconfig.json',
      '--noEmit',
      '--pretty',
      'false',
    ),
  },
  {
    name: 'dependency rule',
    fix: 'see docs/contributing/structure.md, The dependency rule',
    run: () => textOf(findViolations(root).map(describeViolation)),
  },
  {
    name: 'table owners',
    fix: 'move the function into a store of the owner and export it from its index.ts; see docs/contributing/structure.md',
    run: () => textOf(findSharedTables(root)),
  },
  {
    name: 'patterns',
    fix: 'see CONTRIBUTING.md, Style; the recorded counts are in tools/check/pattern-counts.json',
    run: () => textOf(findPatternProblems(root)),
  },
  {
    name: 'transactions',
    fix: 'see tools/check/transactions.ts',
    run: () => textOf(findUnrepeatable(root).map(describeViolation)),
  },
  {
    name: 'unused code',
    fix: 'delete the code or its `export`; the entry points are in knip.json',
    run: program(
      'node_modules/knip/bin/knip.js',
      '--no-progress',
      '--treat-config-hints-as-errors',
    ),
  },
  {
    name: 'uncalled functions',
    fix: 'delete the function, its lines in server/sql/contract.txt and its check in tests/isolation',
    run: () => textOf(findUncalledFunctions(root)),
  },
  {
    name: 'generated files',
    fix: 'npm run generate',
    run: program('tools/generate.ts', '--check'),
  },
  {
    name: 'rules named by tests',
    fix: 'see CONTRIBUTING.md, Tests state guarantees',
    run: () => textOf(findRuleProblems(root)),
  },
  {
    name: 'documents',
    fix: 'correct what each line names',
    run: () => textOf(findDocumentProblems(root)),
  },
  {
    name: 'words',
    fix: 'npm run check -- --words shows the rates, npm run check -- --words docs/guide each place',
    run: () => textOf(findWordProblems(root)),
  },
  {
    name: 'commit subjects',
    fix: 'reword the commit: a verb and an object; the verbs are in tools/check/commits.ts',
    run: () => textOf(findSubjectProblems(subjectsToCheck(root))),
  },
];

/** A check that runs a Node.js program and fails when it exits with anything but 0. */
function program(...command: readonly string[]): Check['run'] {
  return () => {
    const { status, stdout, stderr, error } = spawnSync(process.execPath, command, {
      cwd: root,
      encoding: 'utf8',
    });
    if (status === 0) return undefined;
    return (
      `${stdout}${stderr}${error?.message ?? ''}`.trim() || `${command[0]} failed without output`
    );
  };
}

function textOf(problems: readonly string[]): string | undefined {
  return problems.length === 0 ? undefined : problems.join('\n');
}

function runCheck({ name, fix, run }: Check): boolean {
  const started = performance.now();
  const problem = attempt(run);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${problem === undefined ? 'ok  ' : 'FAIL'}  ${name.padEnd(22)}${seconds} s`);
  if (problem === undefined) return true;
  console.log(`\n${problem.replaceAll(/^/gm, '      ')}\n\n      → ${fix}\n`);
  return false;
}

/** A check that throws has failed; the following ones still run. */
function attempt(run: Check['run']): string | undefined {
  try {
    return run();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

if (process.argv.includes('--report')) {
  const { reportOf } = await import('./report.ts');
  for (const [name, value] of await reportOf(root)) console.log(`${name.padEnd(42)}${value}`);
  process.exit();
}

if (process.argv[2] === '--words') {
  const paths = process.argv.slice(3);
  for (const line of paths.length === 0 ? wordTable(root) : wordsInFiles(root, paths))
    console.log(line);
  process.exit();
}

const named = process.argv.slice(2);
const unknown = named.filter((name) => CHECKS.every((check) => check.name !== name));
if (unknown.length > 0)
  throw new Error(
    `Unknown check ${unknown.join(', ')}: expected ${CHECKS.map(({ name }) => name).join(', ')}.`,
  );
const chosen = CHECKS.filter(({ name }) => named.length === 0 || named.includes(name));
const failed = chosen.filter((check) => !runCheck(check)).map((check) => check.name);
if (failed.length > 0) {
  console.log(`${failed.length} of ${chosen.length} checks failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
