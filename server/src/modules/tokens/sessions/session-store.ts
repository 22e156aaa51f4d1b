import type { Acr } from '@keywright/contract/authentication';
import type {
  LoginFlowId,
  OAuthClientId,
  SessionId,
  TenantId,
  UserId,
  WorkspaceId,
  ConsentId,
} from '@keywright/contract/ids';
import type { IdentifierRecord } from '@keywright/contract/records/user';
import { sql } from 'kysely';
import { touchLogin } from '../../../../sql/identity/kw_touch_login.ts';
import {
  findFixedSessions,
  type FindFixedSessionsRow,
} from '../../../../sql/tokens/kw_find_fixed_sessions.ts';
import { finishLogins, type FinishLoginsRow } from '../../../../sql/tokens/kw_finish_logins.ts';
import {
  openClientSessions,
  type OpenClientSessionsRow,
} from '../../../../sql/tokens/kw_open_client_sessions.ts';
import {
  readBrowserLogins as readLogins,
  type ReadBrowserLoginsRow,
} from '../../../../sql/tokens/kw_read_browser_logins.ts';
import {
  refreshSessions,
  type RefreshSessionsRow,
} from '../../../../sql/tokens/kw_refresh_sessions.ts';
import { callWithin, sortedBatch, writeTogether } from '../../../platform/db/calls.ts';
import type { Use } from '../../../tenancy/activity.ts';
import { type Attempted, inLockOrder } from '../../../tenancy/counters.ts';
import { from, type Gate, type TenantTx } from '../../../tenancy/gate.ts';
import type { Permit } from '../../authentication/proofs/index.ts';
import { deliveriesQueued, type SerializedChanges } from '../../events/journal/index.ts';

/** The data of a user that tokens contain. */
export interface SubjectRow {
  readonly workspace_id: WorkspaceId;
  readonly roles: string[];
  readonly scopes: string[];
  readonly identifiers: IdentifierRecord[];
}

/** How the user of a session has authenticated. */
export interface AuthenticationRow {
  readonly auth_time: Date;
  readonly acr: Acr;
  readonly amr: readonly string[];
}

/** The flow that led to a session, in the version that the decision was based on. */
export interface FlowVersion {
  readonly id: LoginFlowId;
  readonly version: number;
  /** The challenge of the last proof, if that was a message. The same statement marks it as used. */
  readonly challenge?: string | undefined;
}

export interface NewSession extends Attempted {
  /** Ends in the statement that opens the session. */
  readonly flow?: FlowVersion;
  readonly id: SessionId;
  readonly permit: Permit;
  /** Continued by a refresh token (`api`) or a cookie (`browser`). */
  readonly kind: 'api' | 'browser';
  readonly workspaceId: WorkspaceId | undefined;
  readonly userAgent: string | null;
  readonly address: string;
  readonly now: Date;
  /** The session's audit entry and events, which contain the predicted workspace. */
  readonly changes: SerializedChanges;
  readonly expiresAt: Date;
  readonly endsAt: Date;
  readonly secretHash: Buffer;
  /** The key that signed its refresh token; null for a cookie. */
  readonly refreshKid: string | null;
  /** The status list bit of the session's tokens. */
  readonly bit: number;
}

/** `elsewhere`: the session's workspace differs from the predicted one, and nothing was written. */
export type OpenedRow = FinishLoginsRow;

/** Opens many sessions in one commit, and discounts their attempts. Returns the rows in order. */
export function insertSessions(
  gate: Gate,
  sessions: readonly NewSession[],
): Promise<readonly (OpenedRow | Promise<OpenedRow>)[]> {
  return writeTogether(sessions, (batch) => insertBatch(gate, batch));
}

async function insertBatch(gate: Gate, sessions: readonly NewSession[]): Promise<OpenedRow[]> {
  const { sorted, unsorted } = sortedBatch(
    sessions,
    (session) => `${session.tenantId} ${session.permit.userId} ${session.flow?.id ?? ''}`,
  );
  const rows = await gate.callMany(finishLogins, loginArguments(sorted));
  rows.forEach(({ queued }, place) => {
    const tenantId = sorted[place]?.tenantId;
    if (queued && tenantId) gate.publish(deliveriesQueued, { tenantId, queued });
  });
  return unsorted(rows);
}

