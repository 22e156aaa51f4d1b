import type { TenantConfig } from '@keywright/contract/records/tenant';

type CustomClaims = TenantConfig['custom_claims'];
type CustomClaim = CustomClaims[string];

function pointerOf(claim: CustomClaim): string | undefined {
  return typeof claim === 'object' && !Array.isArray(claim) ? claim.metadata : undefined;
}

/** Whether any of the tenant's claims is taken from the user's metadata. */
export function asksForMetadata(claims: CustomClaims): boolean {
  return Object.values(claims).some((claim) => pointerOf(claim) !== undefined);
}

/** The claims with their values. One whose place in the metadata is empty is left out. */
export function resolveClaims(claims: CustomClaims, metadata: unknown): Record<string, unknown> {
  const resolved: Record<string, unknown> = {};
  for (const [name, claim] of Object.entries(claims)) {
    const pointer = pointerOf(claim);
    const value = pointer === undefined ? claim : at(metadata, pointer);
    if (value !== undefined) resolved[name] = value;
  }
  return resolved;
}

/** RFC 6901 §4. Keys and places only: neither a prototype nor the length of a list is anybody's metadata. */
function at(root: unknown, pointer: string): unknown {
  let value = root;
  for (const token of pointer.slice(1).split('/')) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null) return undefined;
    if (!Object.keys(value).includes(key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
