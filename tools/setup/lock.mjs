// One setup at a time: two npm scripts can start together on a fresh clone.

import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const WAIT_MS = 300_000;
const POLL_MS = 200;
// A lock without an owner is being written, or its owner died while writing it.
const OWNERLESS_MS = 5_000;

/**
 * Waits for the lock and holds it until this process exits. The file lists process ids, one per line; the lock is
 * held while one of them runs. `addOwner` adds one: an install can outlive the process that started it.
 * @param {string} lockFile
 * @param {() => void} onWait called once, if the lock is taken
 * @returns {Promise<{ addOwner: (pid: number | undefined) => void }>}
 */
export async function holdLock(lockFile, onWait) {
  const deadline = Date.now() + WAIT_MS;
  for (let isFirst = true; !takeLock(lockFile); isFirst = false) {
    if (Date.now() > deadline) {
      throw new Error(
        `${lockFile} has been held for five minutes; remove it if no setup is running`,
      );
    }
    if (isFirst) onWait();
    await sleep(POLL_MS);
  }
  process.on('exit', () => rmSync(lockFile, { force: true }));
  return { addOwner: (pid) => appendFileSync(lockFile, `${pid}\n`) };
}

/** @param {string} lockFile */
function takeLock(lockFile) {
  try {
    writeFileSync(lockFile, `${process.pid}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    if (isDead(lockFile)) rmSync(lockFile, { force: true });
    return false;
  }
}

/** @param {string} lockFile */
function isDead(lockFile) {
  try {
    const owners = readFileSync(lockFile, 'utf8').split('\n').map(Number).filter(Boolean);
    if (owners.length > 0) return !owners.some(isRunning);
    return Date.now() - statSync(lockFile).mtimeMs > OWNERLESS_MS;
  } catch {
    return false;
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
