import { DEFAULT_WORKSPACE, type TenantId, type WorkspaceId } from '@keywright/contract/ids';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { Clock } from '../../../platform/clock.ts';
import { newSessionId, randomId } from '../../../platform/crypto/ids.ts';
import { batched } from '../../../platform/db/batch.ts';
import type { AuditKey } from '../../../tenancy/audit-keys.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Attempt } from '../../authentication/attempts/index.ts';
import type { Permit } from '../../authentication/proofs/index.ts';
import { type SerializedChanges, serializeChanges } from '../../events/journal/index.ts';
import type { KeyRing } from '../signing-keys/index.ts';
import type { TokenBits } from '../status-lists/index.ts';
import { mintRefreshToken, refreshTokenHash } from '../access-tokens/index.ts';
import { tokenAnswer } from './answer.ts';
import { customClaimsOf } from './custom-claims.ts';
import { createOpenInWorkspace } from './login-workspace.ts';
import {
  type FlowVersion,
  insertSessions,
  insertSessionWithin,
  type NewSession,
  type OpenedRow,
} from './store.ts';

const BATCH = { size: 32, flights: 4 };

interface SessionRequest {
  readonly permit: Permit;
  readonly workspaceId: WorkspaceId | undefined;
  readonly userAgent: string | null;
  readonly from: Origin;
  /** It presented no token of an earlier login of the user. */
  readonly isNewDevice: boolean;
  /** What the login was counted by, which is given back. */
  readonly attempts: readonly Attempt[];
  /** The flow that leads to it, which ends in the same statement, and the `jti` of the refresh token. */
  readonly flow?: FlowVersion & { readonly jti: string };
}

/** What sessions are opened with. */
export interface SessionDependencies {
  readonly gate: Gate;
  readonly keys: KeyRing;
  readonly bits: TokenBits;
  readonly clock: Clock;
}

/** `workspace_unknown`: the workspace asked for is not the user's. */
type NotOpened = 'refused' | 'workspace_unknown';

/**
 * Opens a session for a permit. `refused`: the user was deactivated since, or changed their credentials; or the flow has
 * ended or changed.
 */
export type OpenSession = (
  tenant: Tenant,
  request: SessionRequest,
) => Promise<TokenAnswer | NotOpened>;

/** In the transaction in which `change` makes or changes the user, and decides: neither is there without the other. */
export type OpenFirstSession = (
  tenant: Tenant,
  request: Omit<SessionRequest, 'permit'>,
  change: (tx: TenantTx) => Promise<Permit>,
) => Promise<TokenAnswer | NotOpened>;

export function createOpenSession(dependencies: SessionDependencies): OpenSession {
  const { gate, bits, clock } = dependencies;
  const insert = batched((some: readonly NewSession[]) => insertSessions(gate, some), BATCH);
  const openInWorkspace = createOpenInWorkspace();

  return async (tenant, request) => {
    const means = await takeMeans(dependencies, tenant);
    const drafted = draft(tenant, request, means, clock.now());
    const { session } = drafted;
    const row = await openInWorkspace(
      tenant.id,
      { ...request, userId: request.permit.userId },
      (workspaceId) => {
        const changes = serializedChangesOf(means.auditKey, tenant, session, workspaceId);
        return insert({ ...session, changes });
      },
    );
    if (row.outcome === 'opened') return answerOf(gate, tenant, drafted, row);
    bits.giveBack(tenant.id, means.bit);
    return row.outcome;
  };
}

/** Rolls back the transaction that opened no session. */
class SessionNotOpened extends Error {
  readonly row: Exclude<OpenedRow, { readonly outcome: 'opened' }>;

  constructor(row: SessionNotOpened['row']) {
    super(`The session was not opened: ${row.outcome}.`);
    this.row = row;
  }
}

