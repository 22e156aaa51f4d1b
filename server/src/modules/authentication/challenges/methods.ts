import type { Method } from '../proofs/index.ts';

/** A code or a link sent by mail. Never a second factor (NIST SP 800-63B-4 §3.1.3.1). */
export const EMAIL = {
  kind: 'mailbox',
  allowedAs: 'magic_link',
  amr: ['email'],
} as const satisfies Method;

/** The same after another factor, in a tenant that accepts it as the second one. */
export const EMAIL_FACTOR = {
  ...EMAIL,
  allowedAs: null,
  factorAs: 'email',
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

/**
 * A code sent by SMS. NIST SP 800-63B-4 §3.1.3.3 restricts it: numbers are ported, and SIM cards swapped, without their
 * owner. It proves a number as a mail proves a mailbox, and is no possession that makes two factors of a password.
 */
export const SMS = {
  kind: 'phone',
  allowedAs: 'magic_link',
  amr: ['sms', 'otp'],
} as const satisfies Method;

/** The same after another factor, in a tenant that accepts the risk. */
export const SMS_FACTOR = {
  ...SMS,
  allowedAs: null,
  factorAs: 'sms',
} as const satisfies Method;
