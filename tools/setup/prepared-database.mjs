// The prepared embedded database that a first start unpacks.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Relative to the clone, and to the package. */
export const PREPARED_DATABASE = 'server/dist/prepared-database.zst';
/** Runs TypeScript. */
const MINIMUM_NODE_MAJOR = 24;
/** Nearly all WebAssembly of it runs once: compiled for speed, it takes a second more (ADR 26). */
const FLAGS = ['--liftoff-only'];

/**
 * Prepares the database in a process of its own, because the service needs a newer Node.js than a setup.
 * @param {string} root of the clone
 * @param {string} folder where PREPARED_DATABASE is written; a current one of the clone is copied
 * @throws with the output of that process when it fails
 */
export async function prepareDatabase(root, folder = root) {
  const isNew = Number(process.versions.node.split('.')[0]) >= MINIMUM_NODE_MAJOR;
  const node = isNew ? process.execPath : join(root, 'node_modules', '.bin', 'node');
  const file = join(folder, PREPARED_DATABASE);
  fs.mkdirSync(dirname(file), { recursive: true });
  const built = join(root, PREPARED_DATABASE);
  if (file !== built && fs.existsSync(built)) fs.copyFileSync(built, file);
  const child = spawn(node, [...FLAGS, join(root, 'server/src/platform/db/prepare.ts'), file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (child.exitCode !== 0) throw new Error(said.trim() || `it ended with ${child.exitCode}`);
}
