// Made from kw_find_flow_state.sql by `npm run generate`.

import type { Acr } from '@keywright/contract/authentication';
import type { LoginFlowId, SessionId, TenantId, UserId, WorkspaceId } from '@keywright/contract/ids';
import type { BatchCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export type FindFlowStateRow = {
  readonly purpose: 'login' | 'recovery' | 'step_up' | 'invitation' | 'linking';
  readonly identifier: string;
  readonly workspace_id: WorkspaceId | null;
  readonly registers: boolean;
  readonly locale: string | null;
  readonly continues: LoginFlowId | null;
  readonly proofs: unknown[];
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
  readonly has_totp: boolean;
  readonly has_passkey: boolean;
  readonly acr: Acr | null;
  readonly steps_up: SessionId | null;
} | {
  readonly purpose: 'login' | 'recovery' | 'step_up' | 'invitation' | 'linking';
  readonly identifier: string;
  readonly workspace_id: WorkspaceId | null;
  readonly registers: boolean;
  readonly locale: string | null;
  readonly continues: LoginFlowId | null;
  readonly proofs: unknown[];
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
  readonly has_totp: boolean | null;
  readonly has_passkey: boolean | null;
  readonly acr: Acr | null;
  readonly steps_up: SessionId | null;
};

export const findFlowState: Statement & BatchCall<{
  readonly tenant: TenantId;
  readonly flow: LoginFlowId;
  readonly tokenHash: Buffer;
}, FindFlowStateRow> = {
  name: 'kw_find_flow_state',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT item.n::integer AS place, result.* FROM unnest($1::text[], $2::text[], $3::bytea[]) WITH ORDINALITY AS item (p_tenant, p_flow, p_token_hash, n) CROSS JOIN LATERAL kw_find_flow_state(item.p_tenant, item.p_flow, item.p_token_hash) AS result',
  values: (items) => [
    items.map((item) => item.tenant),
    items.map((item) => item.flow),
    items.map((item) => item.tokenHash),
  ],
};
