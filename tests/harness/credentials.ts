import { randomBytes } from 'node:crypto';

/** A password that is on no list of compromised passwords. */
export function newPassword(): string {
  return randomBytes(15).toString('base64url');
}

/** A unique email address. */
export function newIdentifier(): string {
  return `user-${randomBytes(8).toString('hex')}@example.com`;
}
