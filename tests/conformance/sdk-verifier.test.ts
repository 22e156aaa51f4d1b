import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { epochSeconds } from '@keywright/server/platform/clock';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { createVerifier, type Verifier, VerificationError } from '../../sdk/src/sdk.ts';
import { claimsOf, headerOf } from '../harness/token.ts';
import { until } from '../harness/until.ts';
import { ACCEPTED, FORGERIES, type Material } from './token-forgeries.ts';
import { gatherMaterial } from './token-material.ts';

const BASE_URL = 'https://id.example.com';
/** Only the service knows sessions; other verifiers know only the status of a token. */
const OF_SESSIONS = ['no session', 'a session that is not there'];

let keywright: Keywright;
let material: Material;
let verifier: Verifier;

/** A verifier of an issuer: the harness replaces DNS and TLS. */
function verifierOf(issuer: string): Verifier {
  return createVerifier({
    issuer,
    fetch: (address, init) => fetch(address.replace(BASE_URL, keywright.url), init),
    now: () => keywright.clock.now().getTime(),
  });
}

before(async () => {
  const masterKey = randomBytes(32).toString('base64');
  keywright = await startKeywright({ clock: 'fake', env: { KEYWRIGHT_MASTER_KEY: masterKey } });
  material = await gatherMaterial(keywright, masterKey, epochSeconds(keywright.clock.now()));
  verifier = verifierOf(BASE_URL);
});

after(async () => {
  verifier.close();
  await keywright.close();
});

async function refusalOf(verification: Promise<unknown>): Promise<VerificationError> {
  const error = await verification.then(
    () => assert.fail('the token was accepted'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof VerificationError, String(error));
  return error;
}

describe('the SDK accepts what the service accepts, and rejects what it rejects (SPEC authentication 2)', () => {
  for (const [title, forge] of Object.entries(ACCEPTED)) {
    test(title, async () => {
      const token = forge(material);
      assert.deepEqual(await verifier.verify(token), claimsOf(token));
    });
  }

  for (const [group, forgeries] of Object.entries(FORGERIES)) {
    for (const [title, forge] of Object.entries(forgeries)) {
      if (OF_SESSIONS.includes(title)) continue;
      test(`${group}: ${title}`, async () => {
        const { code, httpStatus } = await refusalOf(verifier.verify(forge(material)));
        assert.deepEqual([code, httpStatus], ['TOKEN_INVALID', 401]);
      });
    }
  }
});

test('A token of another tenant is distinguished, regardless of who signed it', async () => {
  const tenant = await keywright.tenant('third');
  const { token } = await tenant.createUser();
  assert.equal((await refusalOf(verifier.verify(token))).code, 'TOKEN_INVALID');
  const theirs = verifierOf(`${BASE_URL}/t/${tenant.id}`);
  await theirs.verify(token);
  assert.equal((await refusalOf(theirs.verify(material.genuine))).code, 'TENANT_MISMATCH');
  theirs.close();
});

test('Tokens are valid before, during and after a rotation of the signing key (SPEC authentication 4)', async () => {
  const tenant = await keywright.tenant('rotating');
  const tenantVerifier = verifierOf(`${BASE_URL}/t/${tenant.id}`);
  const token = await tenant.adminToken();
  await tenantVerifier.verify(token);
  keywright.clock.advance(6);
  const rotate = await tenant.request('POST', '/keys/rotate?immediately=true', { token });
  expectStatus(201, rotate);
  const next = await until('the new key signs', async () => {
    const { token: newToken } = await tenant.createUser();
    return headerOf(newToken).kid === headerOf(token).kid ? undefined : newToken;
  });
  await tenantVerifier.verify(next);
  await tenantVerifier.verify(token);
  tenantVerifier.close();
});

test("An agent's token is accepted where only agents are, and carries its scopes (SPEC authentication 5)", async () => {
  const tenant = await keywright.tenant('machines');
  const token = await tenant.adminToken();
  const body = { name: 'Reporter', scopes: ['read:reports'] };
  const agent = expectStatus(201, await tenant.request('POST', '/agents', { token, body }));
  const key = expectStatus(
    201,
    await tenant.request('POST', '/apikeys', { token, body: { agent_id: agent['id'], name: 'k' } }),
  );
  const granted = expectStatus(
    200,
    await tenant.request('POST', '/auth/token', {
      body: {
        grant_type: 'client_credentials',
        client_id: agent['id'],
        client_secret: key['key'],
      },
    }),
  );
  const tenantVerifier = verifierOf(`${BASE_URL}/t/${tenant.id}`);
  const machine = String(granted['access_token']);
  const claims = await tenantVerifier.verify(machine, { agent: true, scopes: 'read:reports' });
  assert.equal(claims.sub, agent['id']);
  const missing = await refusalOf(tenantVerifier.verify(machine, { scopes: 'write:reports' }));
  assert.deepEqual([missing.httpStatus, missing.missingScopes], [403, ['write:reports']]);
  const person = await refusalOf(tenantVerifier.verify(await tenant.adminToken(), { agent: true }));
  assert.deepEqual([person.httpStatus, person.code], [403, 'AGENT_REQUIRED']);
  assert.equal((await refusalOf(tenantVerifier.verify(String(key['key'])))).reason, 'api_key');
  tenantVerifier.close();
});
