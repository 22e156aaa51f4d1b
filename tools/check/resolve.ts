import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';

/** The target of an import: a file of this repository, or a package by name (`node:` for built-ins). */
export type Target =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'package'; readonly name: string };

interface Workspace {
  readonly name: string;
  readonly folder: string;
  readonly exports: Readonly<Record<string, Exported>>;
}

/** A file, or one per condition: the source, and the published build. */
type Exported = string | Readonly<Record<string, string>>;

/** The condition for the source of a workspace that is published as a build. */
const SOURCE_CONDITION = '@keywright/source';

/** Resolves imports as the workspaces' package.json files export them. */
export function createResolver(root: string): (from: string, specifier: string) => Target {
  const workspaces = readWorkspaces(root);
  return (from, specifier) => {
    if (specifier.startsWith('.')) {
      return { kind: 'file', path: posix.join(posix.dirname(from), specifier) };
    }
    if (isBuiltin(specifier)) return { kind: 'package', name: 'node:' };
    const name = packageNameOf(specifier);
    const workspace = workspaces.find((candidate) => candidate.name === name);
    if (!workspace) return { kind: 'package', name };
    const path = exportedFile(workspace, `.${specifier.slice(name.length)}`);
    return { kind: 'file', path: posix.join(workspace.folder, path) };
  };
}

function readWorkspaces(root: string): Workspace[] {
  const folders = readManifest(root).workspaces ?? [];
  return folders.map((folder) => {
    const { name = '', exports = {} } = readManifest(join(root, folder));
    return { name, folder, exports: typeof exports === 'string' ? { '.': exports } : exports };
  });
}

interface Manifest {
  readonly name?: string;
  readonly workspaces?: readonly string[];
  readonly exports?: string | Readonly<Record<string, Exported>>;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

function packageNameOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** The file behind `./name`, by exact entry or by an entry with one `*`. */
function exportedFile(workspace: Workspace, subpath: string): string {
  for (const [pattern, exported] of Object.entries(workspace.exports)) {
    const file = typeof exported === 'string' ? exported : (exported[SOURCE_CONDITION] ?? subpath);
    if (pattern === subpath) return file;
    const [before = '', after] = pattern.split('*');
    const isMatch = after !== undefined && subpath.startsWith(before) && subpath.endsWith(after);
    if (isMatch) {
      return file.replace('*', subpath.slice(before.length, subpath.length - after.length));
    }
  }
  return subpath;
}
