import type { Method } from './proof.ts';

/** An authenticator app. RFC 8176 §2: `otp`. */
export const TOTP = {
  kind: 'possession',
  allowedAs: null,
  amr: ['otp'],
} as const satisfies Method;

/** Something that the user has: a list of codes, each for one use (NIST SP 800-63B-4 §3.1.2). */
export const RECOVERY_CODE = {
  kind: 'possession',
  allowedAs: null,
  amr: ['recovery'],
} as const satisfies Method;

const PASSKEY = { kind: 'possession', allowedAs: 'passkey', verifiesUser: true } as const;

/** A passkey that cannot leave its device. RFC 8176 §2: `hwk`. */
export const BOUND_PASSKEY = { ...PASSKEY, amr: ['pop', 'user', 'hwk'] } as const satisfies Method;

/** A passkey that may be backed up to other devices. RFC 8176 §2: `swk`. */
export const SYNCED_PASSKEY = { ...PASSKEY, amr: ['pop', 'user', 'swk'] } as const satisfies Method;

/** The name of the method under which flows store the proof of a passkey. */
export function passkeyMethodOf(isBackupEligible: boolean): 'passkey' | 'synced_passkey' {
  return isBackupEligible ? 'synced_passkey' : 'passkey';
}

/** A login at an identity provider. */
export const UPSTREAM = {
  kind: 'federated',
  allowedAs: 'oauth',
  amr: ['fed'],
} as const satisfies Method;

/** The same with two factors, if the provider reports them and the tenant trusts it to have verified them. */
export const UPSTREAM_MFA = { ...UPSTREAM, provesTwo: true } as const satisfies Method;
