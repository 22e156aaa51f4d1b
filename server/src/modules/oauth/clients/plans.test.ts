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
import { noteDevicePolls } from '../../../../sql/oauth/kw_note_device_polls.ts';
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
const BATCH_SIZE = 16;
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
interface Batch {
  readonly tenants: readonly TenantId[];
  readonly users: readonly number[];
}

const ofEach = <T>({ users }: Batch, value: T) => users.map(() => value);
const sessionsOf = ({ users }: Batch, kind: 'browser' | 'client') =>
  users.map((n) => `session:${kind}user:${n}` as SessionId);

/** The call of each function. Returns the number of results. */
const CALLS: Readonly<Record<string, (db: Kysely<DB>, batch: Batch) => Promise<number>>> = {
  async 'clients with their secrets'(db, batch) {
    const { tenants } = batch;
    const clients = ofEach(batch, CLIENT);
    const [row] = await callWithin({ db }, findClients, { tenants, clients });
    const found = row?.answer as (object | null)[] | undefined;
    return (found ?? []).filter(Boolean).length;
  },

  async 'versions of clients'(db, batch) {
    const { tenants } = batch;
    const clients = ofEach(batch, CLIENT);
    const [row] = await callWithin({ db }, findClientVersions, { tenants, clients });
    const found = row?.answer;
    return (found ?? []).filter(Boolean).length;
  },

  async 'logins of browsers'(db, batch) {
    const rows = await callWithin({ db }, readBrowserLogins, {
      tenants: batch.tenants,
      sessions: sessionsOf(batch, 'browser'),
      secretHashes: ofEach(batch, SECRET),
      clients: ofEach(batch, CLIENT),
      now: ofEach(batch, NOW),
    });
    return rows.filter((row) => row.consent_id !== null).length;
  },

  async 'uses of logins of browsers'(db, batch) {
    await callWithin({ db }, writeBrowserUses, {
      tenants: batch.tenants,
      sessions: sessionsOf(batch, 'browser'),
      idleSeconds: ofEach(batch, 3600),
      now: NOW,
      writtenBefore: LATER,
    });
    return batch.users.length;
  },

  async 'sessions that codes open'(db, batch) {
    const rows = await callWithin({ db }, openClientSessions, {
      tenants: batch.tenants,
      sessions: batch.users.map((n, index) => `session:new${n}-${index}` as SessionId),
      clients: ofEach(batch, CLIENT),
      users: batch.users.map((n) => `user:${n}` as UserId),
      workspaces: ofEach(batch, 'ws_default' as WorkspaceId),
      logins: sessionsOf(batch, 'browser'),
      parents: sessionsOf(batch, 'browser'),
      consents: batch.users.map((n) => `cns_user:${n}` as ConsentId),
      consentVersions: ofEach(batch, 1),
      codeHashes: batch.users.map((n, index) => Buffer.from(`${n} ${index}`)),
      scopes: ofEach(batch, 'openid'),
      userAgents: ofEach(batch, null),
      ipAddresses: ofEach(batch, ''),
      now: ofEach(batch, NOW),
      expiresAt: ofEach(batch, LATER),
      endsAt: ofEach(batch, LATER),
      refreshHashes: ofEach(batch, SECRET),
      statusIndexes: ofEach(batch, 1),
      entries: ofEach(batch, '[]').join('\n'),
      events: ofEach(batch, '[]').join('\n'),
      userinfoClaims: ofEach(batch, null),
      clientVersions: ofEach(batch, 2),
      metadata: ofEach(batch, true),
    });
    return rows.filter(({ outcome }) => outcome === 'opened').length;
  },

  async 'clients that push requests'(db, batch) {
    const items = batch.tenants.map((tenant, index) => ({
      tenant,
      id: Buffer.from(`${batch.users[index]} ${index}`),
      client: CLIENT,
      version: 2,
      parameters: '',
      expiresAt: LATER,
    }));
    const rows = await callWithin({ db }, pushRequest, items);
    return rows.filter(({ answer }) => answer).length;
  },

  async 'devices that ask'(db, batch) {
    const items = batch.tenants.map((tenant, index) => ({
      tenant,
      id: Buffer.from(`user:${batch.users[index]}`),
      client: CLIENT,
      now: NOW,
    }));
    const rows = await callWithin({ db }, pollDevice, items);
    return rows.filter(({ outcome }) => outcome === 'pending').length;
  },

  async 'devices that wait'(db, batch) {
    const [noted] = await callWithin({ db }, noteDevicePolls, {
      tenants: batch.tenants,
      ids: batch.users.map((user) => Buffer.from(`user:${user}`)),
      clients: ofEach(batch, CLIENT),
      now: NOW,
    });
    return noted?.answer.length ?? 0;
  },

  async 'refreshed sessions'(db, batch) {
    const rows = await callWithin({ db }, refreshSessions, {
      tenants: batch.tenants,
      sessions: sessionsOf(batch, 'client'),
      presented: ofEach(batch, SECRET),
      next: ofEach(batch, SECRET),
      kids: ofEach(batch, ''),
      issuedAt: ofEach(batch, NOW),
      expiresAt: ofEach(batch, LATER),
      retrySeconds: ofEach(batch, 30),
      clients: ofEach(batch, CLIENT),
      clientVersions: ofEach(batch, 2),
      metadata: ofEach(batch, true),
    });
    return rows.filter(({ outcome }) => outcome === 'rotated').length;
  },

  async 'sessions of fixed refresh tokens'(db, batch) {
    const rows = await callWithin({ db }, findFixedSessions, {
      tenants: batch.tenants,
      sessions: sessionsOf(batch, 'client'),
      presented: ofEach(batch, SECRET),
      now: ofEach(batch, NOW),
      clients: ofEach(batch, CLIENT),
      clientVersions: ofEach(batch, 2),
      metadata: ofEach(batch, true),
    });
    return rows.filter(({ outcome }) => outcome === 'current').length;
  },
};

const MANY = Array.from({ length: BATCH_SIZE }, (_, index) => index + 1);
const BATCHES: Readonly<Record<string, Batch>> = {
  'one tenant': { tenants: MANY.map(() => 'org_1' as TenantId), users: MANY },
  'many tenants': { tenants: MANY.map((n) => `org_${n}` as TenantId), users: MANY.map(() => 1) },
};

class Undone extends Error {}

for (const state of ['assumed to be small', 'known']) {
  for (const [whose, batch] of Object.entries(BATCHES)) {
    for (const [what, call] of Object.entries(CALLS)) {
      test(`${what} of ${whose} are read by their keys, in tables that are ${state}`, async () => {
        if (state === 'known') await database.query('ANALYZE');
        const undone = service.kysely.transaction().execute(async (db) => {
          const earlier = await pagesReadSoFar(db);
          assert.equal(await call(db, batch), BATCH_SIZE);
          const pages = (await pagesReadSoFar(db)) - earlier;
          assert.ok(pages < PAGES_EACH * BATCH_SIZE, `${pages} pages are read`);
          throw new Undone();
        });
        await assert.rejects(undone, Undone);
      });
    }
  }
}
