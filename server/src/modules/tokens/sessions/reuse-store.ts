import type { OAuthClientId, SessionId } from '@keywright/contract/ids';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** What is known of the refresh tokens of a session: one of this client, or of a direct login. */
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

/** Whether a session would go on with the refresh token of this hash: its parent, if it has one, is alive. */
export async function goesOnWith(
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
