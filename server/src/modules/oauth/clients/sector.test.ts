// Pairwise subjects of clients that share a sector (OpenID Connect Core §8.1, Registration §5).

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { openApplication, registerClient } from '@keywright/tests/harness/application';
import { Authority } from '@keywright/tests/harness/certificate';
import { type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { answerJson } from '@keywright/tests/harness/outside-issuer';
import { type Receiver, startReceiver } from '@keywright/tests/harness/receiver';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';

const ONE = 'https://one.example.com/callback';
const TWO = 'https://two.example.com/callback';
const THREE = 'https://three.example.com/callback';

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let publisher: Receiver;
let answer: (response: ServerResponse) => void;
let requests = 0;

before(async () => {
  const authority = new Authority();
  publisher = await startReceiver(
    (_request, response) => {
      requests += 1;
      answer(response);
    },
    { certificate: authority.issue(['127.0.0.1', 'localhost']) },
  );
  keywright = await startKeywright({
    env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1,localhost' },
    outside: { ca: authority.ca },
  });
  tenant = await keywright.tenant('sectors');
  user = await tenant.createUser();
});
after(async () => {
  await publisher.close();
  await keywright.close();
});

beforeEach(() => {
  lists([ONE, TWO]);
  requests = 0;
});

function lists(uris: unknown): void {
  answer = (response) => answerJson(response, uris);
}

const uriAt = (host = '127.0.0.1') => `https://${host}:${publisher.port}/redirect-uris.json`;

function fieldsOf(more: object = {}): object {
  const redirect_uris = [ONE, TWO];
  return { subject_type: 'pairwise', redirect_uris, sector_identifier_uri: uriAt(), ...more };
}

async function subjectOf(clientId: string): Promise<string> {
  const { token } = await openApplication(keywright, tenant, { user, clientId });
  return String(
    expectStatus(200, await tenant.request('GET', '/oauth/userinfo', { token }))['sub'],
  );
}

async function change(clientId: string, body: object) {
  const options = { token: await tenant.adminToken(), body };
  return tenant.request<JsonBody & ErrorBody>('PATCH', `/clients/${clientId}`, options);
}

/** Where registration finds fault. */
async function faultsOf(fields: object): Promise<(string | undefined)[]> {
  return (await errorsOf(fields)).map(({ path }) => path);
}

async function errorsOf(fields: object) {
  const body = { name: 'Odd', kind: 'web', ...fields };
  const options = { token: await tenant.adminToken(), body };
  const { errors = [] } = expectStatus(
    400,
    await tenant.request<ErrorBody>('POST', '/clients', options),
  );
  return errors;
}

describe('a client with a sector_identifier_uri', () => {
  test('A client with a sector_identifier_uri has redirect URIs on several hosts, and the subjects of the host of the list (OpenID Connect Core §8.1)', async () => {
    const subject = await subjectOf(await registerClient(tenant, fieldsOf()));
    assert.match(subject, /^[\w-]{43}$/);
    assert.equal(requests, 1);
    lists([THREE]);
    const another = await registerClient(tenant, fieldsOf({ redirect_uris: [THREE] }));
    assert.equal(await subjectOf(another), subject);
    const { sector_identifier_uri: _, ...alone } = fieldsOf({ redirect_uris: [THREE] }) as {
      sector_identifier_uri: string;
    };
    assert.notEqual(await subjectOf(await registerClient(tenant, alone)), subject);
    const elsewhere = fieldsOf({
      redirect_uris: [THREE],
      sector_identifier_uri: uriAt('localhost'),
    });
    assert.notEqual(await subjectOf(await registerClient(tenant, elsewhere)), subject);
  });

  test('A client whose redirect URIs are on several hosts needs a sector_identifier_uri', async () => {
    assert.deepEqual(await faultsOf(fieldsOf({ sector_identifier_uri: null })), ['/subject_type']);
    const id = await registerClient(tenant, fieldsOf());
    const answered = await change(id, { sector_identifier_uri: null });
    assert.deepEqual(expectStatus(400, answered).errors?.[0]?.path, '/subject_type');
  });

  test('A client with a sector_identifier_uri cannot have a redirect URI that is not in the list, compared exactly (OpenID Connect Registration §5)', async () => {
    const uris = [ONE, `${TWO}/`, THREE];
    const errors = await errorsOf(fieldsOf({ redirect_uris: uris }));
    assert.deepEqual(
      errors.map(({ path, message }) => `${path} ${message}`),
      [1, 2].map(
        (n) =>
          `/sector_identifier_uri is the URL of a list that does not contain /redirect_uris/${n}`,
      ),
    );
  });

  const LISTS: Readonly<Record<string, (response: ServerResponse) => void>> = {
    'elsewhere (redirect)': (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
    'no list': (response) => answerJson(response, { redirect_uris: [ONE, TWO] }),
    'no JSON': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    'not there': (response) => response.writeHead(404).end(),
    'more than 64 KiB': (response) => answerJson(response, [ONE, TWO, 'x'.repeat(64 * 1024)]),
  };
  for (const [what, respond] of Object.entries(LISTS)) {
    test(`A client with a sector_identifier_uri is not registered where the list is ${what}`, async () => {
      answer = respond;
      assert.deepEqual(await faultsOf(fieldsOf()), ['/sector_identifier_uri']);
      assert.equal(requests, 1);
    });
  }

  test('A client is not registered with a sector_identifier_uri at a private address, without https, or with a fragment', async () => {
    for (const sector_identifier_uri of [
      'https://10.0.0.1/list.json',
      'https://[::ffff:10.0.0.1]/list.json',
      `http://127.0.0.1:${publisher.port}/list.json`,
      `${uriAt()}#list`,
      'https://[',
    ]) {
      const faults = await faultsOf(fieldsOf({ sector_identifier_uri }));
      assert.deepEqual(faults, ['/sector_identifier_uri'], sector_identifier_uri);
    }
    assert.equal(requests, 0);
  });

  test('A tenant can have 16 sector lists read at a time, and another tenant waits for none of them', async () => {
    const silent: ServerResponse[] = [];
    answer = (response) => void silent.push(response);
    const token = await tenant.adminToken();
    const create = (of: TestTenant, by: string) => {
      const body = { name: 'Slow', kind: 'web', ...fieldsOf() };
      return of.request<ErrorBody>('POST', '/clients', { token: by, body });
    };
    const slow = Array.from({ length: 16 }, () => create(tenant, token));
    await until('all have been asked for', () => silent.length === 16);
    const { errors } = expectStatus(400, await create(tenant, token));
    const tooMany = 'cannot be read. Too many lists are being read.';
    assert.deepEqual(errors, [{ path: '/sector_identifier_uri', message: tooMany }]);
    assert.equal(requests, 16);
    lists([ONE, TWO]);
    const other = await keywright.tenant('sectors-of-another');
    expectStatus(201, await create(other, await other.adminToken()));
    for (const response of silent) answerJson(response, [ONE, TWO]);
    for (const answered of await Promise.all(slow)) expectStatus(201, answered);
    expectStatus(201, await create(tenant, token));
  });

  test('A client is compared with its sector list again when its redirect URIs change, and not for anything else', async () => {
    const id = await registerClient(tenant, fieldsOf());
    lists([ONE]);
    const { errors } = expectStatus(400, await change(id, { redirect_uris: [ONE, THREE] }));
    assert.deepEqual(
      errors?.map(({ path }) => path),
      ['/sector_identifier_uri'],
    );
    assert.equal(requests, 2);
    expectStatus(200, await change(id, { name: 'Renamed', redirect_uris: [TWO, ONE] }));
    assert.equal(requests, 2, 'the same addresses');
    lists([ONE, THREE]);
    expectStatus(200, await change(id, { redirect_uris: [ONE, THREE] }));
    assert.equal(requests, 3);
    const read = await tenant.request('GET', `/clients/${id}`, {
      token: await tenant.adminToken(),
    });
    const { redirect_uris, sector_identifier_uri } = expectStatus(200, read);
    assert.deepEqual([redirect_uris, sector_identifier_uri], [[ONE, THREE], uriAt()]);
  });

  test('A client whose sector_identifier_uri changes during the check is compared with the list that it has then', async () => {
    const id = await registerClient(tenant, fieldsOf());
    const other = `${uriAt()}?other`;
    answer = (response) => {
      // While the first list is being read, the client switches to another one.
      answer = (next) => answerJson(next, [ONE, TWO]);
      void change(id, { sector_identifier_uri: other }).then((changed) => {
        expectStatus(200, changed);
        answer = (next) => answerJson(next, [ONE, TWO]);
        answerJson(response, [ONE, THREE]);
      });
    };
    const { errors } = expectStatus(400, await change(id, { redirect_uris: [ONE, THREE] }));
    assert.deepEqual(
      errors?.map(({ path }) => path),
      ['/sector_identifier_uri'],
    );
  });
});

test('The keys of a client are given in only one way, and must be usable to verify assertions', async () => {
  const keys = { jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', kid: 'a', x: 'A'.repeat(43) }] } };
  const jwks_uri = 'https://app.example.com/jwks.json';
  const signing = { redirect_uris: [ONE], token_endpoint_auth_method: 'private_key_jwt' };
  assert.deepEqual(await faultsOf(signing), ['/jwks']);
  assert.deepEqual(await faultsOf({ ...signing, ...keys, jwks_uri }), ['/jwks_uri']);
  for (const uri of ['http://192.0.2.1/jwks', 'https://10.0.0.1/jwks', `${jwks_uri}#a`]) {
    assert.deepEqual(await faultsOf({ ...signing, jwks_uri: uri }), ['/jwks_uri'], uri);
  }
  const twice = { jwks: { keys: [...keys.jwks.keys, ...keys.jwks.keys] } };
  assert.deepEqual(await faultsOf({ ...signing, ...twice }), ['/jwks/keys']);
  const offCurve = { kty: 'EC', crv: 'P-256', kid: 'a', x: 'A'.repeat(43), y: 'A'.repeat(43) };
  assert.deepEqual(await faultsOf({ ...signing, jwks: { keys: [offCurve] } }), ['/jwks/keys/0']);
  const id = await registerClient(tenant, { ...signing, jwks_uri });
  assert.equal((await change(id, keys)).status, 400);
  assert.equal((await change(id, { jwks_uri: null })).status, 400);
  expectStatus(200, await change(id, { ...keys, jwks_uri: null }));
});
