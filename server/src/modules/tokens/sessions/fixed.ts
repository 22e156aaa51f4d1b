import type { Clock } from '../../../platform/clock.ts';
import { batched } from '../../../platform/db/batch.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { capturedDomains } from '../../identity/users/index.ts';
import { refreshTokenHash } from '../access-tokens/index.ts';
import type { KeyRing, SignJwt } from '../signing-keys/index.ts';
import type { TokenBits } from '../status-lists/index.ts';
import { clientAnswer } from './answer.ts';
import { asksForMetadata } from './claim-rules.ts';
import { factsOf } from './facts.ts';
import { findFixed, type FixedUse } from './fixed-store.ts';
import { narrowed, readPresented, subjectOf } from './refreshing.ts';
import { findWeak, type Refresh } from './rotation.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly keys: KeyRing;
  readonly bits: TokenBits;
  readonly clock: Clock;
  readonly signJwt: SignJwt;
}

/**
 * Answers a refresh token that stays the same, of clients that prove a key: nothing is written. FAPI 2.0 Security Profile
 * §5.3.2.1 item 9.
 * @param rotate what becomes of others: one of before the client had fixed ones may be repeated, or used twice
 */
export function createRefreshFixed(dependencies: Dependencies, rotate: Refresh): Refresh {
  const { gate, keys, bits, clock, signJwt } = dependencies;
  const find = batched((some: readonly FixedUse[]) => findFixed(gate, some), {
    size: 64,
    flights: 1,
  });

  return async (tenant, asked, fail) => {
    const { token, client: by, target, jkt } = asked;
    if (!by) return rotate(tenant, asked, fail);
    const now = clock.now();
    const presented = readPresented(tenant, asked, now, fail);
    const hasCaptures = capturedDomains(tenant).length > 0;
    if (hasCaptures && (await findWeak(gate, tenant, presented.sessionId, token, now))) {
      return fail('TOKEN_INVALID');
    }
    const row = await find({
      tenantId: tenant.id,
      sessionId: presented.sessionId,
      client: by,
      presented: refreshTokenHash(token),
      now,
      wantsMetadata: by.tellsMetadata || asksForMetadata(tenant.config.custom_claims),
    });
    if (row.outcome === 'stale') return row.outcome;
    if (row.outcome === 'ended') return fail('TOKEN_INVALID');
    if (row.outcome === 'other') return rotate(tenant, asked, fail);
    const key = await keys.signer(tenant.id);
    const client = narrowed(presented.client, asked);
    const subject = { ...(await subjectOf({ bits }, tenant, presented, row)), client, target, jkt };
    const made = await clientAnswer({ key, signJwt }, tenant, subject, token, now);
    const { scope, details, ...answer } = made;
    const given = { scope, ...(details && { details }) };
    return { answer, ...given, session: factsOf(presented.sessionId, row.user_id, row) };
  };
}
