import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';

const PAYMENT = {
  type: 'payment_initiation',
  name: 'Payment',
  description: 'Pay once',
  fields: [],
};
const OTHER = {
  type: 'account_information',
  name: 'Accounts',
  description: 'See them',
  fields: [],
};

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('types');
  const types = [PAYMENT, OTHER];
  const body = {
    uri: 'https://bank.example.com',
    name: 'Bank',
    authorization_details_types: types,
  };
  expectStatus(201, await asAdmin('POST', '/resources', body));
});
after(() => keywright.close());

async function asAdmin(method: string, path: string, body?: object) {
  const token = await tenant.adminToken();
  return tenant.request<ErrorBody & { id: string }>(method, path, { token, ...(body && { body }) });
}

describe('types of authorization_details', () => {
  const paths = async (types: readonly object[]) => {
    const body = {
      uri: 'https://new.example.com',
      name: 'New',
      authorization_details_types: types,
    };
    const { status, body: answer } = await asAdmin('POST', '/resources', body);
    return [status, ...(answer.errors ?? []).map(({ path }) => path)];
  };
  const at = (rest: string) => [400, `/authorization_details_types/${rest}`];
  const typed = (...fields: readonly object[]) => [{ ...OTHER, type: 'new', fields }];
  const field = { name: 'a', label: 'A', kind: 'string' };

  test('The types of authorization_details are refused with the name of another type, or with meaningless fields', async () => {
    assert.deepEqual(await paths([PAYMENT]), at('0/type'));
    assert.deepEqual(await paths([...typed(), ...typed()]), at('1/type'));
    assert.deepEqual(await paths(typed(field, field)), at('0/fields/1/name'));
    assert.deepEqual(await paths(typed({ ...field, kind: 'object' })), at('0/fields/0/fields'));
    assert.deepEqual(await paths(typed({ ...field, fields: [field] })), at('0/fields/0/fields'));
    const valued = { ...field, kind: 'number', values: ['1'] };
    assert.deepEqual(await paths(typed(valued)), at('0/fields/0/values'));
    assert.deepEqual(await paths(typed({ ...field, name: 'type' })), at('0/fields/0/name'));
  });

  test('An authorization_details type that no resource has cannot be registered for a client', async () => {
    const token = await tenant.adminToken();
    const redirect_uris = ['https://app.example.com/callback'];
    const types = { authorization_details_types: ['account_information', 'unknown'] };
    const body = { name: 'App', kind: 'web', redirect_uris, ...types };
    const answer = await tenant.request<ErrorBody>('POST', '/clients', { token, body });
    assert.equal(answer.status, 400);
    assert.deepEqual(
      answer.body.errors?.map(({ path }) => path),
      ['/authorization_details_types/1'],
    );
  });

  test('The metadata lists the types of authorization_details, if there are any (RFC 9396 §10)', async () => {
    const read = async (of: TestTenant) => {
      const path = `/t/${of.id}/.well-known/openid-configuration`;
      const metadata = expectStatus(200, await of.request<Record<string, unknown>>('GET', path));
      return metadata['authorization_details_types_supported'];
    };
    const supported = await read(tenant);
    assert.deepEqual((supported as string[]).slice(0, 2), [
      'payment_initiation',
      'account_information',
    ]);
    assert.equal(await read(await keywright.tenant('without')), undefined);
  });
});
