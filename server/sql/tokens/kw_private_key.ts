// Made from kw_private_key.sql by `npm run generate`.

import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface PrivateKeyRow {
  readonly private_key: Buffer;
  readonly wrapped_key: Buffer;
  readonly master_key_id: string;
}

export const privateKey: Statement & TenantCall<{
  readonly kid: string;
}, PrivateKeyRow> = {
  name: 'kw_private_key',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_private_key($1, $2)',
  values: (tenant, { kid }) => [tenant, kid],
};
