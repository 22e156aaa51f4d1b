import { createHmac } from 'node:crypto';
import type { CreatedTotp, FactorRecord } from '@keywright/contract/records/factor';
import type { Clock } from '@keywright/server/platform/clock';
import { expectStatus } from './http.ts';
import type { TestTenant } from './tenant.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const PERIOD_MS = 30_000;

/** The code of an authenticator app at a moment (RFC 6238). @param secret in base32 */
export function totpOf(secret: string, now: Date): string {
  const bits = Array.from(secret, (letter) =>
    ALPHABET.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(now.getTime() / PERIOD_MS)));
  const mac = createHmac('sha1', key).update(step).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** An authenticator of a user, and its key. */
export interface TestTotp {
  readonly factor: FactorRecord;
  /** In base32. */
  readonly secret: string;
}

/** Adds an authenticator that is not confirmed. */
export async function addTotp(tenant: TestTenant, token: string): Promise<TestTotp> {
  const answer = await tenant.request<CreatedTotp>('POST', '/me/factors/totp', { token, body: {} });
  const { secret, uri: _uri, ...factor } = expectStatus(201, answer);
  return { factor, secret };
}

/** A confirmed authenticator, with the recovery codes that were issued with it. */
export interface ConfirmedTotp extends TestTotp {
  readonly codes: readonly string[];
}

export async function enrollTotp(
  tenant: TestTenant,
  token: string,
  clock: Clock,
): Promise<ConfirmedTotp> {
  const added = await addTotp(tenant, token);
  const body = { code: totpOf(added.secret, clock.now()) };
  const path = `/me/factors/totp/${added.factor.id}/confirm`;
  const answer = await tenant.request<{
    readonly factor: FactorRecord;
    readonly recovery_codes: string[] | null;
  }>('POST', path, { token, body });
  const { factor, recovery_codes: codes } = expectStatus(200, answer);
  return { factor, secret: added.secret, codes: codes ?? [] };
}
