import type { Method } from './proof.ts';

const PASSWORD = {
  kind: 'knowledge',
  allowedAs: 'password',
  amr: ['pwd'],
} as const satisfies Method;

/** A code or a link sent by mail. Never a second factor (NIST SP 800-63B-4 §3.1.3.1). */
const EMAIL = {
  kind: 'mailbox',
  allowedAs: 'magic_link',
  amr: ['email'],
} as const satisfies Method;

/**
 * A code sent by SMS. NIST SP 800-63B-4 §3.1.3.3 restricts it: numbers are ported, and SIM cards swapped, without their
 * owner. It proves a number as a mail proves a mailbox, and is not a possession that makes two factors of a password.
 */
const SMS = {
  kind: 'phone',
  allowedAs: 'magic_link',
  amr: ['sms', 'otp'],
} as const satisfies Method;

const PASSKEY = { kind: 'possession', allowedAs: 'passkey', verifiesUser: true } as const;

/** A login at an identity provider. */
const UPSTREAM = {
  kind: 'federated',
  allowedAs: 'oauth',
  amr: ['fed'],
} as const satisfies Method;

/** All login methods, by the name under which flows store their proofs. */
export const METHODS = {
  password: PASSWORD,
  /** It identifies the user, and must be replaced. */
  breached_password: { ...PASSWORD, isCompromised: true },
  email: EMAIL,
  sms: SMS,
  /** A code by mail after another factor, in a tenant that accepts it as the second one. */
  email_factor: { ...EMAIL, allowedAs: null, factorAs: 'email' },
  /** A code by SMS after another factor, in a tenant that accepts the risk. */
  sms_factor: { ...SMS, allowedAs: null, factorAs: 'sms' },
  /**
   * The token of an invitation. It proves the mailbox of a new user, and begins no login by itself: it is valid for days,
   * and mail is forwarded.
   */
  invitation: { kind: 'mailbox', allowedAs: null, amr: ['email'] },
  /** An authenticator app. RFC 8176 §2: `otp`. */
  totp: { kind: 'possession', allowedAs: null, amr: ['otp'] },
  /** A passkey that cannot leave its device. RFC 8176 §2: `hwk`. */
  passkey: { ...PASSKEY, amr: ['pop', 'user', 'hwk'] },
  /** A passkey that may be backed up to other devices. RFC 8176 §2: `swk`. */
  synced_passkey: { ...PASSKEY, amr: ['pop', 'user', 'swk'] },
  /** Something that the user has: a list of codes, each for one use (NIST SP 800-63B-4 §3.1.2). */
  recovery_code: { kind: 'possession', allowedAs: null, amr: ['recovery'] },
  upstream: UPSTREAM,
  /** The same with two factors, if the provider reports them and the tenant trusts it to have verified them. */
  upstream_mfa: { ...UPSTREAM, provesTwo: true },
} as const satisfies Record<string, Method>;

export type MethodName = keyof typeof METHODS;

/** The name of the method under which flows store the proof of a passkey. */
export function passkeyMethodOf(isBackupEligible: boolean): 'passkey' | 'synced_passkey' {
  return isBackupEligible ? 'synced_passkey' : 'passkey';
}
