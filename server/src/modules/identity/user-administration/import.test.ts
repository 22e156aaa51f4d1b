import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ForeignPassword, UserImport } from '@keywright/contract/records/user-import';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import {
  ARGON2I,
  argon2Of,
  bcryptOf,
  FIREBASE,
  firebaseOf,
  pbkdf2Of,
  scryptOf,
} from '@keywright/tests/harness/foreign-passwords';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ clock: 'fake', passwords: 'real' });
  tenant = await keywright.tenant('importing', { config: { login_attempts_limit: 10_000 } });
});

after(() => keywright.close());

async function send(
  lines: readonly unknown[],
  options: { readonly dry?: boolean; readonly token?: string; readonly at?: TestTenant } = {},
): Promise<Answer<UserImport>> {
  const { dry = false, at = tenant, token = await at.adminToken() } = options;
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  return at.request<UserImport>('POST', `/users/import${dry ? '?dry_run=true' : ''}`, {
    token,
    rawBody: text.join('\n'),
    contentType: 'application/x-ndjson',
  });
}

async function importLines(...args: Parameters<typeof send>): Promise<UserImport> {
  return expectStatus(200, await send(...args));
}

const lineOf = (identifier: string, password?: ForeignPassword, more: object = {}) => ({
  identifiers: [{ identifier, verified: true }],
  ...(password ? { password } : {}),
  ...more,
});

async function hashOf(identifier: string): Promise<string> {
  const [row] = await keywright.database.query<{ secret_hash: string }>(
    `SELECT c.secret_hash FROM user_credentials c
       JOIN user_identifiers i ON i.tenant_id = c.tenant_id AND i.user_id = c.user_id
      WHERE i.identifier = $1`,
    [identifier],
  );
  return row?.secret_hash ?? '';
}

const HASHES: Readonly<
  Record<string, (password: string) => Promise<ForeignPassword> | ForeignPassword>
> = {
  'bcrypt 2b': bcryptOf,
  'bcrypt 2a': async (password) => as('$2a$', await bcryptOf(password)),
  'bcrypt 2y': async (password) => as('$2y$', await bcryptOf(password)),
  Argon2id: argon2Of,
  Argon2i: (password) => argon2Of(password, ARGON2I),
  'PBKDF2 with SHA-1': (password) => pbkdf2Of(password, 'sha1'),
  'PBKDF2 with SHA-256': (password) => pbkdf2Of(password, 'sha256'),
  'PBKDF2 with SHA-512': (password) => pbkdf2Of(password, 'sha512'),
  scrypt: scryptOf,
  'the scrypt of Firebase': firebaseOf,
};

function as(prefix: string, password: ForeignPassword): ForeignPassword {
  return { ...password, hash: password.hash.replace('$2b$', prefix) };
}

