import type { Method } from '../proofs/index.ts';

const PASSKEY = { kind: 'possession', allowedAs: 'passkey', verifiesUser: true } as const;

/** One that cannot leave its device. RFC 8176 §2: `hwk`. */
export const BOUND_PASSKEY = { ...PASSKEY, amr: ['pop', 'user', 'hwk'] } as const satisfies Method;

/** One that may be backed up to other devices. RFC 8176 §2: `swk`. */
export const SYNCED_PASSKEY = { ...PASSKEY, amr: ['pop', 'user', 'swk'] } as const satisfies Method;

/** The name that flows keep its proof by. */
export function passkeyMethodOf(isBackupEligible: boolean): 'passkey' | 'synced_passkey' {
  return isBackupEligible ? 'synced_passkey' : 'passkey';
}
