import type { Share } from '../../../platform/crypto/fair-queue.ts';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import type { LoginMethod, Method, Shown } from '../proofs/index.ts';

export const PASSWORD = {
  kind: 'knowledge',
  allowedAs: 'password',
  amr: ['pwd'],
} as const satisfies Method;

export interface PasswordInput {
  readonly secret: string;
  readonly share: Share;
  /** Whose password it has to be; nothing where there is no such user. */
  readonly user: (Shown & { readonly secretHash: string | undefined }) | undefined;
}

/** One hash, whoever it is for and whatever comes out: unknown, wrong and inactive look the same. */
export function createPasswordMethod(passwords: PasswordHasher): LoginMethod<PasswordInput> {
  return {
    ...PASSWORD,
    async prove({ user, secret, share }) {
      return (await passwords.verify(user?.secretHash, secret, share)) ? user : undefined;
    },
  };
}
