import type { Fail } from '@keywright/contract/errors';
import type { UserRecord } from '@keywright/contract/records/user';
import type { BodyOf } from '@keywright/contract/route';
import type { createUser } from '@keywright/contract/routes/users';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { hashShare } from '../../../tenancy/hash-share.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { once, type RepeatableRequest } from '../../../tenancy/idempotency.ts';
import type { PasswordPolicy } from '../../authentication/breached-passwords/index.ts';
import { MEMBER, requireMayGrant } from '../roles/index.ts';
import { presentUser, requireIdentifier, findUser, writeUser } from '../users/index.ts';

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
