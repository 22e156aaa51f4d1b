import {
  DEFAULT_WORKSPACE,
  type WorkspaceId,
  type TenantId,
  type UserId,
} from '@keywright/contract/ids';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { createCache } from '../../../platform/cache/cache.ts';
import { batched } from '../../../platform/db/batch.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { SessionCookie } from '../../../tenancy/session-cookie.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Permit } from '../../authentication/proofs/index.ts';
import {
  countLogin,
  type DirectRequest,
  draft,
  type Draft,
  serializedChangesOf,
  type OpeningDependencies,
  type SessionRequest,
  takeMeans,
} from './session-drafts.ts';
import {
  insertSessions,
  insertSessionWithin,
  type NewSession,
  type OpenedRow,
} from './session-store.ts';
import { tokenAnswer, customClaimsOf } from './session-tokens.ts';

const BATCH = { size: 32, flights: 4 };

/** `workspace_unknown`: the workspace asked for is not the user's. */
type NotOpened = 'refused' | 'workspace_unknown';

/** A session that a cookie continues. */
interface OpenedInBrowser {
  readonly cookie: SessionCookie;
}

type Opened = TokenAnswer | OpenedInBrowser;

/**
 * Opens a session for a permit. `refused`: the user was deactivated since, or changed their credentials; or the flow has
 * ended or changed.
 */
export interface OpenSession {
  (tenant: Tenant, request: DirectRequest): Promise<TokenAnswer | NotOpened>;
  (tenant: Tenant, request: SessionRequest): Promise<Opened | NotOpened>;
}

/** In the transaction in which `change` makes or changes the user, and decides: neither is there without the other. */
export interface OpenFirstSession {
  (
    tenant: Tenant,
    request: Omit<DirectRequest, 'permit'>,
    change: Change,
  ): Promise<TokenAnswer | NotOpened>;
  (
    tenant: Tenant,
    request: Omit<SessionRequest, 'permit'>,
    change: Change,
  ): Promise<Opened | NotOpened>;
}

type Change = (tx: TenantTx) => Promise<Permit>;

export function createOpenSession(dependencies: OpeningDependencies): OpenSession {
  const { gate, bits, clock } = dependencies;
  const insert = batched((some: readonly NewSession[]) => insertSessions(gate, some), BATCH);
  const openInWorkspace = createOpenInWorkspace();

  function open(tenant: Tenant, request: DirectRequest): Promise<TokenAnswer | NotOpened>;
  function open(tenant: Tenant, request: SessionRequest): Promise<Opened | NotOpened>;
  async function open(tenant: Tenant, request: SessionRequest): Promise<Opened | NotOpened> {
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
    if (row.outcome === 'opened') return answerOf(dependencies, tenant, drafted, row);
    bits.giveBack(tenant.id, means.bit);
    return row.outcome;
  }
  return open;
}

/** Rolls back the transaction that opened no session. */
class SessionNotOpened extends Error {
  readonly row: Exclude<OpenedRow, { readonly outcome: 'opened' }>;

  constructor(row: SessionNotOpened['row']) {
    super(`The session was not opened: ${row.outcome}.`);
    this.row = row;
  }
}

export function createOpenFirstSession(dependencies: OpeningDependencies): OpenFirstSession {
  const { gate, bits, clock } = dependencies;

  function open(
    tenant: Tenant,
    request: Omit<DirectRequest, 'permit'>,
    change: Change,
  ): Promise<TokenAnswer | NotOpened>;
  function open(
    tenant: Tenant,
    request: Omit<SessionRequest, 'permit'>,
    change: Change,
  ): Promise<Opened | NotOpened>;
  async function open(tenant: Tenant, request: Omit<SessionRequest, 'permit'>, change: Change) {
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
        return await answerOf(dependencies, tenant, drafted, row);
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
  }
  return open;
}

async function answerOf(
  { gate, noteLogin, activity }: OpeningDependencies,
  tenant: Tenant,
  { key, cookie, refreshToken, session }: Draft,
  row: OpenedRow & { readonly outcome: 'opened' },
): Promise<Opened> {
  noteLogin(tenant.id, session.permit.userId);
  countLogin(activity, tenant.id, session);
  if (cookie) {
    cookie.opened(session.id);
    return { cookie };
  }
  const { userId, authTime, acr, amr } = session.permit;
  const subject = {
    userId,
    sessionId: session.id,
    endsAt: session.endsAt,
    accessVersion: 0,
    bit: session.bit,
    customClaims: await customClaimsOf(gate, tenant, userId),
    client: null,
    authentication: { auth_time: authTime, acr, amr },
    isRepeatable: session.flow !== undefined,
    row,
  };
  return tokenAnswer(key, tenant, subject, refreshToken, session.now);
}

const KEPT = 10_000;

interface Login {
  readonly userId: UserId;
  /** The requested one. */
  readonly workspaceId: WorkspaceId | undefined;
}

/**
 * Opens a session in the workspace of the login. The audit entry contains it and is authenticated before it is written,
 * so it has to be predicted: the requested one, or the last one, or the default. If the database determines a different
 * one, nothing was written, and it is repeated with that one.
 */
function createOpenInWorkspace() {
  /** Of users whose workspace is not the default one. */
  const known = createCache<string, WorkspaceId>(KEPT);

  return async (
    tenantId: TenantId,
    { userId, workspaceId: asked }: Login,
    open: (workspaceId: WorkspaceId) => Promise<OpenedRow>,
  ): Promise<Exclude<OpenedRow, { readonly outcome: 'elsewhere' }>> => {
    const name = `${tenantId} ${userId}`;
    let workspaceId = asked ?? known.get(name) ?? DEFAULT_WORKSPACE;
    for (;;) {
      const row = await open(workspaceId);
      if (row.outcome !== 'elsewhere') return row;
      workspaceId = row.workspace_id;
      if (workspaceId === DEFAULT_WORKSPACE) known.delete(name);
      else known.set(name, workspaceId);
    }
  };
}
