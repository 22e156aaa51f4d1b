// Made from kw_read_message_sender.sql by `npm run generate`.

import type { TenantId } from '@keywright/contract/ids';
import type { BatchCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface ReadMessageSenderRow {
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

export const readMessageSender: Statement & BatchCall<{
  readonly tenant: TenantId;
  readonly kind: string;
}, ReadMessageSenderRow> = {
  name: 'kw_read_message_sender',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT item.n::integer AS place, result.* FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS item (p_tenant, p_kind, n) CROSS JOIN LATERAL kw_read_message_sender(item.p_tenant, item.p_kind) AS result',
  values: (items) => [
    items.map((item) => item.tenant),
    items.map((item) => item.kind),
  ],
};
