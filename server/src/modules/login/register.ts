import type { Fail } from '@keywright/contract/errors';
import type { Identifier } from '@keywright/contract/identifiers';
import type { PasswordHasher } from '../../platform/crypto/password.ts';
import type { Origin } from '../../tenancy/caller.ts';
import type { Gate } from '../../tenancy/gate.ts';
import { hashShare } from '../../tenancy/hash-share.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import { stranger } from '../journal/index.ts';
import { passwordFlaw } from '../passwords/index.ts';
import { MEMBER } from '../roles/index.ts';
import { writeUser } from '../users/index.ts';
import { type Proven, prove } from './prove.ts';
import { findLogin, type LoginRow } from './store.ts';

export function mayRegister({ config }: Tenant): boolean {
  return config.allow_registration && config.allowed_login_methods.includes('password');
}

/** Who may be new. */
interface Newcomer extends Identifier {
  readonly secret: string;
  readonly from: Origin;
}

/** A login that makes the user when nobody has the identifier. */
export type RegisterOrProve = (
  tenant: Tenant,
  row: LoginRow,
  newcomer: Newcomer,
  fail: Fail<'VALIDATION_FAILED' | 'TOO_BUSY'>,
) => Promise<Proven | undefined>;

export function createRegisterOrProve(gate: Gate, passwords: PasswordHasher): RegisterOrProve {
  /** A new user; or, when another request was first with the identifier, a plain login after all. */
  async function register(
    tenant: Tenant,
    { type, identifier, secret, from }: Newcomer,
  ): Promise<Proven | undefined> {
    const data = gate.into(tenant.id);
    const share = hashShare(tenant.id, from);
    const secretHash = await passwords.hash(secret, share);
    const user = { type, identifier, secretHash, roles: [MEMBER] };
    const userId = await data
      .transaction(async (tx) => (await writeUser(tx, stranger(from), user)) ?? rollBack())
      .catch(nobodyIfTaken);
    if (userId) return { userId, secretHash };
    const row = await findLogin(data, identifier);
    return row && prove(passwords, tenant, row, secret, share);
  }

  // Whether or not the identifier is known, a new password that breaks a rule is refused alike: asking
  // for a user with a bad password must not tell who has an account.
  return async (tenant, row, newcomer, fail) => {
    const { secret } = newcomer;
    const message = await passwordFlaw(secret, tenant.config);
    const proven =
      row.user_id === null && message === undefined
        ? await register(tenant, newcomer)
        : await prove(passwords, tenant, row, secret, hashShare(tenant.id, newcomer.from));
    if (proven || message === undefined) return proven;
    return fail('VALIDATION_FAILED', { errors: [{ path: '/secret', message }] });
  };
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
