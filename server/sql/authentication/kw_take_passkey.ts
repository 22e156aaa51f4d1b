// Made from kw_take_passkey.sql by `npm run generate`.

import type { Acr } from '@keywright/contract/authentication';
import type { FactorId, LoginFlowId, SessionId, TenantId, UserId, WorkspaceId } from '@keywright/contract/ids';
import type { BatchCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export type TakePasskeyRow = {
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
  readonly is_taken: boolean;
  readonly factor_id: FactorId | null;
  readonly owner_id: UserId | null;
  readonly is_owner_active: boolean | null;
  readonly public_key: Buffer | null;
  readonly algorithm: number | null;
  readonly backup_eligible: boolean | null;
  readonly user_handle: Buffer | null;
  readonly rp_id: string | null;
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
  readonly is_taken: boolean;
  readonly factor_id: FactorId | null;
  readonly owner_id: UserId | null;
  readonly is_owner_active: boolean | null;
  readonly public_key: Buffer | null;
  readonly algorithm: number | null;
  readonly backup_eligible: boolean | null;
  readonly user_handle: Buffer | null;
  readonly rp_id: string | null;
};

export const takePasskey: Statement & BatchCall<{
  readonly tenant: TenantId;
  readonly flow: LoginFlowId;
  readonly tokenHash: Buffer;
  readonly challengeHash: Buffer;
  readonly credential: Buffer;
  readonly now: Date;
}, TakePasskeyRow> = {
  name: 'kw_take_passkey',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT item.n::integer AS place, result.* FROM (SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[], $5::bytea[], $6::timestamp with time zone[]) WITH ORDINALITY AS item (p_tenant, p_flow, p_token_hash, p_challenge_hash, p_credential, p_now, n) ORDER BY p_tenant COLLATE "C", p_flow COLLATE "C", n) AS item CROSS JOIN LATERAL kw_take_passkey(item.p_tenant, item.p_flow, item.p_token_hash, item.p_challenge_hash, item.p_credential, item.p_now) AS result',
  values: (items) => [
    items.map((item) => item.tenant),
    items.map((item) => item.flow),
    items.map((item) => item.tokenHash),
    items.map((item) => item.challengeHash),
    items.map((item) => item.credential),
    items.map((item) => item.now),
  ],
};
