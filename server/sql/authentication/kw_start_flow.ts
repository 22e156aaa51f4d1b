// Made from kw_start_flow.sql by `npm run generate`.

import type { LoginFlowId, WorkspaceId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const startFlow: Statement & TenantCall<{
  readonly flow: LoginFlowId;
  readonly purpose: string;
  readonly tokenHash: Buffer;
  readonly identifier: string;
  readonly workspace: WorkspaceId | null;
  readonly registers: boolean;
  readonly acr: string | null;
  readonly stepsUp: string | null;
  readonly locale: string | null;
  readonly userAgent: string | null;
  readonly continues: string | null;
  readonly proofs: string;
  readonly openedFrom: Buffer | null;
  readonly limit: number;
  readonly now: Date;
  readonly expiresAt: Date;
}, unknown> = {
  name: 'kw_start_flow',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_start_flow($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)',
  values: (tenant, { flow, purpose, tokenHash, identifier, workspace, registers, acr, stepsUp, locale, userAgent, continues, proofs, openedFrom, limit, now, expiresAt }) => [tenant, flow, purpose, tokenHash, identifier, workspace, registers, acr, stepsUp, locale, userAgent, continues, proofs, openedFrom, limit, now, expiresAt],
};
