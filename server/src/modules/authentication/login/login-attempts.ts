import { AppError, type Fail, type RateLimit } from '@keywright/contract/errors';
import type { Identifier } from '@keywright/contract/identifiers';
import type { UserId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import { schemeOf } from '../../../platform/crypto/foreign-hash.ts';
import type { PasswordHasher, Share } from '../../../platform/crypto/password.ts';
import { batched } from '../../../platform/db/calls.ts';
import { clientNetworks } from '../../../platform/http/client-network.ts';
import { requireIdentifier } from '../../../platform/http/validation.ts';
import { type Device, type Origin, hashShare } from '../../../tenancy/caller.ts';
import { counted, newcomer, type Attempt } from '../../../tenancy/counters.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Notes, anonymous } from '../../events/journal/index.ts';
import {
  countForeignHashes,
  findCaptors,
  findUnverified,
  replaceSecretHash,
  requiresSecondFactor,
} from '../../identity/users/index.ts';
import {
  type LoginLimit,
  type LoginStart,
  type LoginStartRow,
  startLogins,
} from '../attempts/index.ts';
import type { KnownDevice } from '../flows/index.ts';
import { type PasswordPolicy, decoyFor, requireBoundedSecret } from '../passwords/index.ts';
import {
  METHODS,
  type Next,
  type Shown,
  type UserState,
  addProof,
  newFlow,
  decide,
} from '../proofs/index.ts';
import type { LoginRow } from './login-store.ts';

const BATCH = { size: 32, flights: 4 };

export const ADDRESS_FACTOR = 10;
/** Per day: 100 failures by default (NIST SP 800-63B-4 §3.2.2), and as many again for new networks. */
export const DAY_FACTOR = 10;
const DAY_SECONDS = 24 * 60 * 60;

/** The kinds of wider networks, by the multiple of the address limit that applies to them. */
const KIND_OF: Readonly<Record<number, Attempt['kind']>> = { 4: 'site', 16: 'range' };

/** A counted and admitted login attempt, with the user that was looked up. */
export interface LoginAttempt {
  readonly identifier: Identifier;
  readonly share: Share;
  readonly now: Date;
  readonly row: LoginStartRow;
  /** The counters of the attempt. A successful login gives the attempt back. */
  readonly attempts: readonly LoginLimit[];
}

interface PresentedLogin {
  readonly identifier: string;
  readonly secret: string;
  /** The device of the presented token. The SQL statement checks that the identifier belongs to the device's user. */
  readonly knownDevice: KnownDevice | undefined;
}

/** The time to wait, and the limits that apply. */
export interface Wait {
  readonly retryAfterSeconds: number;
  readonly limits: readonly RateLimit[];
}

/** Counts login attempts, and records those that are rejected. */
export class LoginAttempts {
  readonly #hasher: PasswordHasher;
  readonly #clock: Clock;
  readonly #notes: Notes;
  readonly #start: (start: LoginStart) => Promise<LoginStartRow>;

  constructor({ gate, passwords, clock }: Core, notes: Notes) {
    this.#hasher = passwords;
    this.#clock = clock;
    this.#notes = notes;
    this.#start = batched((starts: readonly LoginStart[]) => startLogins(gate, starts), BATCH);
  }

  /** Counts an attempt and looks up its user, if the hash queue has room. */
  async start(
    tenant: Tenant,
    { identifier: presented, secret, knownDevice }: PresentedLogin,
    from: Origin,
    fail: Fail<'VALIDATION_FAILED' | 'TOO_MANY_ATTEMPTS' | 'TOO_BUSY'>,
  ): Promise<LoginAttempt> {
    const identifier = requireIdentifier(presented, '/identifier', fail);
    requireBoundedSecret(secret, '/secret', fail);
    // Requests that would be rejected for lack of room are neither counted nor looked up, so a flood of them costs no
    // statements.
    const share = hashShare(tenant.id, from);
    this.#hasher.requireRoom(share);
    const now = this.#clock.now();
    const limits = limitsOf(tenant, from, identifier.identifier, knownDevice);
    const row = await this.#start({
      tenantId: tenant.id,
      identifier: identifier.identifier,
      device: knownDevice,
      attempts: limits,
      now,
    });
    // For a known device only its own counter applies, regardless of other attempts.
    const attempts = limits.filter(({ kind }) => (kind === 'device') === row.is_device_known);
    if (row.retry_after !== null) {
      const wait = { retryAfterSeconds: row.retry_after, limits: rateLimitsOf(attempts) };
      return this.refuseThrottled(tenant, from, 'throttled', wait, fail);
    }
    return { identifier, share, now, row, attempts };
  }

  /**
   * Rejects and records a throttled login. Throttled logins are counted by address, because a client can continue
   * indefinitely with a different identifier each time.
   */
  refuseThrottled(
    tenant: Tenant,
    from: Origin,
    reason: 'throttled' | 'registration_throttled',
    wait: Wait,
    fail: Fail<'TOO_MANY_ATTEMPTS'>,
  ): never {
    this.#notes.count(tenant.id, from, {
      action: 'auth.login_failed',
      method: 'password',
      target: { kind: 'identifier', id: null },
      outcome: 'failure',
      details: { reason, identifier: null },
    });
    return fail('TOO_MANY_ATTEMPTS', wait);
  }

  /** Records a rejected login. Does the same work for every reason, after the response has been decided. */
  noteRefusal(
    tenant: Tenant,
    identifier: Identifier,
    userId: UserId | null,
    device: Pick<Device, 'from' | 'userAgent'>,
    reason: Refusal,
  ): void {
    this.#notes.note(tenant.id, anonymous(device.from), {
      action: 'auth.login_failed',
      method: CONTINUES_IN_FLOW.includes(reason) ? null : 'password',
      device,
      target: { kind: userId === null ? 'identifier' : 'user', id: userId },
      outcome: 'failure',
      details: { reason, identifier: userId === null ? masked(identifier) : null },
    });
  }
}

