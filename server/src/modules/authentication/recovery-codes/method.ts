import type { Method } from '../proofs/index.ts';

/** Something that the user has: a list of codes, each for one use (NIST SP 800-63B-4 §3.1.2). */
export const RECOVERY_CODE = {
  kind: 'possession',
  allowedAs: null,
  amr: ['recovery'],
} as const satisfies Method;
