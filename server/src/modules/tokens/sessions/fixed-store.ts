import type { OAuthClientId, SessionId, TenantId } from '@keywright/contract/ids';
import {
  findFixedSessions,
  type FindFixedSessionsRow,
} from '../../../../sql/tokens/kw_find_fixed_sessions.ts';
import type { Gate } from '../../../tenancy/gate.ts';

/** A refresh token that stays the same, and the client that presents it. */
export interface FixedUse {
  readonly tenantId: TenantId;
  readonly sessionId: SessionId;
  /** In the version that it authenticated in. */
  readonly client: { readonly id: OAuthClientId; readonly version: number };
  readonly presented: Buffer;
  readonly now: Date;
  /** Whether the metadata of the user is read. */
  readonly wantsMetadata: boolean;
}

/** Finds the sessions of many refresh tokens in one statement; answers in order. */
export async function findFixed(
  gate: Gate,
  uses: readonly FixedUse[],
): Promise<FindFixedSessionsRow[]> {
  const rows = await gate.callMany(findFixedSessions, {
    tenants: uses.map((one) => one.tenantId),
    sessions: uses.map((one) => one.sessionId),
    presented: uses.map((one) => one.presented),
    now: uses.map((one) => one.now),
    clients: uses.map(({ client }) => client.id),
    clientVersions: uses.map(({ client }) => client.version),
    metadata: uses.map((one) => one.wantsMetadata),
  });
  return [...rows];
}
