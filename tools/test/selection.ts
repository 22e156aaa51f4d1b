// Which test files a command line names.

import { globSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const FOLDERS = [
  'bench',
  'contract/src',
  'server/src',
  'server/generate',
  'sdk/test',
  'cli/src',
  'ui',
  'tests',
  'tools',
];
/** Tests that only `npm run test:deep` runs. */
const DEEP = '.deep.test.ts';
/**
 * Tests that open every screen and page, or test the console more thoroughly than its journeys. `npm test` skips them
 * if nothing that they show has changed. CI always runs them.
 */
const OF_SCREENS = /^tests\/(?:console\/(?!first-login|journeys|look)|pages\/walk)[^/]*\.test\.ts$/;
/** The imports of tests that have more variants in the deep tests, and that both tiers therefore run. */
const IMPORTS_VARIANTS = /from '[^']*\/harness\/(?:tier|race-servers)\.ts'/;

export class SelectionError extends Error {}

/** All test files, relative to the root. */
export function testFiles(root: string): string[] {
  const patterns = FOLDERS.map((folder) => `${folder}/**/*.test.ts`);
  return globSync(patterns, { cwd: root }).toSorted();
}

export const isDeep = (file: string): boolean => file.endsWith(DEEP);

export const isOfScreens = (file: string): boolean => OF_SCREENS.test(file);

/** Whether `npm test` always runs the file. Only such a test can show a rule or a promise. */
export const runsEachTime = (file: string): boolean => !isDeep(file) && !isOfScreens(file);

/**
 * Returns the named test files, and those in named folders: of one tier, except for files that are named themselves.
 * @throws SelectionError for a path without tests
 */
export function filesNamed(
  root: string,
  paths: readonly string[],
  { wantsDeep }: { readonly wantsDeep: boolean },
): string[] {
  const all = testFiles(root);
  const isRepeated = (file: string) =>
    IMPORTS_VARIANTS.test(readFileSync(join(root, file), 'utf8'));
  const ofTier = all.filter((file) =>
    wantsDeep ? isDeep(file) || isRepeated(file) : !isDeep(file),
  );
  if (paths.length === 0) return ofTier;
  const found = paths.flatMap((path) => {
    const relativePath = relative(root, resolve(path));
    if (all.includes(relativePath)) return [relativePath];
    const isFolder = statSync(resolve(path), { throwIfNoEntry: false })?.isDirectory() ?? false;
    const within = isFolder
      ? ofTier.filter((file) => `/${file}`.startsWith(`/${relativePath}/`) || relativePath === '')
      : [];
    if (within.length === 0) throw new SelectionError(`No tests at ${path}.`);
    return within;
  });
  return [...new Set(found)];
}
