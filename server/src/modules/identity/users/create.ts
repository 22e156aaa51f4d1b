import type { Fail } from '@keywright/contract/errors';
import type { Identifier } from '@keywright/contract/identifiers';
import type { UserId } from '@keywright/contract/ids';
import type { UserRecord } from '@keywright/contract/records/user';
import type { BodyOf } from '@keywright/contract/route';
import type { createUser } from '@keywright/contract/routes/users';
import { newUserId } from '../../../platform/crypto/ids.ts';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { hashShare } from '../../../tenancy/hash-share.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { once, type RepeatableRequest } from '../../../tenancy/idempotency.ts';
import { type Actor, record } from '../../events/journal/index.ts';
import type { PasswordPolicy } from '../../authentication/breached-passwords/index.ts';
import { MEMBER, requireMayGrant, roleChange } from '../roles/index.ts';
import { setSecretHash } from './credential-store.ts';
import { replaceRoles } from './membership-store.ts';
import { presentUser } from './present.ts';
import { createdUser } from './recorded.ts';
import { requireIdentifier } from './rules.ts';
import { findUser, insertIdentifiers, insertUser } from './store.ts';

export interface NewUser extends Identifier {
  /** Undefined: without a password. */
  readonly secretHash?: string;
  /** Whether the identifier was proven; default false. */
  readonly verified?: boolean;
  readonly roles: readonly string[];
  /** Default: a new one. */
  readonly id?: UserId;
  /** Of that id. */
  readonly createdAt?: Date;
}

/** Inserts a new user. @returns undefined when another user has the identifier. */
export async function writeUser(
  tx: TenantTx,
  by: Actor,
  user: NewUser,
): Promise<UserId | undefined> {
  const { type, identifier, verified = false, secretHash, createdAt = tx.now } = user;
  // The same time for both: a search sorts by id instead of age.
  const id = user.id ?? newUserId(createdAt);
  await insertUser(tx, id, createdAt);
  if (!(await insertIdentifiers(tx, id, [{ type, identifier, verified }]))) return undefined;
  if (secretHash !== undefined) await setSecretHash(tx, id, secretHash);
  await replaceRoles(tx, id, user.roles);
  const change = await roleChange(tx, [], user.roles);
  await record(tx, by, createdUser(id, [{ type, identifier }], change));
  return id;
}

type Refuse = Fail<
  'VALIDATION_FAILED' | 'IDENTIFIER_TAKEN' | 'ROLE_UNKNOWN' | 'SCOPE_NOT_HELD' | 'TOO_BUSY'
>;

export type CreateUser = (
  tenant: Tenant,
  caller: Caller,
  body: BodyOf<typeof createUser>,
  repeatable: RepeatableRequest | undefined,
  fail: Refuse,
) => Promise<UserRecord>;

interface Dependencies {
  readonly gate: Gate;
  readonly passwords: PasswordHasher;
  readonly passwordPolicy: PasswordPolicy;
}

export function createCreateUser({ gate, passwords, passwordPolicy }: Dependencies): CreateUser {
  return async (tenant, caller, body, repeatable, fail) => {
    const identifier = requireIdentifier(body.identifier, '/identifier', fail);
    const identifiers = [identifier.identifier];
    const candidate = { secret: body.password, identifiers, from: caller.from };
    await passwordPolicy.require(tenant, candidate, '/password', fail);
    const roles = body.roles ?? [MEMBER];
    const secretHash = await passwords.hash(body.password, hashShare(tenant.id, caller.from));
    return once(gate.into(tenant.id), repeatable, async (tx) => {
      await requireMayGrant(tx, caller, roles, fail);
      const id = await writeUser(tx, caller, { ...identifier, secretHash, roles });
      const row = id && (await findUser(tx, id));
      return row ? presentUser(row) : fail('IDENTIFIER_TAKEN');
    });
  };
}
