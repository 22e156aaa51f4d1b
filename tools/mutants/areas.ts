import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSource, isTest, listFiles } from '../check/source-files.ts';
import { type Break, breaksOfCode, breaksOfSql } from './breaks.ts';

const MODULES = 'server/src/modules/';

/** Tests outside a folder that must detect breaks in it: the prefixes of both paths. */
const FURTHER_TESTS: readonly (readonly [folder: string, ...tests: string[]])[] = [
  [
    'server/sql/',
    'tests/isolation/database-functions',
    'tests/isolation/batches',
    'tests/isolation/mixed-batches',
    'tests/races/login.',
    'tests/races/refresh',
  ],
  ['server/src/platform/http/', 'tests/isolation/pages'],
  ['server/src/tenancy/', 'tests/isolation/tenant-resolution', 'tests/isolation/separation'],
  ['server/src/modules/authentication/', 'tests/conformance/token-attacks', 'tests/races/login.'],
  ['server/src/modules/events/journal/', 'cli/src/audit'],
  ['server/src/modules/identity/invitations/', 'tests/races/invitations'],
  ['server/src/modules/oauth/', 'tests/conformance/', 'tests/races/codes', 'tests/races/devices'],
  [
    'server/src/modules/tokens/',
    'tests/isolation/mixed-batches',
    'tests/races/ended-next-to-living',
    'tests/races/refresh',
    'server/src/modules/authentication/bearer/',
  ],
  ['sdk/src/', 'sdk/test/'],
];

/** Code to break, and the tests that must detect it. */
export interface Area {
  readonly sources: readonly string[];
  /** Tests in the folder come first. */
  readonly tests: readonly string[];
}

/**
 * @param name a folder, from the root or from server/src/modules
 * @throws when it has no code
 */
export function findArea(root: string, name: string): Area {
  const files = listFiles(root);
  const folders = [`${MODULES}${name}/`, `${name}/`];
  const folder = folders.find((candidate) => files.some((file) => file.startsWith(candidate)));
  const within = files.filter((file) => folder !== undefined && file.startsWith(folder));
  const sources = within.filter(isBreakable);
  if (folder === undefined || sources.length === 0) throw new Error(`${name} has no code.`);
  const further = FURTHER_TESTS.flatMap(([prefix, ...tests]) =>
    folder.startsWith(prefix) ? tests : [],
  );
  const others = files.filter((file) => further.some((start) => file.startsWith(start)));
  return { sources, tests: [...within, ...others].filter(isOfEveryRun) };
}

/** The areas of the service: its features, and the folders of database functions. */
export function areaNames(root: string): string[] {
  const names = listFiles(root)
    .filter(isBreakable)
    .flatMap(
      (file) =>
        /^(?:server\/src\/modules\/(.+?\/.+?)|(server\/sql\/.+?))\//.exec(file)?.slice(1) ?? [],
    )
    .filter(Boolean);
  return [...new Set(names)];
}

/** Every break of an area. */
export function breaksOf(root: string, { sources }: Area): Break[] {
  return sources.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return file.endsWith('.sql') ? breaksOfSql(file, text) : breaksOfCode(file, text);
  });
}

function isOfEveryRun(file: string): boolean {
  return file.endsWith('.test.ts') && !file.endsWith('.deep.test.ts');
}

function isBreakable(file: string): boolean {
  if (file.startsWith('server/sql/')) return /\/kw_\w+\.sql$/.test(file);
  return isSource(file) && !isTest(file);
}
