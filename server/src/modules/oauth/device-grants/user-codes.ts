import { createHmac, hkdfSync, randomInt } from 'node:crypto';
import type { TenantId } from '@keywright/contract/ids';
import { type AuditKeys, DataKeyGone } from '../../../tenancy/audit-keys.ts';

/** Letters alone, no vowels: no words, and nothing that is taken for a digit (RFC 8628 §6.1). */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
/** While codes of the tenant are guessed. */
const LONG = 12;
/** Wrong codes that a tenant has in an hour before new ones get longer. */
export const WRONG_CODES = { login_attempts_limit: 1000, login_attempts_window: 3600 } as const;
const GROUP = /.{4}(?=.)/g;

const CODE = new RegExp(`^(?:[${ALPHABET}]{${LENGTH}}|[${ALPHABET}]{${LONG}})$`);

/** 34 bits, or 51. */
export function newUserCode(isLong = false): string {
  const length = isLong ? LONG : LENGTH;
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** As people read it. */
export function writtenCode(code: string): string {
  return code.replaceAll(GROUP, '$&-');
}

/** What was typed, however it was written; undefined if it is no code. */
export function readUserCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  return CODE.test(code) ? code : undefined;
}

/**
 * What a code is found by. It is so short that a plain hash could be reversed by whoever reads the table: the key is one of
 * the tenant's own (RFC 5869).
 * @throws DataKeyGone when the tenant was deleted
 */
export async function userCodeHash(
  auditKeys: Pick<AuditKeys, 'find'>,
  tenantId: TenantId,
  code: string,
): Promise<Buffer> {
  const root = await auditKeys.find(tenantId);
  if (!root) throw new DataKeyGone(tenantId);
  const key = Buffer.from(hkdfSync('sha256', root, '', 'keywright user code', 32));
  return createHmac('sha256', key).update(code).digest();
}
