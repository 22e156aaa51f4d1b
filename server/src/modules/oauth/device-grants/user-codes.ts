import { createHmac, hkdfSync, randomInt } from 'node:crypto';
import { AppError } from '@keywright/contract/errors';
import type { TenantId, UserId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import { type AuditKeys, DataKeyGone } from '../../../tenancy/audit-keys.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import { counted } from '../../../tenancy/counters.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import {
  countAll,
  countAttempt,
  giveBackAttempt,
  networkLimits,
  rateLimitOf,
} from '../../authentication/attempts/index.ts';

/** RFC 8628 §6.1: only consonants, so that codes contain neither words nor letters that look like digits. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
/** Used while the tenant's codes are being guessed. */
const LONG_LENGTH = 12;
const GROUP = /.{4}(?=.)/g;
const CODE = new RegExp(`^(?:[${ALPHABET}]{${LENGTH}}|[${ALPHABET}]{${LONG_LENGTH}})$`);

const HOUR_SECONDS = 3600;
/**
 * The limit on wrong codes per hour and network. The chance of guessing a given code is one in 25 billion
 * (RFC 8628 §5.1).
 */
const NETWORK_LIMITS = { login_attempts_limit: 10, login_attempts_window: HOUR_SECONDS };
const USER_LIMIT = {
  name: 'user',
  limit: NETWORK_LIMITS.login_attempts_limit,
  windowSeconds: HOUR_SECONDS,
};
/** Wrong codes per hour and tenant before new codes become longer. */
export const TENANT_LIMITS = {
  login_attempts_limit: 1000,
  login_attempts_window: HOUR_SECONDS,
} as const;

/** Draws a code with 34 bits of entropy, or 51 if it is long. */
export function newUserCode(isLong = false): string {
  const length = isLong ? LONG_LENGTH : LENGTH;
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** Formats a code for display, in groups of four. */
export function formatUserCode(code: string): string {
  return code.replaceAll(GROUP, '$&-');
}

/** @returns the typed code without its formatting; undefined if it is malformed */
export function parseUserCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  return CODE.test(code) ? code : undefined;
}

/**
 * Returns the hash under which a code is stored. Codes are so short that a plain hash could be reversed by trial, so
 * the hash is keyed with a key of the tenant (RFC 5869).
 * @throws DataKeyGone if the tenant was deleted
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

/** Limits wrong user codes. Each code is counted before it is looked up, and a correct code is subtracted again. */
export class UserCodeGuesses {
  readonly #gate: Gate;
  readonly #clock: Clock;

  constructor(gate: Gate, clock: Clock) {
    this.#gate = gate;
    this.#clock = clock;
  }

  /**
   * @param findUser finds the signed-in user, who gets further guesses after those of their network are used up
   * @param find looks up the code
   */
  async guess<Found>(
    tenant: Tenant,
    from: Origin,
    findUser: () => Promise<UserId | undefined>,
    find: () => Promise<Found | undefined>,
  ): Promise<{ readonly found: Found } | { readonly refused: AppError }> {
    const data = this.#gate.into(tenant.id);
    const now = this.#clock.now();
    let limits = networkLimits(from.address, { counter: 'user code', limits: NETWORK_LIMITS });
    let exceeded = await countAll(data, limits, now);
    const userId = exceeded && (await findUser());
    if (userId !== undefined) {
      limits = [{ ...USER_LIMIT, subject: counted('user code of user', userId) }];
      exceeded = await countAll(data, limits, now);
    }
    if (exceeded) {
      const { limit, retryAfterSeconds } = exceeded;
      const options = { retryAfterSeconds, limits: [rateLimitOf(limit.name, NETWORK_LIMITS)] };
      return { refused: new AppError('TOO_MANY_ATTEMPTS', options) };
    }
    const found = await find();
    if (found === undefined) {
      // This counter does not refuse requests: it makes new codes longer.
      await countAttempt(data, TENANT_LIMITS, counted('user codes of tenant'), now);
      return { refused: new AppError('CODE_WRONG') };
    }
    for (const { subject } of limits) await giveBackAttempt(data, subject, now);
    return { found };
  }
}
