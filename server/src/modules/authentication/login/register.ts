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
import { hashShare } from '../../../tenancy/hash-share.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Attempt, countAll, type NamedLimit, networkLimits } from '../attempts/index.ts';
import { anonymous } from '../../events/journal/index.ts';
import { type PasswordPolicy, type MustReplace, PASSWORD } from '../passwords/index.ts';
import { captorOf, writeUser } from '../../identity/users/index.ts';
import {
  addProof,
  beginFlow,
  decide,
  isAllowed,
  isEnough,
  type Next,
  type Permit,
  type Policy,
} from '../proofs/index.ts';
import { MEMBER, requiresSecondFactor } from '../../identity/roles/index.ts';
import type { SessionService } from '../../tokens/sessions/index.ts';
import type { Wait } from './attempts.ts';
import type { LoginMethods } from './methods.ts';
import { type Proven, proveSecret } from './prove.ts';
import { findLogin, type LoginRow } from './login-store.ts';

const WINDOW_SECONDS = 3600;

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
    isAllowed(PASSWORD, config) &&
    (type === 'email' || !config.require_verified_identifier) &&
    (workspaceId ?? DEFAULT_WORKSPACE) === DEFAULT_WORKSPACE
  );
}

/** A caller who may be a new user. */
interface Newcomer extends Identifier {
  readonly secret: string;
  readonly from: Origin;
  readonly userAgent: string | null;
  readonly workspaceId: WorkspaceId | undefined;
  readonly attempts: readonly Attempt[];
}

/** The result of checking the secret of a user, or a new user with their first session. */
export type Outcome =
  | (Proven & { readonly row?: LoginRow })
  | { readonly registered: Registered }
  | { readonly throttled: Wait };

const ENDED: Proven = { next: { status: 'ended' }, method: 'password' };

/** A new user with their first session. */
export interface Registered {
  readonly permit: Permit;
  readonly answer: TokenAnswer;
}

/** A login that creates the user if the identifier is unknown. */
export type RegisterOrProve = (
  tenant: Tenant,
  row: LoginRow,
  newcomer: Newcomer,
  fail: Fail<'VALIDATION_FAILED' | 'TOO_BUSY'>,
) => Promise<Outcome>;

interface Dependencies {
  readonly gate: Gate;
  readonly passwords: PasswordHasher;
  readonly passwordPolicy: PasswordPolicy;
  readonly methods: LoginMethods;
  readonly mustReplace: MustReplace;
  readonly sessions: SessionService;
  readonly clock: Clock;
}

export function createRegisterOrProve(dependencies: Dependencies): RegisterOrProve {
  const { passwordPolicy, clock } = dependencies;

  // A new password that breaks a rule, and a registration over the limit, get the same response after one hash, whether or
  // not the identifier is known: registering must not reveal who has an account.
  return async (tenant, row, applicant, fail) => {
    const { identifier, secret, from } = applicant;
    const candidate = { secret, identifiers: [identifier], from };
    const message = await passwordPolicy.flaw(tenant, candidate);
    const isNew = row.user_id === null && message === undefined;
    const waitIfNew = isNew
      ? await countRegistration(dependencies, tenant, from, 'unproven')
      : undefined;
    if (isNew && waitIfNew === undefined) return register(dependencies, tenant, applicant);
    const share = hashShare(tenant.id, from);
    const presented = { identifier, secret, share, from };
    const proven = await proveSecret(dependencies, tenant, row, presented, clock.now());
    if (!lacksFirstFactor(proven.next)) return proven;
    if (message !== undefined) {
      return fail('VALIDATION_FAILED', { errors: [{ path: '/secret', message }] });
    }
    const wait = waitIfNew ?? (await countRegistration(dependencies, tenant, from, 'unproven'));
    return wait === undefined ? proven : { throttled: wait };
  };
}

/**
 * Counts a registration. The last part of the tenant's limit is reserved for new networks. Registrations with a proven
 * address are counted separately, so that clients without one cannot use up their limit.
 * @returns how long to wait if it is over the limit
 */
