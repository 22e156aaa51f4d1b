// Made from kw_read_message_senders.sql by `npm run generate`.

import type { TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface ReadMessageSendersRow {
  readonly place: number;
  readonly name: string;
  readonly issuer: string | null;
  readonly config: Record<string, unknown>;
  readonly branding: Record<string, string>;
  readonly messaging: Record<string, unknown>;
  readonly templates: { locale: string; subject: string; text: string }[];
  readonly texts: { locale: string; key: string; text: string }[];
  readonly logos: { kind: string; digest: string }[];
  readonly wrapped_key: Buffer;
  readonly master_key_id: string;
}

export const readMessageSenders: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly kinds: readonly string[];
}, ReadMessageSendersRow> = {
  name: 'kw_read_message_senders',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_read_message_senders($1, $2)',
  values: ({ tenants, kinds }) => [tenants, kinds],
};
