import type { Fail } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import type { Explanation } from '@keywright/contract/records/explanation';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Check, requireScopes } from './checks.ts';
import type { Decide } from './decide.ts';
import { distinct, type Reason, reasonOf } from './reasons.ts';
import type { FindSubject } from './subject.ts';
import { type Holder, isInPlace } from './rules.ts';
import type { FindEffectivePermissions } from './effective-permissions.ts';

/** Decides a check like an evaluation, with the reasons. */
export type Explain = (
  tenant: Tenant,
  caller: Caller,
  check: Check,
  fail: Fail<'SCOPE_REQUIRED'>,
) => Promise<Explanation | 'workspace_unknown'>;

interface Dependencies {
  readonly gate: Gate;
  readonly decide: Decide;
  readonly findSubject: FindSubject;
  readonly findEffectivePermissions: FindEffectivePermissions;
}

export function createExplain({
  gate,
  decide,
  findSubject,
  findEffectivePermissions,
}: Dependencies): Explain {
  return async (tenant, caller, check, fail) => {
    const { takes, findEvidence, holder } = await findSubject(tenant, check);
    requireScopes(caller, takes, fail);
    const decision = await decide(tenant, check);
    if (decision === 'workspace_unknown') return decision;
    const { grants, removals, reasons } = await gate.into(tenant.id).transaction(findEvidence);
    const ofPlace = await reasonsOfPlace(findEffectivePermissions, tenant.id, check, holder);
    return {
      ...decision,
      grants: [...grants],
      removals: [...removals],
      reasons: distinct([...reasons, ...ofPlace]),
    };
  };
}

async function reasonsOfPlace(
  findEffectivePermissions: FindEffectivePermissions,
  tenantId: TenantId,
  { token, workspaceId }: Check,
  holder: Holder,
): Promise<Reason[]> {
  if (workspaceId === undefined) return [];
  const found = holder.subjects.map(async (subject) => {
    const question = { tenantId, subject, workspaceId, holdings: token === undefined };
    const { place, scopes } = await findEffectivePermissions(question);
    if (place === 'inactive') return [reasonOf('workspace_inactive', { name: workspaceId })];
    const isThere = isInPlace(subject, place, token === undefined ? scopes : holder.scopes);
    return isThere ? [] : [reasonOf('workspace_membership_missing', { name: subject })];
  });
  return (await Promise.all(found)).flat();
}
