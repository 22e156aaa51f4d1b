import {
  BOUND_PASSKEY,
  SYNCED_PASSKEY,
  type Method,
  RECOVERY_CODE,
  TOTP,
  UPSTREAM,
  UPSTREAM_MFA,
} from '../proofs/index.ts';
import { BREACHED_PASSWORD, PASSWORD } from '../passwords/index.ts';

/** A code or a link sent by mail. Never a second factor (NIST SP 800-63B-4 §3.1.3.1). */
const EMAIL = {
  kind: 'mailbox',
  allowedAs: 'magic_link',
  amr: ['email'],
} as const satisfies Method;

/** The same after another factor, in a tenant that accepts it as the second one. */
const EMAIL_FACTOR = {
  ...EMAIL,
  allowedAs: null,
  factorAs: 'email',
} as const satisfies Method;

/**
 * The token of an invitation. It proves the mailbox of whoever is new, and begins no login by itself: it is valid for
 * days, and mail is forwarded.
 */
const INVITATION = {
  kind: 'mailbox',
  allowedAs: null,
  amr: ['email'],
} as const satisfies Method;

/**
 * A code sent by SMS. NIST SP 800-63B-4 §3.1.3.3 restricts it: numbers are ported, and SIM cards swapped, without their
 * owner. It proves a number as a mail proves a mailbox, and is no possession that makes two factors of a password.
 */
const SMS = {
  kind: 'phone',
  allowedAs: 'magic_link',
  amr: ['sms', 'otp'],
} as const satisfies Method;

/** The same after another factor, in a tenant that accepts the risk. */
const SMS_FACTOR = {
  ...SMS,
  allowedAs: null,
  factorAs: 'sms',
} as const satisfies Method;

/** The methods that flows keep proofs of, by the name that is stored. */
export const METHODS = {
  password: PASSWORD,
  breached_password: BREACHED_PASSWORD,
  email: EMAIL,
  sms: SMS,
  email_factor: EMAIL_FACTOR,
  sms_factor: SMS_FACTOR,
  invitation: INVITATION,
  totp: TOTP,
  passkey: BOUND_PASSKEY,
  synced_passkey: SYNCED_PASSKEY,
  recovery_code: RECOVERY_CODE,
  upstream: UPSTREAM,
  upstream_mfa: UPSTREAM_MFA,
} as const satisfies Record<string, Method>;

export type MethodName = keyof typeof METHODS;
