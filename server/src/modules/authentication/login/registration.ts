import type { Fail } from '@keywright/contract/errors';
import type { Identifier } from '@keywright/contract/identifiers';
import {
  DEFAULT_WORKSPACE,
  type TenantId,
  type UserId,
  type WorkspaceId,
} from '@keywright/contract/ids';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { Clock } from '../../../platform/clock.ts';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import { counted, newcomer } from '../../../tenancy/counters.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { countAll, type NamedLimit, networkLimits } from '../attempts/index.ts';
import { anonymous } from '../../events/journal/index.ts';
import type { PasswordPolicy } from '../passwords/index.ts';
import { captorOf, writeUser, requiresSecondFactor } from '../../identity/users/index.ts';
import {
  addProof,
  newFlow,
  decide,
  isAllowed,
  isEnough,
  METHODS,
  type Next,
  type Permit,
  type Policy,
} from '../proofs/index.ts';
import { MEMBER } from '../../identity/roles/index.ts';
import type { SessionService } from '../../tokens/sessions/index.ts';
import type {
  DecidedLogin,
  LoginAttempt,
  LoginAttempts,
  PasswordVerifier,
  Wait,
} from './login-attempts.ts';
import { findLogin, type LoginRow } from './login-store.ts';

const WINDOW_SECONDS = 3600;
/** The share of the tenant's registration limit that known networks can use. */
const SHARE_OF_FAMILIAR_NETWORKS = 0.75;

/**
 * Whether an unknown identifier can register. It cannot if the first login would fail: the method is not allowed, the
 * workspace is not the default one, or the identifier must be verified and is not an email address.
 */
export function mayRegister(
  tenant: Tenant,
  { type, identifier }: Identifier,
  workspaceId: WorkspaceId | undefined,
): boolean {
  const { config } = tenant;
  return (
    config.allow_registration &&
    captorOf(tenant, identifier) === undefined &&
    isAllowed(METHODS.password, config) &&
    (type === 'email' || !config.require_verified_identifier) &&
    (workspaceId ?? DEFAULT_WORKSPACE) === DEFAULT_WORKSPACE
  );
}

/** A login that can create its user. */
interface RegistrationRequest {
  readonly secret: string;
  /** Of a new user. */
  readonly name: string | null;
  readonly from: Origin;
  readonly userAgent: string | null;
  readonly workspaceId: WorkspaceId | undefined;
}

/** A new user with their first session. */
export interface RegisteredLogin {
  readonly permit: Permit;
  readonly answer: TokenAnswer;
}

/** Logins that create their user if the identifier is unknown. */
export class Registration {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #hasher: PasswordHasher;
  readonly #policy: PasswordPolicy;
  readonly #attempts: LoginAttempts;
  readonly #passwords: PasswordVerifier;
  readonly #sessions: SessionService;

  constructor(
    { gate, clock, passwords: hasher }: Core,
    policy: PasswordPolicy,
    attempts: LoginAttempts,
    passwords: PasswordVerifier,
    sessions: SessionService,
  ) {
    this.#gate = gate;
    this.#clock = clock;
    this.#hasher = hasher;
    this.#policy = policy;
    this.#attempts = attempts;
    this.#passwords = passwords;
    this.#sessions = sessions;
  }

