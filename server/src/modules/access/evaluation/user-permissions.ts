import type { Fail } from '@keywright/contract/errors';
import { parseUserId, type TenantId, type WorkspaceId } from '@keywright/contract/ids';
import type { UserPermissions } from '@keywright/contract/records/user-permissions';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { requireScopes } from './checks.ts';
import type { FindEffectivePermissions } from './effective-permissions.ts';
import { findUser, findWorkspacesOf, type HeldRole } from './evidence-store.ts';
import { givenBy } from './reasons.ts';
import { isInPlace, usableScopes } from './rules.ts';

type FindUserPermissions = (
  tenantId: TenantId,
  caller: Caller,
  id: string,
  fail: Fail<'SCOPE_REQUIRED' | 'NOT_FOUND'>,
) => Promise<UserPermissions>;

/** The permissions of a user as `decide` finds them, with the roles that explanations name. */
export function createFindUserPermissions(
  gate: Gate,
  findEffectivePermissions: FindEffectivePermissions,
): FindUserPermissions {
  return async (tenantId, caller, id, fail) => {
    requireScopes(caller, ['read:roles'], fail);
    const subject = parseUserId(id) ?? fail('NOT_FOUND');
    const known = await gate.into(tenantId).transaction(async (tx) => {
      const user = await findUser(tx, subject);
      return user && { roles: user.roles, workspaces: await findWorkspacesOf(tx, subject) };
    });
    if (!known) return fail('NOT_FOUND');
    const ask = (workspaceId: WorkspaceId | undefined) =>
      findEffectivePermissions({ tenantId, subject, workspaceId, holdings: true });
    const [held, ...places] = await Promise.all([ask(undefined), ...known.workspaces.map(ask)]);
    const scopes = usableScopes(held);
    return {
      user_id: subject,
      tenant_id: tenantId,
      is_active: held.is_active,
      permissions: scopes.toSorted().map((scope) => originOf(scope, known.roles)),
      all_workspaces: isInPlace(subject, 'outside', scopes),
      workspaces: held.is_active
        ? known.workspaces.filter((_, index) =>
            isInPlace(subject, places[index]?.place ?? 'unknown', scopes),
          )
        : [],
    };
  };
}

function originOf(scope: string, roles: readonly HeldRole[]) {
  const granted_by = roles.flatMap(({ name, is_builtin, scopes }) =>
    givenBy({ kind: 'role', name }, scopes, [scope]).map(({ covered_by }) => ({
      role: name,
      is_builtin,
      covered_by,
    })),
  );
  return { scope, granted_by };
}