export async function countRegistration(
  { gate, clock }: Pick<Dependencies, 'gate' | 'clock'>,
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

/** Networks come first: a registration that they refuse is not counted for the tenant. */
function registrationLimits(
  { config }: Tenant,
  { address }: Origin,
  proof: 'proven' | 'unproven',
): NamedLimit[] {
  const { registrations_address_limit: ofAddress, registrations_limit: ofTenant } = config;
  const limits = { login_attempts_limit: ofAddress, login_attempts_window: WINDOW_SECONDS };
  const limit = Math.ceil(ofTenant * SHARE_OF_OLD);
  const subject = counted('registration tenant', proof);
  const reserve = ofTenant - limit;
  return [
    ...networkLimits(address, { counter: 'registration', limits }),
    { ...newcomer('registration newcomer', address), name: 'tenant' },
    { name: 'tenant', subject, limit, windowSeconds: WINDOW_SECONDS, reserve },
  ];
}

/** The part of the tenant's registrations that known networks can use. */
const SHARE_OF_OLD = 0.75;

/** Creates the user; or logs in, if another request registered the identifier first. */
async function register(
  dependencies: Dependencies,
  tenant: Tenant,
  { type, identifier, secret, ...device }: Newcomer,
): Promise<Outcome> {
  const { gate, passwords, sessions, clock } = dependencies;
  const share = hashShare(tenant.id, device.from);
  const secretHash = await passwords.hash(secret, share);
  const data = gate.into(tenant.id);
  const policy = {
    allowed_login_methods: tenant.config.allowed_login_methods,
    mfa_methods: tenant.config.mfa_methods,
    requiresSecondFactor: await requiresSecondFactor(data, tenant.config, undefined),
    requiresVerifiedIdentifier: tenant.config.require_verified_identifier,
    requiredProviders: [],
    requiresOwnFactor: false,
  };
  const makeUser = async (tx: TenantTx) => {
    const user = { type, identifier, secretHash, roles: [MEMBER] };
    const userId = (await writeUser(tx, anonymous(device.from), user)) ?? rollBack();
    return { userId, next: decideNewcomer(tenant.id, userId, policy, tx.now) };
  };
  const proveKnown = async (): Promise<Outcome> => {
    const row = await findLogin(data, identifier);
    if (!row) return ENDED;
    const presented = { identifier, secret, share, from: device.from };
    return { ...(await proveSecret(dependencies, tenant, row, presented, clock.now())), row };
  };
  if (!isEnough(PASSWORD, policy)) {
    const made = await data.transaction(makeUser).catch(nobodyIfTaken);
    if (made) {
      return { next: made.next, method: 'password', row: rowOfNewcomer(made.userId, secretHash) };
    }
    return proveKnown();
  }
  let permit: Permit | undefined;
  const answer = await sessions
    .openFirst(tenant, { ...device, isNewDevice: true }, async (tx) => {
      const { next } = await makeUser(tx);
      if (next.status !== 'complete') throw new Error('A user was registered who may not log in.');
      permit = next.permit;
      return permit;
    })
    .catch(nobodyIfTaken);
  if (typeof answer === 'object' && permit) return { registered: { permit, answer } };
  return answer === undefined ? proveKnown() : ENDED;
}

/** Choosing the password proves it. */
function decideNewcomer(tenantId: TenantId, userId: UserId, policy: Policy, now: Date): Next {
  const shown = { userId, authVersion: 0 };
  const flow = addProof(beginFlow(tenantId), PASSWORD, shown, now);
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

function rowOfNewcomer(userId: UserId, secretHash: string): LoginRow {
  return {
    user_id: userId,
    is_active: true,
    auth_version: 0,
    has_second_factor: false,
    secret_hash: secretHash,
  };
}

function lacksFirstFactor(next: Next): boolean {
  return next.status === 'ended' || (next.status === 'needs' && next.step === 'first_factor');
}

/** The identifier was registered while the user was being created: the transaction is rolled back. */
class IdentifierTaken extends Error {}

function rollBack(): never {
  throw new IdentifierTaken();
}

function nobodyIfTaken(error: unknown): undefined {
  if (error instanceof IdentifierTaken) return undefined;
  throw error;
}
