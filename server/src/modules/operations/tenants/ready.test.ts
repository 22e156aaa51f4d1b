import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';

let keywright: Keywright;

before(async () => {
  keywright = await startKeywright();
});
after(() => keywright.close());

test('A tenant that cannot send mail must keep the password as a way to log in', async () => {
  const tenant = await keywright.tenant('ready');
  const token = await keywright.adminToken();
  const change = (body: object) =>
    keywright.home.request('PATCH', `/tenants/${tenant.id}`, { token, body });
  const config = { allowed_login_methods: ['magic_link'] };
  const refused = await change({ config });
  assert.equal(expectStatus(400, refused)['code'], 'METHOD_NOT_READY');
  const email = {
    smtp_host: 'mail.example.com',
    smtp_port: 587,
    from_address: 'login@example.com',
  };
  expectStatus(200, await change({ config, messaging: { email } }));
  const without = await change({ messaging: { email: { from_address: null } } });
  assert.equal(expectStatus(400, without)['code'], 'METHOD_NOT_READY');
});

test('A tenant delivers its emails by its own server once it has a server and a sender', async () => {
  const tenant = await keywright.tenant('ready-delivery');
  const token = await keywright.adminToken();
  const deliveryWith = async (email: object | null) => {
    const body = { messaging: { email } };
    const changed = await keywright.home.request('PATCH', `/tenants/${tenant.id}`, { token, body });
    return expectStatus(200, changed)['email_delivery'];
  };
  assert.equal(await deliveryWith({ smtp_host: 'mail.example.com', smtp_port: 587 }), 'none');
  assert.equal(await deliveryWith({ from_address: 'login@example.com' }), 'tenant');
  assert.equal(await deliveryWith(null), 'none');
});

test('A tenant that cannot send mail cannot require verified identifiers', async () => {
  const tenant = await keywright.tenant('ready-verified');
  const token = await keywright.adminToken();
  const change = (body: object) =>
    keywright.home.request('PATCH', `/tenants/${tenant.id}`, { token, body });
  const config = { require_verified_identifier: true };
  assert.equal(expectStatus(400, await change({ config }))['code'], 'METHOD_NOT_READY');
  const body = { name: 'New', config };
  const created = await keywright.home.request('POST', '/tenants', { token, body });
  assert.equal(expectStatus(400, created)['code'], 'METHOD_NOT_READY');
  const email = {
    smtp_host: 'mail.example.com',
    smtp_port: 587,
    from_address: 'login@example.com',
  };
  expectStatus(200, await change({ config, messaging: { email } }));
  const without = { messaging: { email: null } };
  assert.equal(expectStatus(400, await change(without))['code'], 'METHOD_NOT_READY');
  // The requirement can be removed together with the mail server.
  const off = { require_verified_identifier: false };
  expectStatus(200, await change({ config: off, ...without }));
});

test('A tenant is not created with a mail server that no change could set, or without one that its only method needs', async () => {
  const token = await keywright.adminToken();
  const create = (body: object) =>
    keywright.home.request('POST', '/tenants', { token, body: { name: 'New', ...body } });
  const config = { allowed_login_methods: ['magic_link'] };
  assert.equal(expectStatus(400, await create({ config }))['code'], 'METHOD_NOT_READY');
  const email = { smtp_port: 587, from_address: 'login@example.com' };
  const inside = { messaging: { email: { ...email, smtp_host: '169.254.169.254' } } };
  assert.equal(expectStatus(400, await create(inside))['code'], 'VALIDATION_FAILED');
  const messaging = { email: { ...email, smtp_host: 'mail.example.com' } };
  expectStatus(201, await create({ config, messaging }));
});
