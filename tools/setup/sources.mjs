// Which sources the service and its console were built from. Runs before anything is installed: built-ins only.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ folders: readonly string[], files: readonly string[] }} Sources */

/** @type {Sources} */
const SERVICE = {
  folders: ['contract/src', 'server/src', 'server/migrations', 'server/sql'],
  files: [
    'package.json',
    'package-lock.json',
    'contract/package.json',
    'server/package.json',
    'server/sql/contract.txt',
    'tools/setup/build.mjs',
    'tools/setup/prepared-database.mjs',
  ],
};
/** @type {Sources} */
const CONSOLE = {
  folders: ['contract/src', 'sdk/src/generated', 'ui/console/src', 'ui/reference'],
  files: [
    'package.json',
    'package-lock.json',
    'contract/package.json',
    'ui/console/package.json',
    'ui/console/build.mjs',
    'ui/reference/build.mjs',
  ],
};

/**
 * The folder of the built service.
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
 * The folder of the built console.
 * @param {string} root of the clone
 */
export function consoleFolder(root) {
  return join(root, 'ui', 'console', 'dist');
}

/** @param {string} root */
export function isConsoleBuilt(root) {
  try {
    const manifest = readFileSync(join(consoleFolder(root), 'manifest.json'), 'utf8');
    return JSON.parse(manifest).sources === digestOfConsole(root);
  } catch {
    return false;
  }
}

/** @param {string} root */
export function digestOfSources(root) {
  return digestOf(root, SERVICE);
}

/** @param {string} root */
export function digestOfConsole(root) {
  return digestOf(root, CONSOLE);
}

/**
 * Hashes contents, because editors, checkouts and archives change modification times.
 * @param {string} root
 * @param {Sources} sources
 */
function digestOf(root, { folders, files }) {
  const hash = createHash('sha256');
  for (const path of [...folders.flatMap((folder) => sourcesIn(root, folder)), ...files]) {
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
    .filter((name) => /(?<!\.test)\.(tsx?|css|html|json|sql|woff2)$/.test(name))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .toSorted();
}
