// Made from kw_begin_flow.sql by `npm run generate`.

import type { LoginFlowId, WorkspaceId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const beginFlow: Statement & TenantCall<{
  readonly flow: LoginFlowId;
  readonly purpose: string;
  readonly tokenHash: Buffer;
  readonly identifier: string;
  readonly workspace: WorkspaceId | null;
  readonly proofs: string;
  readonly limit: number;
  readonly now: Date;
  readonly expiresAt: Date;
}, unknown> = {
  name: 'kw_begin_flow',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_begin_flow($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
  values: (tenant, { flow, purpose, tokenHash, identifier, workspace, proofs, limit, now, expiresAt }) => [tenant, flow, purpose, tokenHash, identifier, workspace, proofs, limit, now, expiresAt],
};