/** Opens a session in the transaction that creates or changes its user. */
export async function insertSessionWithin(tx: TenantTx, session: NewSession): Promise<OpenedRow> {
  const [row] = await callWithin(tx, finishLogins, {
    ...loginArguments([session]),
    tenants: [tx.tenantId],
  });
  if (!row) throw new Error('The statement did not open or refuse a session.');
  const { queued } = row;
  if (queued) tx.publish(deliveriesQueued, { tenantId: tx.tenantId, queued });
  return row;
}

function loginArguments(sorted: readonly NewSession[]) {
  const { logins, attempts } = inLockOrder(sorted);
  return {
    tenants: sorted.map((session) => session.tenantId),
    sessions: sorted.map((session) => session.id),
    users: sorted.map(({ permit }) => permit.userId),
    authVersions: sorted.map(({ permit }) => permit.authVersion),
    authTimes: sorted.map(({ permit }) => permit.authTime),
    acrs: sorted.map(({ permit }) => permit.acr),
    amrs: sorted.map(({ permit }) => permit.amr.join(' ')),
    kinds: sorted.map((session) => session.kind),
    workspaces: sorted.map((session) => session.workspaceId ?? null),
    userAgents: sorted.map((session) => session.userAgent),
    ipAddresses: sorted.map((session) => session.address),
    now: sorted.map((session) => session.now),
    expiresAt: sorted.map((session) => session.expiresAt),
    endsAt: sorted.map((session) => session.endsAt),
    refreshHashes: sorted.map((session) => session.secretHash),
    refreshKids: sorted.map((session) => session.refreshKid),
    statusIndexes: sorted.map((session) => session.bit),
    entries: linesOf(sorted, 'entries'),
    events: linesOf(sorted, 'events'),
    attemptLogins: logins,
    attemptSubjects: attempts.map((attempt) => attempt.subject),
    flows: sorted.map(({ flow }) => flow?.id ?? null),
    flowVersions: sorted.map(({ flow }) => flow?.version ?? null),
    challenges: sorted.map(({ flow }) => flow?.challenge ?? null),
  };
}

/** Returns a line of JSON for each session. JSON.stringify escapes line breaks. */
function linesOf(
  sessions: readonly Pick<NewSession, 'changes'>[],
  list: keyof SerializedChanges,
): string {
  return sessions.map(({ changes }) => changes[list]).join('\n');
}

export interface Rotation {
  readonly tenantId: TenantId;
  readonly sessionId: SessionId;
  /** The presenting client and its version when it authenticated; null: a direct login. Others' tokens are unknown. */
  readonly client: { readonly id: OAuthClientId; readonly version: number } | null;
  readonly presented: Buffer;
  readonly next: Buffer;
  /** The key that signed the successor; null: it is opaque. */
  readonly kid: string | null;
  readonly now: Date;
  readonly expiresAt: Date;
  readonly retrySeconds: number;
  /** Whether to read the user's metadata. */
  readonly readsMetadata: boolean;
}

/** The current token. `status_idx`: the status bit of tokens of this version; null until one is assigned. */
export type RotationRow = RefreshSessionsRow;

/** Exchanges many refresh tokens in one commit. Returns the rows in order. */
export async function rotateAll(
  gate: Gate,
  rotations: readonly Rotation[],
): Promise<RotationRow[]> {
  // Sorted, so that two of these statements cannot deadlock.
  const { sorted, unsorted } = sortedBatch(
    rotations,
    (rotation) => `${rotation.tenantId} ${rotation.sessionId}`,
  );
  const rows = await gate.callMany(refreshSessions, {
    tenants: sorted.map((rotation) => rotation.tenantId),
    sessions: sorted.map((rotation) => rotation.sessionId),
    presented: sorted.map((rotation) => rotation.presented),
    next: sorted.map((rotation) => rotation.next),
    kids: sorted.map((rotation) => rotation.kid),
    issuedAt: sorted.map((rotation) => rotation.now),
    expiresAt: sorted.map((rotation) => rotation.expiresAt),
    retrySeconds: sorted.map((rotation) => rotation.retrySeconds),
    clients: sorted.map(({ client }) => client?.id ?? null),
    clientVersions: sorted.map(({ client }) => client?.version ?? null),
    metadata: sorted.map((rotation) => rotation.readsMetadata),
  });
  return unsorted(rows);
}

