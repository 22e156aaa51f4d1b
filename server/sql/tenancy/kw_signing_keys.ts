// Made from kw_signing_keys.sql by `npm run generate`.

import type { SigningKeyId, TenantId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface SigningKeysRow {
  readonly tenant_id: TenantId;
  readonly id: SigningKeyId;
  readonly public_key: string;
  readonly private_key: Buffer | null;
  readonly signs_from: Date;
  readonly retired_at: Date | null;
  readonly wrapped_key: Buffer | null;
  readonly master_key_id: string | null;
}

export const signingKeys: Statement & TenantCall<Record<string, never>, SigningKeysRow> = {
  name: 'kw_signing_keys',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_signing_keys($1)',
  values: (tenant) => [tenant],
};
