import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { OAuthResourceRecord } from '@keywright/contract/records/oauth-resource';
import { newOAuthClientId } from '@keywright/server/platform/crypto/ids';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { RequestToNode, TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ nodes: 2 });
  tenant = await keywright.tenant('resources');
});
after(() => keywright.close());

let count = 0;
const newUri = () => `https://r${(count += 1)}.example.com/`;

async function post(body: object, options: RequestToNode = {}) {
  const fields = { name: 'Files', uri: newUri(), ...body };
  const token = await tenant.adminToken();
  return tenant.request<OAuthResourceRecord & ErrorBody>('POST', '/resources', {
    token,
    body: fields,
    ...options,
  });
}

async function patch(id: string, body: object) {
  const token = await tenant.adminToken();
  return tenant.request<OAuthResourceRecord & ErrorBody>('PATCH', `/resources/${id}`, {
    token,
    body,
  });
}

const flawsOf = ({ code, errors = [] }: ErrorBody) => [code, ...errors.map(({ path }) => path)];

describe('a resource', () => {
  test('A resource is registered with EdDSA and nothing else by default', async () => {
    const { id, tenant_id, created_at, uri, ...rest } = expectStatus(201, await post({}));
    assert.match(id, /^res_/);
    assert.deepEqual([tenant_id, uri], [tenant.id, `https://r${count}.example.com/`]);
    assert.ok(created_at);
    assert.deepEqual(rest, {
      name: 'Files',
      scopes: [],
      token_ttl: null,
      access_token_signing_alg: 'EdDSA',
      access_token_typ: 'at+jwt',
      dpop_required: false,
      served_by: [],
      authorization_details_types: [],
    });
  });

  test('A resource is registered once if the response was lost, and once per URI', async () => {
    const options = { headers: { 'idempotency-key': randomUUID() } };
    const body = { uri: newUri() };
    const first = expectStatus(201, await post(body, options));
    assert.deepEqual(expectStatus(201, await post(body, options)), first);
    assert.equal(expectStatus(400, await post(body)).code, 'RESOURCE_TAKEN');
    const elsewhere = await keywright.tenant('resources-elsewhere');
    const theirs = { token: await elsewhere.adminToken(), body: { ...body, name: 'Theirs' } };
    expectStatus(201, await elsewhere.request('POST', '/resources', theirs));
  });

  test('A resource has a URI without a fragment that is not the URI of the tenant itself', async () => {
    const issuer = `https://id.example.com/t/${tenant.id}`;
    for (const uri of [
      'files',
      '/files',
      'https://a.example.com/#x',
      'https://a example.com',
      issuer,
    ]) {
      assert.deepEqual(flawsOf(expectStatus(400, await post({ uri }))), [
        'VALIDATION_FAILED',
        '/uri',
      ]);
    }
    expectStatus(201, await post({ uri: 'urn:example:files' }));
  });

  test('The scopes of a resource have different names, none from OpenID Connect, and permissions require themselves', async () => {
    const said = { description: 'Do it' };
    const wrong: readonly (readonly [object[], string])[] = [
      [[{ name: 'openid', ...said }], '/scopes/0/name'],
      [
        [
          { name: 'a', ...said },
          { name: 'a', ...said },
        ],
        '/scopes/1',
      ],
      [[{ name: 'read:files', ...said, requires: 'read:files' }], '/scopes/0/requires'],
      [[{ name: 'a b', ...said }], '/scopes/0/name'],
      [[{ name: 'a', ...said, requires: 'share:users' }], '/scopes/0/requires'],
      [[{ name: 'share:users', ...said }], '/scopes/0/name'],
    ];
    for (const [scopes, path] of wrong) {
      const answer = expectStatus(400, await post({ scopes }));
      assert.deepEqual(flawsOf(answer), ['VALIDATION_FAILED', path], JSON.stringify(scopes));
    }
  });

  test('A resource requires the permission that a scope names, unless it says otherwise', async () => {
    const said = { description: 'Do it' };
    const scopes = [
      { name: 'approve:invoices', ...said },
      { name: 'list:invoices', ...said, requires: null },
      { name: 'pay:invoices', ...said, requires: 'write:payments' },
      { name: 'read:invoices', ...said },
      { name: 'Invoices.Print', ...said },
    ];
    const made = expectStatus(201, await post({ scopes }));
    const required = (made['scopes'] as { requires: string | null }[]).map(
      (scope) => scope.requires,
    );
    assert.deepEqual(required, ['approve:invoices', null, 'write:payments', null, null]);
    const path = `/resources/${String(made['id'])}`;
    const token = await tenant.adminToken();
    const again = await tenant.request('PATCH', path, { token, body: { ...made, scopes } });
    assert.deepEqual(expectStatus(200, again), made);
  });

  test('A resource is served only by agents and clients of the tenant', async () => {
    const { agent } = await tenant.createAgent();
    const served_by = [agent.id, newOAuthClientId(new Date())];
    assert.deepEqual(flawsOf(expectStatus(400, await post({ served_by }))), [
      'VALIDATION_FAILED',
      '/served_by/1',
    ]);
    expectStatus(201, await post({ served_by: [agent.id] }));
  });

  test('A resource is changed field by field, even after its agent was deleted, and equal values change nothing', async () => {
    const { agent } = await tenant.createAgent();
    const scopes = [{ name: 'files:share', description: 'Share' }];
    const made = expectStatus(201, await post({ served_by: [agent.id], scopes }));
    const token = await tenant.adminToken();
    expectStatus(200, await tenant.request('DELETE', `/agents/${agent.id}`, { token }));
    const changed = expectStatus(200, await patch(made.id, { token_ttl: 300 }));
    assert.deepEqual(changed, { ...made, token_ttl: 300 });
    assert.deepEqual(expectStatus(200, await patch(made.id, { scopes, name: 'Files' })), changed);
    const path = `/audit?action=resource.updated&target=${made.id}`;
    const log = await tenant.request<{ items: object[] }>('GET', path, { token });
    assert.equal(expectStatus(200, log).items.length, 1);
    assert.equal(
      expectStatus(400, await patch(made.id, { uri: newUri() })).code,
      'VALIDATION_FAILED',
    );
  });

  test('A resource is in the metadata of every node from its registration to its deletion', async () => {
    const { id, uri } = expectStatus(201, await post({}));
    const listed = async (node: number) => {
      const path = '/.well-known/oauth-authorization-server';
      const { body } = await tenant.request<{ protected_resources?: string[] }>('GET', path, {
        node,
      });
      return body.protected_resources?.includes(uri) ?? false;
    };
    assert.ok(await listed(0));
    await until('the other node knows it', () => listed(1));
    const token = await tenant.adminToken();
    expectStatus(200, await tenant.request('DELETE', `/resources/${id}`, { token }));
    assert.ok(!(await listed(0)));
    await until('the other node knows that it is gone', async () => !(await listed(1)));
  });

  test('The routes of resources require an administrator with the scope of clients', async () => {
    const { key } = await tenant.createAgent({ scopes: ['*:clients'] });
    const refused = await tenant.request<ErrorBody>('GET', '/resources', { token: key });
    assert.equal(expectStatus(403, refused).code, 'ADMINISTRATOR_REQUIRED');
    const { token } = await tenant.createUser();
    const lacking = await tenant.request<ErrorBody>('GET', '/resources', { token });
    assert.equal(expectStatus(403, lacking).code, 'SCOPE_REQUIRED');
  });
});

