import type { TenantId, WorkspaceId } from '@keywright/contract/ids';
import { lookUp } from '../../../platform/db/database.ts';
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

export interface EffectivePermissions {
  readonly is_active: boolean;
  /** What they hold, whether or not they are active. */
  readonly scopes: string[];
  /** Where they are as to the workspace; null when there is no question of one. */
  readonly place: 'inside' | 'outside' | 'inactive' | 'unknown' | null;
}

const standings = lookUp('kw_standings', 'SELECT * FROM kw_standings($1, $2, $3, $4)');

/** In the order of the questions. */
export function findAllEffectivePermissions(
  gate: Gate,
  questions: readonly Question[],
): Promise<EffectivePermissions[]> {
  return gate.callMany<EffectivePermissions>(
    standings,
    questions.map((one) => one.tenantId),
    [
      questions.map((one) => one.subject),
      questions.map((one) => one.holdings),
      questions.map((one) => one.workspaceId ?? null),
    ],
  );
}
