import { AppError } from '@keywright/contract/errors';
import type { Clock } from '../../../platform/clock.ts';
import type { Share } from '../../../platform/crypto/fair-queue.ts';
import { schemeOf } from '../../../platform/crypto/foreign-hash.ts';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { requiresSecondFactor } from '../../identity/roles/index.ts';
import {
  countForeignHashes,
  findCaptors,
  findUnverified,
  replaceSecretHash,
} from '../../identity/users/index.ts';
import { decoyFor, type PasswordPolicy } from '../passwords/index.ts';
import {
  addProof,
  beginFlow,
  decide,
  METHODS,
  type Next,
  type Shown,
  type UserState,
} from '../proofs/index.ts';
import type { LoginRow } from './login-store.ts';

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
    const flow = beginFlow(id);
    const proven = proof ? addProof(flow, METHODS[proof.method], proof, now) : flow;
    return decide(proven, state, {
      allowed_login_methods: config.allowed_login_methods,
      mfa_methods: config.mfa_methods,
      requiresVerifiedIdentifier: config.require_verified_identifier,
      requiredProviders: proof ? await findCaptors(data, tenant, proof.userId) : [],
      // A password is not a login at a provider.
      requiresOwnFactor: false,
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
