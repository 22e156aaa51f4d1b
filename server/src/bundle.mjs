// The service and what it needs of its packages in a few files, which start in a third of the time that a thousand take
// to be found. tools/setup makes it; it is used while everything that it was made of is as it was.

import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What a bundle was made of. All paths lead from the root of the clone, so that it may be moved as a whole.
 * @typedef {object} Manifest
 * @property {string} entry the file that starts the service
 * @property {string[]} sources the project's own files
 * @property {string} digest of all that these say
 * @property {Record<string, string>} files those of packages and of the bundle itself, and how each looks from outside
 */

/**
 * Where bundles are: below the packages, so that what stays outside a bundle is found from there.
 * @param {string} root of the clone
 */
export function bundlesIn(root) {
  return join(root, 'server', 'node_modules', '.cache', 'keywright');
}

/** @param {string} root */
export function manifestIn(root) {
  return join(bundlesIn(root), 'bundle.json');
}

/**
 * The file that starts the service, where there is a bundle of exactly what lies there now.
 * @param {string} root
 * @returns {string | undefined}
 */
export function findBundle(root) {
  try {
    /** @type {Manifest} */
    const manifest = JSON.parse(readFileSync(manifestIn(root), 'utf8'));
    const entry = join(root, manifest.entry);
    // It finds migrations from where it lies, which a link would tell wrong.
    const isInPlace = realpathSync(entry) === join(realpathSync(root), manifest.entry);
    return isInPlace && isCurrent(root, manifest) ? entry : undefined;
  } catch {
    // There is none, or something that it was made of is gone.
    return undefined;
  }
}

/**
 * @param {string} root
 * @param {Manifest} manifest
 */
function isCurrent(root, { sources, digest, files }) {
  for (const [path, look] of Object.entries(files)) {
    if (lookOf(`${root}/${path}`) !== look) return false;
  }
  return digestOf(root, sources) === digest;
}

/**
 * Of contents: times of sources are what an editor, a checkout or an archive made them.
 * @param {string} root
 * @param {readonly string[]} paths
 */
export function digestOf(root, paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    const content = readFileSync(`${root}/${path}`);
    hash.update(`${path} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/**
 * Size and time, for files that nobody edits: npm replaces them, and then the lists of packages that it keeps differ,
 * which are among the sources. Whole seconds are what images of containers keep.
 * @param {string} path
 */
export function lookOf(path) {
  const { size, mtimeMs } = statSync(path);
  return `${size} ${Math.floor(mtimeMs / 1000)}`;
}