export function createOpenFirstSession(dependencies: SessionDependencies): OpenFirstSession {
  const { gate, bits, clock } = dependencies;

  return async (tenant, request, change) => {
    const means = await takeMeans(dependencies, tenant);
    const openIn = (workspaceId: WorkspaceId) => async (tx: TenantTx) => {
      const permit = await change(tx);
      const drafted = draft(tenant, { ...request, permit }, means, clock.now());
      const { session } = drafted;
      const entry = serializedChangesOf(means.auditKey, tenant, session, workspaceId);
      const row = await insertSessionWithin(tx, { ...session, changes: entry });
      if (row.outcome === 'opened') return { drafted, row };
      throw new SessionNotOpened(row);
    };
    let workspaceId = request.workspaceId ?? DEFAULT_WORKSPACE;
    for (;;) {
      try {
        const { drafted, row } = await gate.into(tenant.id).transaction(openIn(workspaceId));
        return await answerOf(gate, tenant, drafted, row);
      } catch (error) {
        // After a broken connection it is unknown whether it was written: the bit is not reused.
        if (!(error instanceof SessionNotOpened)) throw error;
        if (error.row.outcome !== 'elsewhere') {
          bits.giveBack(tenant.id, means.bit);
          return error.row.outcome;
        }
        workspaceId = error.row.workspace_id;
      }
    }
  };
}

type Means = Awaited<ReturnType<typeof takeMeans>>;

/** What each session needs of its tenant. */
async function takeMeans({ keys, bits }: SessionDependencies, { id }: Tenant) {
  const [key, auditKey, bit] = await Promise.all([
    keys.signer(id),
    getAuditKey(keys, id),
    bits.take(id),
  ]);
  return { key, auditKey, bit };
}

/** Of a session that a login opens for its user alone. */
const DIRECT = { kind: 'api', clientId: null, parentId: null, scopes: null } as const;

/** What was decided in one tenant opens nothing in another. */
function permitted(tenant: Tenant, { tenantId }: Permit): TenantId {
  if (tenantId !== tenant.id) throw new Error(`A permit of ${tenantId} was used in ${tenant.id}.`);
  return tenantId;
}

/** A session that is not written yet. */
type Draft = ReturnType<typeof draft>;

function draft(tenant: Tenant, request: SessionRequest, { key, bit }: Means, now: Date) {
  const fields = {
    jti: request.flow?.jti ?? randomId(),
    userId: request.permit.userId,
    sessionId: newSessionId(now),
    issuedAt: now,
    ...lifetimes(tenant, now),
  };
  const refreshToken = mintRefreshToken(key, tenant, fields);
  const session = {
    ...request,
    use: DIRECT,
    tenantId: permitted(tenant, request.permit),
    id: fields.sessionId,
    address: request.from.address,
    now,
    expiresAt: fields.expiresAt,
    endsAt: fields.sessionEndsAt,
    secretHash: refreshTokenHash(refreshToken),
    refreshKid: key.kid,
    bit,
  };
  return { key, refreshToken, session };
}

async function answerOf(
  gate: Gate,
  tenant: Tenant,
  { key, refreshToken, session }: Draft,
  row: OpenedRow & { readonly outcome: 'opened' },
): Promise<TokenAnswer> {
  const { userId, authTime, acr, amr } = session.permit;
  const subject = {
    userId,
    sessionId: session.id,
    endsAt: session.endsAt,
    accessVersion: 0,
    bit: session.bit,
    customClaims: await customClaimsOf(gate, tenant, userId),
    clientId: session.use.clientId,
    authentication: { auth_time: authTime, acr, amr },
    isRepeatable: session.flow !== undefined,
    row,
  };
  return tokenAnswer(key, tenant, subject, refreshToken, session.now);
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

function serializedChangesOf(
  key: AuditKey,
  tenant: Tenant,
  drafted: Draft['session'],
  workspaceId: WorkspaceId,
): SerializedChanges {
  const { id: sessionId, permit, userAgent, from, isNewDevice, now } = drafted;
  const session = { user_id: permit.userId, session_id: sessionId, workspace_id: workspaceId };
  const change = {
    action: 'auth.login',
    target: { kind: 'session', id: sessionId },
    details: { user_agent: userAgent, workspace_id: workspaceId },
    events: [
      { type: 'user.login', data: { ...session, new_device: isNewDevice } },
      { type: 'session.created', data: session },
    ],
  } as const;
  return serializeChanges(
    key,
    tenant.id,
    { kind: 'user', subject: permit.userId, sessionId, from },
    [change],
    now,
  );
}
