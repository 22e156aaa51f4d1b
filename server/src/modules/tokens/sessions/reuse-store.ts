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
    ])
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('kind', '=', clientId === null ? 'api' : 'client')
    .where('client_id', clientId === null ? 'is' : '=', clientId)
    .executeTakeFirst();
}

export type HistoryRow = NonNullable<Awaited<ReturnType<typeof findHistory>>>;
