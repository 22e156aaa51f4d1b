import type { Identifier } from '@keywright/contract/identifiers';
import type { UserId } from '@keywright/contract/ids';
import { newUserId } from '../../../platform/crypto/ids.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { type Actor, record } from '../../events/journal/index.ts';
import { roleChange } from '../roles/index.ts';
import { setSecretHash } from './credential-store.ts';
import { replaceRoles } from './membership-store.ts';
import { createdUser } from './recorded.ts';
import { insertIdentifiers, insertUser } from './store.ts';

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
