// Made from kw_take_passkey.sql by `npm run generate`.

import type { FactorId, LoginFlowId, UserId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export type TakePasskeyRow = {
  readonly factor_id: FactorId;
  readonly user_id: UserId;
  readonly is_active: boolean;
  readonly auth_version: number;
  readonly public_key: Buffer;
  readonly algorithm: number;
  readonly backup_eligible: boolean;
  readonly user_handle: Buffer;
  readonly rp_id: string;
} | {
  readonly factor_id: null;
  readonly user_id: UserId | null;
  readonly is_active: boolean | null;
  readonly auth_version: number | null;
  readonly public_key: Buffer | null;
  readonly algorithm: number | null;
  readonly backup_eligible: boolean | null;
  readonly user_handle: Buffer | null;
  readonly rp_id: string | null;
};

export const takePasskey: Statement & TenantCall<{
  readonly flow: LoginFlowId;
  readonly challengeHash: Buffer;
  readonly credential: Buffer;
  readonly now: Date;
}, TakePasskeyRow> = {
  name: 'kw_take_passkey',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT * FROM kw_take_passkey($1, $2, $3, $4, $5)',
  values: (tenant, { flow, challengeHash, credential, now }) => [tenant, flow, challengeHash, credential, now],
};
