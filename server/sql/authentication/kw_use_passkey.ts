// Made from kw_use_passkey.sql by `npm run generate`.

import type { FactorId, LoginFlowId, UserId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface UsePasskeyRow {
  readonly auth_version: number | null;
  readonly is_known: boolean;
  readonly credentials: Buffer[];
}

export const usePasskey: Statement & TenantCall<{
  readonly flow: LoginFlowId;
  readonly user: UserId;
  readonly factor: FactorId;
  readonly counter: number;
  readonly backedUp: boolean;
  readonly now: Date;
}, UsePasskeyRow> = {
  name: 'kw_use_passkey',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT * FROM kw_use_passkey($1, $2, $3, $4, $5, $6, $7)',
  values: (tenant, { flow, user, factor, counter, backedUp, now }) => [tenant, flow, user, factor, counter, backedUp, now],
};
