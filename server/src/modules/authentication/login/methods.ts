import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import { createPasswordMethod } from '../passwords/index.ts';

/** Every way to log in: a further one is a folder of its own, and a line here. */
export function createLoginMethods(passwords: PasswordHasher) {
  return {
    password: createPasswordMethod(passwords),
  };
}

export type LoginMethods = ReturnType<typeof createLoginMethods>;
