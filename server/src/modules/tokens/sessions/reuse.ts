import { CLOCK_SKEW_SECONDS } from '@keywright/contract/claims';
import type { OAuthClientId } from '@keywright/contract/ids';
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
 * Whether a refresh token other than the current one of its live session was used before. The hash of the previous one
 * is stored, and is proof enough; an older one is recognised by its signature, also under a key that is no longer
 * published.
 */
export async function wasUsedBefore(
  gate: Gate,
  tenant: Tenant,
  presented: PresentedRefreshToken,
  { token, clientId }: { readonly token: string; readonly clientId: OAuthClientId | null },
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
 * Whether the token can have belonged to this session, signed while its key was in use. A leaked former private key
 * thus cannot forge a token that ends a later session.
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

/** A reused token may have been stolen: the whole session ends permanently. */
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
