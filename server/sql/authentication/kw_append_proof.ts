// Made from kw_append_proof.sql by `npm run generate`.

import type { LoginFlowId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const appendProof: Statement & TenantCall<{
  readonly flow: LoginFlowId;
  readonly version: number;
  readonly proof: string;
  readonly now: Date;
}, { readonly answer: boolean }> = {
  name: 'kw_append_proof',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_append_proof($1, $2, $3, $4, $5) AS answer',
  values: (tenant, { flow, version, proof, now }) => [tenant, flow, version, proof, now],
};
