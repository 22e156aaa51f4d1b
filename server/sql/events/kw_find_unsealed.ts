// Made from kw_find_unsealed.sql by `npm run generate`.

import type { ActorKind, AuditAction, TargetKind } from '@keywright/contract/audit';
import type { AuditEntryId, TenantId } from '@keywright/contract/ids';
import type { AuditEntry } from '@keywright/contract/records/audit-entry';
import type { Call } from '../../src/platform/db/calls.ts';

export interface FindUnsealedRow {
  readonly tenant_id: TenantId;
  readonly id: AuditEntryId;
  readonly created_at: Date;
  readonly actor_kind: ActorKind;
  readonly actor_id: string | null;
  readonly on_behalf_of: string | null;
  readonly credential: string | null;
  readonly action: AuditAction;
  readonly target_kind: TargetKind;
  readonly target_id: string | null;
  readonly outcome: 'success' | 'failure' | 'denied';
  readonly address: string | null;
  readonly request_id: string | null;
  readonly count: number;
  readonly details: AuditEntry['details'];
  readonly mac: Buffer | null;
}

export const findUnsealed: Call<{
  readonly tenants: readonly TenantId[];
  readonly limit: number;
}, FindUnsealedRow> = {
  text: 'SELECT * FROM kw_find_unsealed($1, $2)',
  values: ({ tenants, limit }) => [tenants, limit],
};
