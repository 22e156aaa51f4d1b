import type { Method } from '../proofs/index.ts';

/** A login at an identity provider. */
export const UPSTREAM = {
  kind: 'federated',
  allowedAs: 'oauth',
  amr: ['fed'],
} as const satisfies Method;

/** The same, where the tenant trusts the provider to have verified two factors, and it says that it has. */
export const UPSTREAM_MFA = { ...UPSTREAM, provesTwo: true } as const satisfies Method;