/** A session to open for a client, if its code is still valid. */
export interface NewClientSession {
  readonly tenantId: TenantId;
  readonly id: SessionId;
  readonly clientId: OAuthClientId;
  /** The client's version when it authenticated. */
  readonly clientVersion: number;
  readonly userId: UserId;
  readonly workspaceId: WorkspaceId;
  /** The browser session that the code was issued in. */
  readonly loginId: SessionId;
  readonly endsWithLogin: boolean;
  readonly consent: { readonly id: ConsentId; readonly version: number };
  readonly codeHash: Buffer;
  readonly scopes: readonly string[];
  /** Userinfo claims that were requested by name. */
  readonly userinfoClaims: readonly string[];
  readonly userAgent: string | null;
  readonly address: string;
  readonly now: Date;
  readonly expiresAt: Date;
  readonly endsAt: Date;
  readonly secretHash: Buffer;
  readonly bit: number;
  readonly changes: SerializedChanges;
  /** Whether to read the user's metadata. */
  readonly readsMetadata: boolean;
}

/** Redeems many codes in one commit. Returns the rows in order. */
export function redeemAll(
  gate: Gate,
  sessions: readonly NewClientSession[],
): Promise<readonly (OpenClientSessionsRow | Promise<OpenClientSessionsRow>)[]> {
  return writeTogether(sessions, (batch) => redeemBatch(gate, batch));
}

async function redeemBatch(
  gate: Gate,
  sessions: readonly NewClientSession[],
): Promise<OpenClientSessionsRow[]> {
  const { sorted, unsorted } = sortedBatch(
    sessions,
    ({ tenantId, userId, codeHash }) => `${tenantId} ${userId} ${codeHash.toString('hex')}`,
  );
  const rows = await gate.callMany(openClientSessions, redeemArguments(sorted));
  rows.forEach(({ queued }, place) => {
    const tenantId = sorted[place]?.tenantId;
    if (queued && tenantId) gate.publish(deliveriesQueued, { tenantId, queued });
  });
  return unsorted(rows);
}

export function redeemArguments(sorted: readonly NewClientSession[]) {
  return {
    tenants: sorted.map((session) => session.tenantId),
    sessions: sorted.map((session) => session.id),
    clients: sorted.map((session) => session.clientId),
    users: sorted.map((session) => session.userId),
    workspaces: sorted.map((session) => session.workspaceId),
    logins: sorted.map((session) => session.loginId),
    parents: sorted.map((session) => (session.endsWithLogin ? session.loginId : null)),
    consents: sorted.map(({ consent }) => consent.id),
    consentVersions: sorted.map(({ consent }) => consent.version),
    codeHashes: sorted.map((session) => session.codeHash),
    scopes: sorted.map(({ scopes }) => scopes.join(' ')),
    userAgents: sorted.map((session) => session.userAgent),
    ipAddresses: sorted.map((session) => session.address),
    now: sorted.map((session) => session.now),
    expiresAt: sorted.map((session) => session.expiresAt),
    endsAt: sorted.map((session) => session.endsAt),
    refreshHashes: sorted.map((session) => session.secretHash),
    statusIndexes: sorted.map((session) => session.bit),
    entries: linesOf(sorted, 'entries'),
    events: linesOf(sorted, 'events'),
    userinfoClaims: sorted.map(({ userinfoClaims: names }) =>
      names.length > 0 ? names.join(' ') : null,
    ),
    clientVersions: sorted.map((session) => session.clientVersion),
    metadata: sorted.map((session) => session.readsMetadata),
  };
}

