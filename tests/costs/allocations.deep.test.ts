import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROGRAM = fileURLToPath(new URL('allocations-process.ts', import.meta.url));
const DEADLINE_MS = 500_000;
/** Optimization depends on the engine and the load of the machine. */
const TOLERANCE = 1.5;

/**
 * KiB of heap that a request allocates, on any machine, including those of the client in the same process. Garbage
 * collection delays every request.
 */
const KIB: Readonly<Record<string, number>> = {
  refresh: 105,
  'me, with a token': 80,
  'me, with an API key': 60,
  'verify-token, seen before': 85,
  'verify-token, about an API key': 80,
  'client credentials': 73,
  'key set': 37,
  'key set, unchanged': 38,
  evaluation: 95,
  'evaluations, 100 in one request': 1435,
  'users, first page': 91,
};

describe('the memory allocated by a request', () => {
  let found: Readonly<Record<string, number>>;

  before(async () => {
    const enough = Object.entries(KIB).map(([name, kib]) => [name, TOLERANCE * kib]);
    const args = [PROGRAM, JSON.stringify(Object.fromEntries(enough))];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: DEADLINE_MS });
    found = JSON.parse(stdout) as typeof found;
  });

  for (const [name, kib] of Object.entries(KIB)) {
    test(`${name}: within 1.5 times the recorded ${kib} KiB`, () => {
      const now = found[name] ?? Number.NaN;
      assert.ok(now < TOLERANCE * kib, `${now.toFixed(1)} KiB`);
    });
  }
});
