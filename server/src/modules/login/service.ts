import type { Fail } from '@keywright/contract/errors';
import type { Identifier } from '@keywright/contract/identifiers';
import type { UserId } from '@keywright/contract/ids';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { BodyOf } from '@keywright/contract/route';
import type { login } from '@keywright/contract/routes/auth';
import type { Clock } from '../../platform/clock.ts';
import type { PasswordHasher } from '../../platform/crypto/password.ts';
import type { Gate } from '../../tenancy/gate.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import { addressSubject, identifierSubject } from '../attempts/index.ts';
import { passwordFlaw, requireBoundedSecret } from '../passwords/index.ts';
import { MEMBER } from '../roles/index.ts';
import type { OpenSession } from '../sessions/index.ts';
import { replaceSecretHash, requireIdentifier, writeUser } from '../users/index.ts';
import { countAndFind, findLogin, type LoginRow } from './store.ts';

export interface Device {
  readonly address: string;
  readonly userAgent: string | null;
}

type Refuse = Fail<
  | 'VALIDATION_FAILED'
  | 'INVALID_CREDENTIALS'
  | 'MFA_REQUIRED'
  | 'NOT_FOUND'
  | 'TOO_MANY_ATTEMPTS'
  | 'TOO_BUSY'
>;

export type LogIn = (
  tenant: Tenant,
  body: BodyOf<typeof login>,
  device: Device,
  fail: Refuse,
) => Promise<TokenAnswer>;

interface Proven {
  readonly userId: UserId;
  readonly secretHash: string;
}

interface Parts {
  readonly gate: Gate;
  readonly passwords: PasswordHasher;
  readonly openSession: OpenSession;
  readonly clock: Clock;
}

export function createLogIn({ gate, passwords, openSession, clock }: Parts): LogIn {
  /** One hash, whoever it is for and whatever comes out (SPEC: unknown, wrong and inactive look the same). */
  async function prove(tenant: Tenant, row: LoginRow, secret: string): Promise<Proven | undefined> {
    const isRight = await passwords.verify(row.secret_hash ?? undefined, secret);
    const mayLogIn = row.is_active && tenant.config.allowed_login_methods.includes('password');
    return isRight && mayLogIn && row.user_id && row.secret_hash
      ? { userId: row.user_id, secretHash: row.secret_hash }
      : undefined;
  }

  /** A new user; or, when another request was first with the identifier, a plain login after all. */
  async function register(
    tenant: Tenant,
    identifier: Identifier,
    secret: string,
  ): Promise<Proven | undefined> {
    const data = gate.into(tenant.id);
    const secretHash = await passwords.hash(secret);
    const user = { ...identifier, secretHash, roles: [MEMBER] };
    const userId = await data
      .transaction(async (tx) => (await writeUser(tx, user, clock.now())) ?? rollBack())
      .catch(ifTaken);
    if (userId) return { userId, secretHash };
    const row = await findLogin(data, identifier.identifier);
    return row && prove(tenant, row, secret);
  }

  /** Whether or not the identifier is known, a new password that would be refused is refused alike. */
  async function registerOrProve(
    tenant: Tenant,
    row: LoginRow,
    identifier: Identifier,
    secret: string,
    fail: Refuse,
  ): Promise<Proven | undefined> {
    const message = await passwordFlaw(secret, tenant.config);
    const proven =
      row.user_id === null && message === undefined
        ? await register(tenant, identifier, secret)
        : await prove(tenant, row, secret);
    if (proven || message === undefined) return proven;
    return fail('VALIDATION_FAILED', { errors: [{ path: '/secret', message }] });
  }

  async function rehash(
    tenant: Tenant,
    { userId, secretHash }: Proven,
    secret: string,
  ): Promise<void> {
    if (!passwords.isOutdated(secretHash)) return;
    const stronger = await passwords.hash(secret);
    await gate
      .into(tenant.id)
      .transaction((tx) => replaceSecretHash(tx, userId, secretHash, stronger));
  }

  return async (tenant, body, device, fail) => {
    const identifier = requireIdentifier(body.identifier, '/identifier', fail);
    requireBoundedSecret(body.secret, '/secret', fail);
    const attempts = [
      addressSubject(device.address),
      identifierSubject(identifier.identifier),
    ] as const;
    const data = gate.into(tenant.id);
    const row = await countAndFind(
      data,
      tenant.config,
      identifier.identifier,
      attempts,
      clock.now(),
    );
    if (row.retry_after !== null) {
      fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: row.retry_after });
    }
    const proven =
      body.register && mayRegister(tenant)
        ? await registerOrProve(tenant, row, identifier, body.secret, fail)
        : await prove(tenant, row, body.secret);
    if (!proven) return fail('INVALID_CREDENTIALS');
    if (tenant.config.require_mfa) fail('MFA_REQUIRED');
    const workspaceId = body.workspace_id;
    const answer = await openSession(tenant, { ...proven, ...device, workspaceId, attempts });
    if (answer === 'refused') return fail('INVALID_CREDENTIALS');
    if (answer === 'workspace_unknown') return fail('NOT_FOUND');
    await rehash(tenant, proven, body.secret);
    return answer;
  };
}

function mayRegister({ config }: Tenant): boolean {
  return config.allow_registration && config.allowed_login_methods.includes('password');
}

/** The identifier was taken while the new user was being written: nothing of that user stays. */
class IdentifierTaken extends Error {}

function rollBack(): never {
  throw new IdentifierTaken();
}

function ifTaken(error: unknown): undefined {
  if (error instanceof IdentifierTaken) return undefined;
  throw error;
}
