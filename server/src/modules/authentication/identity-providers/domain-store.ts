import type { IdentityProviderId } from '@keywright/contract/ids';
import type { TenantTx } from '../../../tenancy/gate.ts';

function domains(tx: TenantTx) {
  return tx.db.selectFrom('provider_domains').where('tenant_id', '=', tx.tenantId);
}

export function findDomain(tx: TenantTx, domain: string) {
  return domains(tx).selectAll().where('domain', '=', domain).executeTakeFirst();
}

export type DomainRow = NonNullable<Awaited<ReturnType<typeof findDomain>>>;

export function findDomainsOf(tx: TenantTx, provider: IdentityProviderId): Promise<DomainRow[]> {
  return domains(tx).selectAll().where('provider_id', '=', provider).orderBy('domain').execute();
}

/** @returns undefined if the tenant already has it */
export function insertDomain(
  tx: TenantTx,
  { provider, domain, challenge }: NewDomain,
): Promise<DomainRow | undefined> {
  return tx.db
    .insertInto('provider_domains')
    .values({
      tenant_id: tx.tenantId,
      domain,
      provider_id: provider,
      challenge,
      created_at: tx.now,
    })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'domain']).doNothing())
    .returningAll()
    .executeTakeFirst();
}

interface NewDomain {
  readonly provider: IdentityProviderId;
  readonly domain: string;
  readonly challenge: string;
}

/** Unless it was removed, or added again, since its challenge was read. */
export function markVerified(
  tx: TenantTx,
  { domain, provider_id: provider, challenge }: DomainRow,
): Promise<DomainRow | undefined> {
  return tx.db
    .updateTable('provider_domains')
    .set({ verified_at: tx.now })
    .where('tenant_id', '=', tx.tenantId)
    .where('domain', '=', domain)
    .where('provider_id', '=', provider)
    .where('challenge', '=', challenge)
    .where('verified_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** @returns whether there was one */
export async function deleteDomain(
  tx: TenantTx,
  provider: IdentityProviderId,
  domain: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('provider_domains')
    .where('tenant_id', '=', tx.tenantId)
    .where('provider_id', '=', provider)
    .where('domain', '=', domain)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
