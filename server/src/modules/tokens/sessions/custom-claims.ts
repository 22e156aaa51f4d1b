import type { UserId } from '@keywright/contract/ids';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { asksForMetadata, resolveClaims } from './claim-rules.ts';
import { findMetadata } from './store.ts';

/** The claims that the tenant adds to a user's access tokens. Metadata is read only where one asks for it. */
export async function customClaimsOf(
  gate: Gate,
  { id, config }: Tenant,
  userId: UserId,
): Promise<Record<string, unknown>> {
  const sources = asksForMetadata(config.custom_claims)
    ? await gate.into(id).transaction((tx) => findMetadata(tx, userId))
    : undefined;
  return resolveClaims(config.custom_claims, sources);
}

/** Those of them that are the same for everybody: an agent has no metadata. */
export function fixedClaimsOf({ config }: Tenant): Record<string, unknown> {
  return resolveClaims(config.custom_claims, undefined);
}
