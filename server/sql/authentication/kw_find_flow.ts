// Made from kw_find_flow.sql by `npm run generate`.

import type { LoginFlowId, SessionId, UserId, WorkspaceId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';
import type { JsonValue } from '../../src/platform/db/schema.ts';

export type FindFlowRow = {
  readonly purpose: string;
  readonly identifier: string;
  readonly workspace_id: WorkspaceId | null;
  readonly proofs: JsonValue;
  readonly version: number;
  readonly expires_at: Date;
  readonly ended_at: Date | null;
  readonly session_id: SessionId | null;
  readonly user_id: UserId;
  readonly is_active: boolean;
  readonly auth_version: number;
  readonly has_second_factor: boolean;
  readonly has_recovery_codes: boolean;
} | {
  readonly purpose: string;
  readonly identifier: string;
  readonly workspace_id: WorkspaceId | null;
  readonly proofs: JsonValue;
  readonly version: number;
  readonly expires_at: Date;
  readonly ended_at: Date | null;
  readonly session_id: SessionId | null;
  readonly user_id: null;
  readonly is_active: boolean | null;
  readonly auth_version: number | null;
  readonly has_second_factor: boolean | null;
  readonly has_recovery_codes: boolean | null;
};

export const findFlow: Statement & TenantCall<{
  readonly flow: LoginFlowId;
  readonly tokenHash: Buffer;
}, FindFlowRow> = {
  name: 'kw_find_flow',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_find_flow($1, $2, $3)',
  values: (tenant, { flow, tokenHash }) => [tenant, flow, tokenHash],
};
