import type { Share } from '../../../platform/crypto/fair-queue.ts';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import type { LoginMethod, Method, Shown } from '../proofs/index.ts';

export const PASSWORD = {
  kind: 'knowledge',
  allowedAs: 'password',
  amr: ['pwd'],
} as const satisfies Method;

/** The same, for one that is known from a breach. */
export const BREACHED_PASSWORD = { ...PASSWORD, isCompromised: true } as const satisfies Method;

export interface PasswordInput {
  readonly secret: string;
  readonly share: Share;
  /** Verified in place of a hash that is missing. */
  readonly decoy: string | undefined;
  /** The user whose password it must be; undefined if there is none. */
  readonly user: (Shown & { readonly secretHash: string | undefined }) | undefined;
}

/** One hash in every case: unknown users, wrong passwords and inactive users are indistinguishable. */
export function createPasswordMethod(passwords: PasswordHasher): LoginMethod<PasswordInput> {
  return {
    ...PASSWORD,
    async prove({ user, secret, share, decoy }) {
      const isRight = await passwords.verify(user?.secretHash, secret, share, decoy);
      return isRight ? user : undefined;
    },
  };
}