/** The counters of a login. */
function limitsOf(
  { config }: Tenant,
  from: Origin,
  identifier: string,
  device: KnownDevice | undefined,
): LoginLimit[] {
  const { login_attempts_limit: limit, login_attempts_window: windowSeconds } = config;
  const ofAddress = config.login_attempts_address_limit ?? ADDRESS_FACTOR * limit;
  const ofDay = DAY_FACTOR * limit;
  const limits: LoginLimit[] = [
    ...clientNetworks(from.address).map(({ name, times }) => ({
      kind: KIND_OF[times] ?? 'address',
      subject: counted('login', name),
      limit: times * ofAddress,
      windowSeconds,
    })),
    // Guesses lock the identifier only for networks that are not new.
    { kind: 'newcomer', ...newcomer('login newcomer', from.address, identifier) },
    {
      kind: 'identifier',
      subject: counted('login identifier', identifier),
      limit,
      windowSeconds,
      reserve: ofDay,
    },
    {
      kind: 'day',
      subject: counted('login identifier day', identifier),
      limit: ofDay,
      windowSeconds: DAY_SECONDS,
      reserve: ofDay,
    },
  ];
  if (device) {
    const subject = counted('login device', device.id.toString('hex'));
    limits.push({ kind: 'device', subject, limit, windowSeconds });
  }
  return limits;
}

const SHOWN: readonly Attempt['kind'][] = ['identifier', 'address', 'device'];

function rateLimitsOf(limits: readonly LoginLimit[]): RateLimit[] {
  return SHOWN.flatMap((shown) => limits.filter(({ kind }) => kind === shown)).map(
    ({ kind, limit, windowSeconds }) => ({ name: kind, quota: limit, windowSeconds }),
  );
}

/** Why a login was rejected. Only the audit log shows it. */
export type Refusal =
  | 'identifier_unknown'
  | 'user_inactive'
  | 'method_not_allowed'
  | 'secret_wrong'
  | 'mfa_required'
  | 'verification_required'
  | 'password_breached'
  | 'workspace_unknown'
  | 'changed_meanwhile';

/** The refusals of a correct password: the login continues in a flow. */
const CONTINUES_IN_FLOW: readonly Refusal[] = [
  'mfa_required',
  'verification_required',
  'password_breached',
];

/** Why a password was rejected. */
export function refusalOf({ config }: Tenant, row: LoginRow): Refusal {
  if (row.user_id === null) return 'identifier_unknown';
  if (!row.is_active) return 'user_inactive';
  const isAllowed = row.secret_hash !== null && config.allowed_login_methods.includes('password');
  return isAllowed ? 'secret_wrong' : 'method_not_allowed';
}

/** Enough to recognize a mistyped address, but not to collect the addresses that users type. */
function masked({ type, identifier }: Identifier): string {
  if (type === 'phone') return `${identifier.slice(0, 3)}…${identifier.slice(-2)}`;
  const [local = '', domain = ''] = identifier.split('@');
  return `${Array.from(local)[0] ?? ''}…@${domain}`;
}

/** How long the shares of foreign hashes can be stale while users with foreign hashes log in. */
const RECOUNT_MS = 10 * 60 * 1000;

/** What a client presents. */
interface PresentedSecret {
  /** Normalized. */
  readonly identifier: string;
  readonly secret: string;
  readonly share: Share;
  readonly from: Origin;
}

/** The proof of a correct password. */
export interface PasswordProof extends Shown {
  readonly method: 'password' | 'breached_password';
}

/** The decision on a login with a password, and its user. */
export interface DecidedLogin {
  readonly row: LoginRow;
  readonly method: PasswordProof['method'];
  readonly next: Next;
}

