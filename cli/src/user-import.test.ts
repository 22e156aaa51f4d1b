import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runCommand } from '@keywright/tests/harness/command-line';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { bcryptOf } from '@keywright/tests/harness/foreign-passwords';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { EXPORTS, HASH_CONFIG } from '@keywright/tests/harness/product-exports';
import { temporaryDirectory } from '@keywright/tests/harness/temporary';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { SOURCES } from '@keywright/contract/user-exports/sources';

interface Outcome {
  readonly read: number;
  readonly created: number;
  readonly existing: number;
  readonly failed: number;
  readonly failures: readonly object[];
}

let keywright: Keywright;
let tenant: TestTenant;
let folder: string;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('moving');
  folder = await temporaryDirectory('exports');
});

after(() => keywright.close());

async function place(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

async function run(...args: readonly string[]) {
  const env = {
    KEYWRIGHT_URL: `${keywright.url}/t/${tenant.id}`,
    KEYWRIGHT_TOKEN: await tenant.adminToken(),
  };
  return runCommand<Outcome>(['user', 'import', ...args, '--json'], { env });
}

async function imported(...args: readonly string[]): Promise<Outcome> {
  const { code, stdout, stderr, answer } = await run(...args);
  assert.equal(code, answer.result.failed === 0 ? 0 : 3, stdout + stderr);
  return answer.result;
}

function counts({ read, created, existing, failed, failures }: Outcome) {
  assert.deepEqual(failures.length, failed, JSON.stringify(failures));
  return [read, created, existing, failed];
}

const newPerson = () => ({ identifier: newIdentifier(), password: newPassword() });

describe('the export of', () => {
  test('The export of every supported product is tested', () => {
    assert.deepEqual(Object.keys(EXPORTS), Object.keys(SOURCES));
  });

  for (const [product, make] of Object.entries(EXPORTS)) {
    test(`${product} is imported, once however often, and its users sign in with their passwords`, async () => {
      const people = [newPerson(), newPerson()];
      const { name, text } = await make(people);
      const file = await place(name, text);
      const config = await place('hash-config.txt', HASH_CONFIG);
      const args = [
        file,
        '--from',
        product,
        ...(product === 'firebase' ? ['--hash-config', config] : []),
      ];
      assert.deepEqual(counts(await imported(...args, '--dry-run')), [2, 2, 0, 0]);
      assert.deepEqual(counts(await imported(...args)), [2, 2, 0, 0]);
      assert.deepEqual(counts(await imported(...args)), [2, 0, 2, 0]);
      for (const { identifier, password } of people) {
        const { user } = await tenant.login(identifier, password);
        assert.deepEqual(user.identifiers, [{ type: 'email', identifier, verified: true }]);
      }
    });
  }
});

test('Records that cannot be imported are reported by their position, and the others are imported', async () => {
  const [first, second] = [newIdentifier(), newIdentifier()];
  const password = await bcryptOf(newPassword());
  const records = [
    { email: first, passwordHash: password.hash, app_metadata: { plan: 'team' }, user_id: 'x1' },
    'nonsense',
    { name: 'unknown' },
    { email: newIdentifier(), passwordHash: '$1$md5crypt' },
    { email: 'no address', passwordHash: password.hash },
    { email: second, blocked: true },
  ];
  const text = records
    .map((record) => (typeof record === 'string' ? record : JSON.stringify(record)))
    .join('\n');
  const file = await place('mixed.ndjson', text);
  const report = join(folder, 'report.ndjson');
  const outcome = await imported(file, '--from', 'auth0', '--report', report, '--role', 'member');
  assert.deepEqual(counts(outcome), [6, 2, 0, 4]);
  const lines = (await readFile(report, 'utf8')).trimEnd().split('\n');
  const reported = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    reported.map(({ at, status, error }) => [
      at,
      status,
      (error as { code: string } | undefined)?.code,
    ]),
    [
      [1, 'created', undefined],
      [2, 'failed', 'NOT_CONVERTED'],
      [3, 'failed', 'NOT_CONVERTED'],
      [4, 'failed', 'NOT_CONVERTED'],
      [5, 'failed', 'VALIDATION_FAILED'],
      [6, 'created', undefined],
    ],
  );
  assert.equal((await stat(report)).mode & 0o777, 0o600);
  assert.ok(!lines.join().includes(password.hash));
  const token = await tenant.adminToken();
  const { body } = await tenant.request('GET', `/users/${String(reported[0]?.['subject'])}`, {
    token,
  });
  const metadata = { plan: 'team', imported: { from: 'auth0', id: 'auth0|x1' } };
  assert.deepEqual([body['metadata'], body['is_active']], [metadata, true]);
});

test('A file with more users than a request takes is sent in several requests', async () => {
  const users = Array.from({ length: 1003 }, (_, n) => ({ email: `many-${n}@example.com` }));
  const file = await place('many.json', JSON.stringify(users));
  assert.deepEqual(counts(await imported(file, '--from', 'auth0')), [1003, 1003, 0, 0]);
});

test('The import command names a file, a product and hash parameters that cannot be used, and sends nothing', async () => {
  const file = await place('one.json', '{"users": [{"localId": "1", "email": "one@example.com"}]}');
  const usage = async (...args: readonly string[]) => {
    const { code, answer } = await run(...args);
    assert.equal(code, 2, answer.message);
    return answer.message;
  };
  assert.match(await usage(join(folder, 'nothing'), '--from', 'auth0'), /cannot be read: ENOENT/);
  assert.match(await usage(file, '--from', 'elsewhere'), /--from must be one of auth0, keycloak/);
  const bad = await place('bad.txt', 'hash_config {}');
  assert.match(
    await usage(file, '--from', 'firebase', '--hash-config', bad),
    /lacks base64_signer_key/,
  );
  assert.match(
    await usage(await place('empty.json', '{ "realm": "acme" }'), '--from', 'keycloak'),
    /in the field users/,
  );
});
