// Made from kw_find_unsealed.sql by `npm run generate`.

import type { AuditEntryId, TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { JsonValue } from '../../src/platform/db/schema.ts';

export interface FindUnsealedRow {
  readonly tenant_id: TenantId;
  readonly id: AuditEntryId;
  readonly created_at: Date;
  readonly actor_kind: string;
  readonly actor_id: string | null;
  readonly on_behalf_of: string | null;
  readonly credential: string | null;
  readonly action: string;
  readonly target_kind: string;
  readonly target_id: string | null;
  readonly outcome: string;
  readonly address: string | null;
  readonly request_id: string | null;
  readonly count: number;
  readonly details: JsonValue;
  readonly mac: Buffer | null;
}

export const findUnsealed: Call<{
  readonly tenants: readonly TenantId[];
  readonly limit: number;
}, FindUnsealedRow> = {
  text: 'SELECT * FROM kw_find_unsealed($1, $2)',
  values: ({ tenants, limit }) => [tenants, limit],
};
