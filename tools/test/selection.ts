// Which test files a command line names.

import { globSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const FOLDERS = [
  'contract/src',
  'server/src',
  'server/generate',
  'sdk/test',
  'cli/src',
  'ui/console',
  'tests',
  'tools',
];
/** Run by `npm run test:deep` alone. */
const DEEP = '.deep.test.ts';
/**
 * They open every screen and page, or go through the console more thoroughly than its journeys. `npm test` leaves them out
 * where nothing has changed that they show. CI runs them each time.
 */
const OF_SCREENS = /^tests\/(?:console\/(?!first-login|journeys|look)|pages\/walk)[^/]*\.test\.ts$/;
/** What a test imports that has more variants in the deep tests, and so is run by both tiers. */
const IMPORTS_VARIANTS = /from '[^']*\/harness\/(?:tier|race-servers)\.ts'/;

export class SelectionError extends Error {}

/** All test files, relative to the root. */
export function testFiles(root: string): string[] {
  const patterns = FOLDERS.map((folder) => `${folder}/**/*.test.ts`);
  return globSync(patterns, { cwd: root }).toSorted();
}

export const isDeep = (file: string): boolean => file.endsWith(DEEP);

export const isOfScreens = (file: string): boolean => OF_SCREENS.test(file);

/** Only such a test can show a rule or a promise: `npm test` never leaves it out. */
export const runsEachTime = (file: string): boolean => !isDeep(file) && !isOfScreens(file);

/**
 * The test files that are named, and those in folders that are named, of a tier unless a file is named itself.
 * @throws SelectionError for a path that leads to no test
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
    const wanted = relative(root, resolve(path));
    if (all.includes(wanted)) return [wanted];
    const isFolder = statSync(resolve(path), { throwIfNoEntry: false })?.isDirectory() ?? false;
    const within = isFolder
      ? ofTier.filter((file) => `/${file}`.startsWith(`/${wanted}/`) || wanted === '')
      : [];
    if (within.length === 0) throw new SelectionError(`No tests at ${path}.`);
    return within;
  });
  return [...new Set(found)];
}
