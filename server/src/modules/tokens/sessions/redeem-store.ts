import type {
  ConsentId,
  OAuthClientId,
  SessionId,
  TenantId,
  UserId,
  WorkspaceId,
} from '@keywright/contract/ids';
import {
  openClientSessions,
  type OpenClientSessionsRow,
} from '../../../../sql/tokens/kw_open_client_sessions.ts';
import { sortedBatch, writeTogether } from '../../../platform/db/writes.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { deliveriesQueued, type SerializedChanges } from '../../events/journal/index.ts';

/** A session to open for a client, if the code still stands. */
export interface NewClientSession {
  readonly tenantId: TenantId;
  readonly id: SessionId;
  readonly clientId: OAuthClientId;
  /** In which it authenticated. */
  readonly clientVersion: number;
  readonly userId: UserId;
  readonly workspaceId: WorkspaceId;
  /** The browser session that the code was issued in. */
  readonly loginId: SessionId;
  readonly endsWithLogin: boolean;
  readonly consent: { readonly id: ConsentId; readonly version: number };
  readonly codeHash: Buffer;
  readonly scopes: readonly string[];
  /** Claims for the userinfo endpoint, asked for by name. */
  readonly asked: readonly string[];
  readonly userAgent: string | null;
  readonly address: string;
  readonly now: Date;
  readonly expiresAt: Date;
  readonly endsAt: Date;
  readonly secretHash: Buffer;
  readonly refreshKid: string;
  readonly bit: number;
  readonly changes: SerializedChanges;
  /** Whether the metadata of the user is read. */
  readonly wantsMetadata: boolean;
}

/** Redeems many codes in one commit; answers in order. */
export function redeemAll(
  gate: Gate,
  sessions: readonly NewClientSession[],
): Promise<readonly (OpenClientSessionsRow | Promise<OpenClientSessionsRow>)[]> {
  return writeTogether(sessions, (some) => redeemTogether(gate, some));
}

async function redeemTogether(
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
    tenants: sorted.map((one) => one.tenantId),
    sessions: sorted.map((one) => one.id),
    clients: sorted.map((one) => one.clientId),
    users: sorted.map((one) => one.userId),
    workspaces: sorted.map((one) => one.workspaceId),
    logins: sorted.map((one) => one.loginId),
    parents: sorted.map((one) => (one.endsWithLogin ? one.loginId : null)),
    consents: sorted.map(({ consent }) => consent.id),
    consentVersions: sorted.map(({ consent }) => consent.version),
    codeHashes: sorted.map((one) => one.codeHash),
    scopes: sorted.map(({ scopes }) => scopes.join(' ')),
    userAgents: sorted.map((one) => one.userAgent),
    ipAddresses: sorted.map((one) => one.address),
    now: sorted.map((one) => one.now),
    expiresAt: sorted.map((one) => one.expiresAt),
    endsAt: sorted.map((one) => one.endsAt),
    refreshHashes: sorted.map((one) => one.secretHash),
    refreshKids: sorted.map((one) => one.refreshKid),
    statusIndexes: sorted.map((one) => one.bit),
    entries: sorted.map(({ changes }) => changes.entries),
    events: sorted.map(({ changes }) => changes.events),
    userinfoClaims: sorted.map(({ asked }) => (asked.length > 0 ? asked.join(' ') : null)),
    clientVersions: sorted.map((one) => one.clientVersion),
    metadata: sorted.map((one) => one.wantsMetadata),
  };
}

/** The living session that a code opened, unless it was opened after `before`. */
export async function findOpenedBy(
  tx: TenantTx,
  codeHash: Buffer,
  before: Date | undefined,
): Promise<SessionId | undefined> {
  let opened = tx.db
    .selectFrom('sessions')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where('code_hash', '=', codeHash)
    .where('is_active', '=', true);
  if (before) opened = opened.where('created_at', '<', before);
  return (await opened.executeTakeFirst())?.id;
}
