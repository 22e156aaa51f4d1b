import type { TenantConfig } from '@keywright/contract/records/tenant';

type CustomClaims = TenantConfig['custom_claims'];
type CustomClaim = CustomClaims[string];

/** The metadata of a user, as written by administrators and as written by the user. */
interface ClaimSources {
  readonly metadata: unknown;
  readonly user_metadata: unknown;
}

interface MetadataPlace {
  readonly source: keyof ClaimSources;
  readonly pointer: string;
}

/** Returns where in the metadata a claim's value comes from; undefined if the claim is a constant. */
function placeOf(claim: CustomClaim): MetadataPlace | undefined {
  if (typeof claim !== 'object' || Array.isArray(claim)) return undefined;
  return 'metadata' in claim
    ? { source: 'metadata', pointer: claim.metadata }
    : { source: 'user_metadata', pointer: claim.user_metadata };
}

/** Whether any of the tenant's claims is taken from the user's metadata. */
export function requiresMetadata(claims: CustomClaims): boolean {
  return Object.values(claims).some((claim) => placeOf(claim) !== undefined);
}

/** Returns the claims with their values, without claims whose metadata value is missing. */
export function resolveClaims(
  claims: CustomClaims,
  sources: ClaimSources | undefined,
): Record<string, unknown> {
  const resolved: Record<string, unknown> = {};
  for (const [name, claim] of Object.entries(claims)) {
    const place = placeOf(claim);
    const value = place ? valueAt(sources?.[place.source], place.pointer) : claim;
    if (value !== undefined) resolved[name] = value;
  }
  return resolved;
}

type ClaimPlace = { readonly source: 'constant' } | MetadataPlace;

/** Returns the source of each claim. */
export function placesOf(
  claims: CustomClaims,
): readonly (readonly [name: string, place: ClaimPlace])[] {
  return Object.entries(claims).map(([name, claim]) => [
    name,
    placeOf(claim) ?? { source: 'constant' },
  ]);
}

/** Resolves a JSON Pointer (RFC 6901 §4). Only own keys count: prototypes and list lengths are not metadata. */
function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const token of pointer.slice(1).split('/')) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null) return undefined;
    if (!Object.keys(value).includes(key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
