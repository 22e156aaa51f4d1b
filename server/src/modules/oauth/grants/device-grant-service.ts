import { createHmac, hkdfSync, randomBytes, randomInt } from 'node:crypto';
import { AppError } from '@keywright/contract/errors';
import type { OAuthClientId, TenantId, UserId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { batched } from '../../../platform/db/calls.ts';
import { type AuditKeys, DataKeyGone } from '../../../tenancy/audit-keys.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import { counted } from '../../../tenancy/counters.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import {
  CachedCondition,
  countAll,
  countAttempt,
  findAttempts,
  giveBackAttempt,
  networkLimits,
  rateLimitOf,
} from '../../authentication/attempts/index.ts';
import { type Actor, record } from '../../events/journal/index.ts';
import {
  type ApprovedDevice,
  type DevicePoll,
  approveGrant,
  denyGrant,
  findPendingGrant,
  insertGrant,
  type PolledGrant,
  pollGrants,
} from './device-grant-store.ts';

/** How long the user can take to decide (RFC 8628 §3.2). */
export const LIFETIME_SECONDS = 600;
/** The minimum time between two polls of a device. */
export const INTERVAL_SECONDS = 5;
/** The maximum number of codes to draw. A random code is already in use about once in a lifetime. */
const MAX_DRAWS = 3;
const DEVICE_CODE = /^[A-Za-z0-9_-]{43}$/;

/** The authorization request of a device. */
interface NewDeviceGrant {
  readonly clientId: OAuthClientId;
  readonly scopes: readonly string[];
  readonly targets: readonly string[];
  readonly from: Origin;
}

interface StartedDeviceGrant {
  readonly deviceCode: string;
  /** Formatted for people. */
  readonly userCode: string;
  readonly expiresInSeconds: number;
  readonly intervalSeconds: number;
}

/** A device that is waiting for a user's decision. */
export interface PendingDevice {
  /** In base64url. */
  readonly id: string;
  /** Formatted for people. */
  readonly userCode: string;
  readonly clientId: OAuthClientId;
  readonly scopes: readonly string[];
  readonly targets: readonly string[];
  /** The network address of the device. */
  readonly address: string;
  readonly startedAt: Date;
}

type DeviceKey = Pick<PendingDevice, 'id' | 'clientId'>;

/** The response to a device that polls for its tokens. */
type PollResult =
  | { readonly outcome: 'unknown' | 'pending' | 'too_soon' | 'denied' | 'expired' }
  | ({
      readonly outcome: 'approved';
      /** The hash of the device code. */
      readonly codeHash: Buffer;
      readonly targets: readonly string[];
    } & ApprovedDevice);

/** Grants logins to devices without a browser (RFC 8628). */
export class DeviceGrants {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #auditKeys: Pick<AuditKeys, 'find'>;
  readonly #needsLongCodes: CachedCondition;
  readonly #poll: (poll: DevicePoll) => Promise<PolledGrant | undefined>;

  constructor(gate: Gate, clock: Clock, auditKeys: Pick<AuditKeys, 'find'>) {
    this.#gate = gate;
    this.#clock = clock;
    this.#auditKeys = auditKeys;
    const wrongCodes = counted('user codes of tenant');
    this.#needsLongCodes = new CachedCondition(clock, async (tenantId, now) => {
      const attempts = await findAttempts(gate.into(tenantId), wrongCodes, now);
      return attempts >= TENANT_LIMITS.login_attempts_limit;
    });
    // Concurrent polls of all tenants share one statement and one commit.
    this.#poll = batched((polls) => pollGrants(gate, polls), { size: 64, flights: 2 });
  }

  async start(tenantId: TenantId, grant: NewDeviceGrant): Promise<StartedDeviceGrant> {
    const { deviceCode, userCode } = await this.#draw(tenantId, grant);
    return {
      deviceCode,
      userCode: formatUserCode(userCode),
      expiresInSeconds: LIFETIME_SECONDS,
      intervalSeconds: INTERVAL_SECONDS,
    };
  }

  /** Inserts the grant with random codes, and draws again while the user code is in use. */
  async #draw(
    tenantId: TenantId,
    grant: NewDeviceGrant,
    draws = MAX_DRAWS,
  ): Promise<{ readonly deviceCode: string; readonly userCode: string }> {
    const deviceCode = randomBytes(32).toString('base64url');
    const userCode = newUserCode(await this.#needsLongCodes.isMet(tenantId));
    const hash = await userCodeHash(this.#auditKeys, tenantId, userCode);
    const row = {
      ...grant,
      id: sha256(deviceCode),
      userCodeHash: hash,
      address: grant.from.address,
      lifetimeSeconds: LIFETIME_SECONDS,
      intervalSeconds: INTERVAL_SECONDS,
    };
    const isNew = await this.#gate.into(tenantId).transaction((tx) => insertGrant(tx, row));
    if (isNew) return { deviceCode, userCode };
    if (draws === 1) throw new Error('Each generated user code is already in use.');
    return this.#draw(tenantId, grant, draws - 1);
  }

  /** @returns undefined if the user code is unknown, expired or already decided */
  async find(tenantId: TenantId, typed: string): Promise<PendingDevice | undefined> {
    const code = parseUserCode(typed);
    if (code === undefined) return undefined;
    const hash = await userCodeHash(this.#auditKeys, tenantId, code);
    const row = await this.#gate.into(tenantId).transaction((tx) => findPendingGrant(tx, hash));
    return row && { ...row, id: row.id.toString('base64url'), userCode: formatUserCode(code) };
  }

  /** @returns whether the device is approved, by this call or earlier in the same browser session */
  approve(
    { id: tenantId }: Tenant,
    by: Actor,
    device: DeviceKey,
    approved: ApprovedDevice,
  ): Promise<boolean> {
    return this.#gate.into(tenantId).transaction(async (tx) => {
      const decision = await approveGrant(tx, Buffer.from(device.id, 'base64url'), approved);
      if (decision === 'decided') await recordDecision(tx, by, device, 'device.approved');
      return decision !== 'too_late';
    });
  }

  /** @returns whether the device is denied, by this call or earlier */
  deny({ id: tenantId }: Tenant, by: Actor, device: DeviceKey): Promise<boolean> {
    return this.#gate.into(tenantId).transaction(async (tx) => {
      const decision = await denyGrant(tx, Buffer.from(device.id, 'base64url'));
      if (decision === 'decided') await recordDecision(tx, by, device, 'device.denied');
      return decision !== 'too_late';
    });
  }

  async poll(tenantId: TenantId, clientId: OAuthClientId, deviceCode: string): Promise<PollResult> {
    if (!DEVICE_CODE.test(deviceCode)) return { outcome: 'unknown' };
    const id = sha256(deviceCode);
    const grant = await this.#poll({ tenantId, id, clientId, now: this.#clock.now() });
    if (!grant) return { outcome: 'unknown' };
    if (grant.outcome !== 'approved') return { outcome: grant.outcome };
    return {
      outcome: 'approved',
      codeHash: id,
      targets: grant.targets,
      userId: grant.user_id,
      workspaceId: grant.workspace_id,
      loginId: grant.login_id,
      consent: { id: grant.consent_id, version: grant.consent_version },
      scopes: grant.scopes,
    };
  }
}

async function recordDecision(
  tx: TenantTx,
  by: Actor,
  { clientId }: DeviceKey,
  action: 'device.approved' | 'device.denied',
): Promise<void> {
  await record(tx, by, { action, target: { kind: 'client', id: clientId }, events: [] });
}

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
export const NETWORK_LIMITS = { login_attempts_limit: 10, login_attempts_window: HOUR_SECONDS };
const USER_LIMIT = {
  name: 'user',
  limit: NETWORK_LIMITS.login_attempts_limit,
  windowSeconds: HOUR_SECONDS,
};
/** Wrong codes per hour and tenant before new codes become longer. */
const TENANT_LIMITS = {
  login_attempts_limit: 1000,
  login_attempts_window: HOUR_SECONDS,
} as const;

/** Draws a code with 34 bits of entropy, or 51 if it is long. */
function newUserCode(isLong = false): string {
  const length = isLong ? LONG_LENGTH : LENGTH;
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** Formats a code for display, in groups of four. */
function formatUserCode(code: string): string {
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
async function userCodeHash(
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
