// Made from kw_use_passkeys.sql by `npm run generate`.

import type { Acr } from '@keywright/contract/authentication';
import type { FactorId, LoginFlowId, SessionId, TenantId, UserId, WorkspaceId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export type UsePasskeysRow = {
  readonly place: number;
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
  readonly accepted_version: number | null;
  readonly is_known: boolean;
  readonly credentials: Buffer[];
} | {
  readonly place: number;
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
  readonly accepted_version: number | null;
  readonly is_known: boolean;
  readonly credentials: Buffer[];
};

export const usePasskeys: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly flows: readonly LoginFlowId[];
  readonly tokenHashes: readonly Buffer[];
  readonly users: readonly UserId[];
  readonly factors: readonly FactorId[];
  readonly counters: readonly number[];
  readonly backedUp: readonly boolean[];
  readonly now: readonly Date[];
}, UsePasskeysRow> = {
  name: 'kw_use_passkeys',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT * FROM kw_use_passkeys($1, $2, $3, $4, $5, $6, $7, $8)',
  values: ({ tenants, flows, tokenHashes, users, factors, counters, backedUp, now }) => [tenants, flows, tokenHashes, users, factors, counters, backedUp, now],
};
