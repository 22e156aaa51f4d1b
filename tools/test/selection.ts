// Which test files a command line names.

import { globSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';

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
/** Run by both tiers, in the deep one over more variants (tests/harness/tier.ts). */
const REPEATED = [
  'tests/console/walk.test.ts',
  'tests/faults/',
  'tests/isolation/batches.test.ts',
  'tests/pages/walk-translations.test.ts',
  'tests/races/',
];

export class SelectionError extends Error {}

/** All test files, relative to the root. */
export function testFiles(root: string): string[] {
  const patterns = FOLDERS.map((folder) => `${folder}/**/*.test.ts`);
  return globSync(patterns, { cwd: root }).toSorted();
}

export const isDeep = (file: string): boolean => file.endsWith(DEEP);

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
  const isRepeated = (file: string) => REPEATED.some((prefix) => file.startsWith(prefix));
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
    if (within.length === 0) throw new SelectionError(`There are no tests at ${path}.`);
    return within;
  });
  return [...new Set(found)];
}
