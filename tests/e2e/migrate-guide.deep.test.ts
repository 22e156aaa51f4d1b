// The pages about moving from other products: each block is pasted into a shell, next to an export of the product.

import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { bcryptOf } from '../harness/foreign-passwords.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { EXPORTS, HASH_CONFIG } from '../harness/product-exports.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import type { Credentials, TestTenant } from '../harness/tenant.ts';
import { payloadOf } from '../harness/token.ts';
import { GuideShell } from './guide-shell.ts';

const FOLDER = join(import.meta.dirname, '../../docs/migrate');
/** The user whose login the pages show. */
const ADA = { identifier: 'ada@example.com', password: 'engines of analysis' };

/** Texts by the name of the file that the page reads. */
type Files = Readonly<Record<string, string>>;

let keywright: Keywright;
before(async () => {
  keywright = await startKeywright({ passwords: 'real' });
});
after(() => keywright.close());

const lines = (records: readonly object[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** The files that readers export, by page. */
const SAMPLES: Readonly<Record<string, (people: readonly Credentials[]) => Promise<Files>>> = {
  auth0,
  'better-auth': exportOf('better-auth'),
  clerk,
  cognito,
  firebase: async (people) => ({
    ...(await exportOf('firebase')(people)),
    'hash-config.txt': HASH_CONFIG,
  }),
  keycloak: exportOf('keycloak'),
  logto: exportOf('logto'),
  supabase: exportOf('supabase'),
  'your-own': yourOwn,
};

function exportOf(product: string) {
  return async (people: readonly Credentials[]): Promise<Files> => {
    const { name, text } = (await EXPORTS[product]?.(people)) ?? { name: '', text: '' };
    return { [name]: text };
  };
}

/** The hashes of database users, and the profiles of all users: one has the same email address at Google. */
async function auth0(people: readonly Credentials[]): Promise<Files> {
  const hashes = Object.values(await exportOf('auth0')(people)).join();
  const users = hashes
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { _id: { $oid: string }; email: string });
  const profiles = users.flatMap(({ _id, email }) => [
    { user_id: `google-oauth2|${_id.$oid}`, email, email_verified: true, name: 'At Google' },
    { user_id: `auth0|${_id.$oid}`, email, email_verified: true, name: 'Ada Lovelace' },
  ]);
  return { 'password-hashes.ndjson': hashes, 'profiles.ndjson': lines(profiles) };
}

/** https://clerk.com/docs/guides/development/migrating/export-from-clerk */
async function clerk(people: readonly Credentials[]): Promise<Files> {
  const names =
    'id,first_name,last_name,username,primary_email_address,primary_phone_number,verified_email_addresses,' +
    'unverified_email_addresses,verified_phone_numbers,unverified_phone_numbers,totp_secret,password_digest,password_hasher';
  const rows = people.map(async ({ identifier, password }, index) => {
    const { hash } = await bcryptOf(password, 10);
    const [id, name] = [`user_${index}`, '"Lovelace, ""Countess"""'];
    return `${id},Ada,${name},,${identifier},,"${identifier},x@example.com",,,,,${hash},bcrypt`;
  });
  return { 'clerk.csv': [names, ...(await Promise.all(rows))].join('\r\n') };
}

/** https://docs.aws.amazon.com/cli/latest/reference/cognito-idp/list-users.html */
function cognito(people: readonly Credentials[]): Promise<Files> {
  const Users = people.map(({ identifier }, index) => ({
    Username: `cognito-${index}`,
    Attributes: [
      { Name: 'sub', Value: `cognito-${index}` },
      { Name: 'email', Value: identifier },
      { Name: 'email_verified', Value: 'true' },
      { Name: 'given_name', Value: 'Ada' },
    ],
    Enabled: true,
    UserStatus: 'CONFIRMED',
  }));
  return Promise.resolve({ 'cognito.json': JSON.stringify({ Users }) });
}

async function yourOwn(people: readonly Credentials[]): Promise<Files> {
  const users = people.map(async ({ identifier, password }, index) => ({
    identifiers: [{ identifier, verified: true }],
    password: await bcryptOf(password, 10),
    metadata: { name: 'Ada Lovelace', imported: { from: 'acme', id: String(index) } },
  }));
  return { 'users.ndjson': lines(await Promise.all(users)) };
}

/** Pastes every block of a page for a tenant. @returns the outputs, by block */
async function follow(page: string, tenant: TestTenant, folder: string) {
  const guide = await GuideShell.open(`../migrate/${page}.md`, folder);
  try {
    await guide.run('npx() { "$@"; }');
    await guide.start({
      KEYWRIGHT: `http://localhost:${new URL(keywright.nodes[0]?.url ?? '').port}`,
      TENANT: tenant.id,
      TOKEN: await tenant.adminToken(),
    });
    const outputs: { readonly text: string; readonly output: string }[] = [];
    for (const text of guide.left) outputs.push({ text, output: await guide.run(text) });
    return outputs;
  } finally {
    await guide.close();
  }
}

async function hashOf(tenant: TestTenant, identifier: string): Promise<string> {
  const [row] = await keywright.database.query<{ secret_hash: string }>(
    `SELECT c.secret_hash FROM user_credentials c
       JOIN user_identifiers i ON i.tenant_id = c.tenant_id AND i.user_id = c.user_id
      WHERE i.tenant_id = $1 AND i.identifier = $2`,
    [tenant.id, identifier],
  );
  return row?.secret_hash ?? '';
}

test('The test has a sample export for every page about a product', () => {
  const pages = globSync('*.md', { cwd: FOLDER }).map((file) => basename(file, '.md'));
  assert.deepEqual(pages.filter((page) => page !== 'index').toSorted(), Object.keys(SAMPLES));
});

for (const [page, sample] of Object.entries(SAMPLES)) {
  test(`The commands of the page ${page}.md import an export, whose users are verified and keep their passwords`, async () => {
    const people = [ADA, { identifier: newIdentifier(), password: newPassword() }];
    const tenant = await keywright.tenant(`from-${page}`);
    const folder = await temporaryDirectory('migration');
    for (const [name, text] of Object.entries(await sample(people))) {
      await writeFile(join(folder, name), text);
    }
    const outputs = await follow(page, tenant, folder);
    const outputOf = (mark: string) =>
      outputs.filter(({ text }) => text.includes(mark)).map(({ output }) => output);
    assert.match(outputOf('user import')[0] ?? '', /^Would import 2 of \d users/);
    assert.match(outputOf('user import')[1] ?? '', /^Imported 2 of \d users in .*, 0 failed\.$/m);
    assert.equal(outputOf('wc -l')[0]?.trim(), '2');
    const ids = (await readFile(join(folder, 'ids.csv'), 'utf8')).trim().split('\n');
    for (const line of ids) assert.match(line, /^[\w|-]+,user:\w+$/);
    if (page === 'auth0') assert.ok(ids.every((line) => line.startsWith('auth0|')));
    for (const { identifier, password } of page === 'cognito' ? [] : people) {
      const { user } = await tenant.login(identifier, password);
      assert.deepEqual(user.identifiers, [{ type: 'email', identifier, verified: true }]);
      assert.match(await hashOf(tenant, identifier), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    }
    if (page !== 'cognito') assert.match(outputOf('"secret"').join(), /"access_token"/);
  });
}

test('The commands of the overview list users by their origin, and add the old ID to access tokens', async () => {
  const tenant = await keywright.tenant('from-anywhere');
  const folder = await temporaryDirectory('migration');
  const token = await tenant.adminToken();
  const rawBody = Object.values(await yourOwn([ADA])).join();
  const options = { token, rawBody, contentType: 'application/x-ndjson' };
  expectStatus(200, await tenant.request('POST', '/users/import', options));
  const registered = await tenant.createUser();
  const outputs = await follow('index', tenant, folder);
  const listed = outputs.find(({ text }) => text.includes('--has-logged-in false'));
  assert.match(listed?.output ?? '', /ada@example\.com/);
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  assert.match(await read('ids.csv'), /^0,user:\w+\n$/);
  assert.ok((await read('new-users.ndjson')).includes(registered.user.id));
  assert.ok(!(await read('new-users.ndjson')).includes(ADA.identifier));
  const { access_token } = await tenant.login(ADA.identifier, ADA.password);
  const claims = payloadOf(access_token) as Record<string, unknown>;
  assert.equal(claims['old_id'], '0');
  const { body } = await tenant.request<{ config: Record<string, unknown> }>(
    'GET',
    `/tenants/${tenant.id}`,
    { token },
  );
  assert.equal(body.config['import_expires_at'], '2030-01-31T00:00:00Z');
});
