// Made from kw_begin_passkey.sql by `npm run generate`.

import type { LoginFlowId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const beginPasskey: Statement & TenantCall<{
  readonly flow: LoginFlowId;
  readonly challengeHash: Buffer;
  readonly limit: number;
  readonly now: Date;
  readonly expiresAt: Date;
}, { readonly answer: boolean }> = {
  name: 'kw_begin_passkey',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_begin_passkey($1, $2, $3, $4, $5, $6) AS answer',
  values: (tenant, { flow, challengeHash, limit, now, expiresAt }) => [tenant, flow, challengeHash, limit, now, expiresAt],
};
