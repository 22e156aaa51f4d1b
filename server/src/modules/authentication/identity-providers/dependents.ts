import type { Fail } from '@keywright/contract/errors';
import { type IdentityProviderId, parseIdentityProviderId } from '@keywright/contract/ids';
import { EXACT_TOTAL } from '@keywright/contract/list';
import type { ProviderDependents } from '@keywright/contract/records/provider-dependents';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { countOtherWays, hasAWay } from '../login-methods/index.ts';
import { findDomainsOf } from './domain-store.ts';
import { countIdentities, findProvider } from './store.ts';

/** What is deleted with a provider, and who could no longer log in. */
export function findProviderDependents(
  data: TenantData,
  tenant: Tenant,
  id: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<ProviderDependents> {
  const providerId = parseIdentityProviderId(id) ?? fail('NOT_FOUND');
  return data.transaction(async (tx) => {
    if (!(await findProvider(tx, providerId))) fail('NOT_FOUND');
    const identities = await countIdentities(tx, providerId);
    const domains = await findDomainsOf(tx, providerId);
    const isFew = identities <= EXACT_TOTAL;
    return {
      provider_id: providerId,
      tenant_id: tenant.id,
      identities,
      ...(isFew && { without_other_way: await countStranded(tx, tenant, providerId) }),
      domains: domains.filter((one) => one.verified_at !== null).map(({ domain }) => domain),
    };
  });
}

async function countStranded(
  tx: TenantTx,
  tenant: Tenant,
  providerId: IdentityProviderId,
): Promise<number> {
  const alike = await countOtherWays(tx, providerId, EXACT_TOTAL);
  return alike.reduce((sum, one) => (hasAWay(tenant, one) ? sum : sum + one.users), 0);
}