for (const [name, hash] of Object.entries(HASHES)) {
  test(`A password hashed with ${name} logs in, and is then stored as Argon2id`, async () => {
    const identifier = newIdentifier();
    const password = `${newPassword()} Zoë`;
    const answer = await importLines([lineOf(identifier, await hash(password))]);
    assert.deepEqual([answer.created, answer.failed], [1, 0], JSON.stringify(answer));
    const stored = await hashOf(identifier);
    const body = { identifier, secret: newPassword() };
    assert.equal((await tenant.request('POST', '/auth/login', { body })).status, 401);
    assert.equal(await hashOf(identifier), stored);
    const { user } = await tenant.login(identifier, password);
    assert.equal(user.id, answer.results[0]?.subject);
    assert.match(await hashOf(identifier), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await tenant.login(identifier, password);
  });
}

test('The example of Firebase is verified', async () => {
  const identifier = newIdentifier();
  // README of github.com/firebase/scrypt.
  const password: ForeignPassword = {
    scheme: 'firebase_scrypt',
    hash: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
    salt: '42xEC+ixf3L2lw==',
    signer_key:
      'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
    salt_separator: 'Bw==',
    rounds: 8,
    mem_cost: 14,
  };
  assert.equal((await importLines([lineOf(identifier, password)])).created, 1);
  assert.ok(await tenant.login(identifier, 'user1password'));
});

test('The signer key of a Firebase project is not stored', async () => {
  const identifier = newIdentifier();
  await importLines([lineOf(identifier, firebaseOf(newPassword()))]);
  const hash = await hashOf(identifier);
  assert.match(hash, /^\$firebase-scrypt\$/);
  const bytes = Buffer.from(FIREBASE.signer_key, 'base64');
  for (const part of hash.split('$')) assert.ok(!Buffer.from(part, 'base64').includes(bytes));
});

test('A flow also accepts an imported password, and replaces its hash', async () => {
  const identifier = newIdentifier();
  const secret = newPassword();
  await importLines([lineOf(identifier, await bcryptOf(secret))]);
  const answer = await tenant.request<{ flow_token: string; flow: { id: string } }>(
    'POST',
    '/auth/flows',
    { body: { identifier } },
  );
  const { flow_token, flow } = expectStatus(201, answer);
  const step = { body: { flow_token, secret } };
  expectStatus(200, await tenant.request('POST', `/auth/flows/${flow.id}/password`, step));
  assert.match(await hashOf(identifier), /^\$argon2id\$/);
});

describe('an import', () => {
  test('An import reports each line that fails, and imports the others', async () => {
    const { identifier: taken } = await tenant.createUser();
    const [good, other] = [newIdentifier(), newIdentifier()];
    const picture = 'https://cdn.example.com/ada.png';
    const lines = [
      lineOf(good, undefined, {
        name: ' Ada  Lovelace',
        picture,
        metadata: { plan: 'team' },
        roles: ['admin'],
      }),
      '{"identifiers":',
      '',
      lineOf('not an address'),
      { identifiers: [{ identifier: taken }, { identifier: other }] },
      lineOf(newIdentifier(), { scheme: 'bcrypt', hash: `$2b$14$${'a'.repeat(53)}` }),
      lineOf(newIdentifier(), undefined, { roles: ['member', 'gardener'] }),
      lineOf(newIdentifier(), { ...pbkdf2Of('x'), iterations: 1_000_001 }),
      lineOf(newIdentifier(), undefined, { unheard_of: 1 }),
      lineOf(newIdentifier(), { scheme: 'bcrypt', hash: '$2b$10$short' }),
      lineOf(newIdentifier(), { ...pbkdf2Of('x', 'sha512'), iterations: 500_001 }),
      lineOf(newIdentifier(), { ...pbkdf2Of('x', 'sha1'), iterations: 250_001 }),
      lineOf(newIdentifier(), { ...scryptOf('x'), cost: 32_768, parallelism: 3 }),
      lineOf(newIdentifier(), undefined, { picture: 'https://10.0.0.1/ada.png' }),
      lineOf(newIdentifier(), undefined, { name: 'Ada\nLovelace' }),
    ];
    const { created, failed, results } = await importLines(lines);
    assert.deepEqual([created, failed], [1, 13]);
    assert.deepEqual(
      results.map(({ line, status, error }) => [line, status, error?.code, error?.path]),
      [
        [1, 'created', undefined, undefined],
        [2, 'failed', 'JSON_INVALID', ''],
        [4, 'failed', 'VALIDATION_FAILED', '/identifiers/0/identifier'],
        [5, 'failed', 'IDENTIFIER_TAKEN', '/identifiers'],
        [6, 'failed', 'HASH_UNSUPPORTED', '/password/hash'],
        [7, 'failed', 'ROLE_UNKNOWN', '/roles/1'],
        [8, 'failed', 'VALIDATION_FAILED', '/password/iterations'],
        [9, 'failed', 'VALIDATION_FAILED', '/unheard_of'],
        [10, 'failed', 'HASH_UNSUPPORTED', '/password/hash'],
        [11, 'failed', 'HASH_UNSUPPORTED', '/password/hash'],
        [12, 'failed', 'HASH_UNSUPPORTED', '/password/hash'],
        [13, 'failed', 'HASH_UNSUPPORTED', '/password/hash'],
        [14, 'failed', 'VALIDATION_FAILED', '/picture'],
        [15, 'failed', 'VALIDATION_FAILED', '/name'],
      ],
    );
    const token = await tenant.adminToken();
    const user = await tenant.request('GET', `/users/${results[0]?.subject}`, { token });
    const { name, roles, metadata, identifiers } = user.body;
    assert.deepEqual([name, user.body['picture']], ['Ada Lovelace', picture]);
    assert.deepEqual([roles, metadata], [['admin'], { plan: 'team' }]);
    assert.deepEqual(identifiers, [{ type: 'email', identifier: good, verified: true }]);
  });

  test('An import can be repeated: existing users remain unchanged', async () => {
    const identifier = newIdentifier();
    const secret = newPassword();
    const line = lineOf(identifier, await bcryptOf(secret));
    const first = await importLines([line, line]);
    assert.deepEqual([first.created, first.existing], [1, 1]);
    await tenant.login(identifier, secret);
    const hash = await hashOf(identifier);
    const again = await importLines([
      lineOf(identifier, await bcryptOf('another'), { is_active: false }),
    ]);
    assert.deepEqual([again.created, again.existing], [0, 1]);
    assert.equal(again.results[0]?.subject, first.results[0]?.subject);
    assert.equal(await hashOf(identifier), hash);
    await tenant.login(identifier, secret);
  });

  test('An import that runs concurrently with itself creates each user once', async () => {
    const lines = await Promise.all(
      Array.from({ length: 40 }, async () => lineOf(newIdentifier(), await bcryptOf('x'))),
    );
    const answers = await Promise.all([
      importLines(lines),
      importLines(lines.toReversed()),
      importLines(lines),
    ]);
    const created = answers.reduce((sum, answer) => sum + answer.created, 0);
    const failed = answers.reduce((sum, answer) => sum + answer.failed, 0);
    assert.deepEqual([created, failed], [40, 0]);
  });

  test('A dry import changes nothing, and reports the same', async () => {
    const lines = [lineOf(newIdentifier(), await bcryptOf('x')), lineOf('unknown')];
    const state = () =>
      keywright.database.query(
        `SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM audit_entries) AS entries,
                (SELECT count(*) FROM events) AS events, (SELECT foreign_hashes FROM tenants WHERE tenant_id = $1)`,
        [tenant.id],
      );
    await tenant.adminToken();
    const unchanged = await state();
    const dry = await importLines(lines, { dry: true });
    assert.deepEqual(await state(), unchanged);
    const { results, ...real } = await importLines(lines);
    for (const result of results) Reflect.deleteProperty(result, 'subject');
    assert.deepEqual({ ...dry, dry_run: false }, { ...real, results });
  });

  test('An import gives no role that its caller does not hold', async () => {
    const token = await tokenOf(['write:users']);
    const answer = await importLines(
      [lineOf(newIdentifier(), undefined, { roles: ['admin'] }), lineOf(newIdentifier())],
      { token },
    );
    assert.deepEqual(
      answer.results.map(({ status, error }) => [status, error?.code, error?.path]),
      [
        ['failed', 'SCOPE_NOT_HELD', '/roles/0'],
        ['created', undefined, undefined],
      ],
    );
  });

  test('An import needs write:users, a line, JSON lines, and at most 1,000 of them', async () => {
    const line = lineOf(newIdentifier());
    const token = await tokenOf(['read:users']);
    assert.equal((await send([line], { token })).status, 403);
    assert.equal((await send([])).status, 400);
    assert.equal((await send(Array.from({ length: 1001 }, () => ''))).status, 400);
    const admin = await tenant.adminToken();
    const asJson = { token: admin, body: line };
    assert.equal((await tenant.request('POST', '/users/import', asJson)).status, 415);
    const large = { token: admin, rawBody: ' '.repeat(2 ** 21 + 1), contentType: NDJSON };
    assert.equal((await tenant.request('POST', '/users/import', large)).status, 413);
  });

  test('An import is recorded, with an event for each new user', async () => {
    const answer = await importLines([lineOf(newIdentifier()), lineOf(newIdentifier())]);
    for (const { subject: id } of answer.results) {
      const rows = await keywright.database.query(
        `SELECT (SELECT count(*)::integer FROM audit_entries WHERE target_id = $1 AND action = 'user.created') AS entries,
                (SELECT array_agg(type ORDER BY type) FROM events WHERE subject = $1) AS events`,
        [id],
      );
      assert.deepEqual(rows, [{ entries: 1, events: ['role.assigned', 'user.created'] }]);
    }
  });
});

const NDJSON = 'application/x-ndjson';

async function tokenOf(scopes: readonly string[]): Promise<string> {
  const name = `role-${newIdentifier()
    .slice(0, 12)
    .replaceAll(/[^a-z0-9]/g, '')}`;
  const body = { name, scopes };
  expectStatus(
    201,
    await tenant.request('POST', '/roles', { token: await tenant.adminToken(), body }),
  );
  return (await tenant.createUser({ roles: ['member', name] })).token;
}
