import type { Fail } from '@keywright/contract/errors';
import { parseUserId, type TenantId, type WorkspaceId } from '@keywright/contract/ids';
import type { UserPermissions } from '@keywright/contract/records/user-permissions';
import { batched } from '../../../platform/db/calls.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { BearerService } from '../../authentication/bearer/index.ts';
import {
  type Check,
  grantsBy,
  type Holder,
  holderOf,
  isInWorkspace,
  missingFor,
  requireScopes,
  usableScopes,
} from './evaluation-rules.ts';
import {
  type EffectivePermissions,
  findAllEffectivePermissions,
  findUser,
  findWorkspacesOf,
  type AssignedRole,
  type PermissionQuery,
} from './evaluation-store.ts';

interface Verdict {
  readonly allowed: boolean;
  readonly missing: string[];
}

/** `workspace_unknown`: the tenant has no such workspace. */
export type DecisionResult = Verdict | 'workspace_unknown';

/** The holder for an unknown subject: the workspace is still looked up. */
const UNKNOWN: Holder = { scopes: [], subjects: [''] };

/**
 * Decides checks. Permissions are read from the database each time, sharing one statement among concurrent checks; a
 * token without a workspace only needs the check that its grants are active.
 */
export class DecisionService {
  readonly #gate: Gate;
  readonly #bearer: Pick<BearerService, 'findActive'>;
  /** Finds the current permissions of a subject, and its membership in the workspace. */
  readonly findPermissions: (query: PermissionQuery) => Promise<EffectivePermissions>;

  constructor(gate: Gate, bearer: Pick<BearerService, 'findActive'>) {
    this.#gate = gate;
    this.#bearer = bearer;
    this.findPermissions = batched(
      (queries: readonly PermissionQuery[]) => findAllEffectivePermissions(gate, queries),
      { size: 256, flights: 2 },
    );
  }

  async decide(tenant: Tenant, check: Check): Promise<DecisionResult> {
    if (check.token !== undefined) return this.#decideToken(tenant, check.token, check);
    const { subject, workspaceId, needed } = check;
    const query = { tenantId: tenant.id, subject, workspaceId, holdings: true };
    const permissions = await this.findPermissions(query);
    return judge({ scopes: usableScopes(permissions), subjects: [subject] }, [permissions], needed);
  }

  async #decideToken(
    tenant: Tenant,
    token: string,
    { needed, workspaceId }: Check,
  ): Promise<DecisionResult> {
    const claims = await this.#bearer.findActive(tenant, token);
    const holder = claims ? holderOf(claims) : UNKNOWN;
    if (workspaceId === undefined) return verdictOf(missingFor(holder, [], needed));
    const permissions = holder.subjects.map((subject) =>
      this.findPermissions({ tenantId: tenant.id, subject, workspaceId, holdings: false }),
    );
    return judge(holder, await Promise.all(permissions), needed);
  }

  /** Lists the permissions of a user as `decide` finds them, with the role names for explanations. */
  async listPermissionsOfUser(
    tenantId: TenantId,
    caller: Caller,
    id: string,
    fail: Fail<'SCOPE_REQUIRED' | 'NOT_FOUND'>,
  ): Promise<UserPermissions> {
    requireScopes(caller, ['read:roles'], fail);
    const subject = parseUserId(id) ?? fail('NOT_FOUND');
    const { roles, workspaces } =
      (await this.#gate.into(tenantId).transaction(async (tx) => {
        const user = await findUser(tx, subject);
        return user && { roles: user.roles, workspaces: await findWorkspacesOf(tx, subject) };
      })) ?? fail('NOT_FOUND');
    const find = (workspaceId: WorkspaceId | undefined) =>
      this.findPermissions({ tenantId, subject, workspaceId, holdings: true });
    const [permissions, ...places] = await Promise.all([find(undefined), ...workspaces.map(find)]);
    const scopes = usableScopes(permissions);
    return {
      user_id: subject,
      tenant_id: tenantId,
      is_active: permissions.is_active,
      permissions: scopes.toSorted().map((scope) => originOf(scope, roles)),
      all_workspaces: isInWorkspace(subject, 'outside', scopes),
      workspaces: permissions.is_active
        ? workspaces.filter((_, index) =>
            isInWorkspace(subject, places[index]?.place ?? 'unknown', scopes),
          )
        : [],
    };
  }
}

function judge(
  holder: Holder,
  permissions: readonly EffectivePermissions[],
  needed: readonly string[],
): DecisionResult {
  const places = permissions.map((permission) => permission.place);
  return places.includes('unknown')
    ? 'workspace_unknown'
    : verdictOf(missingFor(holder, places, needed));
}

function verdictOf(missing: string[]): Verdict {
  return { allowed: missing.length === 0, missing };
}

function originOf(scope: string, roles: readonly AssignedRole[]) {
  const granted_by = roles.flatMap(({ name, is_builtin, scopes }) =>
    grantsBy({ kind: 'role', name }, scopes, [scope]).map(({ covered_by }) => ({
      role: name,
      is_builtin,
      covered_by,
    })),
  );
  return { scope, granted_by };
}
