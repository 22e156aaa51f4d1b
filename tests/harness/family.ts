// Logins, and the OAuth client sessions within the login sessions of browsers.

import assert from 'node:assert/strict';
import { aside } from './flat-transactions.ts';
import { randomBytes } from 'node:crypto';
import {
  type ConsentId,
  DEFAULT_WORKSPACE,
  type OAuthClientId,
  type SessionId,
  type TenantId,
  type UserId,
} from '@keywright/contract/ids';
import { serializeChanges } from '@keywright/server/modules/events/journal/audit-record';
import {
  type NewClientSession,
  redeemAll,
  insertSessions,
  type NewSession,
} from '@keywright/server/modules/tokens/sessions/session-store';
import { newSessionId } from '@keywright/server/platform/crypto/ids';
import type { TenantTx } from '@keywright/server/tenancy/gate';
import { newIdentifier, newPassword } from './credentials.ts';
import { startKeywright } from './keywright.ts';
import { passwordPermit } from './permit.ts';
import type { RaceServer } from './race-servers.ts';
import { openSessionParts } from './session-parts.ts';
import { until } from './until.ts';

/** Refers to no key, because nothing is signed. */
export const KID = 'kid';
const LIFE_MS = 3_600_000;
export const CLIENT = 'client_one' as OAuthClientId;

type Parts = Awaited<ReturnType<typeof openSessionParts>>['parts'];

/** What every session has. */
async function draftSession({ keys }: Parts, tenantId: TenantId, userId: UserId) {
  const now = new Date();
  const id = newSessionId(now);
  const auditKey = await keys.auditKeys.find(tenantId);
  if (!auditKey) throw new Error(`The tenant ${tenantId} has no data key.`);
  const from = { address: '192.0.2.1', requestId: 'test' };
  const entry = {
    action: 'auth.login',
    target: { kind: 'session', id },
    details: { workspace_id: DEFAULT_WORKSPACE },
  } as const;
  const end = new Date(now.getTime() + LIFE_MS);
  return {
    id,
    tenantId,
    userAgent: null,
    address: from.address,
    now,
    changes: serializeChanges(
      auditKey,
      tenantId,
      { kind: 'user', subject: userId, sessionId: id, from },
      [entry],
      now,
    ),
    expiresAt: end,
    endsAt: end,
    secretHash: randomBytes(32),
    bit: 0,
  };
}

/** The ID of the user's consent to the client: one for each user. */
const consentOf = (userId: UserId) => `cns_${userId}` as ConsentId;

interface Child {
  readonly secretHash?: Buffer;
  /** Default: it does. */
  readonly endsWithLogin?: boolean;
}

/** Starts a service on its own server, and opens sessions in one of its tenants without going through the service. */
export async function startFamilies(start: RaceServer['start']) {
  const server = await start();
  const masterKey = randomBytes(32).toString('base64');
  const keywright = await startKeywright({ server, env: { KEYWRIGHT_MASTER_KEY: masterKey } });
  const tenant = await keywright.tenant('families');
  const opened = await openSessionParts(keywright.database.url, masterKey);
  const { parts } = opened;
  const { gate } = parts;
  await keywright.database.query(
    `INSERT INTO oauth_clients (
       tenant_id, id, name, kind, first_party, token_endpoint_auth_method, redirect_uris, post_logout_redirect_uris,
       grant_types, scopes, id_token_signed_response_alg, created_at)
     VALUES ($1, $2, 'Invoices', 'web', false, 'none', '{}', '{}', '{}', '{}', 'RS256', now())`,
    [tenant.id, CLIENT],
  );
  const inTenant = <T>(work: (tx: TenantTx) => Promise<T>) =>
    gate.into(tenant.id).transaction(work);

  async function newUser(): Promise<UserId> {
    const extra = { register: true };
    const { user } = await tenant.login(newIdentifier(), newPassword(), { extra });
    await keywright.database.query(
      `INSERT INTO consents (tenant_id, id, user_id, client_id, scopes, created_at, updated_at)
       VALUES ($1, $2, $3, $4, '{read:users}', now(), now())`,
      [tenant.id, consentOf(user.id), user.id, CLIENT],
    );
    return user.id;
  }

  /** Logs in. */
  async function open(userId: UserId, kind: NewSession['kind']): Promise<SessionId> {
    const session: NewSession = {
      ...(await draftSession(parts, tenant.id, userId)),
      permit: passwordPermit(tenant.id, userId),
      kind,
      workspaceId: undefined,
      refreshKid: kind === 'browser' ? null : KID,
      attempts: [],
    };
    const [row] = await insertSessions(gate, [session]);
    assert.equal((await row)?.outcome, 'opened');
    return session.id;
  }

  /** The arguments of the statement that opens a session of the client. @param loginId the session of the browser */
  async function draft(
    userId: UserId,
    loginId: SessionId,
    { endsWithLogin = true, ...secret }: Child = {},
  ): Promise<NewClientSession> {
    return {
      ...(await draftSession(parts, tenant.id, userId)),
      clientId: CLIENT,
      clientVersion: 1,
      userId,
      workspaceId: DEFAULT_WORKSPACE,
      loginId,
      endsWithLogin,
      consent: { id: consentOf(userId), version: 1 },
      codeHash: randomBytes(32),
      scopes: ['read:users'],
      userinfoClaims: [],
      readsMetadata: false,
      ...secret,
    };
  }

  async function openChild(...args: Parameters<typeof draft>) {
    const session = await draft(...args);
    const [row] = await redeemAll(gate, [session]);
    return { id: session.id, outcome: (await row)?.outcome };
  }

  /** Whether some transaction of the database waits for another one. */
  async function isSomeoneWaiting(): Promise<boolean> {
    const rows = await keywright.database.query(
      `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
    );
    return rows.length > 0;
  }

  /** Runs `first` in a transaction that commits once `second` has ended, or waits for it. */
  async function amid<T>(first: (tx: TenantTx) => Promise<unknown>, second: () => Promise<T>) {
    let other: Promise<T> | undefined;
    await inTenant(async (tx) => {
      await first(tx);
      let isOver = false;
      other = aside(second).finally(() => {
        isOver = true;
      });
      other.catch(() => undefined);
      await aside(() =>
        until('the second one waits, or is through', async () => isOver || isSomeoneWaiting()),
      );
    });
    return other as Promise<T>;
  }

  return {
    keywright,
    tenantId: tenant.id,
    gate,
    inTenant,
    newUser,
    open,
    draft,
    openChild,
    amid,
    async close() {
      await opened.close();
      await keywright.close();
      await server?.close();
    },
  };
}

export type Families = Awaited<ReturnType<typeof startFamilies>>;
