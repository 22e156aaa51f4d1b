import type { UserId } from '@keywright/contract/ids';
import type { TenantData } from '../../../tenancy/gate.ts';
import type { KnownPasskey } from './passkey-options.ts';

/** Of a user. */
export function findPasskeys(data: TenantData, userId: UserId): Promise<KnownPasskey[]> {
  return data.transaction(async (tx) => {
    const rows = await tx.db
      .selectFrom('user_factors')
      .select(['credential_id', 'transports'])
      .where('tenant_id', '=', tx.tenantId)
      .where('user_id', '=', userId)
      .where('type', '=', 'passkey')
      .orderBy('id')
      .execute();
    return rows.flatMap(({ credential_id: credentialId, transports }) =>
      credentialId ? [{ credentialId, transports: transports ?? [] }] : [],
    );
  });
}
