// Client logins read only their own rows, not those of all tenants, whatever PostgreSQL's statistics are.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type {
  ConsentId,
  OAuthClientId,
  SessionId,
  TenantId,
  UserId,
  WorkspaceId,
} from '@keywright/contract/ids';
import type { Kysely } from 'kysely';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { pagesReadSoFar } from '@keywright/tests/harness/pages-read';
import { findClients } from '../../../../sql/oauth/kw_find_clients.ts';
import { findClientVersions } from '../../../../sql/oauth/kw_find_client_versions.ts';
import { pushRequest } from '../../../../sql/oauth/kw_push_request.ts';
import { pollDevice } from '../../../../sql/oauth/kw_poll_device.ts';
import { readBrowserLogins } from '../../../../sql/tokens/kw_read_browser_logins.ts';
import { findFixedSessions } from '../../../../sql/tokens/kw_find_fixed_sessions.ts';
import { writeBrowserUses } from '../../../../sql/tokens/kw_write_browser_uses.ts';
import { openClientSessions } from '../../../../sql/tokens/kw_open_client_sessions.ts';
import { refreshSessions } from '../../../../sql/tokens/kw_refresh_sessions.ts';
import { callWithin } from '../../../platform/db/calls.ts';
import type { Database } from '../../../platform/db/database.ts';
import { openPostgres } from '../../../platform/db/postgres.ts';
import type { DB } from '../../../platform/db/schema.ts';

const TENANTS = 10_000;
const USERS = 5000;
const ASKED = 16;
/** Pages of 8 KiB: a few for each row and each index lookup. The tables have thousands of pages. */
const PAGES_EACH = 90;
const NOW = new Date();
const LATER = new Date(NOW.getTime() + 60_000);
const SECRET = Buffer.from('secret');
const CLIENT = 'client_1' as OAuthClientId;

let database: TestDatabase;
let service: Database;

/** Every user of these tenants is logged in and has consented to a client. */
async function fill(tenants: number, users: number): Promise<void> {
  await database.query(
    `WITH new AS (
       INSERT INTO users (tenant_id, id, created_at)
       SELECT 'org_' || tenant, 'user:' || n, now()
         FROM generate_series(1, $1::integer) AS tenant, generate_series(1, $2::integer) AS n
           ON CONFLICT DO NOTHING
       RETURNING tenant_id, id),
     begun AS (
       INSERT INTO device_grants (tenant_id, id, user_code_hash, client_id, scopes, targets, ip_address, created_at,
                                  expires_at, interval_seconds)
       SELECT tenant_id, id::bytea, id::bytea, 'client_1', '{openid}', '{}', '', now(), 'infinity', 5 FROM new),
     named AS (
       INSERT INTO user_identifiers (tenant_id, user_id, position, type, identifier, verified)
       SELECT tenant_id, id, 0, 'email', id || '@example.com', true FROM new),
     allowed AS (
       INSERT INTO consents (tenant_id, id, user_id, client_id, scopes, created_at, updated_at)
       SELECT tenant_id, 'cns_' || id, id, 'client_1', '{openid}', now(), now() FROM new)
     INSERT INTO sessions (tenant_id, id, user_id, workspace_id, ip_address, created_at, expires_at,
                           absolute_expires_at, refresh_hash, refresh_kid, refresh_issued_at, kind, auth_time, acr, amr,
                           client_id, scopes, parent_id)
     SELECT tenant_id, 'session:' || kind || id, id, 'ws_default', '', now(), 'infinity', 'infinity', $3,
            CASE kind WHEN 'client' THEN '' END, now(), kind, now(), 'aal1', '{pwd}',
            CASE kind WHEN 'client' THEN 'client_1' END, CASE kind WHEN 'client' THEN '{openid}'::text[] END,
            CASE kind WHEN 'client' THEN 'session:browser' || id END
       FROM new, (VALUES ('browser'), ('client')) AS kinds (kind)`,
    [tenants, users, SECRET],
  );
}

