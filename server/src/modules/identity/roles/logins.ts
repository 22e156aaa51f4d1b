import { namesAddress } from '@keywright/contract/addresses';
import type { Fail } from '@keywright/contract/errors';
import {
  requireAdministrator,
  requireFresh,
  requireScopes,
} from '../../../tenancy/authorization.ts';
import { LOGINS } from '@keywright/contract/scopes';
import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { requireAsMuch } from './service.ts';
import { findHeldRoles } from './store.ts';

/**
 * Checks that the caller holds as much as every user of the tenant, active or not, and everyone who is invited: who
 * decides how users log in could become any of them.
 * @throws AppError SCOPE_NOT_HELD
 */
export async function requireAsMuchAsAnyone(
  tx: TenantTx,
  caller: Caller,
  fail: Fail<'SCOPE_NOT_HELD'>,
): Promise<void> {
  const whose = 'This concerns the logins of all users, some of whom hold';
  await requireAsMuch(tx, caller, await findHeldRoles(tx), whose, fail);
}

/**
 * All conditions of `write:logins`, for a request that needs it because of what it contains or concerns.
 * @throws AppError ADMINISTRATOR_REQUIRED, SCOPE_REQUIRED, STEP_UP_REQUIRED, SCOPE_NOT_HELD
 */
export async function requireMayChangeLogins(
  tx: TenantTx,
  tenant: Tenant,
  caller: Caller,
  fail: Fail<'SCOPE_NOT_HELD'>,
): Promise<void> {
  requireAdministrator(caller);
  requireScopes(caller, [LOGINS]);
  requireFresh(tenant, caller, tx.now);
  await requireAsMuchAsAnyone(tx, caller, fail);
}

/** For a text that users will see: one that names an address leads them there. */
export async function requireForText(
  tx: TenantTx,
  tenant: Tenant,
  caller: Caller,
  text: string,
  fail: Fail<'SCOPE_NOT_HELD'>,
): Promise<void> {
  if (namesAddress(text)) await requireMayChangeLogins(tx, tenant, caller, fail);
  else requireScopes(caller, ['write:tenant']);
}
