import assert from 'node:assert/strict';
import { spawnServerProcess } from '../harness/process.ts';

/** Starts the service where it has to be refused: exit code 1, one message for people, nothing was served. */
export async function refusalOf(env: Readonly<Record<string, string>>): Promise<string> {
  const server = spawnServerProcess({ env });
  // A start that is not refused must not stay.
  const { code } = await server.exit().catch(() => server.kill9());
  assert.equal(code, 1, server.stdout + server.stderr);
  assert.doesNotMatch(server.stdout, /listening/);
  assert.doesNotMatch(server.stderr, /^ +at |node:internal/m, 'no stack');
  return server.stderr;
}
