import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { InvitationRecord } from '@keywright/contract/records/invitation';
import { newIdentifier } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailThrough } from '@keywright/tests/harness/mailed';
import { until } from '@keywright/tests/harness/until';
import type { TestTenant } from '@keywright/tests/harness/tenant';

type Answered = InvitationRecord & ErrorBody;

let sink: MailSink;
let keywright: Keywright;
let tenant: TestTenant;
let admin: string;

before(async () => {
  sink = await startMailSink();
  keywright = await startKeywright({ clock: 'fake', env: mailThrough(sink) });
  const config = { magic_link_url: 'https://app.example.com/login' };
  tenant = await keywright.tenant('inviting', { config });
  admin = await tenant.adminToken();
});
after(async () => {
  await keywright.close();
  await sink.close();
});

function mailTo(address: string, skip = 0): Promise<string> {
  const textsTo = () =>
    sink.mails.filter(({ to }) => to.includes(address)).map(({ parsed }) => parsed.text);
  return until(`mail to ${address}`, () => textsTo()[skip]);
}

function invite(body: object, token = admin, at = tenant) {
  return at.request<Answered>('POST', '/invitations', { token, body });
}

async function invited(body: object = {}): Promise<InvitationRecord> {
  return expectStatus(201, await invite({ identifier: newIdentifier(), ...body }));
}

test('An invitation names what it grants, and for how long', async () => {
  const { workspaces, roles, status, expires_at, created_at } = await invited({
    roles: ['member'],
    expires_in_days: 30,
  });
  assert.deepEqual(
    { workspaces, roles, status },
    { workspaces: [], roles: ['member'], status: 'pending' },
  );
  assert.equal(Date.parse(expires_at) - Date.parse(created_at), 30 * 24 * 60 * 60 * 1000);
});

test('The response is the same for an address of a user', async () => {
  const { identifier } = await tenant.createUser();
  const shapeOf = ({ id: _id, identifier: _of, ...rest }: InvitationRecord) => rest;
  assert.deepEqual(shapeOf(await invited({ identifier })), shapeOf(await invited()));
});

test('The link is in the message, and its token nowhere in the database', async () => {
  const { identifier, id } = await invited();
  const text = await mailTo(identifier);
  const token = /#token=(inv_[0-9a-z]{26}\.[A-Za-z0-9_-]{43})/.exec(text)?.[1] ?? '';
  assert.ok(token.startsWith(`${id}.`), text);
  const secret = token.split('.')[1] ?? '';
  for (const table of ['invitations', 'messages', 'audit_entries', 'events']) {
    const rows = await keywright.database.query(
      `SELECT 1 FROM ${table} t WHERE t::text LIKE '%' || $1 || '%'`,
      [secret],
    );
    assert.equal(rows.length, 0, table);
  }
});

test('A role, a workspace or an address that cannot be used is rejected', async () => {
  const refused = async (body: object, status: number, code: string, token = admin) =>
    assert.equal(
      expectStatus(status, await invite({ identifier: newIdentifier(), ...body }, token)).code,
      code,
    );
  await refused({ roles: ['unknown'] }, 400, 'ROLE_UNKNOWN');
  await refused({ workspaces: ['ws_nowhere'] }, 404, 'NOT_FOUND');
  await refused({ identifier: '+15551234567' }, 400, 'VALIDATION_FAILED');
  await refused({ expires_in_days: 31 }, 400, 'VALIDATION_FAILED');
  const body = { name: 'inviter', scopes: ['write:users', 'read:users'] };
  expectStatus(201, await tenant.request('POST', '/roles', { token: admin, body }));
  const { token } = await tenant.createUser({ roles: ['inviter'] });
  await refused({ roles: ['admin'] }, 403, 'SCOPE_NOT_HELD', token);
  await refused({ roles: [], workspaces: ['ws_default'] }, 403, 'SCOPE_NOT_HELD', token);
});

test('A revoked or expired invitation is neither sent nor revoked again', async () => {
  const { id } = await invited();
  const path = `/invitations/${id}`;
  expectStatus(200, await tenant.request('DELETE', path, { token: admin }));
  const get = await tenant.request<Answered>('GET', path, { token: admin });
  assert.equal(expectStatus(200, get).status, 'revoked');
  expectStatus(404, await tenant.request('DELETE', path, { token: admin }));
  expectStatus(404, await tenant.request('POST', `${path}/resend`, { token: admin }));
});

test('A list has the invitations of an address and of a state', async () => {
  const { identifier, id } = await invited();
  const list = async (query: string) =>
    expectStatus(
      200,
      await tenant.request<{ items: InvitationRecord[] }>('GET', `/invitations?${query}`, {
        token: admin,
      }),
    ).items.map((invitation) => invitation.id);
  const query = `identifier=${encodeURIComponent(identifier)}`;
  assert.deepEqual(await list(query), [id]);
  assert.deepEqual(await list(`${query}&status=pending`), [id]);
  assert.deepEqual(await list(`${query}&status=accepted`), []);
});

test('A second message waits, and repeats the token', async () => {
  const { identifier, id } = await invited();
  const first = await mailTo(identifier);
  const path = `/invitations/${id}/resend`;
  expectStatus(429, await tenant.request('POST', path, { token: admin }));
  keywright.clock.advance(31);
  expectStatus(200, await tenant.request('POST', path, { token: admin }));
  const second = await mailTo(identifier, 1);
  const tokenIn = (text: string) => /#token=(inv_[^"\\\s<]+)/.exec(text)?.[1];
  assert.equal(tokenIn(second), tokenIn(first));
});

test('A tenant has at most 10,000 pending invitations, however many are created concurrently', async () => {
  const full = await keywright.tenant('full-of-invitations');
  const token = await full.adminToken();
  const { id } = expectStatus(201, await invite({ identifier: newIdentifier() }, token, full));
  await keywright.database.query(
    `INSERT INTO invitations (tenant_id, id, identifier, roles, workspaces, invited_by, inviter_kind, created_at,
                              expires_at, sent_at)
     SELECT tenant_id, 'inv_' || n, identifier, roles, workspaces, invited_by, inviter_kind, created_at, expires_at, sent_at
       FROM invitations, generate_series(1, 9998) AS n WHERE tenant_id = $1 AND id = $2`,
    [full.id, id],
  );
  const give = () => invite({ identifier: newIdentifier() }, token, full);
  const answers = await Promise.all([give(), give(), give()]);
  assert.deepEqual(answers.map(({ body }) => body.code ?? '').toSorted(), [
    '',
    'TOO_MANY_INVITATIONS',
    'TOO_MANY_INVITATIONS',
  ]);
  expectStatus(200, await full.request('DELETE', `/invitations/${id}`, { token }));
  expectStatus(201, await give());
});

test('Another tenant finds no invitation', async () => {
  const { id } = await invited();
  const other = await keywright.tenant('uninvited');
  const token = await other.adminToken();
  const path = `/invitations/${id}`;
  expectStatus(404, await other.request('GET', path, { token }));
  expectStatus(404, await other.request('DELETE', path, { token }));
  expectStatus(404, await other.request('POST', `${path}/resend`, { token }));
});
