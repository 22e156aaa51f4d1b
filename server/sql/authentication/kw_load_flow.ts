// Made from kw_load_flow.sql by `npm run generate`.

import type { Acr } from '@keywright/contract/authentication';
import type { LoginFlowId, SessionId, UserId, WorkspaceId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';
import type { JsonValue } from '../../src/platform/db/schema.ts';

export type LoadFlowRow = {
  readonly purpose: string;
  readonly identifier: string;
  readonly workspace_id: WorkspaceId | null;
  readonly registers: boolean;
  readonly locale: string | null;
  readonly continues: string | null;
  readonly proofs: JsonValue;
  readonly version: number;
  readonly expires_at: Date;
  readonly ended_at: Date | null;
  readonly session_id: SessionId | null;
  readonly is_sent: boolean;
  readonly user_id: UserId;
  readonly is_active: boolean;
  readonly auth_version: number;
  readonly has_second_factor: boolean;
  readonly has_recovery_codes: boolean;
  readonly is_verified: boolean;
  readonly has_others: boolean;
  readonly acr: Acr | null;
  readonly steps_up: SessionId | null;
} | {
  readonly purpose: string;
  readonly identifier: string;
  readonly workspace_id: WorkspaceId | null;
  readonly registers: boolean;
  readonly locale: string | null;
  readonly continues: string | null;
  readonly proofs: JsonValue;
  readonly version: number;
  readonly expires_at: Date;
  readonly ended_at: Date | null;
  readonly session_id: SessionId | null;
  readonly is_sent: boolean;
  readonly user_id: null;
  readonly is_active: boolean | null;
  readonly auth_version: number | null;
  readonly has_second_factor: boolean | null;
  readonly has_recovery_codes: boolean | null;
  readonly is_verified: boolean | null;
  readonly has_others: boolean | null;
  readonly acr: Acr | null;
  readonly steps_up: SessionId | null;
};

export const loadFlow: Statement & TenantCall<{
  readonly flow: LoginFlowId;
  readonly tokenHash: Buffer;
}, LoadFlowRow> = {
  name: 'kw_load_flow',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_load_flow($1, $2, $3)',
  values: (tenant, { flow, tokenHash }) => [tenant, flow, tokenHash],
};
