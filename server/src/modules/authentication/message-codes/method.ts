import type { Method } from '../proofs/index.ts';

/** A code or a link sent by mail. Never a second factor (NIST SP 800-63B-4 §3.1.3.1). */
export const EMAIL = {
  kind: 'mailbox',
  allowedAs: 'magic_link',
  amr: ['email'],
} as const satisfies Method;
