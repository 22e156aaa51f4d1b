import type { Fail } from '@keywright/contract/errors';
import type { Identifier } from '@keywright/contract/identifiers';
import { DEFAULT_WORKSPACE, type UserId, type WorkspaceId } from '@keywright/contract/ids';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { Clock } from '../../../platform/clock.ts';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { hashShare } from '../../../tenancy/hash-share.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Attempt, countAttempt, rateLimitOf, registrationSubject } from '../attempts/index.ts';
import { anonymous } from '../../events/journal/index.ts';
import { passwordFlaw } from '../passwords/index.ts';
import { MEMBER } from '../../identity/roles/index.ts';
import type { OpenFirstSession } from '../../tokens/sessions/index.ts';
import { writeUser } from '../../identity/users/index.ts';
import type { Wait } from './attempts.ts';
import { type Proven, prove } from './prove.ts';
import { findLogin, type LoginRow } from './store.ts';

const WINDOW_SECONDS = 3600;

/**
 * Whether an unknown identifier may become a user. Not where the login that makes them would fail for lack of a second
 * factor or of the workspace, of which a new user has the default one alone.
 */
export function mayRegister({ config }: Tenant, workspaceId: WorkspaceId | undefined): boolean {
  return (
    config.allow_registration &&
    config.allowed_login_methods.includes('password') &&
    !config.require_mfa &&
    (workspaceId ?? DEFAULT_WORKSPACE) === DEFAULT_WORKSPACE
  );
}

/** Who may be new. */
interface Newcomer extends Identifier {
  readonly secret: string;
  readonly from: Origin;
  readonly userAgent: string | null;
  readonly workspaceId: WorkspaceId | undefined;
  readonly attempts: readonly Attempt[];
}

/** What becomes of it: a user who has shown their secret, or a new one with their first session. */
export type Outcome =
  | { readonly proven: Proven | undefined }
  | { readonly registered: Registered }
  | { readonly throttled: Wait };

/** Who has a session now. */
export interface Registered extends Proven {
  readonly answer: TokenAnswer;
}

/** A login that makes the user when nobody has the identifier. */
export type RegisterOrProve = (
  tenant: Tenant,
  row: LoginRow,
  newcomer: Newcomer,
  fail: Fail<'VALIDATION_FAILED' | 'TOO_BUSY'>,
) => Promise<Outcome>;

interface Parts {
  readonly gate: Gate;
  readonly passwords: PasswordHasher;
  readonly openFirstSession: OpenFirstSession;
  readonly clock: Clock;
}

export function createRegisterOrProve(parts: Parts): RegisterOrProve {
  const { passwords } = parts;

  // Whether or not the identifier is known, a new password that breaks a rule and a registration too many are refused
  // alike, after one hash: asking for a user must not tell who has an account.
  return async (tenant, row, newcomer, fail) => {
    const { secret, from } = newcomer;
    const message = await passwordFlaw(secret, tenant.config);
    const isNew = row.user_id === null && message === undefined;
    const waitIfNew = isNew ? await countRegistration(parts, tenant, from) : undefined;
    if (isNew && waitIfNew === undefined) return register(parts, tenant, newcomer);
    const proven = await prove(passwords, tenant, row, secret, hashShare(tenant.id, from));
    if (proven) return { proven };
    if (message !== undefined) {
      return fail('VALIDATION_FAILED', { errors: [{ path: '/secret', message }] });
    }
    const wait = waitIfNew ?? (await countRegistration(parts, tenant, from));
    return wait === undefined ? { proven } : { throttled: wait };
  };
}

/** @returns how long to wait when it is one too many */
async function countRegistration(
  { gate, clock }: Parts,
  { id, config }: Tenant,
  from: Origin,
): Promise<Wait | undefined> {
  const count = async (name: string, quota: number, subject: Buffer) => {
    const limits = { login_attempts_limit: quota, login_attempts_window: WINDOW_SECONDS };
    const retryAfterSeconds = await countAttempt(gate.into(id), limits, subject, clock.now());
    if (retryAfterSeconds === undefined) return undefined;
    return { retryAfterSeconds, limits: [rateLimitOf(name, limits)] };
  };
  const wait = from.isShared
    ? undefined
    : await count('address', config.registrations_address_limit, registrationSubject(from.address));
  // What the address is refused does not count for the tenant.
  return wait ?? count('tenant', config.registrations_limit, registrationSubject());
}

/** A new user; or, when another request was first with the identifier, a plain login after all. */
async function register(
  { gate, passwords, openFirstSession }: Parts,
  tenant: Tenant,
  { type, identifier, secret, ...device }: Newcomer,
): Promise<Outcome> {
  const share = hashShare(tenant.id, device.from);
  const secretHash = await passwords.hash(secret, share);
  let userId: UserId | undefined;
  const makeUser = async (tx: TenantTx) => {
    const user = { type, identifier, secretHash, roles: [MEMBER] };
    userId = (await writeUser(tx, anonymous(device.from), user)) ?? rollBack();
    return userId;
  };
  const asked = { ...device, secretHash };
  const answer = await openFirstSession(tenant, asked, makeUser).catch(nobodyIfTaken);
  if (typeof answer === 'object' && userId) return { registered: { userId, secretHash, answer } };
  if (answer !== undefined) return { proven: undefined };
  const row = await findLogin(gate.into(tenant.id), identifier);
  return { proven: row && (await prove(passwords, tenant, row, secret, share)) };
}

/** The identifier was taken while the new user was being written: nothing of that user stays. */
class IdentifierTaken extends Error {}

function rollBack(): never {
  throw new IdentifierTaken();
}

function nobodyIfTaken(error: unknown): undefined {
  if (error instanceof IdentifierTaken) return undefined;
  throw error;
}
