import type { Fail } from '@keywright/contract/errors';
import type { WorkspaceId } from '@keywright/contract/ids';
import { type Caller, isInTheNameOf } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { requireAsMuch, scopesNotHeld } from '../roles/index.ts';
import { findRolesInside, findScopesOfAgentsInside, isInside } from './inside-store.ts';

/**
 * Checks that the caller may remove or lock out everybody in a workspace, who are locked: the rule for one membership,
 * applied to all. A delegate may not act on the user they act for.
 * @throws AppError PRINCIPAL_PROTECTED, SCOPE_NOT_HELD
 */
export async function requireMayActOnAllInside(
  tx: TenantTx,
  caller: Caller,
  id: WorkspaceId,
  fail: Fail<'PRINCIPAL_PROTECTED' | 'SCOPE_NOT_HELD'>,
): Promise<void> {
  const isInAName = isInTheNameOf(caller, caller.subject);
  if (isInAName && (await isInside(tx, id, caller.subject))) fail('PRINCIPAL_PROTECTED');
  const oneself = caller.kind === 'user' ? caller.subject : undefined;
  const roles = await findRolesInside(tx, id, oneself);
  await requireAsMuch(tx, caller, roles, 'Somebody in this workspace holds', fail);
  const missing = await scopesNotHeld(tx, caller, await findScopesOfAgentsInside(tx, id));
  if (missing.length === 0) return;
  const detail = `Agents in this workspace hold what you do not: ${missing.join(', ')}.`;
  fail('SCOPE_NOT_HELD', { detail });
}
