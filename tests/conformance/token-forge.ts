import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { AccessTokenClaims } from '@keywright/contract/claims';
import type { TenantId } from '@keywright/contract/ids';
import { KeyRing } from '@keywright/server/modules/tokens/signing-keys/key-ring';
import type { SigningKey } from '@keywright/server/platform/crypto/jws';
import { systemClock } from '@keywright/server/platform/clock';
import { openPostgres } from '@keywright/server/platform/db/postgres';
import { watchChanges } from '@keywright/server/tenancy/changes';
import { MasterKeys } from '@keywright/server/tenancy/data-keys';
import { Gate } from '@keywright/server/tenancy/gate';

/** Order of the Ed25519 group (RFC 8032 §5.1). */
const ED25519_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const SIGNATURE_BYTES = 64;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** A tenant's signing key, decrypted as the service does. */
export async function readSigningKey(
  databaseUrl: string,
  masterKey: string,
  tenantId: TenantId,
): Promise<SigningKey> {
  const database = openPostgres(databaseUrl, () => {});
  const changes = await watchChanges(database);
  try {
    const gate = new Gate(database);
    const masterKeys = new MasterKeys([Buffer.from(masterKey, 'base64')]);
    return await new KeyRing(gate, masterKeys, changes, systemClock).signer(tenantId);
  } finally {
    await changes.stop();
    await database.close();
  }
}

/** A key pair of an attacker. */
export const attacker = generateKeyPairSync('ed25519');

export function base64url(value: object | string): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString(
    'base64url',
  );
}

/** A token signed with Ed25519, whatever its header and its payload say. */
export function signed(key: KeyObject, header: object, payload: object | string): string {
  const input = `${base64url(header)}.${base64url(payload)}`;
  return `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`;
}

/** A token "signed" with HMAC under a public key. */
export function signedWithPublicKey(secret: string | Buffer, kid: string, claims: object): string {
  const input = `${base64url({ alg: 'HS256', typ: 'at+jwt', kid })}.${base64url(claims)}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

/** The token with one of its three parts replaced. */
export function withPart(
  token: string,
  index: 0 | 1 | 2,
  change: (part: string) => string,
): string {
  const parts = token.split('.');
  return parts.with(index, change(parts[index] ?? '')).join('.');
}

export function withClaims(token: string, claims: Partial<AccessTokenClaims>): string {
  return withPart(token, 1, (part) => {
    const present = JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as object;
    return base64url({ ...present, ...claims });
  });
}

/** The same bytes in another encoding: the last character has unused bits. */
export function respelled(part: string): string {
  const last = ALPHABET.indexOf(part.at(-1) ?? '');
  const other = part.slice(0, -1) + ALPHABET.charAt(last ^ 1);
  if (!Buffer.from(other, 'base64url').equals(Buffer.from(part, 'base64url'))) {
    throw new Error('This part has no spare bits.');
  }
  return other;
}

/** The signature with S + L instead of S: satisfies the equation, rejected by RFC 8032 §5.1.7. */
export function shiftedSignature(part: string): string {
  const bytes = Buffer.from(part, 'base64url');
  let s = 0n;
  for (let index = SIGNATURE_BYTES - 1; index >= 32; index -= 1) {
    s = (s << 8n) | BigInt(bytes[index] ?? 0);
  }
  s += ED25519_ORDER;
  for (let index = 32; index < SIGNATURE_BYTES; index += 1) {
    bytes[index] = Number(s & 255n);
    s >>= 8n;
  }
  return bytes.toString('base64url');
}
