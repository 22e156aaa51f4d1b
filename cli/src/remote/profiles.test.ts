import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { UserRecord } from '@keywright/contract/records/user';
import { runCommand, runProgram } from '@keywright/tests/harness/command-line';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { temporaryDirectory } from '@keywright/tests/harness/temporary';
import type { TestTenant } from '@keywright/tests/harness/tenant';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('remote');
});

after(() => keywright.close());

/** The issuer of the tenant, as reachable from this machine. */
function issuer(): string {
  return `${keywright.url}/t/${tenant.id}`;
}

describe('a profile', () => {
  let env: Readonly<Record<string, string>>;
  let folder: string;
  let person: { readonly identifier: string; readonly password: string };

  before(async () => {
    const config = await temporaryDirectory('profiles');
    folder = join(config, 'keywright');
    env = { XDG_CONFIG_HOME: config };
    person = { identifier: newIdentifier(), password: newPassword() };
    await tenant.createUser({ ...person, roles: ['admin'] });
  });

  test('A profile is stored by a login, without the password, in a file that only its owner can read', async () => {
    const args = [
      'login',
      `--url=${issuer()}`,
      `--identifier=${person.identifier}`,
      '--secret-stdin',
    ];
    const { code, stdout, stderr } = await runProgram(args, { env, input: `${person.password}\n` });
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(
      stdout,
      /^Signed in to http:\S+ as user:\w+ of org_remote\. Stored as the profile default\.\n$/,
    );
    const file = join(folder, 'default.json');
    assert.deepEqual([await modeOf(folder), await modeOf(file)], [0o700, 0o600]);
    const stored = await readFile(file, 'utf8');
    assert.ok(!stored.includes(person.password));
    assert.deepEqual(await readdir(folder), ['default.json']);
    const { access_token: token } = (JSON.parse(stored) as { credential: { access_token: string } })
      .credential;
    assert.ok(!stdout.includes(token));
  });

  test('A profile is used by commands, and profile list shows no token', async () => {
    const who = await runCommand<UserRecord>(['whoami', '--json'], { env });
    assert.equal(who.answer.result.identifiers[0]?.identifier, person.identifier);
    const { stdout } = await runCommand(['profile', 'list'], { env });
    assert.match(stdout, /^default +http:\S+ +org_remote +user:\w+ +login$/m);
    assert.doesNotMatch(stdout, /eyJ/);
  });

  test('A profile has its expired tokens refreshed, and stores the new ones', async () => {
    const file = join(folder, 'default.json');
    const expired = await readFile(file, 'utf8');
    keywright.clock.advance(2 * 3600);
    // Concurrently: each finds the expired token.
    const lists = [1, 2].map(() => runCommand(['user', 'list'], { env }));
    for (const { code, stderr } of await Promise.all(lists)) assert.equal(code, 0, stderr);
    assert.equal((await runCommand(['user', 'list'], { env })).code, 0);
    assert.notEqual(await readFile(file, 'utf8'), expired);
    assert.equal(await modeOf(file), 0o600);
  });

  test('A repeated login to a profile keeps its service, and sends its device token', async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await tenant.request('POST', '/auth/login', {
        body: { identifier: person.identifier, secret: 'a wrong guess' },
      });
    }
    const again = await runCommand(['login', '--secret-stdin', '--json'], {
      env,
      input: person.password,
    });
    assert.equal(again.code, 0, again.stdout);
    const elsewhere = await runCommand(
      [
        'login',
        '--profile=other',
        `--url=${issuer()}`,
        `--identifier=${person.identifier}`,
        '--secret-stdin',
        '--json',
      ],
      { env, input: person.password },
    );
    assert.deepEqual([elsewhere.code, elsewhere.answer.code], [1, 'TOO_MANY_ATTEMPTS']);
    assert.deepEqual(
      await readdir(folder),
      ['default.json'],
      'nothing is stored of a rejected login',
    );
  });

  test('A profile of an API key works until the key is revoked', async () => {
    const { agent, key, record } = await tenant.createAgent({ scopes: ['read:users'] });
    const args = [
      'login',
      '--profile=ci',
      `--url=${keywright.url}`,
      '--tenant=org_remote',
      '--token-stdin',
    ];
    const made = await runCommand<{ subject: string }>([...args, '--json'], { env, input: key });
    assert.equal(made.answer.result.subject, agent.id);
    const list = await runCommand(['user', 'list', '--profile=ci'], { env });
    assert.equal(list.code, 0, list.stderr);
    const admin = { KEYWRIGHT_URL: issuer(), KEYWRIGHT_TOKEN: await tenant.adminToken() };
    assert.equal((await runCommand(['api-key', 'revoke', record.id], { env: admin })).code, 0);
    const refused = await runCommand(['user', 'list', '--profile=ci'], { env });
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /Sign in again: keywright login --profile ci\. \(TOKEN_INVALID, request \S+\)\n/,
    );
  });

  test('A profile is removed by a logout, which ends its session', async () => {
    const stored = await readFile(join(folder, 'default.json'), 'utf8');
    const { access_token: token } = (JSON.parse(stored) as { credential: { access_token: string } })
      .credential;
    const { code, stdout } = await runCommand(['logout'], { env });
    assert.deepEqual([code, stdout], [0, 'Ended the session and removed the profile default.\n']);
    assert.equal((await tenant.request('GET', '/me', { token })).status, 401);
    const gone = await runCommand(['whoami'], { env });
    assert.equal(gone.code, 2);
    assert.match(
      gone.stderr,
      /^keywright: Unknown profile default\. Sign in first: keywright login --url /,
    );
  });
});

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

test('Local commands work even if the environment names a remote service', async () => {
  const env = {
    KEYWRIGHT_URL: issuer(),
    KEYWRIGHT_TOKEN: 'a',
    KEYWRIGHT_DATABASE_URL: keywright.database.url,
    KEYWRIGHT_DATA_DIR: '.',
  };
  const { code, stdout, stderr } = await runProgram(['doctor', '--json'], { env });
  assert.doesNotMatch(stdout + stderr, /KEYWRIGHT_URL|KEYWRIGHT_TOKEN/);
  assert.notEqual(code, 2);
});
