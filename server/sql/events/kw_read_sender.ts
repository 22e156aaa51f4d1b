// Made from kw_read_sender.sql by `npm run generate`.

import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface ReadSenderRow {
  readonly name: string;
  readonly issuer: string | null;
  readonly config: Record<string, unknown>;
  readonly branding: Record<string, string>;
  readonly messaging: Record<string, unknown>;
  readonly templates: { locale: string; subject: string; text: string }[];
  readonly wrapped_key: Buffer;
  readonly master_key_id: string;
}

export const readSender: Statement & TenantCall<{
  readonly kind: string;
}, ReadSenderRow> = {
  name: 'kw_read_sender',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_read_sender($1, $2)',
  values: (tenant, { kind }) => [tenant, kind],
};
