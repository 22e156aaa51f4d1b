// Which sources the service was built from. Runs before anything is installed: built-ins only.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['contract/src', 'server/src'];
const FILES = [
  'package.json',
  'package-lock.json',
  'contract/package.json',
  'server/package.json',
  'tools/setup/build.mjs',
];

/**
 * Where the service is built.
 * @param {string} root of the clone
 */
export function buildFolder(root) {
  return join(root, 'server', 'dist');
}

/**
 * build.json: the digest of the sources, and the files that were written.
 * @typedef {{ digest: string, files: readonly string[] }} Build
 */

/**
 * @param {string} root
 * @returns {Build | undefined}
 */
export function findBuild(root) {
  try {
    return JSON.parse(readFileSync(join(buildFolder(root), 'build.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {string} root */
export function isBuilt(root) {
  return findBuild(root)?.digest === digestOfSources(root);
}

/**
 * Of contents, because editors, checkouts and archives change modification times.
 * @param {string} root
 */
export function digestOfSources(root) {
  const hash = createHash('sha256');
  for (const path of [...FOLDERS.flatMap((folder) => sourcesIn(root, folder)), ...FILES]) {
    const content = readFileSync(join(root, path));
    hash.update(`${path} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/**
 * @param {string} root
 * @param {string} folder
 */
function sourcesIn(root, folder) {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /(?<!\.test)\.ts$/.test(name))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .toSorted();
}
