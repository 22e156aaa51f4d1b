import { CLOCK_SKEW_SECONDS } from '@keywright/contract/claims';
import { epochSeconds } from '../../../platform/clock.ts';
import { signatureIsValid } from '../../../platform/crypto/jws.ts';
import { importPublicKey } from '../../../platform/crypto/signature-key.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { anonymous } from '../../events/journal/index.ts';
import { findSignedWith, type SignedWith } from '../signing-keys/index.ts';
import { type PresentedRefreshToken, refreshTokenHash } from '../access-tokens/index.ts';
import { endSession } from './end-store.ts';
import { recordEnd } from './ended.ts';
import { findHistory, type HistoryRow } from './reuse-store.ts';

/**
 * Whether a refresh token that is not the current one of its living session was used before. The hash of the one before
 * the current is kept, and is proof enough; an older one is recognised by its signature, also by that of a key which is
 * not published any more.
 */
export async function wasUsedBefore(
  gate: Gate,
  tenant: Tenant,
  presented: PresentedRefreshToken,
  { token, clientId }: { readonly token: string; readonly clientId: string | null },
): Promise<boolean> {
  const { parsed, sessionId } = presented;
  const known = await gate.into(tenant.id).transaction(async (tx) => ({
    session: await findHistory(tx, sessionId, clientId),
    key: await findSignedWith(tx, parsed.kid),
  }));
  const { session, key } = known;
  if (!session) return false;
  if (session.previous_refresh_hash?.equals(refreshTokenHash(token))) return true;
  if (!key || !isPlausible(presented, session, key)) return false;
  return signatureIsValid(parsed, importPublicKey(key.publicKey));
}

/**
 * Whether the token can have been one of this session, signed at a time when its key was in use. Whoever got hold of a
 * private key that was deleted since can so make up no token that ends a session which began later.
 */
function isPlausible(
  {
    parsed,
    userId,
    sessionEndsAt,
  }: Pick<PresentedRefreshToken, 'parsed' | 'userId' | 'sessionEndsAt'>,
  session: HistoryRow,
  period: SignedWith,
): boolean {
  const { iat } = parsed.claims;
  if (typeof iat !== 'number') return false;
  const isBetween = (from: Date, until: Date | undefined) =>
    iat >= epochSeconds(from) - CLOCK_SKEW_SECONDS &&
    (until === undefined || iat <= epochSeconds(until) + CLOCK_SKEW_SECONDS);
  return (
    userId === session.user_id &&
    epochSeconds(sessionEndsAt) === epochSeconds(session.absolute_expires_at) &&
    isBetween(session.created_at, session.refresh_issued_at) &&
    isBetween(period.from, period.until)
  );
}

/** A token that was used before may have been stolen: the whole session ends, and stays ended. */
export async function endForReuse(
  gate: Gate,
  tenant: Tenant,
  { sessionId }: PresentedRefreshToken,
  from: Origin,
): Promise<void> {
  await gate.into(tenant.id).transaction(async (tx) => {
    const ended = await endSession(tx, sessionId, 'refresh_token_reused');
    if (ended) await recordEnd(tx, anonymous(from), ended, 'refresh_token_reused');
  });
}
