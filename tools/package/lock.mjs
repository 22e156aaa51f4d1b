// Installs get the tested versions: npm reads the npm-shrinkwrap.json of an installed package, but never its
// package-lock.json.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {object} Locked a package of a lock file, by npm's names
 * @property {string} [version]
 * @property {boolean} [optional]
 * @property {boolean} [dev]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, {optional?: boolean}>} [peerDependenciesMeta]
 */

/**
 * The part of the clone's package-lock.json that a package with these dependencies needs.
 * @param {string} root of the clone
 * @param {{name: string, version: string, license: string, dependencies: Record<string, string>}} manifest
 */
export function lockFor(root, manifest) {
  const { lockfileVersion, packages } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  );
  const { name, version, license, dependencies } = manifest;
  /** @type {Record<string, Locked>} */
  const needed = {};
  const waiting = Object.keys(dependencies).map((dependency) =>
    find(packages, 'server', dependency),
  );
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (path === '' || path in needed) continue;
    needed[path] = packages[path];
    for (const dependency of neededBy(packages[path]))
      waiting.push(find(packages, path, dependency));
  }
  const sorted = Object.fromEntries(
    Object.entries(needed).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  return {
    name,
    version,
    lockfileVersion,
    requires: true,
    packages: { '': { name, version, license, dependencies }, ...sorted },
  };
}

/** @param {Locked} locked */
function neededBy({ dependencies, optionalDependencies, peerDependencies }) {
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
}

/**
 * Resolves a package from another one, as Node.js does. @returns '' for an optional one that is not locked
 * @param {Record<string, Locked>} packages
 * @param {string} from
 * @param {string} dependency
 */
function find(packages, from, dependency) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const path =
      at === '' || at === 'server'
        ? `node_modules/${dependency}`
        : `${at}/node_modules/${dependency}`;
    if (path in packages) return path;
    if (at === '' || at === 'server') return '';
  }
}
