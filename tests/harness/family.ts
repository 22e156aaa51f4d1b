// Child sessions, as an OAuth client will open them.

import { randomBytes } from 'node:crypto';
import type { OAuthClientId, SessionId, TenantId, UserId } from '@keywright/contract/ids';
import { serializeChanges } from '@keywright/server/modules/events/journal/index';
import {
  insertSessions,
  type NewSession,
  type SessionUse,
} from '@keywright/server/modules/tokens/sessions/store';
import { newSessionId } from '@keywright/server/platform/crypto/ids';
import type { TenantTx } from '@keywright/server/tenancy/gate';
import { newIdentifier, newPassword } from './credentials.ts';
import { startKeywright } from './keywright.ts';
import { passwordPermit } from './permit.ts';
import type { RaceServer } from './race-servers.ts';
import { openSessionParts } from './session-parts.ts';
import { until } from './until.ts';

/** Names no key: nothing is signed. */
export const KID = 'kid';
const LIFE_MS = 3_600_000;

const DIRECT = { clientId: null, parentId: null, scopes: null };
export const API: SessionUse = { kind: 'api', ...DIRECT };
export const BROWSER: SessionUse = { kind: 'browser', ...DIRECT };

/** @param parentId the browser session that it ends with */
export function ofClient(
  parentId: SessionId | null,
  clientId = 'client_one' as OAuthClientId,
): SessionUse {
  return { kind: 'client', clientId, parentId, scopes: ['read:users'] };
}

type Parts = Awaited<ReturnType<typeof openSessionParts>>['parts'];

interface DraftedSecret {
  readonly secretHash?: Buffer;
}

/** A session as it is handed to the statement that opens it. */
async function draftSession(
  { keys }: Parts,
  tenantId: TenantId,
  userId: UserId,
  use: SessionUse,
  { secretHash = randomBytes(32) }: DraftedSecret = {},
): Promise<NewSession> {
  const now = new Date();
  const id = newSessionId(now);
  const auditKey = await keys.auditKeys.find(tenantId);
  if (!auditKey) throw new Error(`The tenant ${tenantId} has no data key.`);
  const from = { address: '192.0.2.1', requestId: 'test' };
  const entry = {
    action: 'auth.login',
    target: { kind: 'session', id },
    details: { workspace_id: 'ws_default' },
  } as const;
  const end = new Date(now.getTime() + LIFE_MS);
  return {
    id,
    tenantId,
    permit: passwordPermit(tenantId, userId, 0, now),
    use,
    workspaceId: undefined,
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
    secretHash,
    refreshKid: use.kind === 'browser' ? null : KID,
    bit: 0,
    attempts: [],
  };
}

/** Starts a service on a server of its own, and opens sessions in a tenant of it beside it. */
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
     VALUES ($1, 'client_one', 'Invoices', 'web', false, 'none', '{}', '{}', '{}', '{}', 'RS256', now())`,
    [tenant.id],
  );
  const inTenant = <T>(work: (tx: TenantTx) => Promise<T>) =>
    gate.into(tenant.id).transaction(work);

  async function newUser(): Promise<UserId> {
    const extra = { register: true };
    const { user } = await tenant.login(newIdentifier(), newPassword(), { extra });
    return user.id;
  }

  const draft = (...[userId, use, secret]: [UserId, SessionUse, DraftedSecret?]) =>
    draftSession(parts, tenant.id, userId, use, secret);

  async function open(userId: UserId, use: SessionUse, secret?: DraftedSecret) {
    const session = await draft(userId, use, secret);
    const [row] = await insertSessions(gate, [session]);
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
      other = second().finally(() => {
        isOver = true;
      });
      other.catch(() => undefined);
      await until(
        'the second one waits, or is through',
        async () => isOver || (await isSomeoneWaiting()),
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
    draft,
    open,
    amid,
    async close() {
      await opened.close();
      await keywright.close();
      await server?.close();
    },
  };
}

export type Families = Awaited<ReturnType<typeof startFamilies>>;
