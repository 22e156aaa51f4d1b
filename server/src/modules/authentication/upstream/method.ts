import type { Method } from '../proofs/index.ts';

/** A login at an identity provider. */
export const UPSTREAM = {
  kind: 'federated',
  allowedAs: 'oauth',
  amr: ['fed'],
} as const satisfies Method;
