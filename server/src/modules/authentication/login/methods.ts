import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import { createPasswordMethod } from '../passwords/index.ts';

/** All login methods. A new one needs a folder and a line here. */
export function createLoginMethods(passwords: PasswordHasher) {
  return {
    password: createPasswordMethod(passwords),
  };
}

export type LoginMethods = ReturnType<typeof createLoginMethods>;
