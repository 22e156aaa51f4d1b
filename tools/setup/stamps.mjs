// Records in node_modules what it was installed from, so that both are deleted together.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ version?: string, integrity?: string, optional?: boolean }} LockedPackage */

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** @param {string} dir */
function stampPath(dir) {
  return join(dir, 'node_modules', '.keywright-setup');
}

/**
 * The platform and the hash of the lock file.
 * @param {string} dir
 */
export function stampOf(dir) {
  const hash = createHash('sha256').update(readFileSync(join(dir, 'package-lock.json')));
  return `${process.platform}-${process.arch} ${hash.digest('hex')}\n`;
}

/** @param {string} dir */
export function writeStamp(dir) {
  writeFileSync(stampPath(dir), stampOf(dir));
}

/** @param {string} dir */
export function isInstalled(dir) {
  const found = readIfThere(stampPath(dir));
  const expected = stampOf(dir);
  if (found === expected) return true;
  const isOtherPlatform = found !== undefined && found.split(' ')[0] !== expected.split(' ')[0];
  if (isOtherPlatform || !isInstalledAsLocked(dir)) return false;
  writeStamp(dir);
  return true;
}

/**
 * After `npm install <package>` the lock file has changed but the install already matches it: npm lists what it
 * installed, so compare the two before installing again.
 * @param {string} dir
 */
function isInstalledAsLocked(dir) {
  const locked = packagesIn(join(dir, 'package-lock.json'));
  const installed = packagesIn(join(dir, 'node_modules', '.package-lock.json'));
  if (!locked || !installed) return false;
  for (const [path, lockedPackage] of Object.entries(locked)) {
    const found = installed[path];
    if (found ? !isSamePackage(found, lockedPackage) : !lockedPackage.optional) return false;
  }
  return Object.keys(installed).every((path) => path in locked);
}

/**
 * @param {string} lockFile
 * @returns {Record<string, LockedPackage> | undefined}
 */
function packagesIn(lockFile) {
  const text = readIfThere(lockFile);
  if (text === undefined) return undefined;
  const entries = Object.entries(JSON.parse(text).packages ?? {});
  return Object.fromEntries(entries.filter(([path]) => path.includes('node_modules/')));
}

/**
 * @param {LockedPackage} installed
 * @param {LockedPackage} other
 */
function isSamePackage(installed, other) {
  return installed.version === other.version && installed.integrity === other.integrity;
}