before(async () => {
  database = await createDatabase();
  service = openPostgres(database.url, () => {});
  await database.query(
    `INSERT INTO tenants (tenant_id, name, created_at)
     SELECT 'org_' || n, 'Planned', now() FROM generate_series(1, $1::integer) AS n`,
    [TENANTS],
  );
  await database.query(
    `INSERT INTO workspaces (tenant_id, id, name, slug, created_at)
     SELECT tenant_id, 'ws_default', 'Default', 'default', now() FROM tenants`,
  );
  await database.query(
    `INSERT INTO oauth_clients (tenant_id, id, name, kind, first_party, token_endpoint_auth_method, redirect_uris,
                                post_logout_redirect_uris, grant_types, scopes, id_token_signed_response_alg, created_at)
     SELECT tenant_id, 'client_1', 'Planned', 'web', false, 'none', '{}', '{}', '{}', '{}', 'RS256', now() FROM tenants`,
  );
  await database.query(
    `INSERT INTO oauth_client_secrets (tenant_id, id, client_id, secret_hash, created_at)
     SELECT tenant_id, 'csec_1', 'client_1', '', now() FROM tenants`,
  );
  for (const table of [
    'sessions',
    'users',
    'user_identifiers',
    'consents',
    'oauth_clients',
    'device_grants',
  ]) {
    await database.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
  }
  await fill(TENANTS, 1);
  await database.query('ANALYZE');
  await fill(1, USERS);
});
after(async () => {
  await service.close();
  await database.drop();
});

/** The tenants and users of the calls. Users are identified by number. */
interface Asked {
  readonly tenants: readonly TenantId[];
  readonly users: readonly number[];
}

const ofEach = <T>({ users }: Asked, one: T) => users.map(() => one);
const sessionsOf = ({ users }: Asked, kind: 'browser' | 'client') =>
  users.map((n) => `session:${kind}user:${n}` as SessionId);

