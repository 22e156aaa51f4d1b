import type { TenantId, WorkspaceId } from '@keywright/contract/ids';
import {
  effectivePermissions,
  type EffectivePermissionsRow,
} from '../../../../sql/access/kw_effective_permissions.ts';
import type { Gate } from '../../../tenancy/gate.ts';

/** A subject, and optionally a workspace. */
export interface Question {
  readonly tenantId: TenantId;
  /** A user or an agent; an unknown one holds nothing. */
  readonly subject: string;
  readonly workspaceId: WorkspaceId | undefined;
  /** Whether the scopes are needed; otherwise those of users are not read. */
  readonly holdings: boolean;
}

/** The scopes of a subject, whether or not it is active, and its membership in the workspace. */
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
