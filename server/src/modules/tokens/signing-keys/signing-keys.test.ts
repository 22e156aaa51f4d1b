import assert from 'node:assert/strict';
import { createPrivateKey, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { errorBody } from '@keywright/contract/errors';
import type { SigningKeyRecord } from '@keywright/contract/records/signing-key';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { parallel } from '@keywright/tests/harness/parallel';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { headerOf } from '@keywright/tests/harness/token';
import { until } from '@keywright/tests/harness/until';
import { unseal } from '../../../platform/crypto/sealed.ts';
import {
  importPrivateKey,
  importPublicKey,
  parseToken,
  signatureIsValid,
} from '../../../platform/crypto/jws.ts';
import { MasterKeys } from '../../../tenancy/data-keys.ts';
import { sealedPlace } from './key-ring.ts';

const MASTER_KEY = randomBytes(32);

interface KeySet {
  readonly keys: readonly { readonly kid: string; readonly x: string }[];
}

interface KeyRow {
  readonly id: string;
  readonly algorithm: string;
  readonly public_key: string;
  readonly private_key: Buffer;
  readonly created_at: Date;
  readonly signs_from: Date;
  readonly retired_at: Date | null;
}

interface DataKeyRow {
  readonly wrapped_key: Buffer;
  readonly master_key_id: string;
}

let keywright: Keywright;
let tenants = 0;

const lines: string[] = [];

before(async () => {
  keywright = await startKeywright({
    nodes: 2,
    env: { KEYWRIGHT_MASTER_KEY: MASTER_KEY.toString('base64'), KEYWRIGHT_LOG_LEVEL: 'error' },
    log: (line) => lines.push(line),
  });
});

after(() => keywright.close());

function freshTenant(): Promise<TestTenant> {
  tenants += 1;
  return keywright.tenant(`keys-${tenants}`);
}

async function keySet(tenant: TestTenant, node = 0): Promise<KeySet> {
  const path = '/.well-known/jwks.json';
  return expectStatus(200, await tenant.request<KeySet>('GET', path, { node }));
}

function keyRows({ id }: TestTenant): Promise<KeyRow[]> {
  return keywright.database.query<KeyRow & Record<string, unknown>>(
    'SELECT * FROM signing_keys WHERE tenant_id = $1 ORDER BY created_at',
    [id],
  );
}

async function wrappedDataKey({ id }: TestTenant): Promise<DataKeyRow> {
  const [row] = await keywright.database.query<DataKeyRow & Record<string, unknown>>(
    'SELECT wrapped_key, master_key_id FROM tenant_data_keys WHERE tenant_id = $1',
    [id],
  );
  assert.ok(row);
  return row;
}

async function dataKey(tenant: TestTenant): Promise<Buffer> {
  return new MasterKeys([MASTER_KEY]).unwrap(tenant.id, await wrappedDataKey(tenant));
}

function logIn(tenant: TestTenant): Promise<TokenAnswer> {
  return tenant.login(newIdentifier(), newPassword(), { extra: { register: true } });
}

/** Gives the tenant one more active key, which signs from now on. */
async function addKey(tenant: TestTenant): Promise<void> {
  const token = await tenant.adminToken();
  const path = '/keys/rotate?immediately=true';
  expectStatus(201, await tenant.request('POST', path, { token }));
}

/** A trigger that fails like a constraint, with the rejected row in the error. */
const REFUSE_ALL = `
  CREATE FUNCTION refuse_all() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'nothing goes' USING
      ERRCODE = 'check_violation', DETAIL = 'Failing row contains ' || NEW::text;
  END
  $$;
  CREATE TRIGGER refuse_all BEFORE INSERT ON user_credentials
    FOR EACH ROW EXECUTE FUNCTION refuse_all()`;

interface LogLine {
  readonly reqId: string;
  readonly code: string;
  readonly err: { readonly message: string; readonly stack: string; readonly code?: string };
}

/** The log line that an administrator finds for a 500 response, which itself discloses only the request ID. */
function assertLogged(answer: Answer<JsonBody>, why: RegExp, secrets: readonly string[]): LogLine {
  const id = answer.headers['x-request-id'];
  const found = lines.filter((line) => line.includes(String(id)));
  assert.equal(found.length, 1);
  const logged = JSON.parse(found[0] ?? '') as LogLine;
  assert.deepEqual([logged.reqId, logged.code], [id, 'INTERNAL']);
  assert.match(logged.err.message, why);
  assert.match(logged.err.stack, /\.ts:\d+/);
  for (const secret of secrets)
    assert.equal(found[0]?.includes(secret), false, 'no secret is logged');
  assert.deepEqual(answer.body, errorBody('INTERNAL', 'https://id.example.com/docs'));
  return logged;
}

describe('the signing key of a tenant', () => {
  test('The signing key of a tenant signs concurrently on a node that has not loaded the tenant before', async () => {
    const tenant = await freshTenant();
    const logins = await Promise.all(Array.from({ length: 6 }, () => logIn(tenant)));
    const answers = await parallel(logins.length, (index) => {
      const body = { refresh_token: logins[index]?.refresh_token };
      return tenant.request<TokenAnswer>('POST', '/auth/refresh', { node: 1, body });
    });
    for (const answer of answers) expectStatus(200, answer);
  });

  test('The signing key of a tenant has an id, an algorithm, a public and a private key, an active flag and a time (SPEC resources signing keys 2)', async () => {
    const tenant = await freshTenant();
    const [row, ...others] = await keyRows(tenant);
    assert.ok(row);
    assert.deepEqual(others, []);
    assert.match(row.id, /^key_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    assert.deepEqual([row.algorithm, row.retired_at], ['EdDSA', null]);
    assert.ok(Math.abs(row.created_at.getTime() - Date.now()) < 60_000);
    const token = await tenant.adminToken();
    const answer = await tenant.request<{ items: SigningKeyRecord[] }>('GET', '/keys', { token });
    const createdAt = row.created_at.toISOString();
    assert.deepEqual(expectStatus(200, answer).items, [
      {
        id: row.id,
        tenant_id: tenant.id,
        algorithm: 'EdDSA',
        public_key: row.public_key,
        is_active: true,
        state: 'current',
        created_at: createdAt,
        signs_from: createdAt,
        tokens_until: null,
      },
    ]);
    const der = unseal(await dataKey(tenant), row.private_key, sealedPlace(tenant.id, row.id));
    const { asymmetricKeyType } = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    assert.equal(asymmetricKeyType, 'ed25519');
    const parsed = parseToken((await logIn(tenant)).access_token);
    assert.ok(parsed && signatureIsValid(parsed, importPublicKey(row.public_key)));
  });

  test("A signing key is stored encrypted: it can be decrypted only with its tenant's data key in its own row (SPEC resources signing keys 3)", async () => {
    const [tenant, other] = [await freshTenant(), await freshTenant()];
    const [[row], [otherRow]] = [await keyRows(tenant), await keyRows(other)];
    assert.ok(row && otherRow);
    const [key, otherKey] = [await dataKey(tenant), await dataKey(other)];
    const place = sealedPlace(tenant.id, row.id);
    const der = unseal(key, row.private_key, place);
    assert.equal(row.private_key.includes(der.subarray(-32)), false, 'not in the clear');
    assert.throws(() => unseal(otherKey, row.private_key, place));
    assert.throws(() => unseal(MASTER_KEY, row.private_key, place));
    assert.throws(() => unseal(key, row.private_key, sealedPlace(other.id, row.id)));
    assert.throws(() => unseal(key, row.private_key, sealedPlace(tenant.id, otherRow.id)));
    assert.throws(() => importPrivateKey(row.private_key));
  });

  test('The signing key of a tenant cannot be used in the row of another tenant', async () => {
    const [tenant, other] = [await freshTenant(), await freshTenant()];
    await keywright.database.query(
      `UPDATE signing_keys s SET private_key = o.private_key, public_key = o.public_key
         FROM signing_keys o WHERE s.tenant_id = $1 AND o.tenant_id = $2`,
      [tenant.id, other.id],
    );
    const body = { identifier: newIdentifier(), secret: newPassword(), register: true };
    const answer = await tenant.request('POST', '/auth/login', { body });
    assert.equal(expectStatus(500, answer)['code'], 'INTERNAL');
    assertLogged(
      answer,
      /The value stored for \S+ cannot be decrypted\..*unable to authenticate data/,
      [
        body.identifier,
        body.secret,
        ...(await Promise.all([dataKey(tenant), dataKey(other)])).map((key) =>
          key.toString('base64'),
        ),
      ],
    );
  });
});

describe('an unexpected 500', () => {
  test('An unexpected 500 is logged with its cause and request id, without row contents; the response contains none of these', async () => {
    const tenant = await freshTenant();
    const token = await tenant.adminToken();
    await keywright.database.query(REFUSE_ALL);
    try {
      const body = { identifier: newIdentifier(), password: newPassword() };
      const answer = await tenant.request('POST', '/users', { token, body });
      expectStatus(500, answer);
      const secrets = [body.identifier, body.password, token, '$argon2'];
      const { err } = assertLogged(answer, /^nothing goes$/, secrets);
      assert.equal(err.code, '23514');
    } finally {
      await keywright.database.query('DROP FUNCTION refuse_all CASCADE');
    }
  });
});

describe('the data key of a tenant', () => {
  test('The data key of a tenant is wrapped by the master key, for that tenant alone', async () => {
    const [tenant, other] = [await freshTenant(), await freshTenant()];
    const row = await wrappedDataKey(tenant);
    const key = new MasterKeys([MASTER_KEY]).unwrap(tenant.id, row);
    assert.equal(key.length, 32);
    assert.equal(row.wrapped_key.includes(key), false);
    assert.notDeepEqual(await dataKey(other), key);
    assert.throws(() => new MasterKeys([MASTER_KEY]).unwrap(other.id, row));
    assert.throws(() => new MasterKeys([randomBytes(32)]).unwrap(tenant.id, row));
  });
});

describe('several active keys', () => {
  test('All active keys are in the key set; the newest signs, and tokens of older ones still verify (SPEC resources signing keys 4)', async () => {
    const tenant = await freshTenant();
    const older = await logIn(tenant);
    assert.deepEqual(
      (await keySet(tenant)).keys.map((key) => key.kid),
      [headerOf(older.access_token).kid],
    );
    await addKey(tenant);
    const newestFirst = (await keyRows(tenant)).map((row) => row.id).toReversed();
    assert.equal(newestFirst.length, 2);
    for (const node of [0, 1]) {
      const kids = await until('both keys are published', async () => {
        const { keys } = await keySet(tenant, node);
        return keys.length === 2 && keys.map((key) => key.kid);
      });
      assert.deepEqual(kids, newestFirst);
    }
    const newer = await logIn(tenant);
    assert.equal(headerOf(newer.access_token).kid, newestFirst[0]);
    assert.equal(headerOf(older.access_token).kid, newestFirst[1]);
    for (const { access_token: token } of [older, newer]) {
      for (const node of [0, 1]) {
        expectStatus(200, await tenant.request('GET', '/me', { token, node }));
      }
    }
    // A refresh token signed with the older key is exchanged for one signed with the newer key.
    const body = { refresh_token: older.refresh_token };
    const traded = await tenant.request<TokenAnswer>('POST', '/auth/refresh', { body });
    assert.equal(headerOf(expectStatus(200, traded).refresh_token).kid, newestFirst[0]);
    const again = await tenant.request<TokenAnswer>('POST', '/auth/refresh', { body });
    assert.equal(again.body.refresh_token, traded.body.refresh_token);
  });
});
