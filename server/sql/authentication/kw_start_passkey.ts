// Made from kw_start_passkey.sql by `npm run generate`.

import type { Acr } from '@keywright/contract/authentication';
import type { LoginFlowId, SessionId, TenantId, UserId, WorkspaceId } from '@keywright/contract/ids';
import type { BatchCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export type StartPasskeyRow = {
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
  readonly is_begun: boolean;
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
  readonly is_begun: boolean;
};

export const startPasskey: Statement & BatchCall<{
  readonly tenant: TenantId;
  readonly flow: LoginFlowId;
  readonly tokenHash: Buffer;
  readonly challengeHash: Buffer;
  readonly limit: number;
  readonly now: Date;
  readonly expiresAt: Date;
}, StartPasskeyRow> = {
  name: 'kw_start_passkey',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT item.n::integer AS place, result.* FROM (SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[], $5::integer[], $6::timestamp with time zone[], $7::timestamp with time zone[]) WITH ORDINALITY AS item (p_tenant, p_flow, p_token_hash, p_challenge_hash, p_limit, p_now, p_expires_at, n) ORDER BY p_tenant COLLATE "C", p_flow COLLATE "C", n) AS item CROSS JOIN LATERAL kw_start_passkey(item.p_tenant, item.p_flow, item.p_token_hash, item.p_challenge_hash, item.p_limit, item.p_now, item.p_expires_at) AS result',
  values: (items) => [
    items.map((item) => item.tenant),
    items.map((item) => item.flow),
    items.map((item) => item.tokenHash),
    items.map((item) => item.challengeHash),
    items.map((item) => item.limit),
    items.map((item) => item.now),
    items.map((item) => item.expiresAt),
  ],
};