/** Verifies passwords, for logins and for steps of flows. */
export class PasswordVerifier {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #hasher: PasswordHasher;
  readonly #policy: PasswordPolicy;

  constructor({ gate, clock, passwords }: Core, policy: PasswordPolicy) {
    this.#gate = gate;
    this.#clock = clock;
    this.#hasher = passwords;
    this.#policy = policy;
  }

  /**
   * Verifies the password of a user, who might not exist. Every case computes one hash, so that unknown users, wrong
   * passwords and inactive users are indistinguishable.
   */
  async verify(
    tenant: Tenant,
    row: LoginRow,
    { identifier, secret, share, from }: PresentedSecret,
    now: Date,
  ): Promise<PasswordProof | undefined> {
    const secretHash = this.#usableHash(tenant, row, now);
    const decoy = decoyFor(tenant.foreignHashes, identifier);
    const isCorrect = await this.#hasher.verify(secretHash, secret, share, decoy);
    if (!isCorrect || row.user_id === null || !row.is_active) return undefined;
    const mustReplace = await this.#policy.mustReplace(tenant, secret, from);
    return {
      method: mustReplace ? 'breached_password' : 'password',
      userId: row.user_id,
      authVersion: row.auth_version,
    };
  }

  /** Verifies the password of a user, who might not exist, and decides on a login with only this password. */
  async decideLogin(
    tenant: Tenant,
    row: LoginRow,
    presented: PresentedSecret,
    now: Date,
  ): Promise<DecidedLogin> {
    const proof = await this.verify(tenant, row, presented, now);
    const next = await this.#decide(tenant, row, proof, now);
    return { row, method: proof?.method ?? 'password', next };
  }

  /** Rehashes a secret that was hashed elsewhere or with weaker parameters, while its plaintext is available. */
  async rehashIfOutdated(
    tenant: Tenant,
    { user_id: userId, secret_hash: secretHash }: LoginRow,
    secret: string,
    share: Share,
  ): Promise<void> {
    if (userId === null || secretHash === null || !this.#hasher.isOutdated(secretHash)) return;
    // If too many passwords are waiting, the old hash remains until the next login.
    const stronger = await this.#hasher.hash(secret, share).catch(undefinedIfBusy);
    if (stronger === undefined) return;
    await this.#gate.into(tenant.id).transaction(async (tx) => {
      await replaceSecretHash(tx, userId, secretHash, stronger);
      if (isCountOld(tenant, this.#clock.now())) {
        await countForeignHashes(tx, this.#hasher.scheme);
      }
    });
  }

  async #decide(
    tenant: Tenant,
    row: LoginRow,
    proof: PasswordProof | undefined,
    now: Date,
  ): Promise<Next> {
    const { id, config } = tenant;
    const data = this.#gate.into(id);
    const unverified = proof && (await findUnverified(data, config, proof.userId));
    const state = userStateOf(row, unverified === undefined);
    const flow = newFlow(id);
    const proven = proof ? addProof(flow, METHODS[proof.method], proof, now) : flow;
    return decide(proven, state, {
      allowed_login_methods: config.allowed_login_methods,
      mfa_methods: config.mfa_methods,
      requiresVerifiedIdentifier: config.require_verified_identifier,
      requiredProviders: proof ? await findCaptors(data, tenant, proof.userId) : [],
      // A password is not a login at a provider.
      requiresEnrolledFactor: false,
      requiresSecondFactor:
        proof && !state?.hasSecondFactor
          ? await requiresSecondFactor(data, config, proof.userId)
          : config.require_mfa,
    });
  }

  /** A user without a usable hash is rejected as slowly as an unknown user. */
  #usableHash(
    { config }: Tenant,
    { user_id: userId, secret_hash: secretHash }: LoginRow,
    now: Date,
  ): string | undefined {
    if (userId === null || secretHash === null) return undefined;
    const { import_expires_at: end } = config;
    const isExpired = end !== null && Date.parse(end) <= now.getTime();
    return isExpired && schemeOf(secretHash) !== this.#hasher.scheme ? undefined : secretHash;
  }
}

function userStateOf(row: LoginRow, hasVerifiedIdentifier: boolean): UserState | undefined {
  if (row.user_id === null) return undefined;
  return {
    id: row.user_id,
    isActive: row.is_active,
    authVersion: row.auth_version,
    hasSecondFactor: row.has_second_factor,
    hasPasskey: false,
    hasVerifiedIdentifier,
    // The flow that continues the login looks these up.
    hasMailbox: true,
    factorChannels: [],
  };
}

function isCountOld({ foreignHashes }: Tenant, now: Date): boolean {
  if (!foreignHashes) return false;
  return now.getTime() - Date.parse(foreignHashes.counted_at) > RECOUNT_MS;
}

function undefinedIfBusy(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'TOO_BUSY') return undefined;
  throw error;
}
