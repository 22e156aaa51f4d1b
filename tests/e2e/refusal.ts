import assert from 'node:assert/strict';
import { spawnServerProcess } from '../harness/process.ts';

/** Starts the service where it has to be refused: an exit code that says so, one message for people, nothing was served. */
export async function refusalOf(
  env: Readonly<Record<string, string>>,
  expected = 1,
): Promise<string> {
  const server = spawnServerProcess({ env });
  // A start that is not refused must not stay.
  const { code } = await server.exit().catch(() => server.kill9());
  assert.equal(code, expected, server.stdout + server.stderr);
  assert.doesNotMatch(server.stdout, /listening/);
  assert.doesNotMatch(server.stderr, /^ +at |node:internal/m, 'no stack');
  return server.stderr;
}
