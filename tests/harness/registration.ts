// Applications that register themselves.

import type { OAuthErrorBody } from '@keywright/contract/oauth-error';
import type { ClientInformation } from '@keywright/contract/records/client-metadata';
import type { CreatedRegistrationToken } from '@keywright/contract/records/registration-token';
import { CALLBACK, UserBrowser } from './code-login.ts';
import { type Answer, expectStatus } from './http.ts';
import type { Keywright } from './keywright.ts';
import type { TestTenant, TestUser } from './tenant.ts';

export type Registered = Answer<ClientInformation & OAuthErrorBody>;

interface By {
  readonly token?: string;
  readonly node?: number;
}

/** A registration with a redirect URI. */
export function register(
  tenant: TestTenant,
  metadata: object = {},
  by: By = {},
): Promise<Registered> {
  const body = { redirect_uris: [CALLBACK], ...metadata };
  return tenant.request('POST', '/oauth/register', { body, ...by });
}

/** Creates a registration token. */
export async function newRegistrationToken(
  tenant: TestTenant,
  fields: object = {},
): Promise<CreatedRegistrationToken> {
  const options = { token: await tenant.adminToken(), body: { name: 'Partners', ...fields } };
  const path = '/clients/registration-tokens';
  return expectStatus(201, await tenant.request<CreatedRegistrationToken>('POST', path, options));
}

/** Reads, updates or deletes an application's own registration. */
export function manage(
  tenant: TestTenant,
  method: 'GET' | 'PUT' | 'DELETE',
  id: string,
  token: string | undefined,
  body?: object,
): Promise<Registered> {
  const options = { ...(token !== undefined && { token }), ...(body && { body }) };
  return tenant.request(method, `/oauth/register/${id}`, options);
}

/** The status, the error and the paths of what is wrong: `400 invalid_client_metadata /scope`. */
export function refusalOf({ status, body }: Registered): string {
  return [status, body.error, ...(body.errors ?? []).map(({ path }) => path)].join(' ').trim();
}

export function browserOf(tenant: TestTenant, user: TestUser): UserBrowser {
  return new UserBrowser(tenant, `https://id.example.com/t/${tenant.id}`, user);
}

/** The actions about a client in the audit log, with their actors. */
export async function actionsOn(
  { database }: Keywright,
  tenant: TestTenant,
  id: string,
): Promise<string[]> {
  const rows = await database.query<{ action: string; actor_kind: string }>(
    `SELECT action, actor_kind FROM audit_entries WHERE tenant_id = $1 AND target_id = $2
      ORDER BY id`,
    [tenant.id, id],
  );
  return rows.map((row) => `${row.action} by ${row.actor_kind}`);
}
