import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Five minutes, and as much again where rows are measured repeatedly. */
const DEADLINE_MS = 1_200_000;

test(
  'The main requests cost at most 15 % more than published, relative to a floor and to the best peer',
  { timeout: DEADLINE_MS },
  async (t) => {
    const args = ['bench/main.ts', '--gate'];
    const { promise, resolve } = Promise.withResolvers<readonly [number | string, string]>();
    execFile(process.execPath, args, { cwd: ROOT, signal: t.signal }, (error, stdout, stderr) =>
      resolve([error?.code ?? 0, `${stdout}\n${stderr}`]),
    );
    const [code, output] = await promise;
    t.diagnostic(output);
    assert.equal(code, 0, output);
  },
);
