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

const HOUR = 3600;
/** Wrong codes. The chance to guess the code of a given device is one in 25 billion (RFC 8628 §5.1). */
const LIMITS = { login_attempts_limit: 10, login_attempts_window: HOUR };
const OF_USER = { name: 'user', limit: LIMITS.login_attempts_limit, windowSeconds: HOUR };

/** Device codes that are typed. Each is counted before it is looked up, and given back if it was right. */
export interface Guesses {
  /** @param findUser finds the signed-in user, who has their own guesses after their network has used up its guesses */
  guess<Found>(
    tenant: Tenant,
    from: Origin,
    findUser: () => Promise<UserId | undefined>,
    find: () => Promise<Found | undefined>,
  ): Promise<{ readonly found: Found } | { readonly refused: AppError }>;
}

export function createGuesses(gate: Gate, clock: Clock): Guesses {
  return {
    async guess(tenant, from, findUser, find) {
      const data = gate.into(tenant.id);
      const now = clock.now();
      let limits = networkLimits(from.address, { counter: 'user code', limits: LIMITS });
      let refused = await countAll(data, limits, now);
      const userId = refused && (await findUser());
      if (userId !== undefined) {
        limits = [{ ...OF_USER, subject: counted('user code of user', userId) }];
        refused = await countAll(data, limits, now);
      }
      if (refused) {
        const { limit, retryAfterSeconds } = refused;
        const options = { retryAfterSeconds, limits: [rateLimitOf(limit.name, LIMITS)] };
        return { refused: new AppError('TOO_MANY_ATTEMPTS', options) };
      }
      const found = await find();
      if (found === undefined) {
        // The counter of the tenant refuses no one: new codes get longer.
        await countAttempt(data, WRONG_CODES, counted('user codes of tenant'), now);
        return { refused: new AppError('CODE_WRONG') };
      }
      for (const { subject } of limits) await giveBackAttempt(data, subject, now);
      return { found };
    },
  };
}
