import { RESERVED_CLAIMS } from '@keywright/contract/claims';
import type { TenantConfig } from '@keywright/contract/records/tenant';

export type CustomClaims = TenantConfig['custom_claims'];

const RESERVED = 'is reserved: the service or a standard sets it';

/** Why a tenant cannot have a claim of this name; undefined: it can. */
export function objectionTo(name: string): string | undefined {
  return RESERVED_CLAIMS.has(name) ? RESERVED : undefined;
}

/** Without those that cannot be saved. */
export function acceptedClaims(claims: CustomClaims): CustomClaims {
  return Object.fromEntries(
    Object.entries(claims).filter(([name]) => objectionTo(name) === undefined),
  );
}

/** Claims that say something else in each token. */
const OF_A_LOGIN: ReadonlySet<string> = new Set([
  'jti',
  'iat',
  'exp',
  'sid',
  'ver',
  'auth_time',
  'acr',
  'amr',
  'status',
  'cnf',
  'at_hash',
]);

export function isOfALogin(name: string): boolean {
  return OF_A_LOGIN.has(name);
}
