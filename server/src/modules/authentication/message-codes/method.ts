import type { Method } from '../proofs/index.ts';

/** A code or a link sent by mail. Never a second factor (NIST SP 800-63B-4 §3.1.3.1). */
export const EMAIL = {
  kind: 'mailbox',
  allowedAs: 'magic_link',
  amr: ['email'],
} as const satisfies Method;

/**
 * The token of an invitation. It proves the mailbox of whoever is new, and begins no login by itself: it is valid for
 * days, and mail is forwarded.
 */
export const INVITATION = {
  kind: 'mailbox',
  allowedAs: null,
  amr: ['email'],
} as const satisfies Method;
