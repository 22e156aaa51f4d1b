import type { TenantId, WorkspaceId } from '@keywright/contract/ids';
import {
  effectivePermissions,
  type EffectivePermissionsRow,
} from '../../../../sql/access/kw_effective_permissions.ts';
import type { Gate } from '../../../tenancy/gate.ts';

/** Somebody, and perhaps a workspace. */
export interface Question {
  readonly tenantId: TenantId;
  /** A user or an agent; whoever there is not holds nothing. */
  readonly subject: string;
  readonly workspaceId: WorkspaceId | undefined;
  /** Whether it is asked what they hold; otherwise that of users is not looked for. */
  readonly holdings: boolean;
}

/** What somebody holds, whether or not they are active, and where they are as to the workspace that was asked about. */
export type EffectivePermissions = EffectivePermissionsRow;

/** In the order of the questions. */
export function findAllEffectivePermissions(
  gate: Gate,
  questions: readonly Question[],
): Promise<EffectivePermissions[]> {
  return gate.callMany(effectivePermissions, {
    tenants: questions.map((one) => one.tenantId),
    subjects: questions.map((one) => one.subject),
    holdings: questions.map((one) => one.holdings),
    workspaces: questions.map((one) => one.workspaceId ?? null),
  });
}
