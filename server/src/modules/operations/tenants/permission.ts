import { namesAddress } from '@keywright/contract/addresses';
import type { Fail } from '@keywright/contract/errors';
import { DEFAULT_TENANT, type TenantId } from '@keywright/contract/ids';
import { SETTING_SCOPES, type TenantConfigPatch } from '@keywright/contract/records/tenant';
import type { BodyOf } from '@keywright/contract/route';
import type { updateTenant } from '@keywright/contract/routes/tenants';
import { LOGINS, type Scope } from '@keywright/contract/scopes';
import {
  requireAdministrator,
  requireFresh,
  requireScopes,
} from '../../../tenancy/authorization.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import { asTenant, type SystemTx } from '../../../tenancy/system.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { requireAsMuch, requireAsMuchAsAnyone, SYSTEM_ADMIN } from '../../identity/roles/index.ts';

type Patch = BodyOf<typeof updateTenant>;
const TENANT = 'write:tenant';

/** The scopes that each part of a change needs, if it is present. */
const SCOPES_OF_PARTS: {
  readonly [Part in keyof Patch]-?: (part: NonNullable<Patch[Part]>) => readonly Scope[];
} = {
  name: (name) => [namesAddress(name) ? LOGINS : TENANT],
  config: (config) =>
    Object.keys(config).map((setting) => SETTING_SCOPES[setting as keyof TenantConfigPatch]),
  branding: ({ company_name: name }) => [name && namesAddress(name) ? LOGINS : TENANT],
  messaging: () => [LOGINS],
  domains: () => [LOGINS],
  issuer: () => [LOGINS],
  is_active: () => [TENANT],
};

/** The scopes that a change needs: `write:tenant`, `write:logins` or both. */
export function scopesOf(patch: Patch): Scope[] {
  const parts = Object.entries(patch) as [keyof Patch, never][];
  return [...new Set(parts.flatMap(([name, part]) => SCOPES_OF_PARTS[name](part)))];
}

/**
 * Checks what can be decided before the change: the scopes, and for logins that the caller is an administrator who has
 * logged in recently, unless nothing is changed.
 * @throws AppError ADMINISTRATOR_REQUIRED, SCOPE_REQUIRED, STEP_UP_REQUIRED
 */
export function requireScopesFor(
  patch: Patch,
  tenant: Tenant,
  caller: Caller,
  { now, isDryRun }: { readonly now: Date; readonly isDryRun: boolean },
): void {
  const needed = scopesOf(patch);
  const isOfLogins = needed.includes(LOGINS);
  if (isOfLogins) requireAdministrator(caller);
  requireScopes(caller, needed);
  if (isOfLogins && !isDryRun) requireFresh(tenant, caller, now);
}

/**
 * Checks that the caller holds as much as the users of the tenant whose logins change. System administrators do in every
 * tenant.
 * @throws AppError SCOPE_NOT_HELD
 */
export function requireAsMuchAsUsersOf(
  tx: SystemTx,
  caller: Caller,
  id: TenantId,
  fail: Fail<'SCOPE_NOT_HELD'>,
): Promise<void> {
  if (id === caller.claims.tenant_id) {
    return asTenant(tx, id, (own) => requireAsMuchAsAnyone(own, caller, fail));
  }
  const everything = [{ name: SYSTEM_ADMIN, scopes: ['*:*'] }];
  return asTenant(tx, DEFAULT_TENANT, (home) =>
    requireAsMuch(home, caller, everything, 'The logins of another tenant need', fail),
  );
}
