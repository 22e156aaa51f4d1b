import type { SessionId } from '@keywright/contract/ids';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { mintRefreshToken, refreshTokenHash } from '../access-tokens/index.ts';
import { bitOf, tokenAnswer } from './answer.ts';
import { customClaimsOf } from './custom-claims.ts';
import type { SessionDependencies } from './draft.ts';
import { findIssued, type IssuedRow } from './step-up-store.ts';

/** A session, and the `jti` of its first refresh token, or of the first one after a step-up. */
interface FirstTokens {
  readonly id: SessionId;
  readonly jti: string;
}

/**
 * The first tokens of a session, minted again: none of them is stored. The access token is the same too, unless the
 * permissions of the user have changed. Undefined if the session has ended, or its refresh token was used.
 */
export type TokensOf = (tenant: Tenant, first: FirstTokens) => Promise<TokenAnswer | undefined>;

export function createTokensOf({ gate, keys, bits, clock }: SessionDependencies): TokensOf {
  return async (tenant, { id, jti }) => {
    const now = clock.now();
    const row = await findIssued(gate.into(tenant.id), id, now);
    const key = row && (await keys.signerNamed(tenant.id, row.kid));
    if (!key) return undefined;
    const { issued_at: issuedAt, ends_at: endsAt, user_id: userId } = row;
    const token = mintRefreshToken(key, tenant, { ...fieldsOf(row), jti, sessionId: id });
    if (!refreshTokenHash(token).equals(row.hash)) return undefined;
    const subject = {
      userId,
      sessionId: id,
      endsAt,
      accessVersion: row.access_version,
      bit: await bitOf(bits, tenant, { id, endsAt }, row),
      customClaims: await customClaimsOf(gate, tenant, userId),
      client: null,
      authentication: row,
      isRepeatable: true,
      row,
    };
    const answer = tokenAnswer(key, tenant, subject, token, issuedAt);
    const elapsedMs = now.getTime() - issuedAt.getTime();
    return { ...answer, expires_in: answer.expires_in - Math.floor(elapsedMs / 1000) };
  };
}

function fieldsOf(row: IssuedRow) {
  const { user_id: userId, issued_at: issuedAt, expires_at: expiresAt, ends_at } = row;
  return { userId, issuedAt, expiresAt, sessionEndsAt: ends_at, client: null };
}
