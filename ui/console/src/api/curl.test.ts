import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { it } from 'node:test';
import { curlOf } from './curl.ts';

/** Returns the arguments that a shell passes to curl. */
function argumentsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; TOKEN=secret; ${command}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

const ORIGIN = 'https://id.example.com';

it('A call for a terminal has the route, the tenant and no token', () => {
  const command = curlOf(ORIGIN, 'org_acme', 'users.list', { query: { email: "a'b", limit: 25 } });
  assert.ok(command.includes('$TOKEN'));
  assert.deepEqual(argumentsOf(command), [
    `${ORIGIN}/api/sso/v1/users?email=a%27b&limit=25`,
    '-H',
    'authorization: Bearer secret',
    '-H',
    'x-tenant-id: org_acme',
  ]);
});

it('The body of a call for a terminal survives the shell', () => {
  const body = { name: `it's "$HOME" \`id\` \\` };
  const command = curlOf(ORIGIN, 'org_acme', 'roles.update', { params: { role: 'a b' }, body });
  const args = argumentsOf(command);
  assert.deepEqual(args.slice(0, 3), ['-X', 'PATCH', `${ORIGIN}/api/sso/v1/roles/a%20b`]);
  assert.deepEqual(JSON.parse(args.at(-1) ?? ''), body);
});
