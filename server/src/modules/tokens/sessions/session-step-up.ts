import type { SessionId } from '@keywright/contract/ids';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { Origin } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Permit } from '../../authentication/proofs/index.ts';
import { record } from '../../events/journal/index.ts';
import { mintRefreshToken, refreshTokenHash } from '../access-tokens/index.ts';
import { lockForStepUp, raiseSession, findIssued, type IssuedRow } from './refresh-store.ts';
import type { SessionDependencies } from './session-drafts.ts';
import { bitOf, tokenAnswer, customClaimsOf } from './session-tokens.ts';

interface StepUpOf {
  readonly id: SessionId;
  readonly from: Origin;
  /** Of its new refresh token. */
  readonly jti: string;
}

/**
 * Continues a session with the login that `change` decides on, in one transaction, and returns new tokens. Its refresh
 * token is not accepted any more: whoever else has it gains nothing.
 */
export type StepUp = (
  tenant: Tenant,
  session: StepUpOf,
  change: (tx: TenantTx) => Promise<Permit>,
) => Promise<TokenAnswer | 'refused'>;

/** Rolls back what nothing came of. */
class NotSteppedUp extends Error {}

export function createStepUp(dependencies: SessionDependencies): StepUp {
  const { gate, keys } = dependencies;
  const tokensOf = createTokensOf(dependencies);

  return async (tenant, { id, from, jti }, change) => {
    const key = await keys.signer(tenant.id);
    const raise = async (tx: TenantTx) => {
      const permit = await change(tx);
      const { userId, acr } = permit;
      if (permit.tenantId !== tenant.id) throw new Error('A permit of another tenant.');
      const locked = await lockForStepUp(tx, id, permit);
      if (!locked) throw new NotSteppedUp();
      const sliding = tx.now.getTime() + tenant.config.refresh_token_ttl * 1000;
      const expiresAt = new Date(Math.min(sliding, locked.endsAt.getTime()));
      const fields = { jti, userId, sessionId: id, issuedAt: tx.now, expiresAt, client: null };
      const token = mintRefreshToken(key, tenant, { ...fields, sessionEndsAt: locked.endsAt });
      await raiseSession(tx, id, permit, {
        hash: refreshTokenHash(token),
        kid: key.kid,
        expiresAt,
      });
      const by = { kind: 'user', subject: userId, sessionId: id, from } as const;
      const target = { kind: 'session', id } as const;
      await record(tx, by, { action: 'auth.stepped_up', target, details: { acr } });
    };
    try {
      await gate.into(tenant.id).transaction(raise);
    } catch (error) {
      if (error instanceof NotSteppedUp) return 'refused';
      throw error;
    }
    return (await tokensOf(tenant, { id, jti })) ?? 'refused';
  };
}

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
