import { type TenantId, type UserId, type WorkspaceId } from '@keywright/contract/ids';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { Clock } from '../../platform/clock.ts';
import { newSessionId, randomId } from '../../platform/crypto/ids.ts';
import { batched } from '../../platform/db/batch.ts';
import type { AuditKey } from '../../tenancy/audit-keys.ts';
import type { Origin } from '../../tenancy/caller.ts';
import type { Gate } from '../../tenancy/gate.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import { type Written, written } from '../journal/index.ts';
import type { KeyRing } from '../signing-keys/index.ts';
import type { TokenBits } from '../status-lists/index.ts';
import { mintRefreshToken, refreshTokenHash } from '../tokens/index.ts';
import { tokenAnswer } from './answer.ts';
import { customClaimsOf } from './custom-claims.ts';
import { createLand } from './landing.ts';
import { insertSessions, type NewSession } from './store.ts';

const BATCH = { size: 32, flights: 4 };

export interface SessionRequest {
  readonly userId: UserId;
  /** The stored hash that the secret was right against. */
  readonly secretHash: string;
  readonly workspaceId: WorkspaceId | undefined;
  readonly userAgent: string | null;
  readonly from: Origin;
  readonly attempts: readonly [Buffer, Buffer];
}

interface Parts {
  readonly gate: Gate;
  readonly keys: KeyRing;
  readonly bits: TokenBits;
  readonly clock: Clock;
}

/**
 * Opens a session for a user whose secret was right. `refused`: meanwhile the user was deactivated or the
 * password was changed. `workspace_unknown`: the workspace asked for is not the user's.
 */
export type OpenSession = (
  tenant: Tenant,
  request: SessionRequest,
) => Promise<TokenAnswer | 'refused' | 'workspace_unknown'>;

export function createOpenSession({ gate, keys, bits, clock }: Parts): OpenSession {
  const insert = batched((some: readonly NewSession[]) => insertSessions(gate, some), BATCH);
  const land = createLand();

  return async (tenant, request) => {
    const now = clock.now();
    const [key, auditKey, bit] = await Promise.all([
      keys.signer(tenant.id),
      getAuditKey(keys, tenant.id),
      bits.take(tenant.id),
    ]);
    const fields = {
      jti: randomId(),
      userId: request.userId,
      sessionId: newSessionId(now),
      issuedAt: now,
      ...lifetimes(tenant, now),
    };
    const refreshToken = mintRefreshToken(key, tenant, fields);
    const session = {
      ...request,
      tenantId: tenant.id,
      id: fields.sessionId,
      address: request.from.address,
      now,
      expiresAt: fields.expiresAt,
      endsAt: fields.sessionEndsAt,
      refreshHash: refreshTokenHash(refreshToken),
      refreshKid: key.kid,
      bit,
    };
    const row = await land(tenant.id, request, (landing) =>
      insert({ ...session, written: writtenOf(auditKey, tenant, session, landing) }),
    );
    if (row.outcome !== 'opened') {
      bits.giveBack(tenant.id, bit);
      return row.outcome;
    }
    const subject = {
      userId: request.userId,
      sessionId: fields.sessionId,
      endsAt: fields.sessionEndsAt,
      accessVersion: 0,
      bit,
      customClaims: await customClaimsOf(gate, tenant, request.userId),
      row,
    };
    return tokenAnswer(key, tenant, subject, refreshToken, now);
  };
}

function lifetimes(tenant: Tenant, now: Date): { expiresAt: Date; sessionEndsAt: Date } {
  const { refresh_token_ttl: sliding, refresh_token_absolute_ttl: absolute } = tenant.config;
  return {
    expiresAt: new Date(now.getTime() + Math.min(sliding, absolute) * 1000),
    sessionEndsAt: new Date(now.getTime() + absolute * 1000),
  };
}

async function getAuditKey(keys: KeyRing, tenantId: TenantId): Promise<AuditKey> {
  const key = await keys.auditKeys.find(tenantId);
  if (!key) throw new Error(`The tenant ${tenantId} has no data key.`);
  return key;
}

function writtenOf(
  key: AuditKey,
  tenant: Tenant,
  { id: sessionId, userId, userAgent, from, now }: Omit<NewSession, 'written'> & SessionRequest,
  workspaceId: WorkspaceId,
): Written {
  const session = { user_id: userId, session_id: sessionId, workspace_id: workspaceId };
  const change = {
    action: 'auth.login',
    target: { kind: 'session', id: sessionId },
    details: { user_agent: userAgent, workspace_id: workspaceId },
    events: [
      { type: 'user.login', data: session },
      { type: 'session.created', data: session },
    ],
  } as const;
  return written(key, tenant.id, { kind: 'user', subject: userId, sessionId, from }, [change], now);
}
