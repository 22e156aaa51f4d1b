import type { UserId } from '@keywright/contract/ids';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** What of a user is verified. */
export interface Verification {
  readonly hasVerified: boolean;
  /** The e-mail address that a message would be sent to. */
  readonly address: string | undefined;
}

export async function findVerification(tx: TenantTx, userId: UserId): Promise<Verification> {
  const identifiers = await tx.db
    .selectFrom('user_identifiers')
    .select(['type', 'identifier', 'verified'])
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .orderBy('position')
    .execute();
  return {
    hasVerified: identifiers.some(({ verified }) => verified),
    address: identifiers.find(({ type }) => type === 'email')?.identifier,
  };
}
