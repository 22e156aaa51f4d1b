import type { TenantId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { WrappedKey } from '../../../tenancy/store.ts';
import type { SystemTx } from '../../../tenancy/system.ts';

/** A tenant of whose entries some are said to be older than MACs, which nobody has confirmed yet. */
export interface Unconfirmed {
  readonly tenantId: TenantId;
  readonly position: number;
  readonly wrapped: WrappedKey;
}

/** Held until the commit: a node that starts at the same time waits, and finds them confirmed before it seals. */
export async function findUnconfirmed(
  tx: SystemTx,
  after: string,
  limit: number,
): Promise<Unconfirmed[]> {
  const rows = await tx.db
    .selectFrom('audit_before_macs as b')
    .innerJoin('tenant_data_keys as d', 'd.tenant_id', 'b.tenant_id')
    .select(['b.tenant_id', 'b.position', 'd.wrapped_key', 'd.master_key_id'])
    .where('b.mac', 'is', null)
    .where(sql<boolean>`b.tenant_id > ${after}`)
    .orderBy('b.tenant_id')
    .limit(limit)
    .forUpdate('b')
    .execute();
  return rows.map(({ tenant_id: tenantId, position, ...wrapped }) => ({
    tenantId,
    position: Number(position),
    wrapped,
  }));
}

export interface Confirmed {
  readonly tenantId: TenantId;
  readonly position: number;
  readonly mac: Buffer;
}

export async function confirmBeforeMacs(
  tx: SystemTx,
  confirmed: readonly Confirmed[],
): Promise<void> {
  await sql`
    UPDATE audit_before_macs b SET mac = decode(c.mac, 'hex')
      FROM unnest(${confirmed.map((one) => one.tenantId)}::text[],
                  ${confirmed.map((one) => one.position)}::bigint[],
                  ${confirmed.map((one) => one.mac.toString('hex'))}::text[])
           AS c (tenant_id, position, mac)
     WHERE b.tenant_id = c.tenant_id AND b.position = c.position`.execute(tx.db);
}
