// Which test files a change can affect.

import { execFileSync, spawnSync } from 'node:child_process';
import { createResolver } from '../check/resolve.ts';
import { importsOf, isSource, listFiles } from '../check/source-files.ts';
import { isOfScreens } from './selection.ts';

/** Files that most tests start. They import the whole service, so their imports would select every test. */
const WHOLE_SERVICE = ['server/src/app.ts', 'server/src/assemble.ts', 'server/src/main.ts'];

/** All tests. Such a change selects no deep tests, since all of them take an hour: they run in turn anyway. */
const EVERYTHING = [''];

/** The folders of tests for files that they do not import: they send requests, read documents, run programs. */
const TESTED_IN: readonly (readonly [file: RegExp, folders: readonly string[]])[] = [
  [/^server\/src\/modules\/pages\//, ['tests/pages/', 'tests/console/']],
  [/^server\/src\/modules\//, ['tests/isolation/']],
  [/^server\/(sql|migrations)\//, ['server/', 'tests/costs/', 'tests/isolation/', 'tests/races/']],
  [/^server\/src\/(platform|tenancy|[^/]+$)/, EVERYTHING],
  [
    /^contract\//,
    ['contract/', 'cli/', 'sdk/', 'server/', 'tests/conformance/', 'tests/isolation/'],
  ],
  [/^(docs|examples)\/|^[^/]+\.md$/, ['tests/e2e/', 'tests/site/', 'tools/check/']],
  [/^(site|tools\/docs)\b/, ['tests/site/']],
  [/^ui\//, ['tests/console/', 'ui/']],
  [/^sdk\//, ['sdk/', 'tests/e2e/']],
  [
    /^(package|package-lock)\.json$|^tools\/(setup|runtime)|^tests\/harness\/keywright\.ts$/,
    EVERYTHING,
  ],
];

/** The files that the tests of screens show or consist of. */
const SCREENS =
  /^(?:ui|contract|tests\/(?:console|pages|harness|conformance\/browser\.ts)|server\/src\/(?:modules\/pages|platform\/(?:http|texts))|tools\/(?:setup|runtime|test)|package(?:-lock)?\.json)/;

/** The branches that developers share, in a clone. */
const SHARED_BRANCHES = ['origin/HEAD', 'origin/main'];

/** Returns the branch that the clone was made from; undefined if there is none. */
export function findSharedBranch(root: string): string | undefined {
  return SHARED_BRANCHES.find((branch) => {
    const { status } = spawnSync('git', ['rev-parse', '--verify', '--quiet', branch], {
      cwd: root,
    });
    return status === 0;
  });
}

/** Returns the tests of screens, if none of the changed files can affect them. */
export function testsOfScreens(changed: readonly string[], tests: readonly string[]): string[] {
  return changed.some((file) => SCREENS.test(file)) ? [] : tests.filter(isOfScreens);
}

/** The files that differ from where the branch left `ref`, committed or not. */
export function filesChangedSince(root: string, ref: string): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const since = git('merge-base', ref, 'HEAD');
  const listed = [
    git('diff', '--name-only', since),
    git('ls-files', '--others', '--exclude-standard'),
  ];
  return listed.flatMap((names) => names.split('\n')).filter((name) => name !== '');
}

/** The files that import each file. */
type Importers = ReadonlyMap<string, readonly string[]>;

/** Returns the tests that import a changed file, or are in a folder that tests it. */
export function affectedBy(
  importers: Importers,
  changed: readonly string[],
  tests: readonly string[],
  { wantsDeep = false }: { readonly wantsDeep?: boolean } = {},
): string[] {
  const sources = changed.filter((file) => !file.endsWith('.test.ts'));
  const folders = sources.flatMap(foldersOf).filter((folder) => folder !== '' || !wantsDeep);
  const reached = new Set(changed);
  for (const file of reached)
    for (const importer of importers.get(file) ?? []) reached.add(importer);
  return tests.filter(
    (test) => reached.has(test) || folders.some((folder) => test.startsWith(folder)),
  );
}

function foldersOf(file: string): string[] {
  // Tests next to a file of a module send requests to it.
  const module = /^server\/src\/modules\/[^/]+\/[^/]+\//.exec(file) ?? [];
  return [...module, ...TESTED_IN.flatMap(([pattern, where]) => (pattern.test(file) ? where : []))];
}

export function readImporters(root: string): Importers {
  const resolve = createResolver(root);
  const importers = new Map<string, string[]>();
  for (const file of listFiles(root).filter(isSource)) {
    if (WHOLE_SERVICE.includes(file)) continue;
    for (const { specifier } of importsOf(root, file)) {
      const target = resolve(file, specifier);
      if (target.kind !== 'file') continue;
      const existing = importers.get(target.path) ?? [];
      existing.push(file);
      importers.set(target.path, existing);
    }
  }
  return importers;
}