/** The call of each function. Returns the number of results. */
const CALLS: Readonly<Record<string, (db: Kysely<DB>, asked: Asked) => Promise<number>>> = {
  async 'clients with their secrets'(db, asked) {
    const { tenants } = asked;
    const clients = ofEach(asked, CLIENT);
    const [row] = await callWithin({ db }, findClients, { tenants, clients });
    const found = row?.answer as (object | null)[] | undefined;
    return (found ?? []).filter(Boolean).length;
  },

  async 'versions of clients'(db, asked) {
    const { tenants } = asked;
    const clients = ofEach(asked, CLIENT);
    const [row] = await callWithin({ db }, findClientVersions, { tenants, clients });
    const found = row?.answer;
    return (found ?? []).filter(Boolean).length;
  },

  async 'logins of browsers'(db, asked) {
    const rows = await callWithin({ db }, readBrowserLogins, {
      tenants: asked.tenants,
      sessions: sessionsOf(asked, 'browser'),
      secretHashes: ofEach(asked, SECRET),
      clients: ofEach(asked, CLIENT),
      now: ofEach(asked, NOW),
    });
    return rows.filter((row) => row.consent_id !== null).length;
  },

  async 'uses of logins of browsers'(db, asked) {
    await callWithin({ db }, writeBrowserUses, {
      tenants: asked.tenants,
      sessions: sessionsOf(asked, 'browser'),
      idleSeconds: ofEach(asked, 3600),
      now: NOW,
      writtenBefore: LATER,
    });
    return asked.users.length;
  },

  async 'sessions that codes open'(db, asked) {
    const rows = await callWithin({ db }, openClientSessions, {
      tenants: asked.tenants,
      sessions: asked.users.map((n, index) => `session:new${n}-${index}` as SessionId),
      clients: ofEach(asked, CLIENT),
      users: asked.users.map((n) => `user:${n}` as UserId),
      workspaces: ofEach(asked, 'ws_default' as WorkspaceId),
      logins: sessionsOf(asked, 'browser'),
      parents: sessionsOf(asked, 'browser'),
      consents: asked.users.map((n) => `cns_user:${n}` as ConsentId),
      consentVersions: ofEach(asked, 1),
      codeHashes: asked.users.map((n, index) => Buffer.from(`${n} ${index}`)),
      scopes: ofEach(asked, 'openid'),
      userAgents: ofEach(asked, null),
      ipAddresses: ofEach(asked, ''),
      now: ofEach(asked, NOW),
      expiresAt: ofEach(asked, LATER),
      endsAt: ofEach(asked, LATER),
      refreshHashes: ofEach(asked, SECRET),
      refreshKids: ofEach(asked, ''),
      statusIndexes: ofEach(asked, 1),
      entries: ofEach(asked, '[]'),
      events: ofEach(asked, '[]'),
      userinfoClaims: ofEach(asked, null),
      clientVersions: ofEach(asked, 2),
      metadata: ofEach(asked, true),
    });
    return rows.filter(({ outcome }) => outcome === 'opened').length;
  },

  async 'clients that push requests'(db, asked) {
    const items = asked.tenants.map((tenant, index) => ({
      tenant,
      id: Buffer.from(`${asked.users[index]} ${index}`),
      client: CLIENT,
      version: 2,
      parameters: '',
      expiresAt: LATER,
    }));
    const rows = await callWithin({ db }, pushRequest, items);
    return rows.filter(({ answer }) => answer).length;
  },

  async 'devices that ask'(db, asked) {
    const items = asked.tenants.map((tenant, index) => ({
      tenant,
      id: Buffer.from(`user:${asked.users[index]}`),
      client: CLIENT,
      now: NOW,
    }));
    const rows = await callWithin({ db }, pollDevice, items);
    return rows.filter(({ outcome }) => outcome === 'pending').length;
  },

  async 'refreshed sessions'(db, asked) {
    const rows = await callWithin({ db }, refreshSessions, {
      tenants: asked.tenants,
      sessions: sessionsOf(asked, 'client'),
      presented: ofEach(asked, SECRET),
      next: ofEach(asked, SECRET),
      kids: ofEach(asked, ''),
      issuedAt: ofEach(asked, NOW),
      expiresAt: ofEach(asked, LATER),
      retrySeconds: ofEach(asked, 30),
      clients: ofEach(asked, CLIENT),
      clientVersions: ofEach(asked, 2),
      metadata: ofEach(asked, true),
    });
    return rows.filter(({ outcome }) => outcome === 'rotated').length;
  },

  async 'sessions of fixed refresh tokens'(db, asked) {
    const rows = await callWithin({ db }, findFixedSessions, {
      tenants: asked.tenants,
      sessions: sessionsOf(asked, 'client'),
      presented: ofEach(asked, SECRET),
      now: ofEach(asked, NOW),
      clients: ofEach(asked, CLIENT),
      clientVersions: ofEach(asked, 2),
      metadata: ofEach(asked, true),
    });
    return rows.filter(({ outcome }) => outcome === 'current').length;
  },
};

const MANY = Array.from({ length: ASKED }, (_, index) => index + 1);
const BATCHES: Readonly<Record<string, Asked>> = {
  'one tenant': { tenants: MANY.map(() => 'org_1' as TenantId), users: MANY },
  'many tenants': { tenants: MANY.map((n) => `org_${n}` as TenantId), users: MANY.map(() => 1) },
};

class Undone extends Error {}

for (const state of ['assumed to be small', 'known']) {
  for (const [whose, asked] of Object.entries(BATCHES)) {
    for (const [what, call] of Object.entries(CALLS)) {
      test(`${what} of ${whose} are read by their keys, in tables that are ${state}`, async () => {
        if (state === 'known') await database.query('ANALYZE');
        const undone = service.kysely.transaction().execute(async (db) => {
          const earlier = await pagesReadSoFar(db);
          assert.equal(await call(db, asked), ASKED);
          const pages = (await pagesReadSoFar(db)) - earlier;
          assert.ok(pages < PAGES_EACH * ASKED, `${pages} pages are read`);
          throw new Undone();
        });
        await assert.rejects(undone, Undone);
      });
    }
  }
}
