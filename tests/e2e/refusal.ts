import assert from 'node:assert/strict';
import { spawnServerProcess } from '../harness/process.ts';

/** Starts a service whose start must fail: a distinct exit code, one readable message, and no requests served. */
export async function refusalOf(
  env: Readonly<Record<string, string>>,
  expected = 1,
): Promise<string> {
  const server = spawnServerProcess({ env });
  // An unexpectedly successful start must not keep running.
  const { code } = await server.exit().catch(() => server.kill9());
  assert.equal(code, expected, server.stdout + server.stderr);
  assert.doesNotMatch(server.stdout, /listening/);
  assert.doesNotMatch(server.stderr, /^ +at |node:internal/m, 'no stack');
  return server.stderr;
}
