import { randomBytes } from 'node:crypto';

/** A password that is on no list. */
export function newPassword(): string {
  return randomBytes(15).toString('base64url');
}

/** An e-mail address that no other test uses. */
export function newIdentifier(): string {
  return `user-${randomBytes(8).toString('hex')}@example.com`;
}
