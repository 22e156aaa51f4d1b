import { hkdfSync, randomBytes, createHmac } from 'node:crypto';
import type { LoginFlowId, UserId } from '@keywright/contract/ids';

const PERIOD_SECONDS = 30;
/** The parameters that all authenticator apps support. */
const FORM = { algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS } as const;
/** RFC 4226 §4 R6. */
const SECRET_BYTES = 20;
/** Codes of the previous and the next time step are also accepted (RFC 6238 §5.2). */
const WINDOW = 1;

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** The secret of a user who enrolls in a flow. It is not stored before it is confirmed, and is the same if it is shown again. */
export function totpSecretOfFlow(dataKey: Buffer, flowId: LoginFlowId, userId: UserId): Buffer {
  const info = `keywright totp enrolment ${flowId} ${userId}`;
  return Buffer.from(hkdfSync('sha256', dataKey, '', info, SECRET_BYTES));
}

/** What an authenticator app displays next to its codes. */
interface TotpLabel {
  readonly issuer: string;
  readonly account: string;
}

/** The secret as text to type, and as the URI of a QR code. */
export async function presentTotpSecret(
  secret: Buffer,
  { issuer, account: label }: TotpLabel,
): Promise<{ secret: string; uri: string }> {
  const totp = await totpOf(secret, { issuer, label });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** The time step that a code belongs to; undefined if it is wrong. */
export async function findTotpStep(
  secret: Buffer,
  code: string,
  now: Date,
): Promise<number | undefined> {
  const timestamp = now.getTime();
  const totp = await totpOf(secret);
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}

/** Loaded on first use. */
async function totpOf(
  secret: Buffer,
  label: { readonly issuer?: string; readonly label?: string } = {},
) {
  const { Secret, TOTP } = await import('otpauth');
  return new TOTP({
    ...FORM,
    ...label,
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
  });
}

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
 * The stored hash of a code.
 * @param dataKey the data key of the user's tenant
 */
export function recoveryCodeHash(dataKey: Buffer, userId: UserId, code: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', dataKey, '', 'keywright recovery codes', 32));
  return createHmac('sha256', key)
    .update(`${userId} ${normalised(code)}`)
    .digest();
}

/** Crockford's base32 as users type it: in any case, with or without hyphens, with letters for similar digits. */
function normalised(code: string): string {
  return code.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll(/[il]/g, '1').replaceAll('o', '0');
}
