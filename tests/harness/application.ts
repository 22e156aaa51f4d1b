// Applications with a session of a user, in the state after a code exchange. Most tests do not cover the exchange.

import { randomBytes } from 'node:crypto';
import { newSessionId } from '@keywright/server/platform/crypto/ids';
import { type PublishedKey, publishKey } from '../isolation/published-key.ts';
import { expectStatus } from './http.ts';
import type { Keywright } from './keywright.ts';
import type { TestTenant, TestUser } from './tenant.ts';
import { claimsOf, sessionOf } from './token.ts';
import { until } from './until.ts';

interface Allowed {
  readonly user: TestUser;
  readonly clientId: string;
  /** Default: openid. */
  readonly scopes?: readonly string[];
  /** Claims that the client requested by name. */
  readonly claims?: readonly string[];
}

export interface TestApplication {
  readonly sessionId: string;
  /** An access token. */
  readonly token: string;
  /** Another access token, with these scopes. */
  tokenFor(scope: string): string;
}

/** Registers a client. @returns its id */
export async function registerClient(tenant: TestTenant, fields: object = {}): Promise<string> {
  const body = {
    name: 'Invoices',
    kind: 'web',
    redirect_uris: ['https://app.example.com/callback'],
    ...fields,
  };
  const options = { token: await tenant.adminToken(), body };
  return String(expectStatus(201, await tenant.request('POST', '/clients', options))['id']);
}

const keys = new WeakMap<TestTenant, PublishedKey>();

/** A signing key of the tenant that this file can use, and that every node knows. */
async function keyOf(keywright: Keywright, tenant: TestTenant): Promise<PublishedKey> {
  const cachedKey = keys.get(tenant);
  if (cachedKey) return cachedKey;
  const key = await publishKey(keywright, tenant);
  for (const node of keywright.nodes.keys()) {
    await until('the key is published', async () =>
      (await tenant.request('GET', '/.well-known/jwks.json', { node })).text.includes(key.kid),
    );
  }
  keys.set(tenant, key);
  return key;
}

export async function openApplication(
  keywright: Keywright,
  tenant: TestTenant,
  { user, clientId, scopes = ['openid'], claims }: Allowed,
): Promise<TestApplication> {
  const sessionId = newSessionId(new Date());
  const row = {
    id: sessionId,
    kind: 'client',
    client_id: clientId,
    scopes,
    userinfo_claims: claims ?? null,
    refresh_hash: `\\x${randomBytes(32).toString('hex')}`,
    status_idx: null,
    status_version: null,
  };
  await keywright.database.query(
    `INSERT INTO sessions SELECT (jsonb_populate_record(s, $1)).* FROM sessions s WHERE s.id = $2`,
    [row, sessionOf(user.token)],
  );
  const key = await keyOf(keywright, tenant);
  const tokenFor = (scope: string) =>
    key.sign(key.kid, {
      ...claimsOf(user.token),
      sid: sessionId,
      client_id: clientId,
      scopes: scope.split(' ').filter((name) => name.includes(':')),
      scope,
      ver: 0,
    });
  return { sessionId, token: tokenFor(scopes.join(' ')), tokenFor };
}
