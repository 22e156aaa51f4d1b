import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { UserId } from '@keywright/contract/ids';

const COUNT = 10;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 24;
const GROUP = /.{6}(?=.)/g;

/** Ten codes of 120 bits each, in groups. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, newRecoveryCode);
}

export function newRecoveryCode(): string {
  const characters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET.charAt(byte & 31));
  return characters.join('').replaceAll(GROUP, '$&-');
}

/**
 * What is stored of a code.
 * @param dataKey of the user's tenant
 */
export function recoveryCodeHash(dataKey: Buffer, userId: UserId, code: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', dataKey, '', 'keywright recovery codes', 32));
  return createHmac('sha256', key)
    .update(`${userId} ${normalised(code)}`)
    .digest();
}

/** Crockford's base32 as people type it: in any case, without or with hyphens, with letters for similar digits. */
function normalised(code: string): string {
  return code.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll(/[il]/g, '1').replaceAll('o', '0');
}