  /**
   * Registers an unknown identifier, and signs in a known one. A new password that breaks a rule, and a registration over
   * the limit, get the same response after one hash, whether or not the identifier is known: registering must not reveal
   * who has an account.
   */
  async registerOrLogIn(
    tenant: Tenant,
    attempt: LoginAttempt,
    request: RegistrationRequest,
    fail: Fail<'VALIDATION_FAILED' | 'TOO_MANY_ATTEMPTS' | 'TOO_BUSY'>,
  ): Promise<RegisteredLogin | DecidedLogin> {
    const { secret, from } = request;
    const { row, share, now } = attempt;
    const { identifier } = attempt.identifier;
    const flaw = await this.#policy.flaw(tenant, { secret, identifiers: [identifier], from });
    const isNew = row.user_id === null && flaw === undefined;
    const waitOfNew = isNew ? await this.#count(tenant, from) : undefined;
    if (isNew && waitOfNew === undefined) return this.#register(tenant, attempt, request);
    const presented = { identifier, secret, share, from };
    const decided = await this.#passwords.decideLogin(tenant, row, presented, now);
    if (!lacksFirstFactor(decided.next)) return decided;
    if (flaw !== undefined) {
      return fail('VALIDATION_FAILED', { errors: [{ path: '/secret', message: flaw }] });
    }
    const wait = waitOfNew ?? (await this.#count(tenant, from));
    if (wait === undefined) return decided;
    return this.#attempts.refuseThrottled(tenant, from, 'registration_throttled', wait, fail);
  }

  #count(tenant: Tenant, from: Origin): Promise<Wait | undefined> {
    return countRegistration({ gate: this.#gate, clock: this.#clock }, tenant, from, 'unproven');
  }

  /** Creates the user, and a session if the password suffices for one. */
  async #register(
    tenant: Tenant,
    attempt: LoginAttempt,
    { secret, name, ...device }: RegistrationRequest,
  ): Promise<RegisteredLogin | DecidedLogin> {
    const { type, identifier } = attempt.identifier;
    const secretHash = await this.#hasher.hash(secret, attempt.share);
    const policy = await this.#policyFor(tenant);
    const createUser = async (tx: TenantTx) => {
      const user = { type, identifier, name, secretHash, roles: [MEMBER] };
      const userId = await writeUser(tx, anonymous(device.from), user);
      if (userId === undefined) throw new IdentifierTaken();
      return { userId, next: decideOnNewUser(tenant.id, userId, policy, tx.now) };
    };
    if (!isEnough(METHODS.password, policy)) {
      const created = await this.#gate
        .into(tenant.id)
        .transaction(createUser)
        .catch(undefinedIfTaken);
      if (!created) return this.#logInAfterAll(tenant, attempt, secret, device.from);
      const row = rowOfNewUser(created.userId, secretHash);
      return { next: created.next, method: 'password', row };
    }
    let permit: Permit | undefined;
    const request = { ...device, isNewDevice: true, attempts: attempt.attempts };
    const answer = await this.#sessions
      .openFirst(tenant, request, async (tx) => {
        const { next } = await createUser(tx);
        if (next.status !== 'complete')
          throw new Error('A user was registered who cannot sign in.');
        permit = next.permit;
        return permit;
      })
      .catch(undefinedIfTaken);
    if (typeof answer === 'object' && permit) return { permit, answer };
    if (answer === undefined) return this.#logInAfterAll(tenant, attempt, secret, device.from);
    return endedLogin(attempt);
  }

  /** Another request registered the identifier first. */
  async #logInAfterAll(
    tenant: Tenant,
    attempt: LoginAttempt,
    secret: string,
    from: Origin,
  ): Promise<DecidedLogin> {
    const { share, now } = attempt;
    const { identifier } = attempt.identifier;
    const row = await findLogin(this.#gate.into(tenant.id), identifier);
    if (!row) return endedLogin(attempt);
    const presented = { identifier, secret, share, from };
    return this.#passwords.decideLogin(tenant, row, presented, now);
  }

  async #policyFor({ id, config }: Tenant): Promise<Policy> {
    return {
      allowed_login_methods: config.allowed_login_methods,
      mfa_methods: config.mfa_methods,
      requiresSecondFactor: await requiresSecondFactor(this.#gate.into(id), config, undefined),
      requiresVerifiedIdentifier: config.require_verified_identifier,
      requiredProviders: [],
      requiresEnrolledFactor: false,
    };
  }
}

/**
 * Counts a registration. The last part of the tenant's limit is reserved for new networks. Registrations with a proven
 * address are counted separately, so that clients without one cannot use up their limit.
 * @returns the time to wait if the registration is over the limit
 */
export async function countRegistration(
  { gate, clock }: Pick<Core, 'gate' | 'clock'>,
  tenant: Tenant,
  from: Origin,
  address: 'proven' | 'unproven',
): Promise<Wait | undefined> {
  const limits = registrationLimits(tenant, from, address);
  const refused = await countAll(gate.into(tenant.id), limits, clock.now());
  if (!refused) return undefined;
  const { registrations_address_limit: ofAddress, registrations_limit: ofTenant } = tenant.config;
  const { name } = refused.limit;
  const quota = name === 'address' ? ofAddress : ofTenant;
  const { retryAfterSeconds } = refused;
  return { retryAfterSeconds, limits: [{ name, quota, windowSeconds: WINDOW_SECONDS }] };
}

/** Network limits come first, so a registration that they refuse is not counted for the tenant. */
function registrationLimits(
  { config }: Tenant,
  { address }: Origin,
  proof: 'proven' | 'unproven',
): NamedLimit[] {
  const { registrations_address_limit: ofAddress, registrations_limit: ofTenant } = config;
  const limits = { login_attempts_limit: ofAddress, login_attempts_window: WINDOW_SECONDS };
  const limit = Math.ceil(ofTenant * SHARE_OF_FAMILIAR_NETWORKS);
  const subject = counted('registration tenant', proof);
  const reserve = ofTenant - limit;
  return [
    ...networkLimits(address, { counter: 'registration', limits }),
    { ...newcomer('registration newcomer', address), name: 'tenant' },
    { name: 'tenant', subject, limit, windowSeconds: WINDOW_SECONDS, reserve },
  ];
}

/** Decides on a new user. Choosing a password counts as proving it. */
function decideOnNewUser(tenantId: TenantId, userId: UserId, policy: Policy, now: Date): Next {
  const shown = { userId, authVersion: 0 };
  const flow = addProof(newFlow(tenantId), METHODS.password, shown, now);
  const state = {
    id: userId,
    authVersion: 0,
    isActive: true,
    hasSecondFactor: false,
    hasPasskey: false,
    hasVerifiedIdentifier: false,
    hasMailbox: false,
    factorChannels: [],
  };
  return decide(flow, state, policy);
}

function rowOfNewUser(userId: UserId, secretHash: string): LoginRow {
  return {
    user_id: userId,
    is_active: true,
    auth_version: 0,
    has_second_factor: false,
    secret_hash: secretHash,
  };
}

function endedLogin({ row }: LoginAttempt): DecidedLogin {
  return { row, method: 'password', next: { status: 'ended' } };
}

function lacksFirstFactor(next: Next): boolean {
  return next.status === 'ended' || (next.status === 'needs' && next.step === 'first_factor');
}

/** The identifier was registered while the user was being created: the transaction is rolled back. */
class IdentifierTaken extends Error {}

function undefinedIfTaken(error: unknown): undefined {
  if (error instanceof IdentifierTaken) return undefined;
  throw error;
}
