import type { OAuthClientId, SessionId, UserId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Actor } from '../../events/journal/index.ts';
import { readRefreshToken, refreshTokenHash } from '../access-tokens/index.ts';
import { endSession } from './end-store.ts';
import { recordEnd } from './ended.ts';
import { wasUsedBefore } from './reuse.ts';
import { findHistory, goesOnWith } from './reuse-store.ts';

/** The session of a refresh token that the tenant issued, and the client that it is for. */
export interface Refreshable {
  readonly sessionId: SessionId;
  readonly userId: UserId;
  /** Null: a direct login. */
  readonly clientId: OAuthClientId | null;
}

/** Undefined unless the token is the current one of its session, or was that before. Ended sessions count, too. */
export async function findRefreshable(
  gate: Gate,
  tenant: Tenant,
  token: string,
): Promise<Refreshable | undefined> {
  const presented = readRefreshToken(token);
  if (presented?.tenantId !== tenant.id) return undefined;
  const { sessionId, userId } = presented;
  const clientId = presented.client?.id ?? null;
  const session = await gate
    .into(tenant.id)
    .transaction((tx) => findHistory(tx, sessionId, clientId));
  if (!session) return undefined;
  const isCurrent = session.refresh_hash.equals(refreshTokenHash(token));
  const isGenuine =
    isCurrent || (await wasUsedBefore(gate, tenant, presented, { token, clientId }));
  return isGenuine ? { sessionId, userId, clientId } : undefined;
}

/** What the refresh token of a client says, if it could be used now (RFC 7662 §2.2). */
export async function findUsableRefreshToken(
  { gate, clock }: { readonly gate: Gate; readonly clock: Clock },
  tenant: Tenant,
  token: string,
): Promise<(Readonly<Record<string, unknown>> & { readonly client_id: string }) | undefined> {
  const presented = readRefreshToken(token);
  if (presented?.tenantId !== tenant.id || !presented.client) return undefined;
  const given = { hash: refreshTokenHash(token), now: clock.now() };
  const data = gate.into(tenant.id);
  const isUsable = await data.transaction((tx) => goesOnWith(tx, presented.sessionId, given));
  // The hash proves that these are claims of ours.
  if (!isUsable) return undefined;
  const { token_type: _, ...claims } = presented.parsed.claims;
  return { ...claims, client_id: presented.client.id };
}

/** Ends the session of an application that gave back its token. */
export async function endByClient(
  gate: Gate,
  { id }: Tenant,
  by: Actor,
  sessionId: SessionId,
): Promise<void> {
  await gate.into(id).transaction(async (tx) => {
    const ended = await endSession(tx, sessionId, 'revoked');
    if (ended) await recordEnd(tx, by, ended, 'revoked');
  });
}