test('The audience of a tenant and its issuer cannot be resources, where the two differ', async () => {
  const audience = 'https://api.example.com/';
  const audienceTenant = await keywright.tenant('own-audience', { config: { audience } });
  const token = await audienceTenant.adminToken();
  for (const uri of [audience, `https://id.example.com/t/${audienceTenant.id}`]) {
    const body = { name: 'Files', uri };
    const answer = await audienceTenant.request<ErrorBody>('POST', '/resources', { token, body });
    assert.deepEqual(flawsOf(expectStatus(400, answer)), ['VALIDATION_FAILED', '/uri'], uri);
  }
});

test('A tenant can have at most 100 resources', async () => {
  const full = await keywright.tenant('full');
  const token = await full.adminToken();
  const add = () =>
    full.request<ErrorBody>('POST', '/resources', {
      token,
      body: { name: 'Files', uri: newUri() },
    });
  for (let made = 0; made < 100; made += 1) expectStatus(201, await add());
  assert.equal(expectStatus(400, await add()).code, 'TOO_MANY_RESOURCES');
});

test('A client can be registered for a scope that some resource has, but not for an unknown one', async () => {
  const token = await tenant.adminToken();
  expectStatus(201, await post({ scopes: [{ name: 'mcp:tools', description: 'Use tools' }] }));
  const register = (scopes: string[]) => {
    const redirect_uris = ['https://app.example.com/callback'];
    const body = { name: 'App', kind: 'web', redirect_uris, scopes };
    return tenant.request<ErrorBody>('POST', '/clients', { token, body });
  };
  expectStatus(201, await register(['openid', 'mcp:tools']));
  const flaws = flawsOf(expectStatus(400, await register(['openid', 'mcp:tool'])));
  assert.deepEqual(flaws, ['VALIDATION_FAILED', '/scopes/1']);
});
