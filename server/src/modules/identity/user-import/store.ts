import { importUsers } from '../../../../sql/identity/kw_import_users.ts';
import type { UserId } from '@keywright/contract/ids';
import { callAs } from '../../../platform/db/calls.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { CheckedUser } from './rules.ts';

/** A user to insert. */
export interface Candidate extends CheckedUser {
  readonly id: UserId;
  readonly roles: readonly string[];
}

/** Inserts those whose identifiers are free; answers in their order. */
export function insertImported(tx: TenantTx, users: readonly Candidate[]) {
  const rows = users.map((user) => ({
    id: user.id,
    is_active: user.isActive,
    metadata: user.metadata,
    user_metadata: user.userMetadata,
    secret_hash: user.secretHash ?? null,
    identifiers: user.identifiers,
    roles: user.roles,
  }));
  return callAs(tx, importUsers, { rows: JSON.stringify(rows), now: tx.now });
}
