import type { Acr } from '@keywright/contract/authentication';
import type { SessionId, UserId, OAuthClientId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import {
  findIssuedTokens,
  type FindIssuedTokensRow,
} from '../../../../sql/tokens/kw_find_issued_tokens.ts';
import { findRefreshed, type FindRefreshedRow } from '../../../../sql/tokens/kw_find_refreshed.ts';
import { lacksOwnFactor as lacks } from '../../../../sql/tokens/kw_lacks_own_factor.ts';
import { callAs } from '../../../platform/db/calls.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import type { Permit } from '../../authentication/proofs/index.ts';
import { lockActiveUser } from '../../identity/users/index.ts';

/** The session that a refresh token would be accepted for. */
export async function findRefreshedSession(
  data: TenantData,
  token: {
    readonly session: SessionId;
    readonly presented: Buffer;
    readonly retrySeconds: number;
    readonly now: Date;
  },
): Promise<FindRefreshedRow | undefined> {
  const [row] = await data.call(findRefreshed, token);
  return row;
}

/** Returns the values that a session's last tokens were minted with; undefined if the session has ended. */
export async function findIssued(
  data: TenantData,
  session: SessionId,
  now: Date,
): Promise<FindIssuedTokensRow | undefined> {
  const [row] = await data.call(findIssuedTokens, { session, now });
  return row;
}

interface Authentication {
  readonly acr: Acr;
  readonly amr: readonly string[];
}

/** Whether a login can count as two factors only by a provider's claim. A code by SMS is not the user's own factor. */
function restsOnProvider({ acr, amr }: Authentication): boolean {
  const hasOwn = amr.includes('recovery') || (amr.includes('otp') && !amr.includes('sms'));
  return acr === 'aal2' && amr.includes('fed') && !hasOwn;
}

/**
 * Whether a login counts as two factors only by a provider's claim, although its user now has permissions and a
 * second factor of their own. Only logins that rely on a provider cost a query.
 */
export async function lacksOwnFactor(
  data: TenantData,
  login: Pick<FindRefreshedRow, 'user_id' | 'acr' | 'amr'>,
): Promise<boolean> {
  if (!restsOnProvider(login)) return false;
  const { user_id: user, acr, amr } = login;
  const [row] = await data.call(lacks, { user, acr, amr });
  return row?.answer === true;
}

/**
 * Locks the user and the session of a permit.
 * @returns undefined if either has ended or changed, or if the permit lacks the user's own factor
 */
export async function lockForStepUp(
  tx: TenantTx,
  id: SessionId,
  { userId, authVersion, acr, amr }: Permit,
): Promise<{ readonly endsAt: Date } | undefined> {
  const user = await lockActiveUser(tx, userId, { mode: 'share', authVersion });
  if (!user) return undefined;
  if (restsOnProvider({ acr, amr })) {
    const [row] = await callAs(tx, lacks, { user: userId, acr, amr: [...amr] });
    if (row?.answer === true) return undefined;
  }
  return tx.db
    .selectFrom('sessions')
    .select('absolute_expires_at as endsAt')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('kind', '=', 'api')
    .where('is_active', '=', true)
    .where('expires_at', '>', tx.now)
    .forUpdate()
    .executeTakeFirst();
}

/** Updates the authentication and the refresh token of a locked session. */
export async function raiseSession(
  tx: TenantTx,
  id: SessionId,
  { authTime, acr, amr, provider }: Permit,
  token: { readonly hash: Buffer; readonly kid: string; readonly expiresAt: Date },
): Promise<void> {
  await tx.db
    .updateTable('sessions')
    .set({
      auth_time: authTime,
      acr,
      amr: [...amr],
      provider_id: provider ?? null,
      refresh_hash: token.hash,
      previous_refresh_hash: null,
      refresh_kid: token.kid,
      expires_at: token.expiresAt,
      refresh_issued_at: tx.now,
      generation: sql`generation + 1`,
    })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .execute();
}

/** Returns the identifier that flows use for the user of a session. */
export async function findIdentifierOf(tx: TenantTx, userId: UserId): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom('user_identifiers')
    .select('identifier')
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
  return row?.identifier;
}

/** The recorded refresh tokens of a session of this client, or of a direct login. */
export function findHistory(tx: TenantTx, id: SessionId, clientId: OAuthClientId | null) {
  return tx.db
    .selectFrom('sessions')
    .select([
      'user_id',
      'created_at',
      'absolute_expires_at',
      'refresh_issued_at',
      'previous_refresh_hash',
      'refresh_hash',
    ])
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('kind', '=', clientId === null ? 'api' : 'client')
    .where('client_id', clientId === null ? 'is' : '=', clientId)
    .executeTakeFirst();
}

/** Whether the refresh token with this hash continues a session, whose parent, if any, must also be alive. */
export async function continuesWith(
  tx: TenantTx,
  id: SessionId,
  { hash, now }: { readonly hash: Buffer; readonly now: Date },
): Promise<boolean> {
  const row = await tx.db
    .selectFrom('sessions as s')
    .select('s.id')
    .where('s.tenant_id', '=', tx.tenantId)
    .where('s.id', '=', id)
    .where('s.is_active', '=', true)
    .where('s.expires_at', '>', now)
    .where('s.refresh_hash', '=', hash)
    .where((eb) =>
      eb.or([
        eb('s.parent_id', 'is', null),
        eb.exists(
          eb
            .selectFrom('sessions as p')
            .select('p.id')
            .whereRef('p.tenant_id', '=', 's.tenant_id')
            .whereRef('p.id', '=', 's.parent_id')
            .where('p.is_active', '=', true)
            .where('p.expires_at', '>', now),
        ),
      ]),
    )
    .executeTakeFirst();
  return row !== undefined;
}

export type HistoryRow = NonNullable<Awaited<ReturnType<typeof findHistory>>>;
