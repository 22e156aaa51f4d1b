// `npm run generate`: writes generated files. With `--check` it only reports which are stale.

import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cliFiles } from '../cli/generate/routes.ts';
import { sdkFiles } from '../sdk/generate/files.ts';
import { consoleFiles } from '../ui/console/generate/files.ts';
import { serverFiles } from '../server/generate/files.ts';
import { COUNTS_FILE, loweredCounts } from './check/patterns.ts';
import { testedRulesPage } from './check/rules.ts';
import { comparisonFiles } from './comparison/page.ts';
import { referenceFiles } from './reference/files.ts';

const ROOT = new URL('../', import.meta.url);

function read(file: string): string | undefined {
  try {
    return readFileSync(new URL(file, ROOT), 'utf8');
  } catch {
    return undefined;
  }
}

function write(file: string, text: string | undefined): void {
  if (text === undefined) return rmSync(new URL(file, ROOT));
  mkdirSync(new URL('./', new URL(file, ROOT)), { recursive: true });
  writeFileSync(new URL(file, ROOT), text);
}

/** Folders in which all pages are generated. */
const FOLDERS = [
  'docs/errors',
  'docs/reference/cli',
  'docs/reference/routes',
  'docs/reference/sdk',
];

/** The pages that are no longer generated. */
function leftovers(generated: readonly string[]): string[] {
  return FOLDERS.flatMap((folder) =>
    globSync(`${folder}/*.md`, { cwd: fileURLToPath(ROOT) }),
  ).filter((file) => !generated.includes(file));
}

const isCheck = process.argv.includes('--check');
const generated = [
  ...(await serverFiles()),
  ...sdkFiles(),
  ...cliFiles(),
  ...consoleFiles(),
  ...comparisonFiles(fileURLToPath(ROOT)),
  ...referenceFiles(),
  ['docs/reference/tested-rules.md', testedRulesPage(fileURLToPath(ROOT))] as const,
  [COUNTS_FILE, loweredCounts(fileURLToPath(ROOT))] as const,
];
const files = [
  ...generated,
  ...leftovers(generated.map(([file]) => file)).map((file) => [file, undefined] as const),
];
const stale = files.filter(([file, text]) => read(file) !== text);
if (!isCheck) for (const [file, text] of stale) write(file, text);
for (const [file] of stale) console.log(`${isCheck ? 'stale' : 'written'}: ${file}`);
if (isCheck && stale.length > 0) process.exitCode = 1;