/** The live session that a code opened, unless it was opened after `before`. */
export async function findOpenedBy(
  tx: TenantTx,
  codeHash: Buffer,
  before: Date | undefined,
): Promise<SessionId | undefined> {
  let opened = from(tx, 'sessions')
    .select('id')
    .where('code_hash', '=', codeHash)
    .where('is_active', '=', true);
  if (before) opened = opened.where('created_at', '<', before);
  return (await opened.executeTakeFirst())?.id;
}

/** A fixed refresh token, and the client that presents it. */
export interface FixedUse {
  readonly tenantId: TenantId;
  readonly sessionId: SessionId;
  /** The client, and its version when it authenticated. */
  readonly client: { readonly id: OAuthClientId; readonly version: number };
  readonly presented: Buffer;
  readonly now: Date;
  /** Whether to read the user's metadata. */
  readonly readsMetadata: boolean;
}

export type FixedRow = FindFixedSessionsRow;

/** Finds the sessions of many refresh tokens in one statement. Returns the rows in order. */
export async function findFixed(gate: Gate, uses: readonly FixedUse[]): Promise<FixedRow[]> {
  const rows = await gate.callMany(findFixedSessions, {
    tenants: uses.map((use) => use.tenantId),
    sessions: uses.map((use) => use.sessionId),
    presented: uses.map((use) => use.presented),
    now: uses.map((use) => use.now),
    clients: uses.map(({ client }) => client.id),
    clientVersions: uses.map(({ client }) => client.version),
    metadata: uses.map((use) => use.readsMetadata),
  });
  return [...rows];
}

export async function writeLogins(gate: Gate, logins: readonly Use<UserId>[]): Promise<void> {
  await gate.callEach(
    touchLogin,
    logins.map(({ tenantId: tenant, id: user, at: minute }) => ({ tenant, user, minute })),
  );
}

/**
 * Whether the just opened session is not the user's first. Sessions are deleted after their life, so a user older than
 * that counts as having had a session. Sessions of the account's previous holder do not count.
 */
export async function hasLoggedInBefore(
  tx: TenantTx,
  userId: UserId,
  lifeSeconds: number,
): Promise<boolean> {
  const oldest = new Date(tx.now.getTime() - lifeSeconds * 1000);
  const { rows } = await sql<{ answer: boolean }>`
    SELECT u.created_at < ${oldest} OR 1 < (
             SELECT count(*) FROM (
               SELECT FROM sessions s
                WHERE s.tenant_id = u.tenant_id AND s.user_id = u.id
                  AND s.end_reason IS DISTINCT FROM 'account_reclaimed' LIMIT 2) AS two) AS answer
      FROM users u WHERE u.tenant_id = ${tx.tenantId} AND u.id = ${userId}`.execute(tx.db);
  return rows[0]?.answer ?? false;
}

export type BrowserSessionRow = Exclude<ReadBrowserLoginsRow, { readonly user_id: null }>;

/** The secret in a session cookie, and the client that the login is read for. */
export interface BrowserSecret {
  readonly tenantId: TenantId;
  readonly session: SessionId;
  readonly secretHash: Buffer;
  readonly client: OAuthClientId | null;
  readonly now: Date;
}

/** Returns, in order, the sessions that cookie secrets continue, with the users' consents to the clients. */
export async function readBrowserLogins(
  gate: Gate,
  secrets: readonly BrowserSecret[],
): Promise<(BrowserSessionRow | undefined)[]> {
  const rows = await gate.callMany(readLogins, {
    tenants: secrets.map(({ tenantId }) => tenantId),
    sessions: secrets.map(({ session }) => session),
    secretHashes: secrets.map(({ secretHash }) => secretHash),
    clients: secrets.map(({ client }) => client),
    now: secrets.map(({ now }) => now),
  });
  return rows.map((row) => (row.user_id === null ? undefined : row));
}
