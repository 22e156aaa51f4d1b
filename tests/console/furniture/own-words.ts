// The texts that users, clients and browsers provide about themselves, and everything that the other files omit.

import { systemClock } from '@keywright/server/platform/clock';
import { newIdentifier, newPassword } from '../../harness/credentials.ts';
import { expectStatus } from '../../harness/http.ts';
import type { TestTenant } from '../../harness/tenant.ts';
import { totpOf } from '../../harness/totp.ts';

const PAYLOAD = `"'><img src=x onerror="globalThis.hacked=1">`;
const KEY = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };

/** @returns paths below the tenant, by the name of the screen */
export async function furnishTexts(tenant: TestTenant): Promise<Readonly<Record<string, string>>> {
  const token = await tenant.adminToken();
  const made = async (path: string, body: object): Promise<Record<string, string>> =>
    expectStatus(201, await tenant.request<Record<string, string>>('POST', path, { token, body }));
  const client = await made('/clients', {
    name: PAYLOAD,
    kind: 'web',
    redirect_uris: ['https://app.example.com/callback'],
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [{ ...KEY, kid: PAYLOAD }] },
  });
  const fields = [
    {
      name: 'amount',
      label: PAYLOAD,
      kind: 'object',
      fields: [{ name: 'currency', label: PAYLOAD, kind: 'string', values: [PAYLOAD] }],
    },
    { name: 'creditor', label: PAYLOAD, kind: 'string', values: [PAYLOAD] },
  ];
  const resource = await made('/resources', {
    uri: 'https://bank.example.com',
    name: PAYLOAD,
    authorization_details_types: [{ type: 'payment', name: PAYLOAD, description: PAYLOAD, fields }],
  });
  const config = { custom_claims: { note: PAYLOAD, notes: [PAYLOAD] } };
  const path = `/tenants/${tenant.id}`;
  expectStatus(200, await tenant.request('PATCH', path, { token, body: { config } }));
  const { id: reader } = await made('/users', {
    identifier: newIdentifier(),
    password: newPassword(),
  });
  return {
    ...(await furnishPerson(tenant, token)),
    'claims of a user': `/settings/claims?user=${reader}&client=${client['id']}`,
    'keys of a client': `/clients/${client['id']}`,
    'details of a resource': `/resources/${resource['id']}`,
  };
}

/** A user with a hostile name, authenticator and browser, who is disabled for a hostile reason. */
async function furnishPerson(tenant: TestTenant, token: string) {
  const { user, identifier, password } = await tenant.createUser();
  const headers = { 'user-agent': PAYLOAD };
  const { access_token: userToken } = await tenant.login(identifier, password, { headers });
  const named = await tenant.request('PATCH', '/me/profile', {
    token: userToken,
    body: { name: PAYLOAD },
  });
  expectStatus(200, named);
  const body = { name: PAYLOAD };
  expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, { token, body }));
  const added = await tenant.request<{ readonly id: string; readonly secret: string }>(
    'POST',
    '/me/factors/totp',
    { token: userToken, body: { name: PAYLOAD } },
  );
  const { id, secret } = expectStatus(201, added);
  const code = { code: totpOf(secret, systemClock.now()) };
  const confirm = `/me/factors/totp/${id}/confirm`;
  expectStatus(200, await tenant.request('POST', confirm, { token: userToken, body: code }));
  const reason = { reason: PAYLOAD };
  const disabled = await tenant.request('POST', `/users/${user.id}/disable`, {
    token,
    body: reason,
  });
  expectStatus(200, disabled);
  return {
    'a disabled user': `/users/${user.id}`,
    'security of a user': `/users/${user.id}?tab=security`,
    'sessions of a user': `/sessions?user_id=${user.id}`,
    'history of a user': `/users/${user.id}?tab=activity`,
  };
}
